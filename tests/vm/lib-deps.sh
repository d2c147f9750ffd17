# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash disable=SC2154
#
# What a test needs that others do not is installed when it runs.  Set $top first.

# need_deps KIND: skip the test where scripts/deps cannot install; it failed where that fails.
need_deps() {
	deps_status=0
	"$top/scripts/deps" "$1" >&2 || deps_status=$?
	case $deps_status in
	0) return ;;
	2) echo "ok 1 - $(basename "$0" .sh) # SKIP needs what scripts/deps $1 installs" ;;
	*) echo "not ok 1 - $(basename "$0" .sh): scripts/deps $1 failed" ;;
	esac
	echo "1..1"
	exit
}
