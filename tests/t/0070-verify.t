#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# `earlyout verify` on a small tree whose Makefile is as much of Kbuild as one
# object needs.
. "$(dirname "$0")/lib.sh"

tree=$work/linux
make_tree "$tree"
cat >>"$tree/Makefile" <<'EOF'
allnoconfig:
	mkdir -p $(O) && touch $(O)/.config
prepare:
	mkdir -p $(O)/pond
pond/%.o: pond/%.c
	$(CC) -Wall -W -Wno-unused-parameter -Iinclude -c -o $(O)/$@ $(CURDIR)/$<
EOF
cat >"$work/fix.py" <<'EOF'
import sys
text = open(sys.argv[1]).read()
for pair in zip(sys.argv[2::2], sys.argv[3::2]):
    old, new = (s.encode().decode('unicode_escape') for s in pair)
    assert old in text, old
    text = text.replace(old, new, 1)
open(sys.argv[1], 'w').write(text)
EOF
git() { command git -C "$repo" "$@"; }
repo=$work/repo
cp -r "$tree" "$repo"
git init -q . && git add -A && git commit -q -m base
# patch SUBJECT OLD NEW...: a mail with those changes of pond/pond.c, on stdout
patch() {
	local subject=$1
	shift
	git checkout -q -f master 2>/dev/null || git checkout -q -f main
	python3 "$work/fix.py" "$repo/pond/pond.c" "$@" || exit
	git commit -q -a -m "pond: $subject

pond_show() flushes for nothing when there is no frog."
	git format-patch -q --stdout -1
	git reset -q --hard HEAD^
}
verify() { eo verify --quiet --no-smpl --tree "$tree" "$@"; }

flush='\tcgroup_rstat_flush(pond->group);\n'
test='\tif (list_empty(&pond->frogs))\n\t\treturn 0;\n'
patch 'early out' "$flush" "$test$flush" >"$work/good.eml"
if ! bwrap --unshare-all --ro-bind / / true 2>/dev/null; then
	verify "$work/good.eml"
	ends 2 'no sandbox here: refused, and says why' 'needs a sandbox'
	plan
	exit
fi

verify "$work/good.eml"
ends 0 'a right patch: all pass' '^1/1 pond: early out$' \
	'pass +applies +cleanly' 'pass +build +1 object, no new warning' \
	'pass +scan +1 gone by proof' ' 0 failed,'
cmp -s "$tree/pond/pond.c" <(git show HEAD:pond/pond.c)
ok $? 'the tree is as it was'
eo verify --quiet --no-smpl --tree "$tree" - <"$work/good.eml"
eo verify --quiet --no-smpl --format json --tree "$tree" "$work/good.eml"
[ "$(jq -r '.checks[] | select(.check == "scan").verdict' "$work/out")" = pass ]
ok $? '--format json' "$work/out"
"$EARLYOUT" verify --b4 --quiet --no-smpl --tree "$tree" <"$work/good.eml" \
	>"$work/out" 2>"$work/err"
[ "$(jq -r 'map(select(.tool == "earlyout build")) | .[0].status' \
	"$work/out")" = pass ]
ok $? '--b4 takes the mail on standard input' "$work/out" "$work/err"

patch 'unused' "$flush" "\tint n = 0;\n$test$flush" >"$work/a.eml"
verify "$work/a.eml"
ends 1 'an unused variable: build fails' 'fail +build +1 new warning .*unused'
patch 'broken' "$flush" "\tif (lis_empty(&pond->frogs)\n\t\treturn 0;\n$flush" \
	>"$work/a.eml"
verify "$work/a.eml"
ends 1 'does not build' 'fail +build +pond/pond\.c does not build: .*error'

patch 'macro' 'static int pond_show' \
	'#define quiet(h) (list_empty(h) && 0)\n\nstatic int pond_show' \
	"$flush" "\tif (quiet(&pond->frogs))\n\t\treturn 0;\n$flush" \
	>"$work/a.eml"
verify "$work/a.eml"
ends 1 'a test that is always false: not fixed' 'hidden, not fixed'
patch 'wrapper' 'static int pond_show' \
	'static void settle(struct pond *p)\n{\n\tcgroup_rstat_flush(p->group);\n}\n\nstatic int pond_show' \
	"$flush" '\tsettle(pond);\n' >"$work/a.eml"
verify "$work/a.eml"
ends 1 'a wrapper of the call: hidden' 'hidden, not fixed: settle\(\)'
patch 'pointer' 'static int pond_show' \
	'static void (*settle)(struct cgroup *g) = cgroup_rstat_flush;\n\nstatic int pond_show' \
	"$flush" '\tsettle(pond->group);\n' >"$work/a.eml"
verify "$work/a.eml"
ends 0 'a pointer to it: by shape only' 'warn +scan .*gone by shape only: settle'

# Step 2 does not build, step 3 does.
(
	cd "$repo" || exit
	for i in 1 2 3; do
		case $i in
		1) sed -i 's/^struct frog {/\/* a frog *\/\n&/' pond/pond.c ;;
		2) echo 'int toad = TOADS;' >>pond/pond.c ;;
		3) sed -i 's/TOADS/2/' pond/pond.c ;;
		esac
		command git commit -q -a -m "pond: step $i"
	done
	command git format-patch -q -o "$work/series" HEAD~3
	command git reset -q --hard HEAD~3
) >/dev/null
verify "$work/series"
ends 1 'a series whose second step does not build' '^2/3 pond: step 2' \
	'fail +build +pond/pond\.c does not build' '^3/3 pond: step 3'
[ "$(grep -c 'fail *build' "$work/out")" = 1 ]
ok $? 'and the third does' "$work/out"

sed 's/^-\?\( \?\)\tcgroup_rstat_flush/\1\tnever_was_there/' \
	"$work/good.eml" >"$work/a.eml"
verify "$work/a.eml"
ends 1 'does not apply' 'fail +applies'
for bad in ../x.c .git/config pond/../../x.c; do
	cat >"$work/a.eml" <<EOF
From: A <a@example.org>
Subject: [PATCH] x

---
diff --git a/$bad b/$bad
new file mode 100644
--- /dev/null
+++ b/$bad
@@ -0,0 +1 @@
+x
EOF
	verify "$work/a.eml"
	ends 2 "$bad is refused" refused
done
sed 's,pond/../../x.c,pond/x.c,g; s/100644/120000/' "$work/a.eml" >"$work/b.eml"
verify "$work/b.eml"
ends 2 'a symbolic link is refused' 'refused: it changes a symbolic link'
EO_PATH=$work/none verify "$work/good.eml"
ends 2 'without its tools: says so'

### Refused before anything is applied: there is not even a scratch copy.
refused() { # NAME REGEX
	XDG_CACHE_HOME=$work/untouched verify "$work/a.eml"
	ends 2 "$1 is refused" "refused: $2"
	[ -z "$(find "$work/untouched" -name 'scratch*' 2>/dev/null)" ]
	ok $? '... before anything is applied' <(ls -R "$work/untouched" 2>&1)
}
mail_of() { # DIFF on stdin: a mail
	printf 'From: A <a@example.org>\nSubject: [PATCH] x\n\n---\n'
	cat
}
mail_of >"$work/a.eml" <<'EOF'
diff --git a/pond/frog.bin b/pond/frog.bin
new file mode 100644
index 0000000000000000000000000000000000000000..f76dd238ade08917e6712764a16a22005a50573d
GIT binary patch
literal 1
IcmZPo000310RR91

literal 0
HcmV?d00001

EOF
refused 'a binary patch' 'it is binary'
mail_of >"$work/a.eml" <<'EOF'
diff --git a/pond/frog.bin b/pond/frog.bin
index 0000001..0000002 100644
Binary files a/pond/frog.bin and b/pond/frog.bin differ
EOF
refused 'one that only says so' 'it is binary'
perl -e 'print "diff --git a/pond/x.h b/pond/x.h\nnew file mode 100644\n",
	"--- /dev/null\n+++ b/pond/x.h\n\@\@ -0,0 +1,300000 \@\@\n";
	print "+int frog$_;\n" for 1..300000' | mail_of >"$work/a.eml"
refused 'a huge patch' 'it is huge: more than 4 MiB'
perl -e 'print "diff --git a/pond/x$_.h b/pond/x$_.h\nnew file mode 100644\n",
	"--- /dev/null\n+++ b/pond/x$_.h\n\@\@ -0,0 +1 \@\@\n+x\n" for 1..501' |
	mail_of >"$work/a.eml"
refused 'one of very many files' 'it is huge: more than 500 files'

### Attacks: a Makefile that comes with the patch.
attack() { # RECIPE: of the object's rule
	git checkout -q -f .
	printf 'pond/pond.o:\n%b\n' "$1" >>"$repo/Makefile"
	sed -i 's/^struct frog {/\/* a frog *\/\n&/' "$repo/pond/pond.c"
	git commit -q -a -m attack
	git format-patch -q --stdout -1 >"$work/attack.eml"
	git reset -q --hard HEAD^
	verify "${@:2}" "$work/attack.eml"
}
echo key >"$HOME/key"
attack "\techo x >$HOME/was-here; cat $HOME/key; false"
[ "$status" = 1 ] && [ ! -e "$HOME/was-here" ] && ! grep -q '| key' "$work/out"
ok $? 'writes to no home, reads no key' "$work/out" "$work/err"
perl -MIO::Socket::INET -e 'my $s = IO::Socket::INET->new(Listen => 1,
	LocalAddr => "127.0.0.1") or exit 1; $| = 1; print $s->sockport, "\n";
	$SIG{ALRM} = sub { exit }; alarm 60; $s->accept; print "came\n"' \
	>"$work/listener" &
listener=$!
cleanup() { kill "$listener" 2>/dev/null; }
while [ ! -s "$work/listener" ]; do sleep 0.1; done
attack "\tbash -c 'echo x >/dev/tcp/127.0.0.1/$(head -n 1 "$work/listener")'; false"
! grep -q came "$work/listener"
ok $? 'connects to nothing' "$work/listener"
attack '\tsleep 60' --timeout 2
ends 1 'runs no longer than it may' 'the build was ended: make took longer than 2 s'
attack "\tbash -c 'for ((i = 0; i < 500; i++)); do sleep 20 & done; sleep 4'; false"
[ "$status" = 1 ] && ! pgrep -f 'sleep 20$' >/dev/null
ok $? 'starts no 500 processes, and none is left' "$work/out"
# A fortieth of the 2 GB: what may be written is told to be 16 MiB.
attack "\tfor i in \$\$(seq 50); do head -c 1M /dev/urandom >\$(O)/\$\$i; done; sleep 2; false" \
	--disk 16
ends 1 'writes no more than it may' \
	'the build was ended: it wrote more than the 16 MiB that it may'
attack "\thead -c 50M /dev/zero >\$(O)/big; stat -c %s \$(O)/big >&2; false" \
	--disk 16 -v
[ "$status" = 1 ] && grep -q '| 16777216$' "$work/out"
ok $? 'no more into one file' "$work/out"
[ "$(du -sm "$XDG_CACHE_HOME" | cut -f 1)" -lt 16 ]
ok $? 'and nothing of it is left' <(du -sm "$XDG_CACHE_HOME"/*/*)
plan
