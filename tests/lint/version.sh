#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# VERSION is the version; files that others read have a copy.

# shellcheck source=tests/lint/lib.sh
. "$(dirname "$0")/lib.sh"

version=$(cat VERSION)

# differs FILE FOUND
differs()
{
	[ "$2" = "$version" ] || echo "$1 has ${2:-no version}, VERSION has $version"
}

holds "version__is_semantic" "$(printf '%s\n' "$version" |
	grep -vE '^(0|[1-9][0-9]*)(\.(0|[1-9][0-9]*)){2}(-[0-9A-Za-z.-]+)?$')"
holds "version__is_the_same_everywhere" "$(
	differs debian/changelog "$(sed -n '1s/.*(\(.*\)).*/\1/p' debian/changelog)"
	differs rpm/epitaph.spec "$(sed -n 's/^Version:[ 	]*//p' rpm/epitaph.spec)"
	differs CHANGELOG.md "$(sed -n 's/^## \([^ ]*\).*/\1/p' CHANGELOG.md | head -1)")"
end
