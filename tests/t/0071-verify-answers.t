#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Patches that mend a finding and break something, or only seem to mend it: the
# check that is there for it has to say so, and no other.
. "$(dirname "$0")/lib.sh"

if ! bwrap --unshare-all --ro-bind / / true 2>/dev/null; then
	skip 'known answers' 'no sandbox here'
	plan
	exit
fi

tree=$work/linux
repo=$work/repo
make_tree "$tree"
mkdir -p "$tree/scripts/coccinelle"
cat >"$tree/include/linux/spinlock.h" <<'X'
/* SPDX-License-Identifier: GPL-2.0-only */
#ifdef __CHECKER__
#define __acquire(x) __context__(x, 1)
#define __release(x) __context__(x, -1)
#define __user __attribute__((noderef, address_space(__user)))
#define __percpu __attribute__((noderef, address_space(__percpu)))
#else
#define __user
#define __percpu
#define __acquire(x) (void)0
#define __release(x) (void)0
#endif
typedef struct spinlock {
	int held;
} spinlock_t;
static inline void spin_lock(spinlock_t *l)
#ifdef __CHECKER__
	__attribute__((context(l, 0, 1)))
#endif
{
	l->held = 1;
	__acquire(l);
}
static inline void spin_unlock(spinlock_t *l)
#ifdef __CHECKER__
	__attribute__((context(l, 1, 0)))
#endif
{
	l->held = 0;
	__release(l);
}
X
cat >"$work/fix.py" <<'X'
import sys
text = open(sys.argv[1]).read()
for pair in zip(sys.argv[2::2], sys.argv[3::2]):
    old, new = (s.encode().decode('unicode_escape') for s in pair)
    assert old in text, old
    text = text.replace(old, new, 1)
open(sys.argv[1], 'w').write(text)
X
flush='\tcgroup_rstat_flush(pond->group);\n'
test='\tif (list_empty(&pond->frogs))\n\t\treturn 0;\n'
walk='\tlist_for_each_entry(frog'
python3 "$work/fix.py" "$tree/pond/pond.c" \
	'#include <linux/list.h>\n' \
	'#include <linux/list.h>\n#include <linux/spinlock.h>\n#include "pond.h"\n' \
	'struct cgroup *group;' 'spinlock_t lock;\n\tstruct cgroup *group;' \
	"$flush" "\tif (!pond)\n\t\treturn 0;\n$flush" \
	"$walk" "\tspin_lock(&pond->lock);\n$walk" \
	'\n\treturn 0;\n}\n\nstruct pond_ops' \
	'\tspin_unlock(&pond->lock);\n\n\treturn 0;\n}\n\nstruct pond_ops' || exit
printf '#define POND_DEPTH 4\n' >"$tree/pond/pond.h"
cat >"$tree/pond/heron.c" <<'X'
// SPDX-License-Identifier: GPL-2.0-only
#include "pond.h"

int heron_legs(void);
int heron_legs(void)
{
	return POND_DEPTH / 2;
}
X
cat >>"$tree/Makefile" <<'X'
allnoconfig:
	mkdir -p $(O) && touch $(O)/.config
prepare:
	mkdir -p $(O)/pond
pond/%.o: pond/%.c
	sparse -Iinclude $(CURDIR)/$<
	$(CC) -O0 -Wall -W -Wno-unused-parameter -Iinclude -c -o $(O)/$@ $(CURDIR)/$<
X
echo 'obj-y += pond.o heron.o' >"$tree/pond/Makefile"
cat >"$tree/scripts/coccinelle/heron.cocci" <<'X'
// Options: --no-includes
virtual report
@r@
position p;
@@
 heron@p(...)
@script:python depends on report@
p << r.p;
@@
coccilib.report.print_report(p[0], "WARNING: a heron")
X
git() { command git -C "$repo" "$@"; }
cp -r "$tree" "$repo"
git init -q . && git add -A && git commit -q -m base
# patch SUBJECT OLD NEW...: verifies a mail with those changes of $file
file=pond/pond.c
patch() {
	local subject=$1
	shift
	python3 "$work/fix.py" "$repo/$file" "$@" || exit
	git commit -q -a -m "pond: $subject

pond_show() flushes for nothing when there is no frog."
	git format-patch -q --stdout -1 >"$work/a.eml"
	git reset -q --hard HEAD^
	eo verify --quiet --no-smpl --tree "$tree" "$work/a.eml"
}
# fails STATUS CHECK... : which checks failed, and nothing else
fails() {
	local wanted=$1 name=$2

	shift 2
	is "$(sed -n 's/^  fail  *\([a-z]*\) .*/\1/p' "$work/out" | xargs)" \
		"$wanted" "$name: what fails" "$work/out"
	ends $((${#wanted} > 0)) "$name" "$@"
}

patch 'early out' "$flush" "$test$flush"
fails '' 'a right patch' 'pass +sparse +nothing new' \
	'pass +coccinelle +2 semantic patches' 'pass +scan +1 gone by proof' \
	'pass +size +add/remove: 1/0 grow/shrink: 1/0 up/down: [1-9][0-9]*/0 \('
patch 'the lock stays' "$flush" "\tspin_lock(&pond->lock);\n$test$flush" \
	"\tspin_lock(&pond->lock);\n$walk" "$walk"
fails 'sparse' 'an unbalanced lock' 'context imbalance in .pond_show.' \
	'a lock or an address space'
patch 'of userspace' 'static int pond_show' \
	'struct leg {\n\tint n;\n};\n\nint legs(struct leg __user *leg);\nint legs(struct leg __user *leg)\n{\n\tstruct leg *mine = leg;\n\n\treturn mine->n;\n}\n\nstatic int pond_show' \
	"$flush" "$test$flush"
fails 'sparse' 'a pointer to userspace, used as ours' \
	'different address spaces.* \(a lock or an address space\)'
patch 'of each CPU' 'static int pond_show' \
	'struct leg {\n\tint n;\n};\n\nint legs(struct leg __percpu *leg);\nint legs(struct leg __percpu *leg)\n{\n\treturn leg->n;\n}\n\nstatic int pond_show' \
	"$flush" "$test$flush"
fails 'sparse' 'a pointer of each CPU, used as it is' \
	'sparse .*noderef .*\(a lock or an address space\)'
patch 'wrong value' "$flush" \
	"\tif (list_empty(&pond->frogs))\n\t\treturn 1;\n$flush"
fails 'result' 'a wrong return value' 'returned "0" .* gives "1"'
patch 'no value' "$flush" \
	"\tif (list_empty(&pond->frogs))\n\t\treturn;\n$flush"
[ "$status" = 1 ] && grep -q 'fail *build .*return' "$work/out"
ok $? 'no return value' "$work/out"
patch 'unused' "$flush" "\tint n = 0;\n$test$flush"
fails 'build' 'an unused variable' '1 new warning .*unused variable'
patch 'too early' '\tif (!pond)' "$test\tif (!pond)"
fails 'coccinelle' 'the list before the NULL check' \
	'pond is used here, and tested for NULL'
patch 'a heron' "$flush" "\theron(pond);\n$test$flush" \
	'static int pond_show' 'void heron(struct pond *pond);\nstatic int pond_show'
fails 'coccinelle' "the tree's own semantic patch" '1 new: .*a heron'
eo db --tree "$tree" query --format json \
	"SELECT tool, comes, text FROM report_verification_warning
	 WHERE verification = (SELECT max(verification) FROM report_verification)"
is "$(jq -r '.[] | select(.tool == "coccinelle") | "\(.comes) \(.text)"' \
	"$work/out" | sed 's/.*WARNING/WARNING/')" 'WARNING: a heron' \
	'each warning is in the database'

patch 'macro' 'static int pond_show' \
	'#define quiet(h) (list_empty(h) && 0)\n\nstatic int pond_show' \
	"$flush" "\tif (quiet(&pond->frogs))\n\t\treturn 0;\n$flush"
fails 'scan' 'a test that is always false' 'hidden, not fixed'
patch 'wrapper' 'static int pond_show' \
	'static void settle(struct pond *p)\n{\n\tcgroup_rstat_flush(p->group);\n}\n\nstatic int pond_show' \
	"$flush" '\tsettle(pond);\n'
fails 'scan' 'a wrapper of the call' 'hidden, not fixed: settle\(\)'

said_patch() { # MESSAGE OLD NEW...
	local message=$1

	shift
	python3 "$work/fix.py" "$repo/$file" "$@" || exit
	git commit -q -a -m "$message"
	git format-patch -q --stdout -1 >"$work/a.eml"
	git reset -q --hard HEAD^
	eo verify --quiet --no-smpl --tree "$tree" "$work/a.eml"
}
said_patch 'pond: clearly rearrange the flush' \
	'static int pond_show' \
	'static void settle(struct pond *p)\n{\n\tcgroup_rstat_flush(p->group);\n}\n\nstatic int pond_show' \
	"$flush" '\tsettle(pond);\n'
fails '' 'who only moves the call, and claims nothing' \
	'warn +scan .* 0 hidden and not fixed, 1 perhaps, 0 new: .*hidden, not fixed, or only moved: settle\(\)'
said_patch 'pond: clearly rearrange the flush' \
	'struct frog *frog;' '/* green */\n\tstruct frog *frog;'
fails '' 'who does something else in the function' 'pass +scan'
said_patch 'pond: avoid confusion' 'struct frog *frog;' '/* green */\n\tstruct frog *frog;'
fails '' 'who saves something there, and does not say what' \
	'warn +scan .* 1 perhaps, .*still there, and the patch may be about it'
# What the scan cannot see any more is not gone.
patch 'configured out' "$flush" "#ifdef CONFIG_TOAD\n$flush#endif\n"
ends 0 'a call behind a false #ifdef' \
	'warn +scan +0 gone by proof, 1 by shape only.* still has the call'

### A header: those who include it are built.
file=pond/pond.h
patch 'deeper' 'POND_DEPTH 4' 'POND_DEPTH 5'
fails '' 'a header' 'pass +build +2 objects'
patch 'bottomless' 'POND_DEPTH 4' 'POND_BOTTOM 5'
fails 'build' 'a header that breaks who includes it' \
	'pond/heron\.c does not build'

file=include/linux/list.h
patch 'green' 'struct list_head {' '/* green */\nstruct list_head {'
fails '' 'a header of the whole tree' 'pass +build +1 object,'
patch 'broken' 'struct list_head {' 'struct list_toad {'
fails 'build' 'that breaks who includes it' 'pond/pond\.c does not build'

### A..B, what does not apply, offsets and fuzz.
file=pond/pond.c
step() { # SUBJECT OLD NEW...
	local subject=$1
	shift
	python3 "$work/fix.py" "$repo/pond/pond.c" "$@" || exit
	git commit -q -a -m "pond: $subject"
}
# One function put into its caller: named, and called unnecessary.
step wrap 'struct pond_ops {' \
	'static int pond_stat(void *sf, struct pond *pond)\n{\n\treturn pond_show(sf, pond);\n}\n\nstruct pond_ops {' \
	'.seq_show = pond_show' '.seq_show = pond_stat'
cp -r "$repo" "$work/wrapped"
jq --arg d "$work/wrapped" '[.[] | .directory = $d]' \
	"$repo/compile_commands.json" >"$work/wrapped/compile_commands.json"
said_inline() { # NAME-OF-THE-FUNCTION
	python3 "$work/fix.py" "$repo/pond/pond.c" \
		'static int pond_stat(void *sf, struct pond *pond)\n{\n\treturn pond_show(sf, pond);\n}\n\n' '' \
		'static int pond_show(' "static int $1(" \
		'.seq_show = pond_stat' ".seq_show = $1" || exit
	git commit -q -a -m 'pond: clean up

Two functions are unnecessary: pond_show() flushes in the other one.'
	git format-patch -q --stdout -1 >"$work/a.eml"
	git reset -q --hard HEAD^
	eo verify --quiet --no-smpl --tree "$work/wrapped" "$work/a.eml"
}
said_inline pond_stat
fails '' 'a function put into its caller' \
	'warn +scan .* 0 hidden and not fixed, 1 perhaps, 0 new: .*or only moved'
said_inline pond_new
fails 'scan' 'and into one that was not there' 'hidden, not fixed: '
git reset -q --hard HEAD^

step one "$flush" "$test$flush"
step two 'struct frog {' '/* green */\nstruct frog {'
(cd "$repo" && jq --arg d "$repo" '[.[] | .directory = $d]' \
	compile_commands.json >c && mv c compile_commands.json)
eo verify --quiet --no-smpl --tree "$repo" HEAD~2..HEAD
ends 0 'a range of commits' '^1/2 pond: one' 'pass +scan +1 gone by proof' \
	'^2/2 pond: two'
git format-patch -q --stdout -1 >"$work/a.eml"
cp -r "$repo" "$work/there" && eo verify --quiet --no-smpl --tree "$work/there" "$work/a.eml"
ends 1 'what the tree has already' 'fail +applies +the tree has it already'
eo verify --quiet --no-smpl --tree "$repo" HEAD~1..none
ends 2 'a range that is none' 'none'
git checkout -q -f .
git format-patch -q -o "$work/series" HEAD~2
sed -i 's/^ \tspin_lock(/ \tspin_luck(/' "$work"/series/0001*
eo verify --quiet --no-smpl --tree "$tree" "$work/series"
ends 0 'less context fits: said' 'warn +applies +with fuzz: 2 lines of context fit'
sed -i 's/^ \tcgroup_rstat_flush(/ \tnever_was_there(/' "$work"/series/0001*
eo verify --quiet --no-smpl --tree "$tree" "$work/series"
ends 1 'the first does not apply: the second is skipped' 'fail +applies' \
	'skipped applies +patch 1, which comes before it, does not apply' \
	'fail +applies +patch failed: pond/pond\.c:[0-9]+$'
git reset -q --hard HEAD~2
step offset 'struct cgroup;\n' 'struct cgroup;\n\n\n\n\n'
git format-patch -q --stdout -1 >/dev/null
step early "$flush" "$test$flush"
git format-patch -q --stdout -1 >"$work/a.eml"
eo verify --quiet --no-smpl --tree "$tree" "$work/a.eml"
ends 0 'other lines: the offset is said' 'pass +applies +with offsets of up to 4 lines'

### What a finding's cover letter says of it, and who needs no sandbox.
git reset -q --hard HEAD~2
eo scan --quiet --no-smpl --tree "$tree"
eo patch --quiet --tree "$tree" --from 'A <a@example.org>' -o "$work/ours"
eo verify --quiet --no-smpl --tree "$tree" "$work/ours"
ends 0 'our own series' 'pass +scan +1 gone by proof'
eo patch --quiet --tree "$tree" --from 'A <a@example.org>' -o "$work/again"
grep -Eq '^ *checked: pass on Linux 6\.99\.1: applies,' \
	"$work"/again/0000-cover-letter.patch
ok $? 'its cover letter says what was checked' "$work"/again/0000*
eo db --tree "$tree" query "SELECT count(*) AS n FROM report_verification AS v
	JOIN report_verification_patch AS p USING (verification)
	JOIN report_finding AS f ON f.id = p.finding
	WHERE v.series IS NOT NULL AND v.verdict = 'pass'"
is "$(tail -n 1 "$work/out")" 1 'stored under the series and the finding'
mkdir "$work/bin"
# What is first in PATH has to win, so it is linked last.
for dir in $(tr : '\n' <<<"$PATH" | grep -v ccache | tac); do
	ln -sf "$dir"/* "$work/bin/"
done
rm "$work/bin/bwrap"
EO_PATH=$work/bin eo verify --quiet --no-smpl --tree "$tree" "$work/ours"
[ "$status" != 2 ] && grep -q 'pass  *scan  *1 gone by proof' "$work/out"
ok $? 'without bubblewrap: ours is verified' "$work/out" "$work/err"
EO_PATH=$work/bin eo verify --quiet --no-smpl --tree "$tree" "$work/a.eml"
ends 2 "without bubblewrap: a stranger's is refused" 'needs a sandbox' bwrap
plan
