#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Runs beside each other: `scan`, `scan --baseline`, `scan --changed`.
. "$(dirname "$0")/lib.sh"

tree=$work/tree
db=$work/state/x.db
make_tree "$tree"
cd "$tree" || exit

scan() { eo scan --db "$db" "$@"; }
statuses() { # FUNCTION=STATUS of the last JSON
	jq -r '[(.findings, .resolved, .unseen)[] |
		"\(.function)=\(.status)"] | sort | join(" ")' "$work/out"
}
add_file() { # NAME: pond/NAME.c with NAME_show(), compiled
	pond "pond/$1.c" "$1"
	jq --arg f "pond/$1.c" \
		'. + [.[0] | .file = $f | .arguments[-1] = $f]' \
		compile_commands.json >"$work/cc" &&
		cp "$work/cc" compile_commands.json
}
fix() { # NAME
	sed -i 's,^\tcgroup_rstat_flush,\tif (list_empty(\&pond->frogs))\n\t\treturn 0;\n&,' \
		"pond/$1.c"
}

# One after the other.
scan --format json
is "$(statuses)" 'pond_show=new' 'the first run: all is new'
cp "$work/out" "$work/first.json"
add_file lake
scan
ends 1 'one more' 'lake\.c:27:2: .*\[high, auto, new\]$' \
	'pond\.c:27:2: .*\[high, auto\]$' \
	'^since run 1: 1 new, 0 reopened, 1 unchanged, 0 resolved$'
cp pond/pond.c "$work/pond.c" && fix pond
scan
ends 1 'one is fixed' '^resolved: pond/pond\.c: pond_show: ' \
	'^since run 2: 0 new, 0 reopened, 1 unchanged, 1 resolved$'
scan --format json
is "$(statuses)" 'lake_show=unchanged' 'resolved is said once'
cp "$work/pond.c" pond/pond.c
scan --format json
is "$(statuses)" 'lake_show=unchanged pond_show=reopened' 'it comes back'
is "$(jq -c '[.run.compared_to, .run.scope]' "$work/out")" '[4,null]' \
	'JSON says what it was compared to'

# What was not looked at is neither resolved nor gone.
scan --only pond/lake.c --format json
is "$(statuses)" 'lake_show=unchanged pond_show=unseen' \
	'--only does not resolve what is elsewhere'
scan --only pond/lake.c
ends 1 'and says so' '^limited by --only pond/lake\.c: 1 candidate file left out' \
	'1 not looked at this time'
printf 'a\0b' >pond/pond.c
scan --format json
is "$status $(statuses)" '3 lake_show=unchanged pond_show=unseen' \
	'nor does a file that cannot be read'
eo report --db "$db" -o "$work/report"
grep -q 'not looked at this time' "$work/report/index.html"
ok $? 'the report shows it'
cp "$work/pond.c" pond/pond.c
scan --format json
is "$(statuses)" 'lake_show=unchanged pond_show=unchanged' \
	'it is not reopened when it can be read again'

# Only what is not in the baseline fails.
scan --baseline 1
ends 1 'a baseline by its number' 'lake\.c:27:2: ' \
	'pond\.c:27:2: .*, in the baseline\]$' \
	'^1 finding not in the baseline .*, 1 in the baseline; '
scan --baseline "$work/first.json" --format json
is "$status $(jq -c '[.findings[] | [.function, .in_baseline]]' "$work/out")" \
	'1 [["lake_show",false],["pond_show",true]]' 'by a file'
scan --baseline 2
ends 0 'nothing new: exit 0' '^0 findings not in the baseline, 2 in the baseline; '
mv pond/lake.c pond/sea.c && sed -i 's,lake\.c,sea.c,g' compile_commands.json
scan --baseline 2
ends 0 'a renamed file is nothing new' 'pond/sea\.c:27:2: .*in the baseline'
mv pond/sea.c pond/lake.c && sed -i 's,sea\.c,lake.c,g' compile_commands.json
printf 'a\0b' >pond/dry.c
scan --baseline 2
ends 3 'a new gap is incomplete' 'pond/dry\.c: .*not-c'
scan --format json
cp "$work/out" "$work/gaps.json"
scan --baseline "$work/gaps.json"
ends 0 'a gap that is in the baseline is nothing new' 'pond/dry\.c: .*not-c'
scan --baseline 1
ends 1 'a new finding fails, whatever the gaps'
rm pond/dry.c
scan --baseline 999
ends 2 'no such run' 'has no run 999'
scan --baseline "$work/none.json"
ends 2 'no such file' 'none\.json: No such file'
echo '{"findings":[]}' >"$work/bad.json"
scan --baseline "$work/bad.json"
ends 2 'a file of something else' 'bad\.json: not what .earlyout scan --format json. writes'

# What commits touch.
scan --changed HEAD~1..HEAD
ends 2 'no git: says so' 'not the top of a git work tree'
mkdir -p include/linux
echo 'struct depth { int metres; };' >include/linux/depth.h
echo '#include <linux/depth.h>' >include/linux/water.h
sed -i '2i #include <linux/water.h>' pond/lake.c
git init -q . && git add -A && git commit -q -m one
scan
fix pond && git commit -q -a -m two
scan --changed HEAD~1..HEAD --format json
is "$status $(statuses)" '0 lake_show=unseen pond_show=resolved' \
	'a range: what it changes is looked at, the rest stays'
is "$(jq -c '[.coverage.scope_files, .coverage.left_out]' "$work/out")" \
	'[["pond/pond.c"],1]' 'JSON says what was looked at'
scan --format json
is "$(statuses)" 'lake_show=unchanged' 'the next whole run goes on from there'
echo '/* deep */' >>include/linux/depth.h && git commit -q -a -m three
scan --changed HEAD~1..HEAD
ends 1 'a header: who includes it, by way of another' 'pond/lake\.c:28:2: ' \
	'^limited by --changed HEAD~1\.\.HEAD: 1 candidate file left out'
git rm -q -f pond/lake.c && git commit -q -m four
scan --changed HEAD~1.. --format json
is "$status $(statuses)" '0 lake_show=resolved' 'a file that the range removes'
scan --changed HEAD~3..HEAD~2
ends 0 'the tree is further on: says so' 'the tree is not as HEAD~3\.\.HEAD~2 ends'
scan --changed nonsense..HEAD
ends 2 'no such commit' 'nonsense'
scan --changed HEAD
ends 2 'no range' 'takes a range of commits'
scan --changed=--output=x..y
ends 2 'no option for git' 'takes a range of commits'
[ ! -e x..y ]
ok $? 'and git was not given it'

# A wrapper changes: who calls it, in another file.
git checkout -q HEAD~1 -- pond/lake.c
cat >pond/weir.c <<'END'
struct cgroup;
void cgroup_rstat_flush(struct cgroup *group);
void weir_flush(struct cgroup *group);
void weir_flush(struct cgroup *group)
{
	cgroup_rstat_flush(group);
}
END
sed -i 's,cgroup_rstat_flush,weir_flush,' pond/lake.c
jq '. + [.[0] | .file = "pond/weir.c" | .arguments[-1] = "pond/weir.c"]' \
	compile_commands.json >"$work/cc" && cp "$work/cc" compile_commands.json
git add -A && git commit -q -m five
scan
ends 1 'a wrapper in another file' 'pond/lake\.c:28:2: .*weir_flush'
sed -i 's,^\tcgroup,\t/* over it goes */\n&,' pond/weir.c
git commit -q -a -m six
scan --changed HEAD~1..HEAD --format json
is "$(jq -c '.coverage.scope_files' "$work/out") $(statuses)" \
	'["pond/lake.c","pond/weir.c"] lake_show=unchanged' \
	'its callers are looked at when it changes'
is "$(db_state "$db" | cut -d' ' -f1)" ok 'the database is whole'
plan
