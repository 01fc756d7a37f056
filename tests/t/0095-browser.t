#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# The report in a real browser: Debian's chromium, driven by playwright-core,
# which npm fetches once, to the build folder.
. "$(dirname "$0")/lib.sh"

tree=$work/tree
db=$work/state/x.db
real_home=${SUDO_HOME-$(getent passwd "$(id -u)" | cut -d: -f6)}
chromium=$(command -v chromium)
browser=${B:-build}/browser
case $browser in /*) ;; *) browser=$TESTDIR/../$browser ;; esac
server=
cleanup() { [ -z "$server" ] || kill "$server" 2>/dev/null; }

why=$(HOME=$real_home "$TESTDIR/browser/get.sh" "$browser")
if [ -n "$why" ]; then
	skip 'the report in a browser' "$why"
	plan
	exit 0
fi

# Its lines are ours; a browser that does not start is a failure.
drive() { # MODE ARGUMENT...
	local seen=0 line

	(cd "$browser" && CHROMIUM=$chromium timeout 300 \
		node report.mjs "$@") >"$work/driven" 2>"$work/driver"
	while IFS= read -r line; do
		case $line in
		'ok - '*) n=$((n + 1)) && echo "ok $n - ${line#ok - }" ;;
		'not ok - '*) n=$((n + 1)) && echo "not ok $n - ${line#not ok - }" ;;
		*) echo "$line" ;;
		esac
		seen=1
	done <"$work/driven"
	[ $seen = 1 ] || ok 1 "$1: the browser runs" "$work/driver"
}

# Three findings, one with a patch each, that is verified and measured.
make_tree "$tree"
cat >>"$tree/Makefile" <<'EOF'
allnoconfig:
	mkdir -p $(O) && touch $(O)/.config
prepare:
	mkdir -p $(O)/pond
pond/%.o: pond/%.c
	$(CC) -Wall -W -Wno-unused-parameter -Iinclude -c -o $(O)/$@ $(CURDIR)/$<
EOF
cat >"$work/hook" <<'EOF'
#!/bin/bash
v=1000
[ "$EARLYOUT_PHASE" = before ] || v=880
cat <<END
hello 1 lab
metric read ns lower read of an <b>empty</b> io.stat
sample read 0 99999
sample read 1 $((v + EARLYOUT_REPETITION % 3))
end
END
EOF
chmod +x "$work/hook"
cd "$tree" || exit
for f in lake marsh; do
	pond "pond/$f.c" "$f"
	echo "obj-y += $f.o" >>pond/Makefile
	jq --arg f "pond/$f.c" '. + [.[0] | .file = $f | .arguments[-1] = $f]' \
		compile_commands.json >"$work/cc" && cp "$work/cc" compile_commands.json
done
eo scan --db "$db" --no-smpl --format json
id=$(jq -r '.findings[] | select(.function == "marsh_show") | .id' "$work/out")
eo patch --db "$db" -o "$work/mails"
eo verify --db "$db" --quiet --no-smpl --no-sandbox "$work/mails"
ends 0 'our series passes' 'pass +build'
eo hooks --db "$db" add lab "$work/hook"
eo bench --db "$db" io-stat --runner command --hook lab -q
ends 0 'and is measured' ': improved'
# As it would be of a kernel that was built with the patch.
sqlite3 "$db" "UPDATE bench SET finding = '$id',
	patch = (SELECT diff FROM report_patch WHERE finding = '$id')"

"$EARLYOUT" serve --db "$db" >"$work/url" 2>"$work/err" &
server=$!
for _ in $(seq 100); do
	[ -s "$work/url" ] && break
	sleep 0.1
done
drive live "$(cat "$work/url")" marsh_show "$id"
kill -INT "$server"
wait "$server"
server=
eo review --db "$db" "$id"
ends 0 'the database has what the browser said, with its history' \
	'confirmed, by Rita Reader: seen in <perf> & "top"; taken back .* by Rita Reader$' \
	'confirmed, by Rita Reader$'

# The pages as files: what they save is imported.
cp "$db" "$work/y.db"
eo scan --db "$work/y.db" --no-smpl
sqlite3 "$work/y.db" 'DELETE FROM review_undo; DELETE FROM review_key; DELETE FROM review'
eo report --db "$work/y.db" -o "$work/static"
drive fixed "$work/static" "$work/saved.json"
eo review --db "$work/y.db" --import "$work/saved.json"
ends 0 'what the pages save is imported' '^1 stored'
is "$(sqlite3 "$work/y.db" 'SELECT status FROM review')" false-positive \
	'and is what was decided last'

# Names and messages that would do harm. The file's name is in the tree, the
# others can only come from a database that somebody else made.
cp "$work/y.db" "$work/hostile.db"
evil='"><script>alert(1)</script>'"''"'<img src=x onerror=alert(2)>&amp;'
sqlite3 "$work/hostile.db" "UPDATE finding SET file = '$evil.c',
	function = '<script>alert(3)</script>', call = '</script><script>alert(4)';
	UPDATE occurrence SET message = '<img src=x onerror=alert(5)> \"' || char(39),
	source = '</td></table><script>alert(6)</script>' || char(10) || source;
	UPDATE review SET note = '</script><!--<script>', who = '<b>' || char(39)"
eo report --db "$work/hostile.db" -o "$work/hostile"
drive hostile "$work/hostile"

# Ten thousand findings.
cp "$work/y.db" "$work/many.db"
sqlite3 "$work/many.db" "WITH RECURSIVE n(i) AS (SELECT 3 UNION ALL
	SELECT i + 1 FROM n WHERE i < 9999)
	INSERT INTO finding SELECT printf('%016x', i), 'flush-before-walk',
		printf('drivers/d%d/file_%d.c', i % 40, i % 800),
		printf('function_%d', i), 'cgroup_rstat_flush' FROM n;
	INSERT INTO occurrence (run, n, finding, line, col, function_line,
		function_end, walk_line, message, confidence, fix, engines, origin)
	SELECT (SELECT max(id) FROM run), row_number() OVER () + 2, id,
		100, 2, 90, 120, 110, 'cgroup_rstat_flush() in ' || function,
		CASE WHEN substr(id, 16) < '4' THEN 'high' ELSE 'low' END, 'manual',
		3, id FROM finding WHERE function GLOB 'function_*'"
start=$(date +%s%N)
eo report --db "$work/many.db" -o "$work/many" -q
ms=$((($(date +%s%N) - start) / 1000000))
ends 0 "10,000 findings are written, in $ms ms"
is "$(find "$work/many" -name 'finding-*.html' | wc -l)" 10000 'a page each'
drive many "$work/many"
drive shots "$work/static" "$work/shots" "$id"

# All in one page.
eo report --db "$work/y.db" -o "$work/one.html"
ends 0 'one page is written' '/one\.html$'
drive single "$work/one.html" "$work/saved.json"
eo review --db "$work/y.db" --import "$work/saved.json"
is "$(sqlite3 "$work/y.db" 'SELECT r.status FROM report_finding AS f
	JOIN report_review AS r ON r.review = f.review
	WHERE f.run = 2 AND f.id = '"'$id'")" wont-fix \
	'and what is decided in it is imported'

# One is gone.
cp "$work/y.db" "$work/less.db"
rm pond/marsh.c && sed -i '/marsh/d' pond/Makefile
jq 'map(select(.file != "pond/marsh.c"))' compile_commands.json >"$work/cc" &&
	cp "$work/cc" compile_commands.json
eo scan --db "$work/less.db" --no-smpl
eo report --db "$work/less.db" -o "$work/less"
drive gone "$work/less"
plan
