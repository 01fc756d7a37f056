#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Times our passes beside the tools that do the same, on a real kernel tree.
# Interleaved, so that what disturbs one disturbs the other, and medians.
# usage: EARLYOUT=PROGRAM CANDIDATES=PROGRAM bench.sh
#        bench.sh spatch-dir      time `spatch --dir` anew, and keep the figures
# variables: KERNEL=DIR (default: Debian's Linux 6.12), REPS, SCAN_REPS, JOBS;
# RULES="NAME..." for spatch-dir (default: all; each takes some minutes)
set -eu
here=$(cd "$(dirname "$0")" && pwd)
kept=$here/bench/spatch-dir.txt
patches=$here/../semantic-patches
: "${REPS:=11}" "${SCAN_REPS:=3}" "${JOBS:=$(nproc)}"

tree=${KERNEL-}
[ -n "$tree" ] || tree=$("$here/../.ci/kernel-source.sh" 6.12)
version=$(make -s -C "$tree" kernelversion)
machine="$(nproc) x $(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1)"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

load() { cut -d' ' -f1-3 /proc/loadavg; }

# seconds FILE COMMAND...: appends "WALL CPU"; the status is the command's. On
# a machine with other work, CPU time tells more.
seconds() {
	local file=$1 status=0 TIMEFORMAT='%R %U %S'

	shift
	{ time "$@" 2>&3 || status=$?; } 3>&2 2>"$work/t"
	awk '{ print $1, $2 + $3 }' "$work/t" >>"$file"
	return $status
}

# One process, with the options that the kernel's coccicheck takes from the
# file's header.
spatch_dir() { # RULE
	# shellcheck disable=SC2046 # they are words
	spatch --very-quiet -D report --no-show-diff \
		--cocci-file "$patches/$1.cocci" \
		$(sed -n 's,^// Options: ,,p' "$patches/$1.cocci") \
		--macro-file "$patches/earlyout-macros.h" --dir "$tree"
}

# Replaces the line of RULE among the kept figures.
keep() { # RULE
	local before

	before=$(load)
	seconds "$work/$1.time" spatch_dir "$1" >"$work/found" 2>"$work/err" || {
		cat "$work/err" >&2
		exit 1
	}
	{
		! [ -r "$kept" ] || grep -v "^$1	" "$kept" || :
		paste <(echo "$1") <(tr ' ' '\t' <"$work/$1.time") \
			<(date -u +%Y-%m-%d) <(echo "$machine") \
			<(spatch --version | sed -n 's/^spatch version \([^ ]*\).*/\1/p') \
			<(echo "$version") <(echo "$before; $(load)")
	} >"$work/kept"
	{
		echo '# rule	seconds	cpu	date	machine	spatch	kernel	load before; after'
		grep -v '^#' "$work/kept" | sort
	} >"$kept"
	tail -n 1 "$work/kept"
}

if [ "${1-}" = spatch-dir ]; then
	for rule in ${RULES:-$(cd "$patches" && ls -- *.cocci)}; do
		keep "${rule%.cocci}"
	done
	exit
fi

: "${EARLYOUT:?is not set: the program}" "${CANDIDATES:?is not set}"
export EARLYOUT_DATA=${EARLYOUT_DATA-$(cd "$here/.." && pwd)}
export XDG_STATE_HOME=$work/state # the cache is the user's: warm
"$CANDIDATES" --names >"$work/names"

ours() { "$CANDIDATES" "$tree" "$JOBS" >"$work/ours"; }
rgs() {
	rg --no-config --no-ignore -j "$JOBS" -l -w -F -f "$work/names" \
		-g '*.c' "$tree" >"$work/rgs"
}
scan() { # 1: something was found, 3: something was not looked at
	"$EARLYOUT" scan --quiet --jobs "$JOBS" --tree "$tree" \
		>"$work/scan" || [ $? -ne 2 ]
}

# The program with those rules alone that there is a kept figure of, and with
# the calls that they are about: what a scan is compared with like for like.
same_rules() {
	local rule model

	mkdir -p "$work/data/semantic-patches" "$work/data/analyzer/model"
	cp "$patches"/*.h "$work/data/semantic-patches"
	while read -r rule; do
		cp "$patches/$rule.cocci" "$work/data/semantic-patches"
	done < <(awk '!/^#/ { print $1 }' "$kept")
	for model in "$here"/../analyzer/model/*.model; do
		! grep -q '^call' "$model" || grep -q '^call.* deferrable' "$model" ||
			continue
		cp "$model" "$work/data/analyzer/model"
	done
}
scan_same() { EARLYOUT_DATA=$work/data scan; }

echo "machine: $machine; load: $(load)"
echo "tree: Linux $version; $(wc -l <"$work/names") names; $JOBS jobs"
# Once for the page cache, and for what a first scan prepares.
ours && rgs && scan
[ ! -r "$kept" ] || { same_rules && scan_same; }
for ((i = 0; i < REPS; i++)); do
	order='ours rgs'
	[ $((i % 2)) -eq 0 ] || order='rgs ours'
	for what in $order; do
		seconds "$work/$what.time" "$what"
	done
done
for ((i = 0; i < SCAN_REPS; i++)); do
	seconds "$work/scan.time" scan
	[ ! -r "$kept" ] || seconds "$work/same.time" scan_same
done

median() { # of the numbers on stdin
	sort -n | awk '{ t[NR] = $1 } END {
		print NR % 2 ? t[(NR + 1) / 2] : (t[NR / 2] + t[NR / 2 + 1]) / 2 }'
}
column() { # N FILE
	cut -d' ' -f"$1" "$2"
}
row() { # NAME WALL CPU NOTE
	printf '%-27s %9.2f s %9.2f s CPU  (%s)\n' "$@"
}
show() { # NAME FILE
	row "$1" "$(column 1 "$2" | median)" "$(column 2 "$2" | median)" \
		"medians of $(wc -l <"$2"); $(column 1 "$2" | sort -n |
			sed -n '1p;$p' | paste -sd ' ' | sed 's/ / to /') s"
}
# The median of the pairs' ratios: what disturbs both cancels out.
paired() { # N A B
	paste -d' ' <(column "$1" "$2") <(column "$1" "$3") |
		awk '{ print $1 / $2 }' | median
}

show 'candidate pass' "$work/ours.time"
show 'rg -l' "$work/rgs.time"
printf '  ratio %.2f, CPU %.2f (aim: at most 1); files: %s ours, %s of rg\n' \
	"$(paired 1 "$work/ours.time" "$work/rgs.time")" \
	"$(paired 2 "$work/ours.time" "$work/rgs.time")" \
	"$(wc -l <"$work/ours")" "$(wc -l <"$work/rgs")"
show 'scan, all rules' "$work/scan.time"
if [ -r "$kept" ]; then
	read -r wall cpu rules <<<"$(awk -F '\t' '!/^#/ {
		w += $2; c += $3; n++ } END { print w, c, n }' "$kept")"
	show 'scan, those rules alone' "$work/same.time"
	row 'spatch --dir, kept figures' "$wall" "$cpu" \
		"sum of $rules of $(ls "$patches"/*.cocci | wc -l) rules, see $(basename "$kept")"
	# One process cannot be faster than its CPU time; what its wall time is
	# above that came from other work on the machine, and does not count.
	awk -v a="$wall" -v b="$(column 1 "$work/same.time" | median)" \
		-v c="$cpu" -v d="$(column 2 "$work/same.time" | median)" 'BEGIN {
		printf "  the scan is %.1f times faster (aim: 20), CPU %.1f\n",
			(a < c ? a : c) / b, c / d }'
else
	echo "no $kept: \`make bench-spatch-dir\` makes it"
fi
