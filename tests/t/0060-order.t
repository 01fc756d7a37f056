#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Fixes that have nothing to do with each other: applied in any order, they end
# in the same files. And a fix that cannot be made is none that is automatic.
. "$(dirname "$0")/lib.sh"

tree=$work/tree
make_tree "$tree"
cd "$tree" || exit
cat >pond/pond.c <<'EOC'
// SPDX-License-Identifier: GPL-2.0-only
#include <linux/list.h>

struct frog_count {
	unsigned long frogs;
};

struct pond {
	int open;
};

void frog_flush(struct pond *pond);
unsigned long frog_read(struct pond *pond);
int seq_printf(void *sf, const char *fmt, ...);

static int day_show(void *sf, struct pond *pond)
{
	frog_flush(pond);
	if (!pond->open)
		return 0;
	seq_printf(sf, "%lu\n", frog_read(pond));
	return 0;
}

static int night_show(void *sf, struct pond *pond)
{
	int open = pond->open;

	frog_flush(pond);
	if (open)
		seq_printf(sf, "%lu\n", frog_read(pond));
	return 0;
}

static int twice_show(void *sf, struct pond *pond)
{
	unsigned long n;

	frog_flush(pond);
	n = frog_read(pond);
	frog_flush(pond);
	seq_printf(sf, "%lu\n", n + frog_read(pond));
	return 0;
}

#define SHOWN(pond) \
	if (!(pond)->open) \
		return 0

static int macro_show(void *sf, struct pond *pond)
{
	unsigned long n;

	frog_flush(pond);
	n = frog_read(pond);
#ifdef LOUD
	n++;
#endif
	frog_flush(pond);
	seq_printf(sf, "%lu\n", n + frog_read(pond));
	return 0;
}

struct pond_ops {
	int (*seq_show)(void *sf, struct pond *pond);
};

const struct pond_ops all_ops[] = {
	{ .seq_show = day_show },
	{ .seq_show = night_show },
	{ .seq_show = twice_show },
	{ .seq_show = macro_show },
};
EOC
sed -i '/^#define SHOWN/,/^$/d' pond/pond.c
cat >"$work/frog.model" <<'EOC'
call frog_flush deferrable
	cost counts the frogs of every pond
	lost the frogs are counted by the next flush
	subject 1
	writes frogs
effect frogs
	record frog_count
	reader frog_read
EOC

eo scan --tree "$tree" --model "$work/frog.model" --format json
is "$(jq -r '.findings[] | "\(.function) \(.fix)"' "$work/out" | sort)" \
	'day_show auto
macro_show manual
night_show auto
twice_show auto' 'automatic is what can be made'
id=$(jq -r '.findings[] | select(.function == "macro_show") | .id' "$work/out")
eo db query "SELECT detail FROM obligation WHERE name = 'patch' AND
	state = 'failed'" --tree "$tree"
grep -q 'an #if stands between the two calls' "$work/out"
ok $? "and why the other is not ($id)" "$work/out" "$work/err"

eo patch --tree "$tree" --model "$work/frog.model" -o "$work/mails"
ends 0 'three patches' '3 patches'
apply() { # FOLDER PATCH...
	local to=$1 patch

	shift
	mkdir -p "$to/pond" && cp pond/pond.c "$to/pond"
	for patch; do
		(cd "$to" && git apply "$work/mails/$patch"-*.patch) || return
	done
}
apply "$work/123" 0001 0002 0003 &&
	for order in '0003 0002 0001' '0002 0003 0001' '0003 0001 0002'; do
		# shellcheck disable=SC2086 # words
		apply "$work/other" $order &&
			cmp "$work/123/pond/pond.c" "$work/other/pond/pond.c" ||
			break
	done >"$work/out" 2>&1
ok $? 'apply in any order, to the same end' "$work/out"
for patch in 0001 0002 0003; do
	apply "$work/alone-$patch" "$patch" &&
		git diff --no-index --check pond/pond.c \
			"$work/alone-$patch/pond/pond.c"
	[ $? -le 1 ] || break
done >"$work/out" 2>&1
[ ! -s "$work/out" ]
ok $? 'each by itself, without white space that git minds' "$work/out"
cp "$work/123/pond/pond.c" pond/pond.c
eo scan --tree "$tree" --model "$work/frog.model"
eo patch --tree "$tree" --model "$work/frog.model" -o "$work/again"
ends 0 'with all of them, there is nothing left to write' 'nothing written'
plan
