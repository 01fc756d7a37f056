#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# What is wrong with the world: each time a message that says what, where and
# what to do, the right exit code, the rest of the scan, and a whole database.
. "$(dirname "$0")/lib.sh"

tree=$work/tree
make_tree "$tree"
mkdir "$work/bin" "$work/few"
for tool in git python3; do
	ln -s "$(command -v $tool)" "$work/few/"
done

eo scan --tree "$tree"
ends 1 'a tree with nothing wrong' "$finding"
db=$(echo "$work"/state/earlyout/tree-*.db)
runs=1

# One more run in the database, or none; and no damage.
whole() { # MORE WHAT
	runs=$((runs + $1))
	is "$(db_state "$db")" "ok $runs" "... the database is whole, $2"
}
# A scan that has all but one thing: exit 3, and the finding is there.
incomplete() { # NAME LEDGER-REGEX [ARGUMENT...]
	eo scan --tree "$tree" "${@:3}"
	ends 3 "$1" "$finding" '; incomplete, not looked at' "$2"
	whole 1 'with the run'
}

### Not a kernel tree.
mkdir -p "$work/no tree/sub"
eo scan --tree "$work/no tree/sub"
ends 2 'not a kernel tree' \
	'/no tree/sub: not a Linux kernel tree \(no Makefile\), .*--tree DIR$'
eo scan --tree "$tree/Makefile"
ends 2 'a file for a tree' '/tree/Makefile: not a folder'
eo scan --tree "$work/nothing"
ends 2 'a tree that is not there' '/nothing: No such file'
cp -r "$tree" "$work/part" && rm "$work/part/Kbuild"
eo scan --tree "$work/part"
ends 2 'a tree without Kbuild' 'not a Linux kernel tree \(no Kbuild\)'
cp "$tree/Kbuild" "$work/part" && echo 'all: ;' >"$work/part/Makefile"
eo scan --tree "$work/part"
ends 2 'a tree without a version' 'no VERSION and PATCHLEVEL in its Makefile'

### A tree without scripts/get_maintainer.pl, and with one that fails.
eo patch --tree "$tree" -o "$work/mails"
ends 0 'no get_maintainer.pl: a warning, and the patch' '1 patch and a cover' \
	'no scripts/get_maintainer.pl: the mails have no recipients, add To:'
[ -s "$work"/mails/0001-*.patch ]
ok $? '... which is there'
echo 'die "no luck\n";' >"$tree/scripts/get_maintainer.pl"
eo patch --tree "$tree" -o "$work/mails"
ends 0 'get_maintainer.pl fails: a warning, and the patch' '1 patch and a' \
	'get_maintainer.pl: .*no luck: the mails have no recipients'
rm "$tree/scripts/get_maintainer.pl"

### Files that are no C, or hardly.
pond "$tree/pond/binary.c" binary
printf '\0\1\2\377' >>"$tree/pond/binary.c"
incomplete 'a binary file' \
	'^pond/binary.c: whole file: clang: not-c: .*; replace or remove it$'
is "$(grep -c '^pond/binary.c: .* smpl: not-c: ' "$work/out")" 1 \
	'... neither engine looked at it'
rm "$tree/pond/binary.c"
cat >"$tree/pond/text.c" <<'EOF'
Dear reader, this is no C: but cgroup_rstat_flush(group); is in it.
((( {{{ "isn't it
EOF
incomplete 'text that is no C' \
	'^pond/text.c: whole file: clang: parse-error: .*text.c:1: error: '
printf 'cgroup_rstat_flush(\xff\xfe\xe4\x80);\n' >"$tree/pond/text.c"
incomplete 'bytes that are no text' \
	'^pond/text.c: whole file: clang: parse-error: '
: >"$tree/pond/text.c"
eo scan --tree "$tree"
ends 1 'a file of 0 bytes is fine' "$finding" ', of 2 in the tree$'
whole 1 'with the run'
pond "$tree/pond/text.c" large
{
	yes "/* $(printf '%.0sfiller ' {1..40}) */" | head -c 30000000
	printf '*/\n'
} >>"$tree/pond/text.c"
eo scan --tree "$tree"
ends 1 'so is one of 30 MB' "$finding" '^pond/text\.c:27:2: flush-before' \
	'; 2 of 2 candidate files'
whole 1 'with the run'
rm "$tree/pond/text.c"

ln -s .. "$tree/pond/loop"
ln -s self "$tree/pond/self"
ln -s self.c "$tree/pond/self.c"
ln -s nowhere.c "$tree/pond/dangling.c"
ln -s pond.c "$tree/pond/twice.c"
mkfifo "$tree/pond/fifo.c"
mkdir "$tree/pond/folder.c"
eo scan --tree "$tree"
ends 1 'loops of links, a pipe, a folder: each file is seen once' \
	"$finding" '^1 finding .* of 1 in the tree$'
whole 1 'with the run'
rm -r "$tree"/pond/{loop,self,self.c,dangling.c,twice.c,fifo.c,folder.c}

### No right to read.
reader=()
if [ "$(id -u)" -eq 0 ]; then
	reader=(setpriv --reuid=65534 --regid=65534 --clear-groups)
	chmod 711 "$work"
	mkdir "$work/nobody" && chown 65534:65534 "$work/nobody"
	reader+=(env HOME="$work/nobody" TMPDIR="$work/nobody" \
		XDG_STATE_HOME="$work/nobody" XDG_CACHE_HOME="$work/nobody")
fi
if "${reader[@]}" "$EARLYOUT" --version >/dev/null 2>&1 &&
	"${reader[@]}" test -r "$EARLYOUT_DATA/analyzer/model/rstat.model"; then
	mkdir "$tree/pond/closed"
	pond "$tree/pond/closed/x.c" x
	pond "$tree/pond/secret.c" secret
	chmod 000 "$tree/pond/closed" "$tree/pond/secret.c"
	as_reader() {
		status=0
		"${reader[@]}" "$EARLYOUT" "$@" >"$work/out" 2>"$work/err" ||
			status=$?
	}
	as_reader scan --tree "$tree"
	ends 3 'a folder and a file that may not be read' "$finding" \
		'^pond/closed: .*clang: unreadable: .*folder: Permission denied; give' \
		'^pond/closed: .*smpl: unreadable: ' \
		'^pond/secret.c: .*clang: unreadable: .*file: Permission denied' \
		'^pond/secret.c: .*smpl: unreadable: '
	as_reader report --tree "$tree" -o "$tree/report"
	ends 2 'no right to write the report' '/tree/report: Permission denied'
	as_reader scan --tree "$tree" --db "$tree/mine.db"
	ends 2 'no right to write the database' \
		'cannot write .*/tree/mine.db: .*--db$'
	[ ! -e "$tree/report" ] && [ ! -e "$tree/mine.db" ]
	ok $? '... nothing was written'
	chmod 000 "$tree/Makefile"
	as_reader scan --tree "$tree"
	ends 2 'no right to read the Makefile' \
		'/tree: not a .* \(no Makefile that may be read\)'
	chmod 644 "$tree/Makefile"
	chmod 000 "$tree"
	as_reader scan --tree "$tree"
	ends 2 'no right to read the tree' 'cannot look into .*/tree: Permission denied'
	chmod 755 "$tree"
	chmod 755 "$tree/pond/closed"
	rm -rf "$tree/pond/closed" "$tree/pond/secret.c"
else
	skip 'no right to read' 'no user who could not (no setpriv, or the program is in a closed folder)'
fi

### No room.
(
	# Files of at most 16 KiB: too small for the run to be added.
	exec 3>"$work/status"
	ulimit -f 16
	"$EARLYOUT" scan --tree "$tree" --no-smpl
	echo $? >&3
) >"$work/out" 2>"$work/err"
status=$(cat "$work/status")
ends 2 'the database hits a size limit' "$db: .* --db .*what was stored .* safe"
whole 0 'without the run'

small_disk() { # SCRIPT: run with a disk of 2 MiB at $work/disk
	local flags=-m

	[ "$(id -u)" -eq 0 ] || flags=-rm
	mkdir -p "$work/disk"
	unshare $flags bash -c 'mount -t tmpfs -o size=2m none "$1/disk" &&
		work=$1 tree=$2 && '"$1" small-disk "$work" "$tree"
}
export -f eo db_state
if small_disk true 2>/dev/null; then
	small_disk '
		say() { echo "$1: $status"; cat "$work/out" "$work/err"; }
		cd "$work/disk"
		eo scan --tree "$tree" --no-smpl --db a.db; say first
		dd if=/dev/zero of=fill bs=1k status=none 2>/dev/null
		eo scan --tree "$tree" --no-smpl --db a.db; say full
		eo report --tree "$tree" -o "$work/disk/report"; say report
		eo patch --tree "$tree" -o "$work/disk/mails"; say patch
		echo "mails: $(ls mails 2>/dev/null | xargs)"
		TMPDIR=$work/disk eo scan --tree "$tree" --db "$work/b.db"; say tmp
		rm fill
		echo "state: $(db_state a.db)"
		eo scan --tree "$tree" --no-smpl --db a.db; say freed
		echo "state: $(db_state a.db)"
	' >"$work/said" 2>&1
	has() { # NAME REGEX...
		local re bad=0

		for re in "${@:2}"; do
			grep -qE "$re" "$work/said" || bad=1
		done
		ok $bad "$1" "$work/said"
	}
	has 'a disk with room' '^first: 1$'
	has 'a full disk: exit 2, says what to do' '^full: 2$' \
		'a.db: (no room left|No space left).*, or name a file on another'
	has '... the database is whole, without the run' '^state: ok 1$'
	has 'no room for the report' '^report: 2$' \
		'^earlyout: cannot (create|write) .*/disk/report.*: No space left'
	has 'no room for the patches, none is written by half' '^patch: 2$' \
		'/disk/mails.*: No space left' '^mails: *$'
	has 'no room for temporary files' '^tmp: [23]$' \
		'/disk/.*: No space left'
	has 'with room again, it goes on' '^freed: 1$' '^state: ok 2$'
else
	skip 'a full disk' 'no right to mount one'
fi

### Names with everything in them.
odd=$'a b\'c\n"d'
cp -r "$tree" "$work/$odd"
make_tree "$work/$odd"
mkdir "$work/$odd/pond/$odd"
for name in "$odd/x" $'y\e[31m' -z '$(touch hacked)' '*' 'a\b' '%s%n'; do
	pond "$work/$odd/pond/$name.c"
done
cd "$work" || exit
eo run --tree "$work/$odd" -o "$work/out of $odd"
ends 1 'a path with spaces, quotes and a newline, and files like that' \
	'^pond/pond.c:27:2: ' "^pond/a b'c.n\"d/x.c:27:2: .*\[high, auto\]$" \
	'^pond/y.x1b\[31m.c:27:2: ' '^pond/-z.c:27:2: ' \
	'^pond/\$\(touch hacked\).c:27:2: ' '^pond/\*\.c:27:2: ' \
	'^pond/a.+b\.c:27:2: ' '^pond/%s%n\.c:27:2: ' \
	'^8 findings .*; 8 of 8 candidate files' '\(8 patches'
! grep -q $'\e' "$work/out" "$work/err"
ok $? '... no control characters on the terminal'
[ -z "$(find "$work" -name hacked)" ]
ok $? '... nothing went through a shell'
is "$(ls "$work/out of $odd/series" | wc -l) $(
	ls "$work/out of $odd/report" | grep -c '^finding-')" '9 8' \
	'... a mail and a page for each'
cp -r "$work/$odd/pond" "$work/applied" && mkdir "$work/am" &&
	mv "$work/applied" "$work/am/pond"
(
	cd "$work/am" && git init -q . && git add -f . && git commit -qm base &&
		git am -q "$work/out of $odd/series"/000[1-8]-*.patch
) >"$work/out" 2>&1
ok $? '... git am takes them' "$work/out"
eo explain --tree "$work/$odd" "$work/$odd/pond/$odd/x.c:27"
ends 1 '... explain finds the place' "^pond/a b'c.n\"d/x.c:27:2: "
eo scan --tree "$work/$odd" --no-smpl --format json
is "$(jq -r '.findings[].file' "$work/out" | grep -cxF "\"d/x.c")" 1 \
	'... JSON has the name as it is'
rm -rf "$work/$odd" "$work/out of $odd"

### spatch is missing, hangs, dies half-way, says nonsense.
EO_PATH=$work/few
incomplete 'spatch is missing' \
	'^whole scan: all files: smpl: tool-missing: spatch: not found in PATH; .make deps.'
eo patch --tree "$tree" -o "$work/mails2"
ends 3 '... patch says so' 'no patch: .*spatch: not found in PATH' \
	'^1 of 1 automatic fixes became no patch'
[ ! -e "$work/mails2" ]
ok $? '... and writes nothing'
fake() { # the script is stdin
	{ echo '#!/bin/bash'; cat; } >"$work/bin/spatch"
	chmod +x "$work/bin/spatch"
}
EO_PATH=$work/bin:$PATH
left_over() { # processes that have the test's folder in their command line
	local f

	for f in /proc/[0-9]*/cmdline; do
		{ tr '\0' ' ' <"$f"; } 2>/dev/null | grep -F "$work"
	done
}
fake <<-EOF
	exec -a $work/child1 sleep 600 &
	exec -a $work/child2 sleep 600
EOF
SECONDS=0
incomplete 'spatch hangs' '^pond/pond.c: .* smpl: timeout: .*longer than 1 s' \
	--timeout 1
[ $SECONDS -lt 30 ]
ok $? '... its time is limited'
is "$(left_over)" '' '... its children are gone'
fake <<-'EOF'
	echo '--- a/pond/pond.c'
	echo '@@ -1 +1'
	kill -9 $$
EOF
incomplete 'spatch dies half-way' \
	'^pond/pond.c: .* smpl: crashed: spatch was killed by signal 9'
eo patch --tree "$tree" -o "$work/mails2"
ends 3 '... patch says so' 'no patch: .*spatch' '^1 of 1 automatic fixes became no patch'
fake <<-'EOF'
	echo 'Fatal error: exception Stack_overflow' >&2
	exit 2
EOF
incomplete 'spatch fails' \
	'smpl: crashed: spatch ended with status 2; .*exception Stack_overflow'
fake <<-'EOF'
	echo "HANDLING: $PWD"
EOF
incomplete 'spatch ends too early' '^pond/pond.c: .* smpl: crashed: spatch'
fake <<-'EOF'
	head -c 100000 /dev/urandom
	head -c 10000 /dev/urandom >&2
EOF
incomplete 'spatch says nonsense' '^pond/pond.c: .* smpl: crashed: spatch'
is "$(LC_ALL=C tr -d '\t\n -~\200-\377' <"$work/out" | wc -c)" 0 \
	'... of which no control character reaches the terminal'
fake <<-'EOF'
	exec yes
EOF
incomplete 'spatch says it without end' '^pond/pond.c: .* smpl: ' --timeout 1
fake <<-EOF
	case "\${@: -1}" in
	*/pool.c) kill -9 \$\$ ;;
	esac
	PATH='$PATH'
	exec spatch "\$@"
EOF
pond "$tree/pond/pool.c" pool
incomplete 'spatch dies on one file' '^pond/pool.c: .* smpl: crashed: '
is "$(sed -n '/^pond\/pond.c/,/^pond/p' "$work/out" | grep -c note:)" 0 \
	'... and has looked at the other'
rm "$tree/pond/pool.c"

### Ctrl-C, in the SmPL engine and in the other.
interrupt() { # NAME ARGUMENT...
	local pid i

	rm -f "$work/started"
	PATH=$EO_PATH "$EARLYOUT" scan --tree "$tree" "${@:2}" \
		>"$work/out" 2>"$work/err" &
	pid=$!
	for ((i = 0; i < 300; i++)); do
		[ ! -e "$work/started" ] || break
		sleep 0.1
	done
	SECONDS=0
	kill -INT $pid
	wait $pid
	status=$?
	ends 130 "Ctrl-C $1" 'interrupted' 'the same command starts again'
	[ $SECONDS -lt 20 ]
	ok $? '... at once'
	is "$(left_over)" '' '... no child is left'
	whole 0 'without the run'
	is "$(ls -A "$TMPDIR")" '' '... no temporary file is left'
}
fake <<-EOF
	touch $work/started
	exec -a $work/child sleep 600
EOF
interrupt 'while spatch runs'
EO_PATH=$PATH
pond "$tree/pond/slow.c" slow
# A pipe that nobody writes to: the parser waits for its header for ever.
mkfifo "$tree/include/linux/slow.h"
sed -i 's,<linux/list.h>,&\n#include <linux/slow.h>,' "$tree/pond/slow.c"
(exec 3>"$tree/include/linux/slow.h"; touch "$work/started"; sleep 600) &
writer=$!
cleanup() { kill $writer 2>/dev/null; }
interrupt 'while a unit is parsed' --no-smpl
kill $writer
wait $writer 2>/dev/null
rm "$tree/pond/slow.c" "$tree/include/linux/slow.h"
eo scan --tree "$tree"
ends 1 'and afterwards all is well' "$finding"
whole 1 'with the run'

### Databases that are none, or of others.
no_db() { # NAME FILE REGEX
	local before after

	before=$(cksum "$2")
	eo scan --tree "$tree" --no-smpl --db "$2"
	ends 2 "$1" "^earlyout: .*$3"
	is "$(wc -l <"$work/err")" 1 '... in one line'
	after=$(cksum "$2")
	is "$after" "$before" '... which stays as it is'
}
pond "$work/text.db"
no_db 'a database that is text' "$work/text.db" \
	'/text.db is not a database; name another file with --db'
sqlite3 "$work/other.db" 'CREATE TABLE frog (name)'
no_db "another program's database" "$work/other.db" \
	'/other.db is a database of another program; name another file'
cp "$db" "$work/newer.db"
sqlite3 "$work/newer.db" 'PRAGMA user_version = 99'
no_db 'a database of a newer version' "$work/newer.db" \
	'/newer.db was written by a newer earlyout .*; update earlyout, or name'
cp "$db" "$work/bad.db"
head -c 40960 /dev/urandom |
	dd of="$work/bad.db" bs=4096 seek=2 conv=notrunc status=none
no_db 'a database with damage' "$work/bad.db" \
	'/bad.db is damaged \(.*\); move it away and scan again'
eo report --tree "$tree" --db "$work/bad.db" -o "$work/bad-report"
ends 2 '... report says so too' '/bad.db is damaged'
head -c 8192 "$db" >"$work/short.db"
no_db 'a database that was cut off' "$work/short.db" '/short.db is damaged'
eo scan --tree "$tree" --no-smpl --db "$work"
ends 2 'a folder for a database' 'which is a folder; name a file with --db'
: >"$work/empty.db"
eo scan --tree "$tree" --no-smpl --db "$work/empty.db"
ends 1 'an empty file becomes one' "$finding"

### Models, compilation databases and files that are wrong.
no_model() { # NAME LINE REGEX
	printf '# ours\n%s\n' "$2" >"$work/bad.model"
	eo scan --tree "$tree" --no-smpl --model "$work/bad.model"
	ends 2 "model: $1" "^earlyout: $work/bad.model.*$3"
}
no_model 'an unknown word' 'frob x' 'unknown word .*: frob'
no_model 'an unknown kind' 'call x sometimes' 'deferrable or sample is expected'
no_model 'no name' 'call' ':2: expected: call NAME'
no_model 'no cost' 'call x deferrable' 'call x needs cost and lost'
no_model 'no number' 'walk each head two empty none' 'number of an argument'
no_model 'a property of nothing' '	cost much' ':2: unknown property: cost'
no_model 'a binary file' "$(printf 'call \377\1')" ':2: '
eo scan --tree "$tree" --model "$work/none.model"
ends 2 'a model that is not there' '/none.model: No such file'

cp "$tree/compile_commands.json" "$work/good.json"
no_commands() { # NAME TEXT REGEX
	echo "$2" >"$tree/compile_commands.json"
	eo scan --tree "$tree" --no-smpl
	ends 2 "compile_commands.json: $1" \
		"^earlyout: .*/compile_commands.json: $3"
}
no_commands empty '' 'not a compilation database .*; make it anew .* or remove'
no_commands 'cut off' '[{"directory": "/x", "fi' 'not a compilation database'
no_commands 'of no file' '[]' 'has no C file of .*; is it of another tree'
no_commands 'no list' '{"a": 1}' 'has no C file of '
no_commands 'of numbers' '[1, null, [2], {"file": 3}]' 'has no C file of '
no_commands 'of another tree' '[{"directory": "/x", "file": "pond/pond.c",
	"arguments": ["cc", "pond/pond.c"]}]' 'has no C file of '
jq '.[0].directory = "/nowhere/at/all" | .[0].file = $f' --arg f \
	"$tree/pond/pond.c" "$work/good.json" >"$tree/compile_commands.json"
eo scan --tree "$tree" --no-smpl
ends 3 'compile_commands.json: of a folder that went' \
	'^pond/pond.c: .*: parse-error: .*/nowhere/at/all: No such file'
runs=$((runs + 1))
cp "$work/good.json" "$tree/compile_commands.json"

for file in ../../etc/passwd /etc/passwd pond/nix.c pond . .. Makefile/x \
	pond/../../../etc/passwd; do
	eo scan --tree "$tree" --no-smpl --only "$file"
	ends 2 "--only $file" "^earlyout: $file: no such file in the tree"
done
ln -s /etc/passwd "$tree/pond/passwd.c"
eo scan --tree "$tree" --no-smpl --only pond/passwd.c
ends 2 '--only: a link that leads out of the tree' 'no such file in the tree'
rm "$tree/pond/passwd.c"
whole 0 'after all of this'
plan
