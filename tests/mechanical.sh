#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# What a machine can say about the source without running it, as TAP.
# usage: mechanical.sh   (from make, which sets CC, CLANG_FORMAT and
# HEADER_CFLAGS)
set -u
cd "$(dirname "$0")/.." || exit

max_file=600
max_function=60
n=0

# check NAME COMMAND...: passes when the command prints nothing.
check() {
	local name=$1 said
	shift
	n=$((n + 1))
	said=$("$@" 2>&1)
	if [ -z "$said" ]; then
		echo "ok $n - $name"
	else
		echo "not ok $n - $name"
		head -n 40 <<<"$said" | sed 's/^/# /' | tee /dev/stderr
	fi
}

# Everything of ours that is text; new files count before they are committed.
files() { # PATTERN...
	if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
		git ls-files --cached --others --exclude-standard -- "$@" |
			while read -r f; do [ ! -f "$f" ] || echo "$f"; done
	else
		local p args=()
		for p; do args+=(-o -path "./$p"); done
		find . -path ./build -prune -o -type f \
			\( "${args[@]:1}" \) -print | sed 's,^\./,,'
	fi
}

# The folders, each of which includes itself and what is before it.
order='base finding tree model tu facts rules smpl scan rewrite db verify reports cli'

include_order() {
	files '*.c' '*.h' | grep -E '^(analyzer|db|verify|reports)/' |
		xargs awk -v order="$order" '
	BEGIN { n = split(order, o, " "); for (i = 1; i <= n; i++) rank[o[i]] = i }
	FNR == 1 {
		split(FILENAME, part, "/")
		own = part[1] == "analyzer" ? part[2] : part[1]
		if (!(own in rank))
			print FILENAME ": folder " own " has no place in the order"
	}
	/^#[ \t]*include[ \t]*"/ {
		split($0, q, "\"")
		split(q[2], part, "/")
		# "db/migrations/…" and the like are of the folder they are in.
		if (!(part[1] in rank))
			print FILENAME ":" FNR ": \"" q[2] "\": write folder/file"
		else if (rank[part[1]] > rank[own])
			print FILENAME ":" FNR ": " own " must not include " part[1]
	}'
}

headers_alone() {
	local h

	for h in $(files '*.h' | grep -E '^(analyzer|db|verify|reports)/'); do
		# shellcheck disable=SC2086 # the flags are words
		eval "${CC:-cc} ${HEADER_CFLAGS-}" -fsyntax-only -x c '"$h"' \
			2>&1 | head -n 3
	done
}

file_sizes() {
	files '*.c' '*.h' '*.sh' '*.pl' '*.t' '*.cocci' '*.model' '*.js' \
		'*.css' Makefile | xargs wc -l | awk -v max=$max_file '
	$2 != "total" && $1 > max { print $2 ": " $1 " lines, at most " max }'
}

# clang-format sees to it that a function, and nothing else, has its braces
# alone in the first column.
function_sizes() {
	files '*.c' '*.h' | grep -v '^tests/fixtures/' |
		xargs awk -v max=$max_function '
	FNR == 1 { start = 0 }
	/^{$/ { start = FNR; name = last }
	/^}$/ && start {
		if (FNR - start + 1 > max)
			print FILENAME ":" start ": " FNR - start + 1 \
				" lines, at most " max ": " name
		start = 0
	}
	/^[a-z_]/ { last = $0 }'
}

# Names in an X-macro list: the first string of each row, or its first word.
names_of() { # DEF-FILE...
	sed -nE '/^[ \t]*[A-Z_]+\(/ {
		s/^[^"]*"([a-z][a-z0-9-]*)".*/\1/; t p
		s/^[ \t]*[A-Z_]+\(([a-z][a-z0-9_]*).*/\1/; t p
		b
		:p p
	}' "$@"
}

documented() { # WHAT NAME...
	local what=$1 name

	shift
	for name; do
		sed 's/\\-/-/g' doc/*.[1-9] 2>/dev/null |
			grep -qE "^\.S[SH] *\"?(earlyout )?$name( |\"|\$)" ||
			echo "doc/: no section (.SS) for the $what $name"
	done
}

tested() { # WHAT PATTERN-PREFIX NAME...
	local what=$1 prefix=$2 name

	shift 2
	for name; do # test_rules takes its fixtures by folder
		compgen -G "tests/fixtures/rules/$name/*.c" >/dev/null ||
			grep -qrE -- "$prefix$name( |\"|'|\$|;|\))" tests/t tests/unit ||
			echo "tests/: no test for the $what $name"
	done
}

registries() { # FOLDER WHAT PATTERN-PREFIX
	local defs names

	mapfile -t defs < <(files "$1/*.def")
	[ ${#defs[@]} -gt 0 ] || {
		echo "$1/: no list (*.def) of what there is"
		return
	}
	mapfile -t names < <(names_of "${defs[@]}")
	[ ${#names[@]} -gt 0 ] || echo "${defs[*]}: no row found"
	documented "$2" "${names[@]}"
	tested "$2" "$3" "${names[@]}"
}

formatted() {
	files '*.c' '*.h' | grep -vE '^tests/fixtures/|^semantic-patches/' |
		xargs "${CLANG_FORMAT:-clang-format}" --dry-run -Werror \
			--ferror-limit=2 2>&1 | grep -E 'error|not found'
}

licences() {
	files '*.c' '*.h' '*.sh' '*.pl' '*.t' '*.cocci' Makefile .ci/run |
		while read -r f; do
			head -n 3 "$f" | grep -q SPDX-License-Identifier ||
				echo "$f: no SPDX-License-Identifier"
		done
}

machine_paths() {
	files '*' | grep -v '^tests/mechanical.sh$' | xargs -d '\n' \
		grep -nIE '(^|[^a-z])/(work|farm|home/[a-z]+)/|/tmp/k/' | head
}

scripts_parse() {
	local f

	files '*.sh' '*.t' .ci/run | while read -r f; do
		bash -n "$f"
	done
}

check 'the folders include each other in their order' include_order
check 'each header compiles on its own' headers_alone
check "no file has more than $max_file lines" file_sizes
check "no function has more than $max_function lines" function_sizes
check 'each command has a man page section and a test' \
	registries analyzer/cli command '(EARLYOUT|earlyout|eo).*[ "]'
check 'each rule has a man page section and a test' \
	registries analyzer/rules rule ''
check 'the C files are in the style of .clang-format' formatted
check 'each file says its licence' licences
check 'no path of a single machine' machine_paths
check 'the scripts parse' scripts_parse
echo "1..$n"
