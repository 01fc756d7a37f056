#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# `earlyout patch` where there is no patch to make: proposals, strategies.
. "$(dirname "$0")/lib.sh"

tree=$work/tree
make_tree "$tree"
cd "$tree" || exit
# What is printed behind the walk is printed without a frog, too.
sed -i 's/^\treturn 0;/\tseq_printf(sf, "end\\n");\n\n&/' pond/pond.c

eo scan --tree "$tree"
ends 1 'a finding without an automatic fix' \
	'flush-before-walk: cgroup_rstat_flush\(\) .*, manual\]$'
eo patch --tree "$tree" -o "$work/mails"
ends 0 'is counted, and nothing is written' 'nothing written' \
	'^1 finding has no automatic fix: --proposals'
[ ! -e "$work/mails" ]
ok $? 'not even the folder'
eo patch --tree "$tree" -o "$work/mails" --proposals --dry-run
ends 0 'what would be written' 'would write .*/proposal-0001-.*\.txt: '
[ ! -e "$work/mails" ]
ok $? 'is not'
# Nobody sends it: no need to say who one is.
git config --global --remove-section user
eo patch --tree "$tree" -o "$work/mails" --proposals
ends 0 'a proposal' '1 proposal to read'
text=$(echo "$work"/mails/proposal-0001-*.txt)
grep -q '^early-return: .* For it: ' "$text" &&
	grep -q '^failed: early-path: ' "$text" &&
	grep -q '^> *27'$'\t'$'\t''cgroup_rstat_flush(pond->group);$' "$text" &&
	grep -q '\^ walk: ' "$text"
ok $? 'ways, what is not proved, the function with its steps' "$text"
git config --global user.name T && git config --global user.email t@example.org
git init -q . && git add -A && git commit -q -m base &&
	! git am -q "$text" >"$work/out" 2>&1
ok $? 'git am does not take it' "$work/out"
git am --abort 2>/dev/null
eo db query 'SELECT name FROM report_proposal' --tree "$tree"
ends 0 'the database has it' 'proposal-0001-'

# Written again, it takes its own place; notes of somebody's stay.
echo mine >"$work/mails/proposal-mine.txt"
eo patch --tree "$tree" -o "$work/mails" --proposals
ends 0 'again' 'replaced'
is "$(ls "$work/mails" | wc -l) $(cat "$work/mails/proposal-mine.txt")" \
	'2 mine' 'what is not ours stays'

# A review puts it aside.
id=$(sed -n 's/^X-Earlyout: flush-before-walk //p' "$text")
eo review --tree "$tree" "$id" --status wont-fix
eo patch --tree "$tree" -o "$work/none" --proposals
[ ! -e "$work/none" ]
ok $? 'what was put aside is not proposed' "$work/out" "$work/err"

eo patch --tree "$tree" --strategy
ends 0 '--strategy lists the ways' '^flush-before-walk:$' \
	'^  early-return \(taken by default\): ' '^    against: '
eo patch --tree "$tree" --strategy by-magic
ends 2 'one that there is not' 'no strategy by-magic'
eo patch --tree "$tree" --strategy early-return
ends 0 'one that there is' 'nothing written'
eo patch --tree "$tree" --strategy early-return more
ends 2 'a word too many' 'patch takes no '
plan
