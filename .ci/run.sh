#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# `make run`: the program on $KERNEL, or on Debian's Linux 6.12.
# usage: run.sh EARLYOUT OUT
set -eu

here=$(dirname "$0")
tree=${KERNEL-}
[ -n "$tree" ] || tree=$("$here/kernel-source.sh" 6.12)

# A new machine's git has no user, and a patch needs a sender.
from=()
git -c user.useConfigOnly=true var GIT_AUTHOR_IDENT >/dev/null 2>&1 || {
	from=(--from 'Your Name <you@example.org>')
	echo "git does not know who you are, so the patches are from ${from[1]}.
Before you send them: git config --global user.name and user.email, and again." >&2
}

status=0
"$1" run --tree "$tree" -o "$2" "${from[@]}" || status=$?
# 1 says that something was found, 3 that something was not looked at; the
# program has said so, and to make(1) neither is a failure.
case $status in
0 | 1 | 3) ;;
*) exit "$status" ;;
esac
