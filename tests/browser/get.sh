#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Makes FOLDER one where report.mjs runs: npm fetches what it needs, once.
# Says why when it cannot. usage: get.sh FOLDER
set -u
here=$(cd "$(dirname "$0")" && pwd)

command -v chromium >/dev/null || { echo 'chromium is not installed'; exit 1; }
command -v npm >/dev/null || { echo 'npm is not installed'; exit 1; }
mkdir -p "$1" && cp "$here"/package.json "$here"/report.mjs "$1" || exit
cd "$1" || exit
cmp -s package.json installed && exit
if ! timeout 120 npm install --silent --no-audit --no-fund \
	--no-package-lock >/dev/null 2>&1; then
	echo 'npm could not fetch playwright-core'
	exit 1
fi
cp package.json installed
