#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# `earlyout db`: SQL that reads, and nothing else.
. "$(dirname "$0")/lib.sh"

tree=$work/tree
db=$work/state/x.db
make_tree "$tree"
cd "$tree" || exit
eo scan --db "$db" --no-smpl

query() { eo db --db "$db" query "$@"; }

query "SELECT rule, line, weight FROM report_finding"
is "$(cat "$work/out")" "$(printf 'rule\tline\tweight\nflush-before-walk\t27\t')" \
	'text: names, then rows, tabs between'
query --format json "SELECT rule, line, weight, 'a\"<b' AS t FROM report_finding"
is "$(jq -c . "$work/out")" \
	'[{"rule":"flush-before-walk","line":27,"weight":null,"t":"a\"<b"}]' \
	'json: numbers stay numbers, NULL is null'
query --format jsonl "VALUES (1), (2.5)"
is "$(jq -c '.column1' "$work/out" | xargs)" '1 2.5' 'jsonl: an object a row'
query --format json "SELECT 1 WHERE 0"
is "$(jq -c . "$work/out")" '[]' 'json: no rows'
query "SELECT 'a' || char(10) || char(27) || '[0m' AS \"x
y\""
is "$(cat "$work/out")" 'x\ny
a\n\x1b[0m' 'a value can neither break a line nor drive the terminal'
query "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 3)
	SELECT sum(i * value) AS v FROM json_each('[1,2]'), n"
is "$(tail -n 1 "$work/out")" 18 'recursion and JSON work'
eo db --tree "$tree" --db "$db" path
is "$(cat "$work/out")" "$db" 'path: where it is'

before=$(sqlite3 "$db" .dump | sha256sum)
for sql in "DELETE FROM run" "UPDATE finding SET file = 'x'" \
	"INSERT INTO tree (root) VALUES ('x')" "CREATE TABLE t (a)" \
	"CREATE TEMP TABLE t (a)" "DROP VIEW report_run" \
	"ATTACH '$work/other.db' AS o" "PRAGMA user_version = 9" \
	"PRAGMA journal_mode = DELETE" "VACUUM INTO '$work/other.db'" \
	"BEGIN IMMEDIATE" "SELECT load_extension('x')" \
	"WITH x AS (SELECT 1) DELETE FROM run" "REINDEX" "ANALYZE"; do
	query "$sql"
	ends 2 "refused: ${sql//$work/DIR}" 'may only read|not authorized'
done
query "SELECT 1; DELETE FROM run"
ends 2 'refused: a second statement' 'more than one statement'
is "$(sqlite3 "$db" .dump | sha256sum)" "$before" 'nothing was changed'
[ ! -e "$work/other.db" ]
ok $? 'no other file was written'

query "SELECT a_word FROM report_run"
ends 2 'a mistake: what SQLite says, and what helps' 'no such column: a_word' \
	'db schema'
query " -- nothing"
ends 2 'an empty query' 'is empty'
query
ends 2 'no query' 'db takes'
eo db --db "$db" --format sarif query "SELECT 1"
ends 2 'a format it has not' 'text, json or jsonl'
eo db --db "$work/none/new.db" query "SELECT count(*) AS n FROM report_run"
ends 0 'a new database is empty' '^0$'

# What doc/database.md says is so: its examples run, its views are there.
doc=$TESTDIR/../doc/database.md
awk '/^```sql/ { on = 1; next } /^```/ && on { on = 0; printf "%c", 0; next }
	on { print }' "$doc" >"$work/examples"
bad=0 count=0
while IFS= read -r -d '' sql; do
	query "$sql"
	count=$((count + 1))
	[ "$status" -eq 0 ] || bad=1
done <"$work/examples"
[ $bad -eq 0 ] && [ $count -ge 6 ]
ok $? "the $count examples of doc/database.md run" "$work/err"
eo db --db "$db" schema
awk -F '\t' '$2 ~ /^report_/ { print $2 }' "$work/out" | sort >"$work/has"
grep -o '`report_[a-z_]\+`' "$doc" | tr -d '`' | sort -u >"$work/says"
is "$(comm -23 "$work/has" "$work/says" | xargs)" '' \
	'doc/database.md has each view of the schema'
is "$(comm -13 "$work/has" "$work/says" | xargs)" '' 'and no other'
plan
