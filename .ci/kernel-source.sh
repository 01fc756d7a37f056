#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Prints the path of Debian's kernel source VERSION ("6.12"), installed and
# unpacked under the user's cache if need be. A new version of the package is
# unpacked anew, and the old one's folder goes.
# usage: kernel-source.sh VERSION
set -eu

here=$(dirname "$0")
version=$1
package=linux-source-$version
archive=/usr/src/$package.tar.xz

if [ ! -r "$archive" ]; then
	"$here/deps.sh" "$package" >&2
fi
if [ ! -r "$archive" ]; then
	echo "$archive: not there; give a kernel tree with KERNEL=DIR" >&2
	exit 2
fi

case ${XDG_CACHE_HOME-} in
/*) cache=$XDG_CACHE_HOME ;;
*) cache=${HOME:?is not set: set it, or XDG_CACHE_HOME}/.cache ;;
esac
cache=$cache/earlyout/src
stamp=$(dpkg-query -W -f '${Version}' "$package" 2>/dev/null) ||
	stamp=$(stat -c %Y-%s "$archive")
dir=$cache/$package/$stamp

mkdir -p "$cache/$package"
# Two at a time would both unpack; the second waits and finds it done.
exec 9>"$cache/$package.lock"
flock 9
if [ ! -d "$dir" ]; then
	echo "unpacking $archive to $dir" >&2
	rm -rf "$cache/$package"/*
	temp=$(mktemp -d "$cache/$package/unpack-XXXXXX")
	trap 'rm -rf "$temp"' EXIT
	tar -C "$temp" --strip-components=1 -xJf "$archive"
	chmod 755 "$temp"
	mv -T "$temp" "$dir"
fi
printf '%s\n' "$dir"
