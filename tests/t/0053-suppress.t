#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Comments and .earlyoutignore: findings that nobody wants to hear of again.
. "$(dirname "$0")/lib.sh"

tree=$work/tree
db=$work/state/x.db
ignore=$work/state/.earlyoutignore
make_tree "$tree"
cd "$tree" || exit
cp pond/pond.c "$work/pond.c"

scan() { eo scan --db "$db" "$@"; }
comment() { # TEXT: above the call
	awk -v text="$1" '/^\tcgroup_rstat_flush/ { print "\t" text } 1' \
		"$work/pond.c" >pond/pond.c
}
suppressed() { # of the only finding, as JSON
	scan --format json
	jq -c '[.findings[].suppressed | .by, .at, .reason, .date]' "$work/out"
}

scan
ends 1 'a finding' "$finding"
id=$(scan --format json; jq -r '.findings[0].id' "$work/out")

comment '/* earlyout: flush-before-walk: frogs never leave */'
scan
ends 0 'a comment above the call: exit 0' '^0 findings, 1 suppressed; '
grep -q '^pond' "$work/out"
[ $? -eq 1 ]
ok $? 'it is not listed'
scan -v
ends 0 'but with -v it is, and why' \
	'^pond/pond\.c:28:2: flush-before-walk: .*\[high, auto, suppressed\]$' \
	'suppressed at pond/pond\.c:27: frogs never leave'
is "$(suppressed)" '["comment","pond/pond.c:27","frogs never leave",null]' \
	'JSON has it'
is "$(jq -r '.findings[0].id' "$work/out")" "$id" 'it is the same finding'
eo report --db "$db" -o "$work/report"
grep -q '<span class="tag low">suppressed</span>' "$work/report/index.html" &&
	grep -q 'frogs never leave' "$work/report/finding-$id.html"
ok $? 'so has the report'
eo patch --db "$db" -o "$work/mails"
ends 0 'no patch for it' 'nothing written'

sed 's,^\tcgroup_rstat_flush.*,& // earlyout: flush-before-walk: see below,' \
	"$work/pond.c" >pond/pond.c
is "$(suppressed)" '["comment","pond/pond.c:27","see below",null]' \
	'on the line of the call'
awk '/^\tcgroup_rstat_flush/ {
	print "\t/*\n\t * earlyout: flush-before-walk: it takes\n\t * two lines\n\t */"
} 1' "$work/pond.c" >pond/pond.c
is "$(suppressed)" '["comment","pond/pond.c:27","it takes two lines",null]' \
	'over several lines'

comment '/* earlyout: flush-before-walk */'
scan
ends 1 'without a reason it does nothing, and says so' \
	'^pond/pond\.c:27: comment suppresses nothing: it gives no reason'
comment '/* earlyout: flush-befor-walk: typing */'
scan
ends 1 'nor for a rule that is none' 'pond\.c:27: .*no such rule: flush-befor-walk'
scan -q
[ ! -s "$work/err" ]
ok $? 'quiet says nothing' "$work/err"
comment '/* earlyout: flush-before-walk: x */ int y;'
is "$(suppressed)" '["comment","pond/pond.c:27","x",null]' \
	'code behind the comment does not matter'

# The file beside the database.
cp "$work/pond.c" pond/pond.c
try() { # NAME LINE
	printf '# ours\n%s\n' "$2" >"$ignore"
	is "$(suppressed)" \
		'["ignore-file",".earlyoutignore:2","a pond is small","2026-11-30"]' \
		"$1"
}
try 'by id' "$id 2026-11-30 a pond is small"
try 'by rule' 'flush-before-walk 2026-11-30 a pond is small'
try 'by path' 'pond/*.c	2026-11-30	a pond is small'
try 'by folder' 'pond/ 2026-11-30 a pond is small'
try 'by rule and path' 'flush-before-walk pond/* 2026-11-30 a pond is small'
scan -v
ends 0 'text says where' 'suppressed at \.earlyoutignore:2: a pond is small'
echo 'flush-before-walk lake/* 2026-11-30 another path' >"$ignore"
scan
ends 1 'another path is not meant' "$finding"

grep -q '^\.earlyoutignore:[0-9]*: nothing to suppress: ' "$work/err"
ok $? '... and that it suppresses nothing is said' "$work/err"
cp pond/pond.c "$work/kept.c"
comment '/* earlyout: flush-in-loop: a comment of long ago */'
scan
grep -q '^pond/pond.c:[0-9]*: nothing to suppress here: flush-in-loop ' \
	"$work/err"
ok $? 'a stale comment is said' "$work/err"
scan --only pond/pond.c
! grep -q 'nothing to suppress' "$work/err"
ok $? '... not by a scan of a part' "$work/err"
cp "$work/kept.c" pond/pond.c

wrong() { # NAME LINE REGEX
	printf '\n%s\n' "$2" >"$ignore"
	scan
	ends 2 "$1" "$ignore:2: $3"
}
wrong 'no date' 'flush-before-walk a pond is small' 'a is no id'
wrong 'no date at all' 'flush-before-walk' 'the line has no date'
wrong 'no reason' 'flush-before-walk 2026-11-30' 'the line has no reason'
wrong 'no day' 'flush-before-walk 2026-11-31 r' '2026-11-31 is no day'
wrong 'nothing named' '2026-11-30 r' 'the line does not say what'
wrong 'no such rule' 'flush-it 2026-11-30 r' 'flush-it is no id'
[ "$(db_state "$db" | cut -d' ' -f1)" = ok ]
ok $? 'the database is whole'
rm "$ignore"; mkdir "$ignore"
scan
ends 2 'a folder of that name' '\.earlyoutignore'
rmdir "$ignore"

# Renamed since it was written down: its id of then still counts.
echo "$id 2026-11-30 a pond is small" >"$ignore"
mv pond/pond.c pond/lake.c
sed -i 's,pond\.c,lake.c,g' compile_commands.json
scan
ends 0 'the id of before the rename counts' '^0 findings, 1 suppressed; '
scan
ends 0 'and goes on to' '^0 findings, 1 suppressed; '
plan
