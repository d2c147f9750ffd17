#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Scripts that shellcheck has nothing to say about.

# shellcheck source=tests/lint/lib.sh
. "$(dirname "$0")/lib.sh"

scripts()
{
	files | while read -r file; do
		if head -1 "$file" | grep -qE '^#! ?/(usr/)?bin/(env )?(ba|da)?sh'; then
			echo "$file"
		fi
	done
}

# Guests source files that lie elsewhere there: SC1091.  A function may do with
# no arguments: SC2119.
complaints()
{
	if command -v shellcheck >/dev/null; then
		scripts | xargs shellcheck -f gcc -x -P SCRIPTDIR -e SC1091,SC2119,SC2120
	else
		echo "shellcheck is not installed"
	fi
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
