#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Prints what a build will use, in one line; fails with what is missing.
# usage: probe.sh LIBCLANG_PREFIX PKG...
set -u

prefix=$1
shift
missing=()
found=()

if cc=$("${CC:-cc}" -dumpfullversion -dumpversion 2>/dev/null); then
	found+=("${CC:-cc} $cc")
else
	missing+=("the compiler ${CC:-cc}")
fi
if [ -e "$prefix/include/clang-c/Index.h" ]; then
	found+=("libclang in $prefix")
else
	missing+=("libclang's headers in $prefix/include")
fi
for pkg in "$@"; do
	if v=$("${PKG_CONFIG:-pkg-config}" --modversion "$pkg" 2>/dev/null); then
		found+=("$pkg $v")
	else
		missing+=("$pkg (by pkg-config)")
	fi
done

join() { local IFS=,; echo "$*" | sed 's/,/, /g'; }
printf '  %-7s %s\n' CONFIG "$(join "${found[@]}")"
if [ ${#missing[@]} -gt 0 ]; then
	echo "not found: $(join "${missing[@]}"); \`make deps\` installs it" >&2
	exit 1
fi
