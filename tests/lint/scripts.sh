#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Scripts that shellcheck has nothing to say about.

# shellcheck source=tests/lint/lib.sh
. "$(dirname "$0")/lib.sh"

scripts()
{
	files | xargs awk '/^#! ?\/(usr\/)?bin\/(env )?(ba|da)?sh/ { print FILENAME } { nextfile }'
}

# summary LIBRARY: a script that assigns and reads the variables which LIBRARY does.
summary()
{
	awk '
		/^[ \t]*(\. |# shellcheck source=)|^set -/ { print; next }
		/^[ \t]*#/ { next }
		/^[ \t]*(while )?(IFS=[^ ]* )?read / { sub(/.*read (-r )?/, ""); sub(/[;|<&].*/, ""); for (i = split($0, w, " "); i; i--) set[w[i]] }
		/^[ \t]*for / { set[$2] }
		{
			for (rest = $0; match(rest, /\$\{?[A-Za-z_][A-Za-z_0-9]*/); rest = substr(rest, RSTART + RLENGTH)) {
				name = substr(rest, RSTART + 1, RLENGTH - 1)
				sub(/^\{/, "", name)
				got[name]
			}
			for (rest = $0; match(rest, /(^|[ \t;(])[A-Za-z_][A-Za-z_0-9]*=/); rest = substr(rest, RSTART + RLENGTH)) {
				name = substr(rest, RSTART, RLENGTH - 1)
				sub(/^[ \t;(]/, "", name)
				set[name]
			}
		}
		END {
			for (name in set) if (name ~ /^[A-Za-z_][A-Za-z_0-9]*$/) printf "%s=x ", name
			printf "\necho"
			for (name in got) printf " \"$%s\"", name
			print ""
		}' "$1"
}

# Libraries of guests: nearly all others source them, and shellcheck reads them anew for each, for 0.3 s.
libraries()
{
	files | grep -E '^tests/vm/lib[^/]*\.sh$'
}

# Guests source files that lie elsewhere there: SC1091.  A function may do with
# no arguments: SC2119.  What a library assigns and does not read, others read: SC2034, SC2154.
complaints()
{
	if ! command -v shellcheck >/dev/null; then
		echo "shellcheck is not installed"
		return
	fi
	# shellcheck disable=SC2046 # names
	shellcheck -f gcc -s dash -e SC1091,SC2119,SC2120,SC2034,SC2154 $(libraries)
	copies=$(mktemp -d)
	{
		scripts
		files | grep -E '(^|/)lib[^/]*\.sh$'
	} | sort -u | xargs cp --parents -t "$copies"
	for library in $(libraries); do
		summary "$library" >"$copies/$library"
	done
	scripts | (cd "$copies" && xargs shellcheck -f gcc -x -P SCRIPTDIR -e SC1091,SC2119,SC2120)
	rm -rf "$copies"
}

# make check runs these by their names; what a test sources is lib-*.
not_executable()
{
	files | grep -E '^tests/(vm|unit)/.*\.sh$' |
		grep -vE '/lib[^/]*$|/format-compare\.sh$' | while read -r file; do
		[ -x "$file" ] || echo "$file"
	done
}

# tests/vm/lib*.sh look for their own room from $VM_DIR, which is .. if the test does not say.
lost_guests()
{
	files | grep -E '^tests/vm/[^/]*/long/.*\.sh$' | while read -r file; do
		awk '/VM_DIR=\.\.\/\.\./ { found = 1 } /^\. .*\/lib[^\/]*\.sh"/ && !/\/\.\.\/\.\.\/\.\.\// && !found { print FILENAME ": VM_DIR"; exit }' "$file"
	done
}

holds "tests__can_be_executed" "$(not_executable)"
holds "guests_that_take_long__find_their_library" "$(lost_guests)"
holds "scripts__pass_shellcheck" "$(complaints)"
holds "files__do_not_name_the_machine_they_were_made_on" \
	"$(files | grep -v '^tests/lint/' | xargs grep -nE '(^|[^a-zA-Z0-9_.])/work/|/tmp/brief' /dev/null)"
end
