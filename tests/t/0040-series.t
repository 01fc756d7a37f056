#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# `earlyout patch`: from a scan of a small tree with invented names to mails.
. "$(dirname "$0")/lib.sh"

# A path with a blank, a quote and a newline, as paths may have.
tree=$work/$'a "farm\'s\ntree'
make_tree "$tree"
cd "$tree" || exit
rm -r pond
mkdir farm
echo 'obj-y += farm/' >Kbuild
echo 'obj-y += farm-barn.o' >farm/Makefile
cat >farm/farm-barn.c <<'EOF'
// SPDX-License-Identifier: GPL-2.0-only
#include <linux/list.h>

struct hay_count {
	unsigned long bales;
};

struct barn {
	struct list_head node;
	struct hay_count hay;
};

struct farm {
	struct list_head barns;
	int closed;
};

void hay_flush(struct farm *farm);
int seq_printf(void *sf, const char *fmt, ...);

static int barn_show(void *sf, struct farm *farm)
{
	struct barn *barn;

	if (farm->closed)
		seq_printf(sf, "closed\n");
	else
		hay_flush(farm);

	list_for_each_entry(barn, &farm->barns, node)
		seq_printf(sf, "%lu\n", barn->hay.bales);

	return 0;
}

struct farm_ops {
	int (*seq_show)(void *sf, struct farm *farm);
};

const struct farm_ops barn_ops = {
	.seq_show = barn_show,
};
EOF
cp farm/farm-barn.c "$work/before.c"
cat >"$work/hay.model" <<'EOF'
call hay_flush deferrable
	cost counts the hay of every farm
	lost the bales are counted by the next flush
	subject 1
	writes hay
effect hay
	record hay_count
EOF
sed -i s,pond/pond,farm/farm-barn,g compile_commands.json

earlyout() {
	"$EARLYOUT" "$1" --tree "$tree" --model "$work/hay.model" "${@:2}"
}

earlyout scan --format json >"$work/scan.json" 2>"$work/err"
[ $? -eq 1 ]
ok $? 'scan finds something' "$work/err"
[ "$(jq -c '[.findings[] | [.rule, .function, .fix]]' "$work/scan.json")" = \
	'[["flush-before-walk","barn_show","auto"]]' ]
ok $? 'what it should, with an automatic fix' "$work/scan.json"

git config --global --remove-section user
earlyout patch -o "$work/mails" >"$work/out" 2>&1
[ $? -eq 2 ] && grep -q -- --from "$work/out" && [ ! -e "$work/mails" ]
ok $? 'nobody to send it: says what to do, exit 2' "$work/out"

git config --global user.name 'Jörg Ö. Ü'
git config --global user.email joerg@example.org
earlyout patch -o "$work/mails" >"$work/out" 2>&1
ok $? 'patch' "$work/out"
grep -q 'no scripts/get_maintainer.pl' "$work/out"
ok $? 'says that there is nobody to ask for recipients' "$work/out"
[ "$(ls -A "$work/mails" | sed 's/-.*//' | xargs)" = '0000 0001' ]
ok $? 'a cover letter, a patch and nothing else'
mail=$(echo "$work"/mails/0001-*.patch)
grep -q '^From: =?UTF-8?q?J=C3=B6rg_=C3=96=2E_=C3=9C?= <joerg@example.org>$' \
	"$work"/mails/0000-*.patch
ok $? 'the sender of the cover letter is encoded' "$work"/mails/0000-*.patch
grep -q '^Signed-off-by: Jörg Ö\. Ü <joerg@example.org>$' "$mail"
ok $? 'signed off by the sender' "$mail"
tr '\n' ' ' <"$mail" | grep -q 'hay_flush() counts the hay of every farm,' 
ok $? 'says what the call costs' "$mail"

cmp -s farm/farm-barn.c "$work/before.c" && [ ! -e .git ]
ok $? 'the tree is as it was'
mkdir "$work/copy" && cp -r farm "$work/copy"
(
	cd "$work/copy" && git init -q . && git add . &&
		git commit -q -m base && git am -q "$mail"
) >"$work/out" 2>&1
ok $? 'git am takes it' "$work/out"
sed -n '/^static int barn_show/,/^}/p' "$work/copy/farm/farm-barn.c" |
	grep -v '^[[:space:]]*\(/\*\|\*\)' | diff - <(cat <<'EOF'
static int barn_show(void *sf, struct farm *farm)
{
	struct barn *barn;

	if (farm->closed) {
		seq_printf(sf, "closed\n");
	} else {
		if (list_empty(&farm->barns))
			return 0;
		hay_flush(farm);
	}

	list_for_each_entry(barn, &farm->barns, node)
		seq_printf(sf, "%lu\n", barn->hay.bales);

	return 0;
}
EOF
) >"$work/out"
ok $? 'and it is what a kernel developer would write' "$work/out"

cp "$work/copy/farm/farm-barn.c" farm/
earlyout scan --format json >"$work/scan.json" 2>"$work/err"
[ $? -eq 0 ]
ok $? 'with the fix, a scan finds nothing' "$work/err"
cp "$work/before.c" farm/farm-barn.c
earlyout scan >/dev/null 2>&1

# A history has its own ways to begin a subject.
git init -q . && git add -f farm && git commit -q -m 'animals: one'
echo >>farm/farm-barn.c && git commit -q -a -m 'animals: two'
cp "$work/before.c" farm/farm-barn.c && git commit -q -a -m 'animals: three'
earlyout scan >/dev/null 2>&1
earlyout patch --from 'Zoe <zoe@example.org>' -o "$work/mails" >"$work/out" 2>&1
ok $? 'patch again, into the same folder' "$work/out"
grep -q 'replaced an earlier series' "$work/out"
ok $? 'says that it replaced the earlier one' "$work/out"
mail=$(echo "$work"/mails/0001-*.patch)
grep -q '^Subject: \[PATCH 1/1\] animals: ' "$mail" &&
	grep -q '^From: Zoe <zoe@example.org>$' "$mail"
ok $? "the history's prefix, the sender that was given" "$mail"
grep -q "^base-commit: $(git rev-parse HEAD)$" "$work"/mails/0000-*.patch
ok $? 'names the commit that it applies to' "$work"/mails/0000-*.patch

mkdir "$work/mine" && echo mine >"$work/mine/0001-mine.patch"
earlyout patch -o "$work/mine" >"$work/out" 2>&1
[ $? -eq 2 ] && grep -q 0001-mine.patch "$work/out" &&
	[ "$(cat "$work"/mine/*)" = mine ]
ok $? "somebody else's patches are left alone, exit 2" "$work/out"
plan
