#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# The command line: help, wrong usage, exit codes, the ways to print.
. "$(dirname "$0")/lib.sh"

make_tree "$work/tree"
make_tree "$work/mended"
sed -i 's/^\tcgroup_rstat_flush(pond/\tif (list_empty(\&pond->frogs))\
\t\treturn 0;\n&/' "$work/mended/pond/pond.c"
commands=$(sed -n 's/^EO_COMMAND(\([a-z]*\),.*/\1/p' \
	"$TESTDIR/../analyzer/cli/command_list.def" | xargs)
[ "$commands" ]
ok $? 'there are commands'

### Help.
eo
ends 2 'no command: usage on stderr, exit 2' '^usage: earlyout COMMAND'
[ ! -s "$work/out" ]
ok $? 'and nothing on stdout'
for help in --help -h help; do
	eo $help
	ends 0 "earlyout $help" '^usage: earlyout COMMAND' 'Exit status: 0'
done
for c in $commands; do
	grep -q "^  $c " "$work/out"
	ok $? "the help lists $c" "$work/out"
done
is "$(sed -n 's/^  \([a-z]*\) .*/\1/p' "$work/out" | xargs)" \
	"$commands earlyout" 'the help lists nothing else, and has an example'
for c in $commands; do
	eo "$c" --help
	ends 0 "earlyout $c --help, with examples" \
		"^usage: earlyout $c " '^examples?:$' "^  .*earlyout $c"
	awk 'length > 100' "$work/out" >"$work/long"
	[ ! -s "$work/long" ]
	ok $? "no long line in earlyout $c --help" "$work/long"
done
eo --version
ends 0 'earlyout --version' '^earlyout [0-9]+\.[0-9]+'

### Wrong usage: exit 2, one line that says what, and what to do.
wrong() { # REGEX ARGUMENT...
	local re=$1

	shift
	eo "$@"
	ends 2 "wrong: earlyout $*" "$re"
	[ "$1" = frobnicate ] ||
		is "$(wc -l <"$work/err"), $(wc -c <"$work/out")" '1, 0' \
			'... one line on stderr, nothing on stdout'
}
cd "$work/tree" || exit
wrong 'unknown command frobnicate' frobnicate
wrong 'unknown option --frob; see `earlyout scan --help`' scan --frob
wrong 'unknown option --frob=1' scan --frob=1
wrong 'unknown option -x' scan -x
wrong 'unknown option -j; see `earlyout rules --help`' rules -j 3
wrong 'unknown option --only; see `earlyout report' report --only pond/pond.c
wrong 'no value belongs to --quiet=1' scan --quiet=1
wrong 'a value is missing behind --tree' scan --tree
wrong 'a value is missing behind -o' report -o
wrong '--tree is empty: give it a DIR' scan --tree ''
wrong '--output is empty: give it a DIR' report -o ''
for jobs in 0 -1 two 1x '' ' 1' 99999999999999999999; do
	wrong '--jobs takes a number from 1 to ' scan --jobs "$jobs"
done
wrong '--timeout takes a number from 1' scan --timeout 0
wrong '--run takes a number from 1' report --run 0
wrong "--format takes text, json, jsonl, sarif, coccicheck, markdown or csv, not xml" scan --format xml
wrong '--dump takes cfg or facts, not x' scan --dump x
wrong '--dump needs --only FILE' scan --dump cfg
for c in run scan patch report; do
	wrong "$c takes no word: see .earlyout $c --help" "$c" word
done
wrong 'explain takes one FILE:LINE' explain
wrong 'explain takes one FILE:LINE' explain a:1 b:2
wrong 'pond.c: FILE:LINE is expected' explain pond.c
wrong 'nix.c: no such file in the tree' explain nix.c:1
wrong 'rules takes `list` or `show NAME`' rules frob
wrong 'nix: no such rule; `earlyout rules list` has them' rules show nix
wrong 'no scan yet: run `earlyout scan` first' report -o "$work/report"
wrong 'no scan yet: run `earlyout scan` first' patch -o "$work/mails"
[ ! -e "$work/report" ] && [ ! -e "$work/mails" ]
ok $? 'without a scan nothing is written'

### Rules.
eo rules
ends 0 'earlyout rules' '^flush-before-walk '
eo rules list
ends 0 'earlyout rules list' '^flush-before-walk '
eo rules show idle-visit
ends 0 'earlyout rules show, of a rule without SmPL' '^no semantic patch:$'
eo rules show rusage-one-field --format json
ends 0 'earlyout rules show --format json' '"schema":"earlyout-rules/1"'
eo rules list --format sarif
ends 2 'a format that rules does not have' '^earlyout: rules knows --format text and json$'
eo rules show flush-before-walk
ends 0 'earlyout rules show' 'semantic-patches/flush-before-walk.cocci$'

### What a scan prints, and how it ends: 0, 1 and 3; see above for 2.
eo scan
ends 1 'findings: exit 1' "$finding" '^1 finding .* 1 of 1 candidate file '
[ ! -s "$work/err" ]
ok $? 'and nothing on stderr' "$work/err"
cd "$work/tree/pond" || exit
eo scan
ends 1 'from a folder below the root: the same' "$finding"
for file in pond.c ./pond.c ../pond/pond.c pond/pond.c "$work/tree/pond/pond.c"
do
	eo scan --no-smpl --only "$file"
	ends 1 "scan --only ${file/$work/…}" "$finding"
done
cd "$work" || exit
eo scan --tree mended
ends 0 'no finding: exit 0' '^0 findings; 1 of 1 candidate file looked at'
eo scan --tree tree --no-smpl --format json
ends 1 'one engine'
is "$(jq -c '.findings[].engines' "$work/out")" '["clang"]' \
	'... and the finding is its alone'
pond tree/pond/pool.c pool
printf '\nbroken(\n' >>tree/pond/pool.c
eo scan --tree tree
ends 3 'one file does not parse: exit 3, the other is there' "$finding" \
	'^pond/pool.c: .*clang: parse-error: '

is_scan() { # NAME: the output is one object of the right shape
	jq -e -s 'length == 1 and (.[0] |
		.schema == "earlyout-scan/1" and
		.tree.version == "6.99.1" and .tree.revision == null and
		(.findings | type) == "array" and
		(.coverage.files | type) == "number" and
		(.coverage.incomplete | type) == "array")' \
		"$work/out" >"$work/jq" 2>&1
	ok $? "$1" "$work/jq" "$work/out"
}
eo scan --tree tree --format json
ends 3 'as JSON: the same exit code'
is_scan 'one object, with what could not be looked at'
is "$(jq -c '.coverage | [.files, .candidates, .analyzed]' "$work/out") $(
	jq -r '.coverage.incomplete[].file' "$work/out" | sort -u)" \
	'[2,2,1] pond/pool.c' 'its coverage'
rm tree/pond/pool.c
eo scan --tree mended --no-smpl --format=json
ends 0 'as JSON, nothing found'
is_scan 'one object, with no finding'
is "$(jq -c .findings "$work/out")" '[]' 'an empty list'
eo scan --tree tree --format json
ends 1 'as JSON, one finding'
is_scan 'one object'
is "$(jq -c '.findings[] | {rule, file, line, column, function, call, guard,
	confidence, fix, engines, hot}' "$work/out")" \
'{"rule":"flush-before-walk","file":"pond/pond.c","line":27,"column":2,'\
'"function":"pond_show","call":"cgroup_rstat_flush",'\
'"guard":"list_empty(&pond->frogs)","confidence":"high","fix":"auto",'\
'"engines":["clang","smpl"],"hot":["seq_show"]}' 'with all that is promised'
jq -e '.findings[0] | (.id | test("^[0-9a-f]{16}$")) and
	(.message | test("list_empty"))' "$work/out" >/dev/null
ok $? 'its id and message' "$work/out"

eo explain --tree tree pond/pond.c:27
ends 1 'explain a finding' '^  proved +only-consumer ' '^  proved +early-path '
grep -q ': flush-in-loop: does not apply to cgroup_rstat_flush(): ' "$work/out"
ok $? '... and the rules that are not about it' "$work/out"
make_tree "$work/hushed"
sed -i '27s|$| // earlyout: flush-before-walk: never empty|' hushed/pond/pond.c
eo explain --tree hushed pond/pond.c:27
ends 1 'explain a suppressed one' \
	'^  suppressed by pond/pond.c:27: never empty$'
eo explain --tree mended pond/pond.c:27
ends 0 'explain what is none' 'not a finding' '^  failed +not-guarded '
eo explain --tree tree pond/pond.c:1
ends 0 'explain a line without a call' 'no modelled call'
eo scan --tree tree --only pond/pond.c --dump cfg
ends 0 'dump the graph' '^function pond_show 23-33$' ENTRY
eo scan --tree tree --only pond/pond.c --dump facts --function pond_show
ends 0 'dump the facts' '^pond/pond.c:27: call cgroup_rstat_flush'

### Patch, report, and all in one.
eo patch --tree tree -o "$work/mails"
ends 0 'patch' ' 1 patch and a cover letter' 'no scripts/get_maintainer.pl'
eo patch --tree tree -o "$work/mails" --quiet
ends 0 'patch --quiet'
[ ! -s "$work/err" ]
ok $? 'has no notes' "$work/err"
eo patch --tree mended -o "$work/none"
ends 0 'patch without a finding' 'nothing written'
[ ! -e "$work/none" ]
ok $? 'writes nothing'
eo report --tree tree -o "$work/report"
ends 0 'report' '/report/index.html$'
[ -s "$work/report/index.html" ]
ok $? 'is there'
eo report --tree tree -o "$work/report" --run 999
ends 2 'report of a run that is not' 'has no run 999'
eo run --tree tree -o "$work/all"
ends 1 'run' "$finding" '^report: .*/all/report/index.html$' \
	'^series: .*/all/series \(1 patch' \
	"^next:   $EARLYOUT verify --tree $work/tree $work/all/series "
[ -s "$work/all/report/index.html" ] && [ -s "$work"/all/series/0001-*.patch ]
ok $? 'wrote both'
eo run --tree mended -o "$work/all-mended"
ends 0 'run without a finding' '^series: none'
eo scan --tree tree --no-smpl --db "$work/a/b/mine.db"
ends 1 'another database, its folders made' "$finding"
is "$(db_state "$work/a/b/mine.db")" 'ok 1' 'has the run'

### Output that cannot be written is an error, not silence.
for args in --help --version 'scan --help' 'rules list' 'scan --tree tree --no-smpl' \
	'scan --tree tree --no-smpl --format json'; do
	# shellcheck disable=SC2086 # they are words
	"$EARLYOUT" $args >/dev/full 2>"$work/err"
	[ $? -eq 2 ] && grep -q 'cannot write .*: No space left' "$work/err"
	ok $? "earlyout $args: stdout is full" "$work/err"
	# shellcheck disable=SC2086
	"$EARLYOUT" $args >&- 2>"$work/err"
	[ $? -eq 2 ] && grep -q 'cannot write .*: Bad file' "$work/err"
	ok $? "earlyout $args: stdout is closed" "$work/err"
done
"$EARLYOUT" scan --tree tree --no-smpl <&- >&- 2>&-
is $? 2 'no standard stream at all'
for db in "$work"/state/earlyout/tree-*.db; do
	is "$(sqlite3 "$db" 'PRAGMA integrity_check')" ok \
		'nothing was printed into the database'
done
plan
