# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# For the tests beside it, which source it: TAP, a folder that goes when the
# test does, and a kernel tree of a few files with invented names.
set -u
: "${EARLYOUT:?is not set: the program to test}"
: "${TESTDIR:?is not set: the folder tests/}"

n=0
status=0
work=$(mktemp -d) || exit
trap 'cleanup; rm -rf "$work"' EXIT
cleanup() { :; } # a test may have more to clear away

# Nothing of the user's, and nothing that stays.
export HOME=$work/home TMPDIR=$work/tmp
export XDG_CACHE_HOME=$work/cache XDG_STATE_HOME=$work/state
export GIT_CONFIG_GLOBAL=$work/gitconfig GIT_CONFIG_NOSYSTEM=1
mkdir "$HOME" "$TMPDIR"
# A script before the real python3 (pyenv) is slow, and there are many scans.
mkdir "$work/tools"
ln -s "$(python3 -c 'import sys; print(sys.executable)')" "$work/tools/python3"
PATH=$work/tools:$PATH
cat >"$GIT_CONFIG_GLOBAL" <<'EOF'
[user]
	name = A Tester
	email = tester@example.org
EOF

ok() { # STATUS NAME [FILE-TO-SHOW...]
	local file

	n=$((n + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $n - $2"
		return
	fi
	echo "not ok $n - $2"
	shift 2
	for file; do
		head -c 2000 "$file" | sed 's/^/# /'
		echo
	done
}

is() { # GOT WANTED NAME
	[ "$1" = "$2" ]
	ok $? "$3" <(printf 'got:    %s\nwanted: %s\n' "$1" "$2")
}

skip() { # NAME WHY
	n=$((n + 1))
	echo "ok $n - $1 # skip $2"
}

plan() {
	echo "1..$n"
}

# Runs the program: $status, what it said in $work/out and $work/err. Where
# EO_PATH is set, that is its PATH.
eo() { # ARGUMENT...
	status=0
	PATH=${EO_PATH-$PATH} "$EARLYOUT" "$@" >"$work/out" 2>"$work/err" </dev/null || status=$?
}

# The last eo(): its exit code, and what has to stand in stdout or stderr.
ends() { # STATUS NAME [REGEX...]
	local wanted=$1 name=$2 re bad=

	shift 2
	[ "$status" -eq "$wanted" ] || bad="exit $status, not $wanted"
	for re; do
		grep -qEe "$re" "$work/out" "$work/err" ||
			bad="$bad; no line matches: $re"
	done
	[ -z "$bad" ]
	ok $? "$name" <(echo "$bad") "$work/out" "$work/err"
}

# Whether the database has no damage, and its number of runs.
db_state() { # FILE
	sqlite3 "$1" 'PRAGMA integrity_check; SELECT count(*) FROM run' 2>&1 |
		xargs
}

# A file with one call that is needed only for a walk: pond_show(), line 27.
pond() { # FILE [FUNCTION]
	cat >"$1" <<EOF
// SPDX-License-Identifier: GPL-2.0-only
#include <linux/list.h>

struct cgroup;

struct cgroup_base_stat {
	unsigned long ripples;
};

struct frog {
	struct list_head node;
	struct cgroup_base_stat stat;
};

struct pond {
	struct list_head frogs;
	struct cgroup *group;
};

void cgroup_rstat_flush(struct cgroup *group);
int seq_printf(void *sf, const char *fmt, ...);

static int ${2-pond}_show(void *sf, struct pond *pond)
{
	struct frog *frog;

	cgroup_rstat_flush(pond->group);

	list_for_each_entry(frog, &pond->frogs, node)
		seq_printf(sf, "%lu\n", frog->stat.ripples);

	return 0;
}

struct pond_ops {
	int (*seq_show)(void *sf, struct pond *pond);
};

const struct pond_ops ${2-pond}_ops = {
	.seq_show = ${2-pond}_show,
};
EOF
}

# A kernel tree with pond/pond.c, and how its files are compiled.
make_tree() { # DIR
	local dir=$1

	mkdir -p "$dir"/{arch/x86,include/linux,kernel,pond,scripts}
	printf '%s\n' 'VERSION = 6' 'PATCHLEVEL = 99' 'SUBLEVEL = 1' \
		'EXTRAVERSION =' 'NAME = Still Water' >"$dir/Makefile"
	echo 'obj-y += pond/' >"$dir/Kbuild"
	: >"$dir/Kconfig"
	echo 'obj-y += pond.o' >"$dir/pond/Makefile"
	cat >"$dir/include/linux/list.h" <<'EOF'
/* SPDX-License-Identifier: GPL-2.0-only */
struct list_head {
	struct list_head *next, *prev;
};
static inline int list_empty(const struct list_head *head)
{
	return *(struct list_head *const volatile *)&head->next == head;
}
#define list_entry(p, type, member) \
	((type *)((char *)(p) - __builtin_offsetof(type, member)))
#define list_for_each_entry(pos, head, member) \
	for (pos = list_entry((head)->next, __typeof__(*pos), member); \
	     &pos->member != (head); \
	     pos = list_entry(pos->member.next, __typeof__(*pos), member))
EOF
	pond "$dir/pond/pond.c"
	jq -n --arg dir "$(cd "$dir" && pwd; echo .)" \
		'[{directory: ($dir | rtrimstr("\n.")), file: "pond/pond.c",
		   arguments: ["gcc", "-Iinclude", "-c", "-o",
			"pond/pond.o", "pond/pond.c"]}]' \
		>"$dir/compile_commands.json"
}

# What a scan of such a tree says first.
finding='^pond/pond\.c:27:2: flush-before-walk: cgroup_rstat_flush\(\) .*\[high, auto\]$'
