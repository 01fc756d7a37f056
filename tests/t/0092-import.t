#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# `earlyout review --undo` and `--import`: what is said stays, nothing twice.
. "$(dirname "$0")/lib.sh"

tree=$work/tree
db=$work/state/x.db
make_tree "$tree"
cd "$tree" || exit
eo scan --db "$db" --no-smpl --format json
id=$(jq -r '.findings[0].id' "$work/out")

review() { eo review --db "$db" "$@"; }
import() { # CHANGE-JSON [OPTION...]
	printf '{"schema":"earlyout-review/1","who":"Rita","changes":[%s]}\n' \
		"$1" >"$work/reviews.json"
	shift
	review --import "$work/reviews.json" "$@"
}
holds() {
	review --list --format json
	jq -r '.findings[0].review' "$work/out"
}

review "$id" --undo
ends 2 'nothing to take back' 'no review to take back'
review "$id" --status confirmed
review "$id" --status wont-fix --note 'too cold'
review "$id" --undo
ends 0 'undo: the history keeps it' \
	'wont-fix, by A Tester <tester@example\.org>: too cold; taken back .* by A Tester'
is "$(holds)" confirmed 'what was said before it holds again'
eo scan --db "$db" --no-smpl
ends 1 'and it counts for a scan again' 'confirmed\]$'
review "$id" --undo
is "$(holds)" null 'taken back twice: no review holds'
is "$(jq '.findings[0].history | length' "$work/out")" 2 'the history has both'

# Two reviews and two undos: version 4.
change='{"id":"'$id'","status":"confirmed","note":"a <b>","expect":4,"key":"k1","made":1790000000}'
import "$change"
ends 0 'an import' '^1 stored, 0 were stored before, 0 stale, 0 unknown$'
review "$id"
ends 0 'by whom and when the page says' \
	'2026-09-21 14:13 UTC  confirmed, by Rita: a <b>$'
import "$change"
ends 0 'the same file once more' '^0 stored, 1 were stored before'
import '{"id":"'$id'","status":"sent","note":"mine","expect":4,"key":"k2"}'
ends 1 'what others overtook is shown, not stored' "^stale: $id: sent: mine$" \
	'confirmed, by Rita' '^0 stored, 0 were stored before, 1 stale'
is "$(holds)" confirmed 'and what holds stays'
import '{"id":"'$id'","status":"sent","note":"mine","expect":4,"key":"k2"}' --force
ends 0 'with --force it goes on top' '^1 stored'
is "$(holds)" sent 'and holds'
import '{"id":"'$id'","status":"merged"},{"id":"ffffffffffffffff","status":"sent"}'
ends 1 'an id of nothing is said, the others are stored' \
	'^unknown: ffffffffffffffff' '^1 stored, .* 1 unknown$'

before=$(sqlite3 "$db" .dump | sha256sum)
bad() { # WHAT-IS-SAID CHANGE
	import "$2"
	ends 2 "refused: $2" "$1"
}
bad 'change 1: "id"' '{"id":"x","status":"sent"}'
bad 'change 2: "status" takes' \
	'{"id":"'$id'","status":"sent"},{"id":"'$id'","status":"fine"}'
bad 'needs a "status"' '{"id":"'$id'"}'
bad 'wrong type' '{"id":"'$id'","status":"sent","note":7}'
bad 'wrong type' '{"id":"'$id'","status":"sent","expect":"4"}'
bad 'note is too long' \
	'{"id":"'$id'","status":"sent","note":"'"$(printf '%9000s' x)"'"}'
bad 'change 2: it is no object' '{"id":"'$id'","status":"sent"},7'
for text in '' '[]' '{}' '{"schema":"earlyout-scan/1"}' \
	'{"schema":"earlyout-review/1","changes":{}}' 'not JSON {'; do
	printf '%s' "$text" >"$work/bad.json"
	review --import "$work/bad.json"
	ends 2 "refused: '$text'" 'no file of reviews'
done
review --import "$work/none.json"
ends 2 'no such file' 'none\.json'
review --import "$work/reviews.json" --list
ends 2 'two things at a time' 'review takes one ID'
review "$id" --force
ends 2 '--force alone' 'review takes one ID'
is "$(sqlite3 "$db" .dump | sha256sum)" "$before" \
	'nothing of what was refused is stored'
is "$(db_state "$db" | cut -d' ' -f1)" ok 'the database is whole'
plan
