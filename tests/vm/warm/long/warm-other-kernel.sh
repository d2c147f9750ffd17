#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# 6.1 dies, 6.12 boots: what was recorded is found and has the names of 6.1.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"
. "$here/lib-handover.sh"

# From here on, recorder and images are the other kernel's.
boot_other() {
	KERNEL=6.12
	. "$here/lib-kernel.sh"
	kernel=$KERNEL recorder=$RECORDER victim=$VICTIM
	build_for_kernel
	hand_over other-kernel "$out/before"
}

leave_two_generations 6
boot_other
handed_over other-kernel
check "the other kernel was another one" grep -q 'Linux version 6\.12' "$out/other-kernel-console.log"
check "and says whose the generations are" grep -q 'generation 2 at .* kernel 6\.1\.' "$out/other-kernel-console.log"
finish
