#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# 6.1 dies, 6.12 boots: what was recorded is found and has the names of 6.1.  6.12 is reset, 6.1
# boots again, and finds that.  With $OLD_RECORDER and $OLD_VICTIM, of an earlier release, the
# package is upgraded together with the kernel.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"
. "$here/lib-handover.sh"
own_recorder=$recorder own_victim=$victim

# From here on, recorder and images are the other kernel's.
boot_other() {
	KERNEL=6.12
	. "$here/lib-kernel.sh"
	kernel=$KERNEL recorder=$RECORDER victim=$VICTIM
	build_for_kernel
	hand_over other-kernel "$out/before"
}

boot_first_again() {
	kernel=6.1 recorder=$own_recorder victim=$own_victim
	hand_over first-again "$out/other-kernel-after"
}

# shellcheck disable=SC2317 # check calls it
is_of_6_12() {
	found=$(harvested_number first-again 3)
	[ -n "$found" ] && recovers "$epitaph" report --all "$found" >"$out/report" &&
		sed -n 1,12p "$out/report" && grep -q '^# kernel: 6\.12' "$out/report" &&
		[ "$(grep -vc '^#' "$out/report")" -gt 1000 ]
}

recorder=${OLD_RECORDER:-$recorder} victim=${OLD_VICTIM:-$victim}
leave_two_generations 6
recorder=$own_recorder
boot_other
handed_over other-kernel
check "the other kernel was another one" grep -q 'Linux version 6\.12' "$out/other-kernel-console.log"
check "and says whose the generations are" grep -q 'generation 2 at .* kernel 6\.1\.' "$out/other-kernel-console.log"
boot_first_again
check "the first kernel boots again" grep -q 'Linux version 6\.1\.' "$out/first-again-console.log"
check "what the other kernel recorded is harvested there" is_of_6_12
finish
