#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# `earlyout patch` on a tree with a history: who brought the call in, series
# that come again, what b4 and git send-email say, the order of patches.
. "$(dirname "$0")/lib.sh"

tree=$work/$'a "pond\'s\ntree'
make_tree "$tree"
cd "$tree" || exit
cat >scripts/get_maintainer.pl <<'EOF'
my $args = join(' ', @ARGV);
if ($args =~ /--subsystem/) {
	print "list\@example.org\n";
	print "POND - FROGS (FROG)\n" if $args =~ /pond/;
	print "THE REST\n";
	exit;
}
print "Fay <fay\@example.org> (maintainer:POND)\n";
EOF
git init -q .

# The flush comes in with the second commit; what is after it only moves it.
cp pond/pond.c "$work/with.c"
sed -i '/^\tcgroup_rstat_flush(pond/d' pond/pond.c
git add -A && git commit -q -m 'pond: begin'
cp "$work/with.c" pond/pond.c
git commit -q -a -m 'pond: show what is "true"'
sed -i 's/^\tcgroup_rstat_flush(pond->group);/\tif (pond->group)\n\t&/' pond/pond.c
git commit -q -a -m 'pond: only with a group'
origin=$(git log -1 --abbrev=12 --format='%h ("%s")' HEAD^)

earlyout() {
	"$EARLYOUT" "$1" --tree "$tree" "${@:2}"
}
query() {
	"$EARLYOUT" db query "$1" --tree "$tree" --format json
}
# mails FOLDER: their names, without what their subjects make of them.
mails() {
	(cd "$1" && ls | sed -E 's/^((v[0-9]+-)?[0-9]{4})-.*/\1/' | xargs)
}

earlyout scan >"$work/out" 2>&1
[ $? -eq 1 ]
ok $? 'scan finds something' "$work/out"
earlyout patch --dry-run -o "$work/mails" >"$work/out" 2>&1
[ $? -eq 0 ] && [ ! -e "$work/mails" ] &&
	grep -qE '^would write .*/0001-.*\.patch: .*skip cgroup_rstat_flush' \
		"$work/out"
ok $? '--dry-run says what would be written, and writes nothing' "$work/out"

earlyout patch -o "$work/mails" >"$work/out" 2>&1
ok $? 'patch' "$work/out"
is "$(query 'SELECT count(*) AS n FROM report_version' | jq -c .)" '[{"n":1}]' \
	'only that one is in the database'
is "$(mails "$work/mails")" '0000 0001' 'a cover letter and a patch'
mail=$(echo "$work"/mails/0001-*.patch)
is "$(sed -n 's/^Fixes: //p' "$mail")" "$origin" \
	'Fixes: names who brought the call in, not who moved it'
sed -n '/^Fixes:/{n;p}' "$mail" | grep -q '^Signed-off-by: A Tester'
ok $? 'and stands before the sign-off' "$mail"
! grep -q '^Link:' "$mail"
ok $? 'no Link: that nobody asked for' "$mail"

### v2: the tree has gone on.
sed -i 's/^int seq_printf/\n&/' pond/pond.c
git commit -q -a -m 'pond: air'
earlyout scan >/dev/null 2>&1
earlyout patch --reroll --note 'On top of the air.' -o "$work/mails" \
	>"$work/out" 2>&1
ok $? 'patch --reroll' "$work/out"
is "$(mails "$work/mails")" 'v2-0000 v2-0001' 'v2 takes the place of v1'
grep -q 'git am .*/v2-0001-\*\.patch' "$work/out"
ok $? 'and says how to apply it' "$work/out"
mail=$(echo "$work"/mails/v2-0001-*.patch)
cover=$(echo "$work"/mails/v2-0000-*.patch)
grep -q '^Subject: \[PATCH v2 1/1\] ' "$mail"
ok $? 'its subject' "$mail"
sed -n '/^---$/{n;p}' "$mail" | grep -q '^v2: no change$'
ok $? 'below the ---, what has changed' "$mail"
grep -q '^Changes since v1:$' "$cover" &&
	grep -q '^On top of the air\.$' "$cover" &&
	grep -q '^  1/1: no change$' "$cover" &&
	grep -q '^  rebased from ' "$cover"
ok $? 'the cover letter has it too' "$cover"
grep -q '^Range-diff against v1:$' "$cover" &&
	grep -qE '^1:  [0-9a-f]+ = 1:  [0-9a-f]+ ' "$cover"
ok $? 'and the range-diff' "$cover"
is "$(query 'SELECT version, rerolls IS NOT NULL AS again
	FROM report_version ORDER BY series' | jq -c .)" \
	'[{"version":1,"again":0},{"version":2,"again":1}]' \
	'the database keeps both'

### v3: another patch comes.
sed 's/pond_show/lake_show/g; s/pond_ops/lake_ops/g; s/pond/lake/g
	s/frog/crab/g; /^#include/d; /SPDX/d; /^int seq_printf/d
	/^void cgroup/d; /^struct cgroup;/d
	/^struct cgroup_base_stat {/,/^};/d' "$work/with.c" >>pond/pond.c
git commit -q -a -m 'pond: lakes'
earlyout scan >"$work/scan" 2>&1
earlyout patch --reroll -o "$work/mails" >"$work/out" 2>&1
cover=$(echo "$work"/mails/v3-0000-*.patch)
grep -q '^  2/2: new$' "$cover" && grep -q '^Changes since v2:$' "$cover" &&
	grep -q '^Changes since v1:$' "$cover"
ok $? 'v3 says what is new, and what was' "$cover" "$work/out" "$work/scan"
tr '\n' ' ' <"$cover" | grep -q 'do not depend on each other'
ok $? 'two that do not depend on each other' "$cover"

git checkout -q -b other
git am -q "$work"/mails/v3-0002-*.patch "$work"/mails/v3-0001-*.patch \
	>"$work/out" 2>&1
ok $? 'and apply the other way round' "$work/out"
status=0
earlyout scan >"$work/out" 2>&1 || status=$?
is "$status" 0 'with both a scan finds nothing'
earlyout patch -o "$work/none" >"$work/out" 2>&1
[ $? -eq 0 ] && [ ! -e "$work/none" ]
ok $? 'and patch writes nothing' "$work/out"
git checkout -q - && git branch -q -D other

### What people send mails with.
git send-email --dry-run --confirm=never --from=tester@example.org \
	--to=fay@example.org "$work/mails" >"$work/out" 2>&1 </dev/null
ok $? 'git send-email takes it' "$work/out"
if command -v b4 >/dev/null; then
	# As a list archives it: a mailbox, the patches in reply to the letter.
	python3 - "$work/mbox" "$work"/mails/v3-*.patch <<'EOF'
import email, mailbox, sys
box = mailbox.mbox(sys.argv[1])
for n, name in enumerate(sys.argv[2:]):
    m = email.message_from_bytes(open(name, 'rb').read())
    m['Message-Id'] = '<%d@example.org>' % n
    if n:
        m['In-Reply-To'] = '<0@example.org>'
    box.add(m)
box.flush()
EOF
	mkdir "$work/b4"
	b4 --offline-mode am -l -m "$work/mbox" \
		-o "$work/b4" >"$work/out" 2>&1
	[ $? -eq 0 ] && [ "$(cat "$work"/b4/*.mbx |
		grep -c '^Subject: \[PATCH')" = 2 ]
	ok $? 'b4 am has both patches of it' "$work/out"
	grep -qE "base: .*$(git rev-parse HEAD | cut -c 1-12)|applies clean" \
		"$work/out" || grep -q "$(git rev-parse HEAD)" "$work/out"
	ok $? 'and knows the commit that it applies to' "$work/out"
	git am -q "$work"/b4/*.mbx >"$work/out" 2>&1
	ok $? 'git am takes what b4 gives' "$work/out"
	git reset -q --hard HEAD~2
else
	skip 'b4' 'not installed'
fi

### One series a subsystem.
earlyout scan >"$work/out" 2>&1
earlyout patch --split -o "$work/mails" >"$work/out" 2>&1
ok $? 'patch --split' "$work/out"
is "$(ls "$work/mails")" frog 'a folder, called as MAINTAINERS has it for short'
is "$(mails "$work/mails/frog")" '0000 0001 0002' \
	'with a series, its first version'
earlyout patch -o "$work/mails" >"$work/out" 2>&1
is "$(mails "$work/mails")" '0000 0001 0002' 'without it, all in one again'
plan
