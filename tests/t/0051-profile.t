#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# `earlyout profile`: what perf measured ranks the findings.
. "$(dirname "$0")/lib.sh"

tree=$work/tree
db=$work/state/x.db
make_tree "$tree"
pond "$tree/pond/lake.c" lake
cd "$tree" || exit
jq '. + [.[0] | .file = "pond/lake.c" | .arguments[-1] = "pond/lake.c"]' \
	compile_commands.json >"$work/cc" && cp "$work/cc" compile_commands.json

profile() { eo profile --db "$db" "$@"; }
functions() { # of the findings, in their order, with weights
	eo scan --db "$db" --format json
	jq -c '[.findings[] | [.function, .weight]]' "$work/out"
}

is "$(functions)" '[["lake_show",null],["pond_show",null]]' \
	'without a profile: by file'
profile list
ends 0 'no profile to list'
is "$(cat "$work/out")" '' 'and nothing is printed'

cat >"$work/a report.txt" <<'END'
# Overhead  Command  Shared Object      Symbol
# ........  .......  .................  .............
    32.60%  duck-1   [kernel.kallsyms]  [k] pond_show
    12.50%  duck-1   [kernel.kallsyms]  [k] cgroup_rstat_flush
     4.00%  duck-1   duck               [.] lake_show
END
profile import "$work/a report.txt"
ends 0 'perf report' '^a report\.txt: perf-report, 2 kernel functions; '
is "$(functions)" '[["pond_show",0.326],["lake_show",0.125]]' \
	"the heaviest first: its function's share, or the call's"
is "$(jq -c '[.findings[].hot[0]]' "$work/out")" \
	'["32.6% of the imported profile a report.txt","12.5% of the imported profile a report.txt, in cgroup_rstat_flush()"]' \
	'hot evidence names the profile'
is "$(jq -r .run.profile "$work/out")" 'a report.txt' 'so does the run'
eo scan --db "$db"
is "$(grep -oE '^pond/[a-z]+|[0-9.]+%]$' "$work/out" | xargs)" \
	'pond/pond 32.6%] pond/lake 12.5%]' 'text is sorted too'
eo report --db "$db" -o "$work/report"
grep -q '32\.6% of the profile' "$work/report/index.html"
ok $? 'the report shows the weight'

cat >"$work/stacks" <<'END'
duck;entry;lake_show;cgroup_rstat_flush 60
duck;entry;pond_show 30
duck;swim 10
END
profile import "$work/stacks" --name 'second run'
ends 0 'folded stacks, with a name of their own' \
	'^second run: folded, 6 kernel functions; '
is "$(functions)" '[["lake_show",0.6],["pond_show",0.3]]' \
	'the last import counts, with what a function calls'
profile
ends 0 'both are listed, the last marked' '^\* second run: ' '^  a report\.txt: '
profile forget 'second run'
ends 0 'one is forgotten'
is "$(functions)" '[["pond_show",0.326],["lake_show",0.125]]' \
	'and the one before counts again'
profile forget 'second run'
ends 2 'once' 'no profile second run; there is: a report\.txt'

# An imported profile ranks a scan that was made before.
eo scan --db "$work/y.db"
eo profile --db "$work/y.db" import "$work/a report.txt" -q
ends 0 'quiet'
is "$(cat "$work/out")" '' 'says nothing'
eo report --db "$work/y.db" -o "$work/report2"
grep -q '32\.6% of the profile' "$work/report2/index.html"
ok $? 'the report of an earlier scan ranks as well'

bad() { # NAME REGEX: $work/bad
	profile import "$work/bad"
	ends 2 "$1" "$2"
}
: >"$work/bad"; bad 'an empty file' 'empty'
printf 'a;b 1\na;c\0 2\n' >"$work/bad"; bad 'a NUL' 'bad:2: the line has a NUL'
cp "$tree/pond/pond.c" "$work/bad"; bad 'a C file' 'neither'
head -c 170 "$work/a report.txt" >"$work/bad"
bad 'a table that is cut off' 'bad:4: the line has a percentage and no symbol'
printf 'PERFILE2\0\0' >"$work/bad"; bad "perf's own data" 'perf report --stdio'
rm "$work/bad"; bad 'no such file' 'bad: No such file'
mkdir "$work/bad"; bad 'a folder' 'bad: '
for ((i = 0; i < 10000; i++)); do
	echo "duck;pond_show;f$i 1"
done >"$work/many"
profile import "$work/many"
ends 0 '10,000 lines' 'folded, 10,002 kernel functions'
profile import
ends 2 'no file' 'import FILE'
profile drown x
ends 2 'no such word' 'import FILE'
is "$(db_state "$db" | cut -d' ' -f1)" ok 'the database is whole'
is "$(profile list; wc -l <"$work/out")" 2 'what was refused is not in it'
plan
