# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
# A claim holds if its list of violations is empty.  Sourced.

cd "$(dirname "$0")/../.." || exit 1
nr=0
failed=0

# holds CLAIM OFFENDERS
holds()
{
	nr=$((nr + 1))
	if [ -z "$2" ]; then
		echo "ok $nr - $1"
		return
	fi
	echo "not ok $nr - $1"
	printf '%s\n' "$2" | sed 's/^/#   /' | head -40
	failed=$((failed + 1))
}

# files PATTERN...: what is under version control, or would be
files()
{
	git ls-files -co --exclude-standard -- "$@" | grep -v '/\.tmp_' | while read -r file; do
		[ -f "$file" ] && printf '%s\n' "$file"
	done
}

# broken EXPRESSION FILE...: lines that have it
broken()
{
	expression=$1
	shift
	[ $# -gt 0 ] && grep -nE "$expression" "$@" /dev/null
}

end()
{
	echo "1..$nr"
	[ $failed -eq 0 ]
}
