#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# Installs what earlyout needs and is not there, with Debian's apt.
# usage: deps.sh [--tests | PACKAGE...]   (without PACKAGE: the list below,
# with --tests also what the tests alone need)
set -u

# A Debian package, and how to see on other systems that it is there:
# a program in PATH, pc:NAME for pkg-config, perl:MODULE, or file:PATH. With
# or:PROGRAM the program does as well on Debian, whoever packaged it.
packages='
gcc              gcc
libc6-dev        file:/usr/include/stdio.h
make             make
pkg-config       pkg-config
clang-19         clang-19
libclang-19-dev  file:/usr/lib/llvm-19/include/clang-c/Index.h
clang-format-19  clang-format-19
libsqlite3-dev   pc:sqlite3
libxxhash-dev    pc:libxxhash
libgsl-dev       pc:gsl
liburing-dev     pc:liburing
qemu-system-x86  qemu-system-x86_64
gnuplot-nox      gnuplot
libcmocka-dev    pc:cmocka
libmicrohttpd-dev pc:libmicrohttpd
nettle-dev       pc:nettle
coccinelle       spatch
python3          python3
sparse           sparse
bubblewrap       bwrap
git              git
git-email        file:/usr/lib/git-core/git-send-email
b4               b4
libmailtools-perl perl:Mail::Address
perl             prove
ripgrep          rg
jq               jq
man-db           man
flex             flex
bison            bison
bc               bc
libelf-dev       pc:libelf
libssl-dev       pc:openssl
kmod             kmod
cpio             cpio
rsync            rsync
xz-utils         xz
'

# Driving a browser: node and what npm fetches, with Debian's own chromium.
test_packages='
python3-jsonschema file:/usr/lib/python3/dist-packages/jsonschema
iproute2         ss
curl             curl
nodejs           or:node
npm              or:npm
chromium         chromium
linux-perf       perf
'
if [ "${1-}" = --tests ]; then
	packages=$packages$test_packages
	shift
fi

is_there() { # PROBE
	case $1 in
	or:*) command -v "${1#or:}" >/dev/null ;;
	pc:*) "${PKG_CONFIG:-pkg-config}" --exists "${1#pc:}" 2>/dev/null ;;
	perl:*) perl -M"${1#perl:}" -e 1 2>/dev/null ;;
	file:*) [ -e "${1#file:}" ] ;;
	*) command -v "$1" >/dev/null ;;
	esac
}

# No apt here: say what to install by the system's own means.
without_apt() {
	local name probe missing=()

	while read -r name probe; do
		[ -n "$name" ] && ! is_there "$probe" && missing+=("$name")
	done <<<"$packages"
	[ $# -gt 0 ] && missing=("$@")
	[ ${#missing[@]} -eq 0 ] && return 0
	printf '%s\n  %s\n' 'deps: no apt-get here; please install what Debian calls:' \
		"${missing[*]}" >&2
	return 1
}

missing_of() { # PACKAGE...: those that dpkg does not have
	local p

	for p; do
		[ "$(dpkg-query -W -f '${db:Status-Status}' "$p" \
			2>/dev/null)" = installed ] || echo "$p"
	done
}

as_root() {
	env "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive "$@"
}

install_all() {
	as_root apt-get install -y -q --no-install-recommends "$@" </dev/null
}

command -v apt-get >/dev/null && command -v dpkg-query >/dev/null || {
	without_apt "$@"
	exit
}
if [ $# -gt 0 ]; then
	wanted=("$@")
else
	mapfile -t wanted < <(while read -r name probe; do
		[ -z "$name" ] || { [[ $probe = or:* ]] && is_there "$probe"; } ||
			echo "$name"
	done <<<"$packages")
fi
# One call for all; a line a package is needed only when one is missing.
installed=$(dpkg-query -W -f '${db:Status-Status}\n' "${wanted[@]}" \
	2>/dev/null | grep -cx installed)
[ "$installed" -ge ${#wanted[@]} ] && exit 0
mapfile -t missing < <(missing_of "${wanted[@]}")
[ ${#missing[@]} -eq 0 ] && exit 0

printf '  %-7s %s\n' APT "${missing[*]}"
sudo=()
if [ "$(id -u)" -ne 0 ]; then
	command -v sudo >/dev/null || {
		echo "deps: no sudo here; as root, please run:
  apt-get install --no-install-recommends ${missing[*]}" >&2
		exit 1
	}
	sudo=(sudo)
fi
# A new machine has no package lists yet; an old one has outdated lists.
apt-cache show "${missing[@]}" >/dev/null 2>&1 || as_root apt-get update -q
install_all "${missing[@]}" && exit 0
as_root apt-get update -q && install_all "${missing[@]}" && exit 0
echo "deps: apt-get could not install: $(missing_of "${missing[@]}" | xargs)" >&2
exit 1
