#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Makes doc/screenshot.png from a report of the real Linux 6.12: the page of
# the finding in blkcg_print_stat(). Needs chromium.
# usage: screenshot.sh REPORT-DIR     (`make run` writes build/out/report)
set -eu

here=$(cd "$(dirname "$0")" && pwd)
report=$(cd "${1:?usage: screenshot.sh REPORT-DIR}" && pwd)
page=$(grep -l 'blkcg_print_stat' "$report"/finding-*.html | head -n 1)
[ -n "$page" ] || {
	echo "$report: no finding in blkcg_print_stat(); is it of Linux 6.12?" >&2
	exit 1
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

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
