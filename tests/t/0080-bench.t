#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# `earlyout bench`, `hooks` and `census`, where no kernel is built: hooks that
# measure, what they say, what becomes of it.
. "$(dirname "$0")/lib.sh"

tree=$work/tree
db=$work/state/x.db
make_tree "$tree"
cd "$tree" || exit

# A hook whose numbers are 12% less after, with 1% to and fro.
cat >"$work/good" <<'EOF'
#!/bin/bash
case $EARLYOUT_PHASE in
before) v=1000 ;;
after) v=880 ;;
esac
r=$((EARLYOUT_REPETITION % 3))
cat <<END
hello 1 lab
env lab-machine the one in the corner
metric read ns lower read of an empty io.stat
metric rate 1/s higher reads
sample read 0 99999
sample read 1 $((v + r))
sample read 2 $((v + r + 2))
sample read 3 $((v + r + 1))
sample rate 1 $((1000000 / v))
end
END
EOF
chmod +x "$work/good"

eo hooks --db "$db"
ends 0 'no hooks to list'
is "$(cat "$work/out")" '' 'nothing is printed'
eo hooks --db "$db" add lab "$work/good" --rule flush-before-walk
ends 0 'a hook is added'
eo hooks --db "$db" list
ends 0 'and listed' "^lab: .*/good, for the rule flush-before-walk$"
eo hooks --db "$db" add lab "$work/good"
ends 2 'once' 'there is a hook lab already'
eo hooks --db "$db" add other "$work/nothing"
ends 2 'a program that is not there' 'nothing'
: >"$work/text"
eo hooks --db "$db" add other "$work/text"
ends 2 'a file that cannot be run' 'no program that can be run'
eo hooks --db "$db" add other
ends 2 'no program named' 'hooks takes'

bench() { eo bench --db "$db" "$@"; }

bench list
ends 0 'no bench to list'
bench show
ends 2 'none to show' 'has no bench yet'
bench io-stat --runner command --hook lab
ends 0 'a hook measures' 'read of an empty io\.stat: improved' \
	'before.*after: -1[12]\.[0-9]*%.*n 7, p 0\.016, noise 0\.00%' \
	'until: narrow enough'
is "$(sqlite3 "$db" "SELECT before, after FROM report_bench_metric
	WHERE metric = 'read'")" '1002.0|882.0' \
	'medians of medians, the warm-up left out'
# 1 warm-up of each, 3 pairs of the same, 7 pairs; 5 samples each.
is "$(sqlite3 "$db" 'SELECT phase, count(*) FROM report_bench_shot
	GROUP BY phase ORDER BY phase' | xargs)" \
	'pairs|14 same|6 warm-up|2' 'every measurement is kept'
is "$(sqlite3 "$db" 'SELECT count(*) FROM report_bench_sample')" 110 \
	'and every sample'
is "$(sqlite3 "$db" "SELECT value FROM report_bench_env
	WHERE name = 'guest lab-machine'")" 'the one in the corner' \
	'and what it says of its machine'
bench show --format json
ends 0 'as JSON'
is "$(jq -c '[.schema, .runner, .metrics[0].verdict, .metrics[0].pairs,
	(.measurements | length), (.measurements[0].samples | length)]' \
	"$work/out")" '["earlyout-bench/1","command","improved",7,22,5]' \
	'with all of it'
bench show 1 --format csv
ends 0 'as CSV' '^measurement,phase,pair,arm,possible_cpus,metric,batch,value$'
is "$(wc -l <"$work/out")" 111 'a row a sample'
bench show --format markdown
ends 0 'as Markdown' '^\| read of an empty io.stat, time \| 1 us \| 882 ns \| -1[12]\.'
bench show
ends 0 'the table for a message' '^ +before +after$' \
	'^  read of an empty io\.stat +1 us +882 ns$' \
	'^read of an empty io\.stat: improved, the median paired change is'

# A drawing is SVG that a browser shows without asking anybody for anything.
bench plot 1 read
ends 0 'a plot' '^<svg ' 'before' '-1[12]\.[0-9]*%' 'time|read of an empty'
python3 -c 'import sys, xml.dom.minidom as x; x.parse(sys.argv[1])' "$work/out"
ok $? 'is whole'
! grep -qE '<script|href="?http|@import|url\(http' "$work/out"
ok $? 'and fetches nothing'
# 7 pairs, 3 samples of each that count: a symbol each, and one in the key.
is "$(grep -cE "<use xlink:href='#gpPt(4|6)'.*color" "$work/out")" 44 \
	'every sample is in it'
bench plot 1 none
ends 2 'no such metric' 'none: the bench has no pair'
bench plot 99
ends 2 'no such bench' 'has no bench 99'

# The other way round it is a regression, and a rate counts upwards.
sed 's/v=880/v=1100/' "$work/good" >"$work/worse"
chmod +x "$work/worse"
eo hooks --db "$db" add worse "$work/worse"
bench io-stat --runner command --hook worse
ends 0 'what is slower is a regression' 'io\.stat: regressed' \
	'reads, operations a second: regressed'
sed 's/v=880/v=1000/' "$work/good" >"$work/same"
chmod +x "$work/same"
eo hooks --db "$db" add same "$work/same"
bench io-stat --runner command --hook same
ends 0 'the same is no consistent change' 'io\.stat: no consistent change'
bench compare 1 2
ends 0 'two benches side by side' 'read of an empty io\.stat .*differ'
bench compare 1 1
ends 0 'a bench beside itself' 'agree'
bench list
ends 0 'all are listed' '^1: io-stat, command, by the hook lab: 2 improved$' \
	'^3: .*2 no consistent change$'

# A machine that says what distorts there is heard.
sed 's/^env .*/env distorting lockdep/' "$work/good" >"$work/debug"
chmod +x "$work/debug"
eo hooks --db "$db" add debug "$work/debug"
bench io-stat --runner command --hook debug
ends 2 'a kernel that checks itself' 'distort \(lockdep\)' 'no evidence'
is "$(sqlite3 "$db" 'SELECT max(bench) FROM report_bench')" 3 'nothing is kept'
bench io-stat --runner command --hook debug --allow-debug
ends 0 'allowed' '^NO EVIDENCE: these debugging options distort: lockdep$'
bench show --format markdown
ends 0 'said in Markdown' 'NO EVIDENCE.*lockdep'
bench show --format json
is "$(jq -c '[.distorting, .command]' "$work/out")" \
	'["lockdep","earlyout bench io-stat --runner command --hook debug --allow-debug"]' \
	'and in JSON'
bench show --format csv
ends 0 'and in CSV' '^# NO EVIDENCE: .*lockdep'

bench plot
ends 0 'in a drawing' 'NO EVIDENCE: lockdep distorts'
bench list
ends 0 'and in the list' '^4: .*\(NO EVIDENCE: lockdep\)$'

# Hooks that fail are failed runs, kept as such.
bad() { # NAME REGEX: $work/bad, and nothing measured after it
	chmod +x "$work/bad"
	eo hooks --db "$db" remove bad
	eo hooks --db "$db" add bad "$work/bad"
	bench io-stat --runner command --hook bad
	ends 1 "$1" "FAILED: .*$2"
	is "$(sqlite3 "$db" 'SELECT count(*) FROM report_bench_shot
		WHERE bench = (SELECT max(bench) FROM report_bench)')" 1 \
		'and nothing is measured after it'
}
printf '#!/bin/bash\necho "ssh: no route to host" >&2\nexit 3\n' >"$work/bad"
bad 'a hook that fails' 'status 3: ssh: no route to host'
is "$(sqlite3 "$db" 'SELECT console FROM report_bench_shot
	WHERE failure IS NOT NULL')" 'ssh: no route to host' 'what it said is kept'
printf '#!/bin/bash\necho hello 1 x\n' >"$work/bad"
bad 'one that says nothing' 'without "end"'
printf '#!/bin/bash\necho Kernel panic - not syncing\n' >"$work/bad"
bad 'one that says something else' 'a line begins with'
printf '#!/bin/bash\necho hello 1 x; echo fail the pond is dry\n' >"$work/bad"
bad 'one that says that it failed' 'the pond is dry'

# In the wrong words.
bench
ends 2 'no workload' 'bench takes a workload'
bench pond
ends 2 'no such workload' 'bench workloads'
bench io-stat
ends 2 'nothing to compare' 'what is different after'
bench io-stat --runner command
ends 2 'no hook named' 'needs --hook'
bench io-stat --runner command --hook nobody
ends 2 'no such hook' 'no hook nobody'
bench io-stat --runner boat --patch x
ends 2 'no such runner' 'qemu, host or command'
bench io-stat --patch "$work/none"
ends 2 'no such patch' 'none: No such file'
bench io-stat --patch "$work/text"
ends 2 'no patch' 'text: no patch'
printf -- '--- a/pond/pond.c\n+++ b/pond/pond.c\n@@ -1,1 +1,1 @@\n-toads\n+frogs\n' >"$work/off"
bench io-stat --patch "$work/off"
ends 2 'a patch that does not apply' 'off does not apply'
printf -- '--- a/../../x\n+++ b/../../x\n@@ -0,0 +1,1 @@\n+frogs\n' >"$work/out of it"
bench io-stat --patch "$work/out of it"
ends 2 'a patch that leads out of the tree' 'out of it'
bench io-stat reads --patch x
ends 2 'a parameter without a value' 'NAME=VALUE'
bench io-stat --patch x --profile --runner qemu
ends 2 'a profile of time' '--runner icount, which counts .* or host, where perf samples'
bench io-stat --before "$work/text" --after "$work/text" --profile
ends 2 'a profile of images' 'needs the System.map'
bench io-stat --patch x --budget soon
ends 2 'a budget that is no time' '90s, 10m or 2h'
bench io-stat --after v9.9
ends 2 'a revision without git' 'neither a file nor a revision'
bench flush-storm --patch x
ends 2 'a storm cannot be counted' 'measure time'
bench io-stat --before "$work/text" --patch x
ends 2 'one image' 'x: No such file|both'
bench show 99
ends 2 'no such bench' 'has no bench 99'
bench show x
ends 2 'no number' 'no number of a bench'
bench compare 1
ends 2 'one to compare' 'compare N N'
bench show --format sarif
ends 2 'no such format for it' 'text, json, csv or markdown'
eo report --db "$db" --format csv
ends 2 'samples are no report' 'bench show --format csv'
bench workloads
ends 0 'the workloads' '^io-stat: ' '^cgroup-stat: ' '^sqpoll: ' \
	'^flush-storm: '

# A hook that is for a rule, or for a finding, need not be named.
eo scan --db "$db" --quiet
id=$(sqlite3 "$db" "SELECT id FROM finding WHERE rule = 'flush-before-walk'
	AND function = 'pond_show'")
of_finding() {
	bench io-stat --runner command --finding "$1" --before "$work/text" \
		--after "$work/text"
}
of_finding "$id"
ends 0 'a hook of the rule' 'improved' 'the hook lab'
eo hooks --db "$db" add mine "$work/worse" --finding "$id"
of_finding "$id"
ends 0 'the finding'\''s own comes first' 'regressed' 'the hook mine'
eo hooks --db "$db" remove mine
eo hooks --db "$db" remove lab
of_finding "$id"
ends 2 'none' 'needs --hook NAME'
eo hooks --db "$db" add lab "$work/good"

bench clean
ends 0 'clean' 'removed 0 MB'
eo hooks --db "$db" remove lab
ends 0 'a hook is removed'
eo hooks --db "$db" remove lab
ends 2 'once' 'no hook lab; there is: '

# 340 of 969 files were empty (blk-cgroup, September 2026), in small.
mkdir -p "$work/groups"/{a,b,c/d,"e f"}
for g in a b c; do : >"$work/groups/$g/io.stat"; done
echo '8:0 rbytes=1' >"$work/groups/c/d/io.stat"
echo '8:0 rbytes=2' >"$work/groups/e f/io.stat"
: >"$work/groups/a/cpu.stat"
ln -s a "$work/groups/z"
eo census --db "$db" io-stat --root "$work/groups"
ends 0 'a census' '^3 of 5 io\.stat files were empty on a [0-9]+-CPU host\.$'
is "$(sqlite3 "$db" 'SELECT files, empty, file FROM report_census')" \
	'5|3|io.stat' 'is kept'
mkdir "$work/nobody"
eo census --db "$db" io-stat --root "$work/nobody"
ends 2 'none' 'no io\.stat below'
eo census --db "$db"
ends 2 'of nothing' 'census takes io-stat'
is "$(sqlite3 "$db" 'PRAGMA integrity_check; PRAGMA foreign_key_check')" ok \
	'the database is whole'
plan
