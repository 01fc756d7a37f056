#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# `earlyout review`: a history that stays with its finding.
. "$(dirname "$0")/lib.sh"

tree=$work/tree
db=$work/state/x.db
make_tree "$tree"
cd "$tree" || exit

scan() { eo scan --db "$db" "$@"; }
review() { eo review --db "$db" "$@"; }
history() { # what `review ID` says, without the times
	review "$1"
	sed -nE 's/^  [0-9]{4}-[0-9-]+ [0-9:]+ UTC  //p' "$work/out"
}
id_of() { # FUNCTION
	eo scan --db "$db" --format json
	jq -r --arg f "$1" '.findings[] | select(.function == $f) | .id' \
		"$work/out"
}
move() { # OLD NEW: and what is compiled
	sed -i "s,$1,$2,g" compile_commands.json pond/Makefile
}

review --list
ends 2 'without a scan: says so' 'earlyout scan'
id=$(id_of pond_show)
review "$id"
ends 0 'no review yet' "^$id - +new +pond/pond\.c:27: pond_show: " \
	'no review yet'
scan
ends 1 'a finding makes a scan fail' "$finding"

review "$id" --status confirmed --note 'seen in <perf>'
ends 0 'confirmed' 'confirmed, by A Tester <tester@example\.org>: seen in <perf>'
scan
ends 1 'a confirmed one still does' '\[high, auto, confirmed\]$' '^1 finding '
review "${id:0:4}" --status false-positive --note 'the list is never empty'
ends 0 'by a shortened id' "^$id false-positive "
scan
ends 0 'a false-positive does not' '\[high, auto, false-positive\]$' \
	'^0 findings, 1 reviewed as false-positive or wont-fix; '
scan -v
ends 0 'says why with -v' 'false-positive: the list is never empty'
scan --format json
is "$(jq -c '.findings[0].review | [.status, .note, .who]' "$work/out")" \
	'["false-positive","the list is never empty","A Tester <tester@example.org>"]' \
	'JSON has the last review'
eo patch --db "$db" -o "$work/mails"
ends 0 'no patch for a false-positive' 'nothing written'
eo report --db "$db" -o "$work/report"
grep -q 'seen in &lt;perf&gt;' "$work/report/finding-$id.html" &&
	! grep -q 'in <perf>' "$work/report/finding-$id.html"
ok $? 'the report has the history, escaped'

sed -i '1a\
\
/* Two lines more. */' pond/pond.c
scan
ends 0 'lines move: it stays' '^pond/pond\.c:29:2: .*false-positive\]$'

# Without git: rule, function and call are the same, the old file is gone.
mv pond/pond.c pond/lake.c
move pond.c lake.c && move pond.o lake.o
scan
ends 0 'the file is renamed: it stays' '^pond/lake\.c:29:2: .*false-positive\]$' \
	'^since run [0-9]+: 0 new, 0 reopened, 1 unchanged, 0 resolved$'
history "$id" >"$work/history"
is "$(cat "$work/history")" \
"confirmed, by A Tester <tester@example.org>: seen in <perf>
false-positive, by A Tester <tester@example.org>: the list is never empty" \
	'the old id has the whole history'
review --list
ends 0 'the list has it once, under its new id' \
	'^[0-9a-f]{16} false-positive +unchanged +pond/lake\.c:29: '
is "$(wc -l <"$work/out")" 1 'once'

# With git: the old name is in use again, by something else.
git init -q . && git add -A && git commit -q -m one
scan
git mv pond/lake.c pond/sea.c && pond pond/lake.c lake
move lake.c sea.c && move lake.o sea.o
jq '. + [.[0] | .file = "pond/lake.c" | .arguments[-1] = "pond/lake.c"]' \
	compile_commands.json >"$work/cc" && cp "$work/cc" compile_commands.json
git add -A && git commit -q -m two
scan
ends 1 'git tells who was renamed' '^pond/sea\.c:29:2: .*false-positive\]$' \
	'^pond/lake\.c:27:2: .*\[high, auto, new\]$'
new=$(id_of lake_show)
review "$new" --status wont-fix
ends 0 'wont-fix, without a note' '^  .*  wont-fix, by A Tester'
scan
ends 0 'with both put aside a scan is clean' \
	'^0 findings, 2 reviewed as false-positive or wont-fix; '
rm pond/sea.c
scan
ends 0 'a file is removed: its finding is resolved' \
	'^resolved: pond/sea\.c: pond_show: flush-before-walk: '

# Who it was, without git's user.
: >"$GIT_CONFIG_GLOBAL"
USER=heron "$EARLYOUT" review --db "$db" "$new" --status sent \
	>"$work/out" 2>&1
grep -q 'sent, by heron$' "$work/out"
ok $? 'without a git user it is $USER' "$work/out"

review "$id" --status maybe
ends 2 'no such status' 'confirmed, false-positive, wont-fix, sent or merged'
review "$id" --note text
ends 2 'a note alone' '--status'
review
ends 2 'no id' 'review takes one ID'
review --list "$id"
ends 2 'a list of one' 'review takes one ID'
review ffffffffffffffff
ends 2 'an id of nothing' 'no finding has this id'
review "${id:0:2}"
ends 2 'an id too short' 'too short'
review 'zz;DROP'
ends 2 'no id at all' 'hexadecimal'
is "$(db_state "$db" | cut -d' ' -f1)" ok 'the database is whole'
plan
