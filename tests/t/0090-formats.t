#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# The formats beside text and JSON: SARIF, JSON lines, coccicheck's, Markdown.
. "$(dirname "$0")/lib.sh"

tree=$work/tree
db=$work/state/x.db
make_tree "$tree"
cd "$tree" || exit
scan() { eo scan --db "$db" --no-smpl "$@"; }
sarif() { jq -c "$1" "$work/out"; }

# The schema is OASIS's, as a package of its editors carries it; it is fetched
# once, since what it may be copied under is not said there.
schema=${B:-build}/sarif-2.1.0.json
case $schema in /*) ;; *) schema=$TESTDIR/../$schema ;; esac
get_schema() {
	local name=sarif-2.1.0-rtm.5.json

	[ -s "$schema" ] && return
	command -v npm >/dev/null || return
	(cd "$work" && timeout 60 npm pack --silent \
		@microsoft/jest-sarif@1.0.0-beta.0 >/dev/null 2>&1) || return
	tar -xzOf "$work"/microsoft-jest-sarif-*.tgz \
		"package/lib/schemas/$name" >"$work/schema" &&
		mkdir -p "${schema%/*}" && mv "$work/schema" "$schema"
}
validate() { # NAME
	if [ ! -s "$schema" ]; then
		skip "$1" 'no network, or no npm, to get the schema with'
		return
	fi
	/usr/bin/python3 - "$schema" "$work/out" >"$work/errors" 2>&1 <<'EOP'
import json, sys, jsonschema
schema, log = (json.load(open(p)) for p in sys.argv[1:3])
check = jsonschema.Draft4Validator(schema, format_checker=jsonschema.FormatChecker())
errors = [f"{list(e.path)}: {e.message[:300]}" for e in check.iter_errors(log)]
print("\n".join(errors))
sys.exit(bool(errors))
EOP
	ok $? "$1" "$work/errors"
}
get_schema

scan --format sarif
ends 1 'scan --format sarif: the exit code is a scan'\''s'
validate 'a first run is a valid SARIF 2.1.0 log'
is "$(sarif '.runs[0].results[0] | [.ruleId, .level,
	.locations[0].physicalLocation.region, .baselineState]')" \
	'["flush-before-walk","warning",{"startLine":27,"startColumn":2,"endColumn":20},null]' \
	'place, level; no baseline in the first run'
is "$(sarif '.runs[0].results[0].locations[0] |
	[.physicalLocation.artifactLocation, .logicalLocations[0].name]')" \
	'[{"uri":"pond/pond.c","uriBaseId":"SRCROOT"},"pond_show"]' \
	'the file is relative to the root, the function is named'
is "$(sarif '[.runs[0].results[0].codeFlows[0].threadFlows[0].locations[] |
	[.kinds[0], .location.physicalLocation.region.startLine]]')" \
	'[["call",27],["walk",29],["return",32]]' 'the path is a code flow'
is "$(sarif '.runs[0].originalUriBaseIds.SRCROOT.uri')" \
	"\"file://$(cd "$tree" && pwd -P)/\"" 'the root is a URI'
is "$(sarif '.runs[0] as $r | [$r.results[].ruleId] -
	[$r.tool.driver.rules[].id]')" '[]' 'each rule is described'
id=$(sarif '.runs[0].results[0].partialFingerprints["earlyout/v1"]')

# Lines that move change no fingerprint; characters are not bytes.
sed -i '1a /* Two\n   lines. */' pond/pond.c
sed -i 's,^\tcgroup_rstat_flush,\t/* é */ cgroup_rstat_flush,' pond/pond.c
scan --format sarif
is "$(sarif '.runs[0].results[0] | [.partialFingerprints["earlyout/v1"],
	.baselineState, .locations[0].physicalLocation.region.startLine,
	.locations[0].physicalLocation.region.startColumn]')" \
	"[$id,\"unchanged\",29,10]" 'after an edit it is the same result'
eo review --db "$db" "$(tr -d \" <<<"$id")" --status wont-fix \
	--note 'a "reason" <here>'
eo report --db "$db" --format sarif
validate 'with a review too it is valid'
is "$(sarif '.runs[0].results[0].suppressions')" \
	'[{"kind":"external","status":"accepted","justification":"a \"reason\" <here>","properties":{"review":"wont-fix"}}]' \
	'a review that puts aside is a suppression'
sed -i 's,^\t/\* é,\t/* earlyout: flush-before-walk: small ponds */\n&,' pond/pond.c
scan --format sarif
validate 'with a comment that suppresses it is valid'
is "$(sarif '[.runs[0].results[0].suppressions[].kind]')" \
	'["inSource","external"]' 'so is a comment in the source'

mv pond/pond.c 'pond/a b%<é>.c'
sed -i 's,pond/pond\.c,pond/a b%<é>.c,' compile_commands.json
scan --format sarif
validate 'a file with spaces, % and é in its name: valid'
is "$(sarif '.runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri')" \
	'"pond/a%20b%25%3C%C3%A9%3E.c"' 'its name is a URI'
mv 'pond/a b%<é>.c' pond/pond.c
sed -i 's,pond/a b%<é>\.c,pond/pond.c,' compile_commands.json
pond pond/pond.c
sed -i '/cgroup_rstat_flush(pond/d' pond/pond.c
scan --format sarif
validate 'with a resolved finding it is valid'
is "$(sarif '[.runs[0].results[] | [.baselineState, .kind, .level]]')" \
	'[["absent","pass","none"]]' 'what is gone is absent'
echo '#error no water' >>pond/pond.c
pond pond/pond.c
sed -i '3i #include <linux/none.h>' pond/pond.c
scan --format sarif
validate 'with a gap it is valid'
is "$(sarif '[.runs[0].invocations[0].toolExecutionNotifications[] |
	.descriptor.id][0]')" '"parse-error"' 'a gap is a notification'

pond pond/pond.c
db=$work/state/y.db
scan --format coccicheck
is "$(cut -d' ' -f1-3 "$work/out")" \
	'pond/pond.c:27:1-19: WARNING: cgroup_rstat_flush()' \
	'coccicheck: columns from 0, the end behind the name'
scan --format jsonl
is "$(jq -r '.rule, .status' "$work/out" | xargs)" \
	'flush-before-walk unchanged' 'jsonl: one object a finding'
eo patch --db "$db" -o "$work/mails"
eo report --db "$db" --format markdown -o "$work/report.md"
ends 0 'markdown to a file'
grep -qx '## flush-before-walk in `pond_show`' "$work/report.md" &&
	grep -qx '1\. line 27, call: .*' "$work/report.md" &&
	grep -q 'independent is \*\*proved\*\*' "$work/report.md" &&
	grep -q '^    +	if (list_empty(&pond->frogs))$' "$work/report.md"
ok $? 'markdown has the path, the proof, the diff' "$work/report.md"
eo report --db "$db" -o "$work/one.html"
ends 0 'a FILE.html is one page' '/one\.html$'
[ -f "$work/one.html" ] && grep -q '<article id="' "$work/one.html" &&
	grep -q 'list_empty(&amp;pond-&gt;frogs)' "$work/one.html"
ok $? 'with its findings'
eo review --db "$db" --list --format json
is "$(jq -c '.schema, (.findings[0] | [.function, .state, .review, .history])' \
	"$work/out" | xargs)" \
	'earlyout-reviews/1 [pond_show,unchanged,null,[]]' 'review --list: json'
eo review --db "$db" --list --format sarif
ends 2 'review has no SARIF' 'text or json'
eo scan --format xml
ends 2 'an unknown format: which there are' \
	'text, json, jsonl, sarif, coccicheck, markdown or csv, not xml'
plan
