#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# `earlyout serve`: whom it answers, what it lets through, and its limits.
. "$(dirname "$0")/lib.sh"

tree=$work/tree
db=$work/state/x.db
make_tree "$tree"
cd "$tree" || exit
server=
cleanup() { [ -z "$server" ] || kill "$server" 2>/dev/null; }

eo serve --db "$db"
ends 2 'without a scan: says so' 'earlyout scan'
eo scan --db "$db" --no-smpl --format json
id=$(jq -r '.findings[0].id' "$work/out")
eo patch --db "$db" -o "$work/mails"

"$EARLYOUT" serve --db "$db" >"$work/url" 2>"$work/server" &
server=$!
for _ in $(seq 100); do
	[ -s "$work/url" ] && break
	sleep 0.1
done
url=$(cat "$work/url")
token=${url##*token=}
base=${url%%/list*}
port=${base##*:}
grep -qEx 'http://127\.0\.0\.1:[0-9]+/list\.html#token=[0-9a-f]{32}' "$work/url"
ok $? 'it prints the page to open' "$work/url" "$work/server"
is "$(ss -Hltn "sport = :$port" | awk '{ print $4 }')" "127.0.0.1:$port" \
	'it listens on the loopback address only'

code() { # CURL-ARGUMENT...: the status; the body in $work/body
	curl -s -o "$work/body" -D "$work/headers" -w '%{http_code}' \
		--max-time 20 --path-as-is "$@"
}
post() { # BODY [CURL-ARGUMENT...]
	local body=$1

	shift
	code -H "Origin: $base" -H 'Content-Type: application/json' \
		-H "X-Earlyout-Token: $token" --data-binary "$body" "$@" \
		"$base/api/review"
}
change() { # CHANGE...
	local IFS=,

	printf '{"schema":"earlyout-review/1","who":"Rita","changes":[%s]}' "$*"
}

for page in index.html list.html "finding-$id.html" 'list.html?x=1'; do
	is "$(code "$base/$page")" 200 "GET $page"
done
is "$(code -I "$base/list.html")" 200 'HEAD too'
is "$(code "$base/")" 302 'the root leads to the list'
code "$base/list.html" >/dev/null
grep -qi "^content-security-policy: default-src 'none'; .*frame-ancestors 'none'" \
	"$work/headers" && ! grep -i '^content-security' "$work/headers" |
	grep -q 'unsafe'
ok $? 'a strict policy, as a header too' "$work/headers"
for h in 'x-content-type-options: nosniff' 'x-frame-options: deny' \
	'referrer-policy: no-referrer' 'cache-control: no-store'; do
	grep -qi "^$h" "$work/headers"
	ok $? "header $h" "$work/headers"
done
! grep -q "$token" "$work/body"
ok $? 'the token is in no page'
! grep -qiE '<[^>]* on[a-z]+ *=' "$work/body"
ok $? 'no inline handlers'

# Whom it answers.
for host in evil.example "evil.example:$port" 127.0.0.1 "127.0.0.1:1" \
	"127.0.0.1:$port.evil.example" '' "localhost.evil:$port" "[::1]:$port"; do
	is "$(code -H "Host: $host" "$base/list.html")" \
		421 "Host '$host' is refused"
done
is "$(code -H "Host: localhost:$port" "$base/list.html")" 200 \
	'localhost is us as well'
is "$(printf 'GET /list.html HTTP/1.0\r\n\r\n' |
	timeout 5 bash -c "exec 3<>/dev/tcp/127.0.0.1/$port; cat >&3; head -n1 <&3" |
	tr -d '\r' | cut -d' ' -f2)" 421 'no Host at all is refused'
is "$(code -H 'Origin: http://evil.example' "$base/api/state")" 403 \
	'another Origin may not even read'

# What it never gives: there are no files behind the paths.
for path in /../x.db /..%2fx.db /%2e%2e/%2e%2e/etc/passwd /etc/passwd \
	//etc/passwd /finding-../../x.html /finding-.html /list-0.html \
	/list-2.html /list-99999999999999999999.html /index.html/ /index.htm \
	/reports/assets/core.js "/finding-$id.html%00" "/finding-${id}0.html" \
	/finding-0000000000000000.html /api/review /x.db; do
	is "$(code "$base$path")" 404 "no $path"
done
for m in PUT DELETE OPTIONS TRACE PATCH; do
	is "$(code -X $m "$base/api/review")" 405 "no $m"
done

# What may write.
good=$(change '{"id":"'"$id"'","status":"confirmed","note":"a <b> \"c\"","expect":0}')
writes() { # STATUS NAME CURL-ARGUMENT...
	local want=$1 name=$2

	shift 2
	is "$(code --data-binary "$good" "$@" "$base/api/review")" "$want" "$name"
}
t=(-H "X-Earlyout-Token: $token") o=(-H "Origin: $base")
j=(-H 'Content-Type: application/json')
writes 403 'no token: refused' "${o[@]}" "${j[@]}"
writes 403 'a wrong token: refused' "${o[@]}" "${j[@]}" \
	-H 'X-Earlyout-Token: 00000000000000000000000000000000'
writes 403 'a part of the token: refused' "${o[@]}" "${j[@]}" \
	-H "X-Earlyout-Token: ${token:0:16}"
writes 403 'no Origin: refused' "${t[@]}" "${j[@]}"
for origin in null http://evil.example "https://127.0.0.1:$port" \
	"http://127.0.0.1:$port.evil.example" "http://127.0.0.1:1"; do
	writes 403 "Origin $origin: refused" "${t[@]}" "${j[@]}" \
		-H "Origin: $origin"
done
writes 415 'the type of a form: refused' "${t[@]}" "${o[@]}"
is "$(post "$good" -H 'Host: evil.example')" 421 'another Host: refused'
is "$(sqlite3 "$db" 'SELECT count(*) FROM review')" 0 'nothing was written'

is "$(post "$good")" 200 'with all of them it is written'
is "$(jq -c '[.changes[0].outcome, .state[0].version, .state[0].review]' "$work/body")" \
	'["stored",1,"confirmed"]' 'it says how the finding stands'
is "$(sqlite3 "$db" 'SELECT status, note, who FROM review')" \
	'confirmed|a <b> "c"|Rita' 'the database has it at once'
code "$base/finding-$id.html" >/dev/null
grep -q 'a &lt;b&gt; &quot;c&quot;' "$work/body" && ! grep -q 'a <b>' "$work/body"
ok $? 'the page shows it, escaped'
is "$(post "$good")" 200 'the same again, from a page that is behind'
is "$(jq -c '[.changes[0].outcome, .state[0].history[0].who]' "$work/body")" \
	'["stale","Rita"]' 'is stale, and says what was said'
is "$(post "$(change '{"id":"'"$id"'","undo":true,"expect":1}')")" 200 'undo'
is "$(sqlite3 "$db" 'SELECT count(*) FROM review_undo')" 1 'is in the database'
eo review --db "$db" "$id" --status sent
code "$base/finding-$id.html" >/dev/null
grep -q '<strong id="now">sent' "$work/body"
ok $? 'what another process writes is seen'

# Several at a time: none is lost, each version is given to one.
for i in 1 2 3 4 5 6 7 8; do
	curl -s -H "Origin: $base" "${j[@]}" "${t[@]}" --data-binary \
		"$(change '{"id":"'"$id"'","status":"sent","note":"n'$i'"}')" \
		"$base/api/review" >"$work/answer$i" &
	pids[i]=$!
done
wait "${pids[@]}"
is "$(sqlite3 "$db" "SELECT count(DISTINCT note) FROM review WHERE note GLOB 'n*'")" \
	8 'eight at a time: all are there'
is "$(jq -r '.state[0].version' "$work"/answer? | sort -n | uniq -d)" '' \
	'each saw its own version'

# Bad bodies and limits.
is "$(post 'x{')" 400 'no JSON'
is "$(post "$(change '{"id":"../../etc","status":"sent"}')")" 400 'no id'
is "$(post "$(change '{"id":"'"$id"'","status":"<b>"}')")" 400 'no such status'
head -c 300000 /dev/zero | tr '\0' x >"$work/big"
is "$(post "@$work/big")" 413 'a body of 300 kB'
is "$(code "$base/$(head -c 60000 "$work/big")")" 414 'a path of 60 kB'
is "$(code -H "X-Big: $(head -c 60000 "$work/big")" "$base/list.html")" 431 \
	'a header of 60 kB'
hold=()
for i in $(seq 80); do
	exec {fd}<>"/dev/tcp/127.0.0.1/$port" 2>/dev/null && hold+=("$fd")
done
sleep 0.3
is "$(ss -Htn state established "sport = :$port" | wc -l)" 64 \
	'64 connections at a time'
for fd in "${hold[@]}"; do exec {fd}>&-; done
sleep 0.5
is "$(code "$base/list.html")" 200 'and then it answers again'

eo serve --db "$db" --port "$port"
ends 2 'a port that is taken' "cannot listen on 127\.0\.0\.1:$port"
eo serve --db "$db" --port 70000
ends 2 'no such port' '--port takes a number to 65535'
eo serve --db "$db" x
ends 2 'a word too many' 'serve takes no x'
kill -INT "$server"
wait "$server"
is $? 0 'Ctrl-C ends it'
server=
is "$(db_state "$db" | cut -d' ' -f1)" ok 'the database is whole'
plan
