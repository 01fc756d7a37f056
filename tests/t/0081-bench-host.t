#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# `earlyout bench --runner host`: one kernel now, the other after a reboot.
. "$(dirname "$0")/lib.sh"

tree=$work/tree
db=$work/state/x.db
make_tree "$tree"
cd "$tree" || exit

# The program beside a guest's program that pretends: 1,000 ns, with up to
# 1% to and fro, or what $work/speed says.
mkdir -p "$work/bin/guest"
cp "$EARLYOUT" "$work/bin/earlyout"
EARLYOUT=$work/bin/earlyout
export EARLYOUT_DATA=$TESTDIR/..
echo 1000 >"$work/speed"
cat >"$work/bin/guest/earlyout-guest" <<EOF
#!/bin/bash
echo "\$*" >>"$work/calls"
read -r v <"$work/speed"
r=\$((RANDOM % 10))
cat <<END
hello 1 \$1
env kernel of \$v
metric read ns lower read of an empty io.stat
sample read 0 99999
sample read 1 \$((v + r))
sample read 2 \$((v + r + 2))
end
END
EOF
chmod +x "$work/bin/guest/earlyout-guest"

bench() { eo bench --db "$db" "$@"; }

bench forget io-stat
ends 2 'nothing to forget' 'no measurement of io-stat waits'
bench io-stat reads=7 --runner host
ends 0 'the first phase' '^measured io-stat 27 times on Linux' \
	'run the same command again'
is "$(wc -l <"$work/calls")" 27 'as often as it says'
is "$(sort -u "$work/calls" | wc -l)" 27 'and by chance each time'
grep -q '^io-stat reads=7 reads=20000 batches=5 seed=[1-9]' "$work/calls"
ok $? 'with what was given first' "$work/calls"
is "$(sqlite3 "$db" 'SELECT count(*) FROM bench')" 0 'there is no bench yet'
bench io-stat --runner host
ends 2 'no reboot in between' 'this is still the boot of Linux'

# A boot has an id of its own, and here a kernel too.
sqlite3 "$db" "UPDATE waiting SET boot = 'another', kernel = '6.99.1-frog #1'"
echo 880 >"$work/speed"
: >"$work/calls"
bench io-stat --runner host
ends 0 'the second phase' "; Linux 6\\.99\\.1-frog and $(uname -r)," 'read of an empty io\.stat: improved' \
	'-1[12]\.[0-9]*%.*n 20, p' 'the machine itself, one boot of each kernel'
# A warm-up and 20 pairs; the kernel before is not measured again.
is "$(wc -l <"$work/calls")" 21 'measures the other kernel alone'
grep -q '^io-stat reads=7 ' "$work/calls"
ok $? 'in the same way' "$work/calls"
is "$(sqlite3 "$db" 'SELECT before_kernel, runner, count(*)
	FROM bench JOIN bench_shot ON bench = bench.id')" '6.99.1-frog #1|host|48' \
	'all of it is kept'
is "$(sqlite3 "$db" 'SELECT count(*) FROM waiting')" 0 'and nothing waits'

# Where the time is, as perf has it: one that pretends, for known numbers.
cat >"$work/tools/perf" <<'EOF'
#!/bin/bash
case $1 in
record)
	while [ "$1" != -- ]; do shift; done
	shift
	echo "$*" >>"$work/perfed"
	"$@" >/dev/null
	;;
report)
	read -r samples <"$work/samples"
	printf '# a comment\n\n%s |[k] pond_flush\n100  |[k] vfs_read\n5|[.] main\n' \
		"$samples"
	;;
esac
EOF
chmod +x "$work/tools/perf"
export work
echo 300 >"$work/samples"
bench io-stat --runner host --profile
ends 0 'the first phase, with a profile' '^measured io-stat 27 times'
grep -q '/earlyout-guest io-stat .* seed=1$' "$work/perfed"
ok $? 'perf saw the workload run' "$work/perfed"
sqlite3 "$db" "UPDATE waiting SET boot = 'another'"
echo 100 >"$work/samples"
bench io-stat --runner host
ends 0 'the second one' '^  samples of one run, by perf: 405 before, 205 after' \
	'^ +74\.07% +48\.78% +-200  pond_flush$' '^ +1\.23% +2\.44% +\+0  \[user\]$'
bench show --format json
is "$(jq -c '.profile[0] | [.symbol, .before, .after, .unit]' "$work/out")" \
	'["pond_flush",300,100,"samples"]' 'as JSON'
bench io-stat --runner host
sqlite3 "$db" "UPDATE waiting SET boot = 'another'"
bench io-stat --runner host --profile
ends 2 'of one kernel alone' 'measured without --profile'
bench forget io-stat
sed -i 's/\[k\]/[.]/g' "$work/tools/perf"
: >"$work/calls"
bench io-stat --runner host --profile
ends 2 'where perf may not look into the kernel' 'nothing of the kernel: as root'
is "$(wc -l <"$work/calls")" 1 'it is said before anything is measured'
ln -sf /bin/false "$work/tools/perf"
bench io-stat --runner host --profile
ends 2 'where perf is not to be had' 'needs perf.*linux-perf'
is "$(sqlite3 "$db" 'SELECT count(*) FROM waiting')" 0 'nothing was measured'
rm "$work/tools/perf"
if perf record -q -o "$work/perf.data" true >/dev/null 2>&1; then
	bench io-stat --runner host --profile
	ends 0 'perf itself' '^measured io-stat'
	grep -qE '^[0-9]+ *\|\[k\] [a-z_]' <(sqlite3 "$db" \
		'SELECT profile FROM waiting')
	ok $? 'sees the kernel work'
	sqlite3 "$db" "UPDATE waiting SET boot = 'another'"
	bench io-stat --runner host
	ends 0 'and so does the second phase' 'samples of one run, by perf: [1-9]'
else
	skip 'perf itself' 'it may not look here'
	skip 'sees the kernel work' 'it may not look here'
	skip 'and so does the second phase' 'it may not look here'
fi

# What is forgotten, cut short, or fails.
bench io-stat --runner host
ends 0 'again' 'measured io-stat'
bench forget io-stat
ends 0 'is forgotten'
bench io-stat --runner host --budget 1s
ends 0 'within a budget' '^measured io-stat [12][0-9] times'
sqlite3 "$db" "UPDATE waiting SET boot = 'another', distorting = 'lockdep'"
bench io-stat --runner host
ends 2 'debugging options' 'lockdep.*no evidence'
bench io-stat --runner host --allow-debug
ends 0 'allowed' 'NO EVIDENCE: .*lockdep'
printf '#!/bin/bash\necho hello 1 x; echo fail no io.stat here\n' \
	>"$work/bin/guest/earlyout-guest"
bench io-stat --runner host
ends 2 'a precondition that does not hold' 'no io\.stat here'
is "$(sqlite3 "$db" 'SELECT count(*) FROM waiting')" 0 'leaves nothing'
plan
