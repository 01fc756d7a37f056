#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# What `earlyout verify` says of a mail beside its diff: commits that it names,
# whom it goes to, what it claims; the forms in which it may come; and what it
# says when there is something that could not be checked.
. "$(dirname "$0")/lib.sh"

if ! bwrap --unshare-all --ro-bind / / true 2>/dev/null; then
	skip 'mails' 'no sandbox here'
	plan
	exit
fi

tree=$work/linux
make_tree "$tree"
cat >>"$tree/Makefile" <<'X'
allnoconfig:
	mkdir -p $(O) && touch $(O)/.config
prepare:
	mkdir -p $(O)/pond
pond/pond.o: pond/pond.c
	$(CC) -Wall -W -Wno-unused-parameter -Iinclude -c -o $(O)/$@ $(CURDIR)/$<
X
echo 'int heron;' >"$tree/pond/heron.c"
mkdir "$tree/Documentation"
echo 'Ponds have frogs.' >"$tree/Documentation/pond.rst"
# As much of it as is asked: an address for each folder.
cat >"$tree/scripts/get_maintainer.pl" <<'X'
#!/usr/bin/perl
for (@ARGV) {
	print "pond\@example.org\n" if m,^pond/,;
	print "docs\@example.org\n" if m,^Documentation/,;
}
X
# It knows commits only where there is a history, and takes words for them.
cat >"$tree/scripts/checkpatch.pl" <<'X'
#!/usr/bin/perl
my $mail = do { local (@ARGV, $/) = $ARGV[-1]; <> };
print "WARNING:UNKNOWN_COMMIT_ID: none\n" unless grep { /^--ignore=UNKNOWN_COMMIT_ID$/ } @ARGV;
print "ERROR:GIT_COMMIT_ID: added\n" if $mail =~ /commit added/;
print "ERROR:SPACING: here\n" if $mail =~ /badly spaced/;
X
git() { command git -C "$tree" "$@"; }
git init -q . && git add -A && git commit -q -m 'pond: the base'
base=$(git rev-parse HEAD)

flush='\tcgroup_rstat_flush(pond->group);'
test='\tif (list_empty(\&pond->frogs))\n\t\treturn 0;'
# make HEADERS BODY: a mail with what was changed and, unless $keep is set, the
# right patch, in $work/a.eml
keep=
make() {
	[ -n "$keep" ] || sed -i "s/^$flush/$test\n&/" "$tree/pond/pond.c"
	git commit -q -a -m "pond: early out

pond_show() flushes for nothing when there is no frog.

$2"
	git format-patch -q --stdout -1 | sed "s/^Subject: /$1&/" >"$work/a.eml"
	git reset -q --hard HEAD^
}
verify() { eo verify --quiet --no-smpl --tree "$tree" "$@"; }

### Fixes:
make '' "Fixes: ${base:0:12} (\"pond: the base\")"
verify "$work/a.eml"
ends 0 'Fixes: of a commit that is there' "pass +fixes +commit ${base:0:12} is there"
make '' 'Fixes: 0123456789ab ("pond: none")'
verify "$work/a.eml"
ends 1 'of none' 'fail +fixes +there is no commit 0123456789ab'
make '' "Fixes: ${base:0:9} (\"pond: the base\")"
verify "$work/a.eml"
ends 0 'of too few digits' 'warn +fixes +Fixes: has 9 digits, not at least 12'
make '' "This is no Fixes: ${base:0:9}, as a line begins otherwise."
verify "$work/a.eml"
ends 0 'the word in a sentence is no trailer' 'skipped fixes +it names no commit'

### checkpatch.pl, in a sandbox that has no history
verify "$work/a.eml"
ends 0 'silent' 'pass +checkpatch +--strict is silent'
make '' 'A commit added it.'
verify "$work/a.eml"
ends 0 'a word that looks like a commit' \
	'warn +checkpatch +0 errors, 1 warnings, 0 checks: GIT_COMMIT_ID'
make '' 'It is badly spaced.'
verify "$work/a.eml"
ends 1 'an error' 'fail +checkpatch +1 errors, 0 warnings, 0 checks: SPACING'

### To and Cc
make 'To: Someone <someone@example.org>\nCc: pond@example.org\n' ''
verify "$work/a.eml"
ends 0 'the maintainer is in Cc' 'pass +recipients +all maintainers'
make 'To: Someone <someone@example.org>\n' ''
verify "$work/a.eml"
ends 0 'is not' 'warn +recipients +not in To or Cc: pond@example\.org'
GIT_AUTHOR_EMAIL=Pond@example.org make 'To: someone@example.org\n' ''
verify "$work/a.eml"
ends 0 'wrote it' 'pass +recipients'
echo 'And herons.' >>"$tree/Documentation/pond.rst"
make 'To: someone@example.org,\n pond@example.org\n' ''
verify "$work/a.eml"
ends 0 'of the second file: is not' \
	'warn +recipients +not in To or Cc: docs@example\.org$'
make '' ''
verify "$work/a.eml"
ends 0 'nobody is named' 'skipped recipients +the input does not show'

### What reviewers ask. All kinds, and near misses, are in test_asks.
make '' 'That is faster.'
verify "$work/a.eml"
ends 0 'a claim without numbers' 'warn +review +it claims to be better .* no numbers'
make '' 'That is faster: 7.0 us instead of 9.1 us.'
verify "$work/a.eml"
ends 0 'with numbers' 'pass +review'
make '' 'That is faster: 7.0 us instead of 9.1 us, with KASAN.'
verify "$work/a.eml"
ends 0 'from a kernel that distorts' 'warn +review +its numbers are from a kernel with KASAN'

### Something could not be checked: 3. Nothing to check: 0.
keep=y
echo 'int egret;' >>"$tree/pond/heron.c"
make '' ''
verify "$work/a.eml"
ends 3 'a file that is not built' 'skipped build +no touched file is built'
echo 'And herons.' >>"$tree/Documentation/pond.rst"
make '' ''
verify "$work/a.eml"
ends 0 'documentation alone' 'pass +build +only documentation is touched'
sed -i 's/^Subject: \[PATCH\]/Subject: [PATCH 3\/3]/; s/^ Ponds/ Puddles/' \
	"$work/a.eml"
verify "$work/a.eml"
ends 3 'the last of a series whose others are not there' \
	'^patch 1 of 3 is not in the input' \
	'skipped applies .*the input has none of the 2 that come before it'
keep=

### The forms.
make 'To: pond@example.org\n' 'Signed-off-by: A Tester <tester@example.org>'
same() { # NAME: what came out must be what the plain mail gives
	is "$status: $(grep -c '^  pass' "$work/out")" "$passed" "$1"
	grep -q "^1/1 pond: early out$" "$work/out"
	ok $? '... of the same patch' "$work/out" "$work/err"
}
verify "$work/a.eml"
passed="$status: $(grep -c '^  pass' "$work/out")"
is "$status" 0 'a plain mail'
"$EARLYOUT" verify --quiet --no-smpl --tree "$tree" - <"$work/a.eml" \
	>"$work/out" 2>"$work/err"
status=$?
same 'on standard input'
cat >"$work/forms.py" <<'X'
import base64, quopri, sys
work = sys.argv[1]
first, text = open(f'{work}/a.eml').read().split('\n', 1)
head, body = text.split('\n\n', 1)
subject = next(l[9:] for l in head.split('\n') if l.startswith('Subject: '))

def write(name, kind, body, head=head):
    with open(f'{work}/{name}.eml', 'w') as f:
        f.write(f'{head}\nMIME-Version: 1.0\nContent-Type: {kind}\n\n{body}')

def coded(how):
    return f'text/plain; charset=UTF-8\nContent-Transfer-Encoding: {how}'

named = head.replace('From: A Tester', 'From: =?UTF-8?q?J=C3=B6rg_T=C3=B6ster?=')
raw = body.replace('for nothing', 'für nichts').encode()
write('qp', coded('quoted-printable'), quopri.encodestring(raw).decode(), named)
write('base64', coded('base64'), base64.encodebytes(raw).decode(), named)
# RFC 3676: no blank before a break that is meant, one more where one begins.
lines = [l if l == '-- ' else l.rstrip(' ') for l in body.split('\n')]
write('flowed', 'text/plain; format=flowed', '\n'.join(
    ' ' + l if l.startswith((' ', 'From ', '>')) else l for l in lines))
write('attached', 'multipart/mixed; boundary="b1"',
      '--b1\nContent-Type: text/plain\n\nOn Monday, A wrote:\n'
      '> diff --git a/x b/x\n\nTry this.\n'
      '--b1\nContent-Type: text/x-patch; name="0001-a.patch"\n'
      'Content-Transfer-Encoding: base64\n\n' +
      base64.encodebytes(f'{first}\n{text}'.encode()).decode() + '--b1--\n',
      'From: B <b@example.org>\nSubject: Re: [PATCH] pond: a knob\n'
      'To: pond@example.org')
reply = ('On Monday, A wrote:\n' + '\n'.join('> ' + l for l in body.split('\n')) +
         '\n\nLooks good.\n')
write('reply', 'text/plain', reply,
      'From: B <b@example.org>\nSubject: Re: [PATCH] pond: early out')
with open(f'{work}/archive.txt', 'w') as f:
    f.write(f'{subject}\n\n{subject}\n\n[A Tester]\n\n{body}\n{reply}')
X
python3 "$work/forms.py" "$work" || exit
for form in qp base64 flowed; do
	verify "$work/$form.eml"
	same "$form"
done
verify --format json "$work/base64.eml"
is "$(jq -r '.patches[0].author' "$work/out")" 'Jörg Töster' 'a name in UTF-8'
verify "$work/attached.eml"
ends 0 'attached to a reply' '^1/1 pond: early out$' 'pass +build'
verify "$work/archive.txt"
ends 0 'as a web archive shows it' '^1/1 pond: early out$' 'pass +build'
verify "$work/reply.eml"
ends 2 'a reply that quotes it' 'there is no patch in it; a reply'
sed 's/\[PATCH\]/[PATCH 0\/1]/; /^diff/,$d' "$work/a.eml" >"$work/cover.eml"
verify "$work/cover.eml"
ends 2 'a cover letter alone' 'only a cover letter'
mkdir "$work/series"
cp "$work/cover.eml" "$work/series/0000-cover.eml"
cp "$work/a.eml" "$work/series/0001-a.patch"
cp "$work/reply.eml" "$work/series/0002-reply.eml"
verify "$work/series"
same 'a folder with a cover letter and a reply'
{
	cat "$work/cover.eml"
	echo
	cat "$work/a.eml"
	echo 'From b@example.org Mon Sep 17 00:00:00 2001'
	cat "$work/reply.eml"
} >"$work/all.mbox"
verify "$work/all.mbox"
same 'the same as an mbox'

### b4's protocol: a list of objects, each with tool, status and summary.
"$EARLYOUT" verify --b4 --quiet --no-smpl --tree "$tree" <"$work/a.eml" \
	>"$work/out" 2>"$work/err"
is "$?: $(jq -r 'all(.[]; (.status | IN("pass", "warn", "fail")) and
	(.tool | startswith("earlyout ")) and (.summary | length > 0) and
	(.details | type == "string"))' "$work/out")" '0: true' '--b4'
is "$(jq -r 'map(.tool | sub("earlyout "; "")) | join(" ")' "$work/out")" \
	'applies checkpatch build sparse size scan review recipients' '... every check that ran'

### Which check of which patch is running, on a terminal.
script -qec "'$EARLYOUT' verify --no-smpl --tree '$tree' '$work/a.eml'" \
	/dev/null >"$work/out" 2>&1 </dev/null
tr '\r' '\n' <"$work/out" >"$work/lines"
for what in 'before the series: build, sparse' 'pond: early out: checkpatch'; do
	grep -q "verifying .*$what" "$work/lines"
	ok $? "progress: $what" "$work/lines"
done
plan
