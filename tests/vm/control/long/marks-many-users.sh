#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A user who is many, by subordinate uids, has no more marks than one; nor has a container, and
# all users together evict no mark of root's and hinder none.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"

guest <<'END'
# at_most BURST RATE WORD...: so many marks go through, and so many a second; and some do.
at_most() {
	burst=$1 rate=$2
	shift 2
	begin=$(cut -d . -f 1 /proc/uptime)
	said=$(subuids "$@")
	seconds=$(($(cut -d . -f 1 /proc/uptime) - begin + 1))
	echo "$said in $seconds s"
	# shellcheck disable=SC2086 # words
	set -- $said
	[ "$2" -gt 0 ] && [ "$2" -le $((burst + rate * seconds)) ]
}
load_recorder
arm_kdump
# Of 1000 bytes, 15 at once and 8 a second: of all users, twice as many.
check "60 users of the machine share a quota" at_most 31 16 0 0 60 10 1000
check "root is not refused then" sh -c 'echo "after all users" >/dev/epitaph-mark'
sleep 3
check "root in a container is not the machine's root" at_most 16 8 0 1 60 10 1000
check "root is not refused then either" sh -c 'echo "after the container" >/dev/epitaph-mark'
sleep 3
check "root leaves a mark" sh -c 'echo "before the last flood" >/dev/epitaph-mark'
check "60 subordinate users of one user are one" at_most 16 8 1000 1 60 10 1000
check "another user is not refused" at_most 1 1 1001 1 1 1 1000
check "root is not refused by that" sh -c 'echo "after the last flood" >/dev/epitaph-mark'
crash
END
${CC:-cc} -std=gnu11 -O2 -Wall -Wextra -Werror -static -o "$out/subuids" "$here/subuids.c"
pack_guest "$out/subuids"

# shellcheck disable=SC2317 # check calls it
root_has() {
	recovers "$epitaph" report --all --event epitaph:mark "$saved/region" | grep -F "uid=0 dropped=0 text=$1"
}

crash_and_capture --allow 'panic - not syncing: sysrq triggered crash'
for text in "after the container" "before the last flood" "after the last flood"; do
	check "root's mark is there: $text" root_has "$text"
done
finish
