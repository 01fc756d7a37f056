#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# `earlyout bench` of ready images: what becomes of a guest that dies, what is
# seen of a kernel that checks itself, what `clean` leaves. QEMU is a program
# that pretends; an image is a file that says what its kernel would do.
. "$(dirname "$0")/lib.sh"

tree=$work/tree
db=$work/state/x.db
make_tree "$tree"
cd "$tree" || exit
mkdir "$work/"{fast,slow,same}
echo 'read 880' >"$work/fast/bzImage"
echo 'read 1000' >"$work/slow/bzImage"
echo 'read 1000' >"$work/same/bzImage"

cat >"$work/tools/qemu-system-x86_64" <<'EOF2'
#!/usr/bin/env python3
import re, sys, time, zlib
if "--version" in sys.argv:
    print("QEMU emulator version 0 (it pretends)")
    sys.exit()
after = dict(zip(sys.argv, sys.argv[1:]))
ports = dict(re.match(r"file,id=(.),path=(.*)", b).groups()
             for a, b in zip(sys.argv, sys.argv[1:]) if a == "-chardev")
what, _, value = open(after["-kernel"]).read().partition(" ")
possible = int(after["-smp"].split("maxcpus=")[1])
lines = ["hello 1 io-stat", "env kernel 6.12.0-pretended #1",
         f"env possible 0-{possible - 1}",
         "metric empty.wall ns lower read of an empty io.stat",
         "metric empty.sys ns lower read of an empty io.stat"]
if what == "read":
    for batch in range(3):
        for name in "wall", "sys":
            lines.append(f"sample empty.{name} {batch} {int(value)}")
if what == "lockdep":
    lines.append("env distorting lockdep")
    lines += ["sample empty.wall 1 1", "sample empty.sys 1 1"]
lines.append("end")
framed = "".join(f"eo {i} {zlib.crc32(line.encode()):08x} {line}\n"
                 for i, line in enumerate(lines))
if what == "chatter":
    framed = framed.replace("\n", "\n[    1.0] a frog jumped\n", 1)
console = "".join(f"[    0.{i:02}] line {i} of the boot\r\n" for i in range(40))
if what == "panic":
    console += "Kernel panic - not syncing: the pond is dry\x1b[2J\r\n"
open(ports["c"], "w").write(console)
if what in ("silent", "panic"):
    framed = ""
open(ports["r"], "w").write(framed)
if what == "broken":
    sys.exit("pretended: no such machine")
if what == "hang":
    time.sleep(300)
EOF2
chmod +x "$work/tools/qemu-system-x86_64"

bench() { eo bench --db "$db" "$@"; }
images() { bench io-stat --before "$work/$1/bzImage" --after "$work/$2/bzImage" "${@:3}"; }

images slow fast
ends 0 'ready images' 'empty io\.stat: improved' '1\.00k instructions before, 880 .* after: -12\.00%' \
	'QEMU TCG counting instructions, 1 vCPU, 16 possible' \
	'Linux 6\.12\.0-pretended, a configuration that is not known'
# What the machine does not say of itself (a governor, microcode) is left out.
is "$(sqlite3 "$db" "SELECT name FROM report_bench_env WHERE name IN
	('compiler', 'cpu', 'guest kernel', 'host command line', 'host cpus',
	'host kernel', 'load before', 'qemu') ORDER BY name" | xargs)" \
	'compiler cpu guest kernel host command line host cpus host kernel load before qemu' \
	'the environment is kept'
images fast slow
ends 0 'the other way round' 'empty io\.stat: regressed'
images slow same
ends 0 'and the same' 'empty io\.stat: no consistent change'
images slow fast --runner qemu --cpus 2 --possible 4
ends 0 'time' 'improved' '2 vCPUs, 4 possible' \
	'empty io\.stat, system CPU time: improved'

mkdir "$work/long"
echo 'read 3510000' >"$work/long/bzImage"
images long long --runner qemu
ends 0 'milliseconds' '3\.51 ms before, 3\.51 ms after'

# A guest that dies: why, its last words, and where the rest is.
die() { # WHAT NAME REGEX...
	mkdir -p "$work/dead"
	echo "$1 0" >"$work/dead/bzImage"
	images slow dead "${@:4}"
	ends 1 "$2" "FAILED: (after|before): $3"
}
die panic 'a panic' 'the kernel panicked'
is "$(grep -c '|' "$work/err")" 12 'its last lines are on stderr'
grep -qF '  | Kernel panic - not syncing: the pond is dry\x1b[2J' "$work/err"
ok $? 'and do nothing to the terminal' "$work/err"
ends 1 'where the rest is' 'earlyout bench console 6'
is "$(grep -c ' | ' "$work/out")" 0 'once'
bench show
ends 1 'shown again' '^  \| Kernel panic - not' '^  \| \[ +0\.39\] line 39'
bench console
ends 0 'all of the console' '^\[    0\.00\] line 0 of the boot$' '^Kernel panic'
is "$(wc -l <"$work/out")" 41 'is all of it'
bench console 6
ends 0 'of a bench by its number' 'Kernel panic'
bench console 1
ends 2 'of one that went well' 'bench 1 did not fail'
bench console 99
ends 2 'of none' 'has no bench 99'
die panic 'a panic, as JSON' '|panicked' --format json
grep -q '  | Kernel panic' "$work/err"
ok $? 'has its last lines on stderr, too' "$work/err"
die silent 'no result' 'the guest ended without a result'
die chatter 'what the kernel wrote between the frames' 'results:2: this is no frame'
die hang 'a hang' 'the guest hung: no end in time' --timeout 2
bench console
ends 0 'its console is kept, too' '^\[    0\.39\] line 39 of the boot$'
mkdir "$work/broken"
echo 'broken 0' >"$work/broken/bzImage"
images slow broken
ends 2 'a QEMU that does not start' 'status 1: pretended: no such machine'

# A kernel that checks itself: by the configuration beside it.
mkdir -p "$work/"{kasan,boot,built/arch/x86/boot,clear}
for image in kasan/bzImage boot/vmlinuz-6.12-frog built/arch/x86/boot/bzImage \
	clear/bzImage; do
	echo 'read 1000' >"$work/$image"
done
printf 'CONFIG_KASAN=y\nCONFIG_SMP=y\n' >"$work/kasan/config"
cp "$work/kasan/config" "$work/boot/config-6.12-frog"
cp "$work/kasan/config" "$work/built/.config"
printf '# CONFIG_KASAN is not set\nCONFIG_SMP=y\n' >"$work/clear/config"
for image in kasan/bzImage boot/vmlinuz-6.12-frog built/arch/x86/boot/bzImage; do
	bench io-stat --before "$work/slow/bzImage" --after "$work/$image"
	ends 2 "KASAN in $image" 'distort \(KASAN\).*no evidence'
done
images kasan kasan --allow-debug
ends 0 'allowed' '^NO EVIDENCE: these debugging options distort: KASAN$' \
	'the configuration beside the image \([0-9a-f]{16}\)'
images clear clear
ends 0 'none' '^empty|no consistent change'
! grep -q 'NO EVIDENCE' "$work/out"
ok $? 'is no reason'
mkdir "$work/guest"
echo 'lockdep 0' >"$work/guest/bzImage"
images guest guest
ends 2 'what the guest sees' 'distort \(lockdep\)'

# What a guest sees of a kernel of which nothing is known: its functions.
program=$(dirname "$EARLYOUT")/guest/earlyout-guest
{
	echo 'ffffffff81000000 T _stext'
	echo 'ffffffff81000100 t __might_sleep'
	echo 'ffffffff81000200 T kasan_report'
	echo 'ffffffff81000300 T lock_acquire	[pond]'
} >"$work/kallsyms"
"$program" io-stat kallsyms="$work/kallsyms" cgroup="$work/none" \
	>"$work/out" 2>"$work/err"
ok $((! $?)) 'a guest without control groups fails'
is "$(grep '^env distorting' "$work/out")" 'env distorting KASAN, lockdep' \
	'and has seen what distorts'
"$program" io-stat kallsyms="$work/none" cgroup="$work/none" >"$work/out" 2>&1
is "$(grep -c '^env distorting' "$work/out")" 0 'nothing, where there is none'

# `clean` leaves nothing but locks, which another process may wait for.
patch=$work/frog.patch
printf -- '--- a/none/frog.c\n+++ b/none/frog.c\n@@ -0,0 +1 @@\n+int frog;\n' \
	>"$patch"
bench io-stat --patch "$patch"
ends 2 'a tree that cannot be built' 'does not build|make'
[ -n "$(find "$XDG_CACHE_HOME" -path '*scratch-bench*' -type f -size +0)" ]
ok $? 'leaves a copy of it'
bench clean
ends 0 'clean' 'removed [0-9]+ MB of kernels and objects, and the copy'
is "$(find "$XDG_CACHE_HOME" -mindepth 2 -name '*bench*' ! -name '*.lock')" '' \
	'removes all of it'
is "$(find "$XDG_CACHE_HOME" -name '*.lock' -size +0)" '' 'the locks are empty'
[ -f pond/pond.c ]
ok $? 'and not the tree'
bench clean
ends 0 'again' 'removed 0 MB'
plan
