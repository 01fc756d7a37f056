#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Makes doc/screenshot.png: the page of a finding in the small tree of the
# tests, whose code is our own. Needs chromium, and the program.
# usage: screenshot.sh
set -eu

here=$(cd "$(dirname "$0")" && pwd)
export EARLYOUT=${EARLYOUT:-$here/../build/earlyout} TESTDIR=$here/../tests
# shellcheck source=tests/t/lib.sh
. "$TESTDIR/t/lib.sh"
make_tree "$work/linux"
eo run --quiet --tree "$work/linux" -o "$work/out-dir"
page=$(echo "$work"/out-dir/report/finding-*.html)
[ -f "$page" ] || {
	cat "$work/err" >&2
	exit 1
}

# Chromium's own sandbox does not work for root, nor in most containers; the
# page is ours and has no script.
"${CHROMIUM:-chromium}" --headless --no-sandbox --disable-gpu \
	--hide-scrollbars --user-data-dir="$work/profile" \
	--window-size=1100,1180 --screenshot="$work/page.png" \
	"file://$page" >"$work/said" 2>&1 || {
	cat "$work/said" >&2
	exit 1
}
mv "$work/page.png" "$here/screenshot.png"
echo "$here/screenshot.png: $(stat -c %s "$here/screenshot.png") bytes"
