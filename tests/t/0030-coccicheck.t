#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# The semantic patches as the kernel's scripts/coccicheck runs them: options
# from the header, the modes patch, context, org, report. With KERNEL set to a
# kernel tree, its own script does it once more.
set -u
: "${TESTDIR:?}"
n=0

ok() { # STATUS NAME [WHAT-WAS-SEEN]
	n=$((n + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $n - $2"
	else
		echo "not ok $n - $2"
		[ -z "${3-}" ] || head -c 4000 <<<"$3" | sed 's/^/# /'
	fi
}

is() { # GOT WANTED NAME
	[ "$1" = "$2" ]
	ok $? "$3" "got:    $1
wanted: $2"
}

skip() { # NAME WHY
	n=$((n + 1))
	echo "ok $n - $1 # skip $2"
}

patches=$(cd "$TESTDIR/../semantic-patches" && pwd)
cocci=$patches/flush-before-walk.cocci
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export TMPDIR=$work
mkdir "$work/tree"
cp "$TESTDIR"/fixtures/smpl/*.c "$work/tree"
cd "$work" || exit

# coccicheck takes the options like this, and adds more behind them.
options=$(grep 'Options:' "$cocci" | cut -d: -f2)
run() { # MODE
	# shellcheck disable=SC2086
	spatch -D "$1" --very-quiet --cocci-file "$cocci" $options \
		--patch "$work/tree" --dir "$work/tree" \
		--macro-file "$patches/earlyout-macros.h" "${@:2}" 2>&1
}

for word in Confidence Copyright Options Comments Keywords; do
	grep -q "^// $word: ." "$cocci"
	ok $? "the header has $word:"
done

out=$(run report --no-show-diff)
is "$(sort -t: -k2n <<<"$out" | sed "s,^$work/tree/,,; s, WARNING.*,,")" \
'shapes.c:19:1-19:
shapes.c:34:2-20:
shapes.c:50:2-17:
shapes.c:75:3-21:
shapes.c:89:1-26:
shapes.c:106:1-19:
shapes.c:118:2-20:' 'report: every shape, no near miss'
is "$(grep -F 'shapes.c:89:' <<<"$out" | sed 's/.*WARNING/WARNING/')" \
	'WARNING: cgroup_rstat_flush_atomic() is needed only by the hlist_for_each_entry_rcu() on line 92: return ret first if hlist_empty(&pond->frogs)' \
	'report: says what, where and what to do'

out=$(run org --no-show-diff)
is "$(grep -c '^\* TODO \[\[view:.*shapes\.c::' <<<"$out") $(grep -c '\[walk\]\]$' <<<"$out")" \
	'7 7' 'org: a heading for each call, a link to its walk'

# The lines that begin with "-" are the ones that are marked.
out=$(run context)
is "$(grep -E '^-.*(_rstat_flush|for_each)' <<<"$out" | wc -l) $(grep -c '^+[^+]' <<<"$out")" \
	'14 0' 'context: marks the calls and the walks, changes nothing'
! grep -q nearmiss <<<"$out"
ok $? 'context: no near miss' "$out"

run patch >patch.diff
grep -q nearmiss patch.diff
[ $? -eq 1 ]
ok $? 'patch: no near miss' "$(<patch.diff)"
seen=$(patch -d tree -p1 --fuzz=0 <patch.diff 2>&1)
ok $? 'patch: applies' "$seen"
# What the kernel's style wants is not spatch's business: but for comments
# and white space, braces and where they are, it is what earlyout writes.
plain() { sed 's,/\*.*\*/,,; /^[[:space:]]*\(\/\*\|\*\)/d' "$1" | tr -d '{} \t\n'; }
[ "$(plain tree/shapes.c)" = "$(plain "$TESTDIR/fixtures/smpl/shapes.res")" ]
ok $? 'patch: does what earlyout does' "$(diff tree/shapes.c "$TESTDIR/fixtures/smpl/shapes.res")"
is "$(run report --no-show-diff)" '' 'report: silent after the patch'

# A second flush, dropped by both.
both=$TESTDIR/fixtures/rewrite/flush-repeated/between
for file in twice.c twice.c.res; do
	sed 's/tally_flush/cgroup_rstat_flush/' "$both/$file" >"$work/$file"
done
rm tree/*
cp "$work/twice.c" tree
cocci=$patches/flush-repeated.cocci
run patch >patch.diff
seen=$(patch -d tree -p1 --fuzz=0 <patch.diff 2>&1) &&
	cmp -s tree/twice.c twice.c.res
ok $? 'patch: drops the second flush byte for byte as earlyout does' \
	"$seen$(diff twice.c.res tree/twice.c)"
is "$(run report --no-show-diff | sed 's/^[^:]*:\([0-9]*\):.*/\1/' | sort -n | xargs)" \
	'12 46 58 71' \
	'report: then, only what a patch leaves to people'

kernel=${KERNEL-}
if [ -x "$kernel/scripts/coccicheck" ]; then
	mkdir build
	seen=$(make -s -C "$kernel" O="$work/build" coccicheck COCCI="$cocci" \
		MODE=report M="$kernel/block" J=2 2>&1)
	ok $? "the kernel's make coccicheck runs it" "$seen"
else
	skip "the kernel's make coccicheck runs it" 'KERNEL names no kernel tree'
fi
echo "1..$n"
