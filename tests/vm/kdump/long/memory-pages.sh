#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Plain memory for trying it out: nothing on the command line, and kdump has it all the same.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"
region_arg=

no_such='this kernel has no reserve_mem=, it came with 6.12' would='memmap=16M!ADDRESS'
case $kernel in
6.12 | 6.12-rt | 7.*)
	no_such='no reserve_mem=SIZE:ALIGN:epitaph on the kernel command line'
	would="$would or reserve_mem=16M:4096:epitaph"
	;;
6.1-*) would='a kernel from 6.12 on and reserve_mem=16M:4096:epitaph' ;;
6.12-*)
	no_such='no reserve_mem=SIZE:ALIGN:epitaph on the kernel command line'
	would='reserve_mem=16M:4096:epitaph'
	;;
esac

guest <<EOF
check "without memory it does not load" refused load_recorder
check "the log says what would do" kernel_says 'no region: .*$would, or try it out with pages=4M'
refuses "more than one piece" 'pages=8M: at most 4096K in one piece' pages=8M
refuses "too small" 'region of 64 KiB is too small for 1 generation of 2 CPUs: [0-9]* KiB would do$' pages=64K
refuses "both" 'only one of these four' pages=4M addr=0x20000000 size=16M
refuses "a reservation by name" '$no_such' reserve=epitaph
load_recorder pages=4M
check "the log says that a reset takes it" kernel_says 'kept by kdump only, and lost at a reset'
rmmod epitaph
load_recorder pages=4M
check "what was there is gone with the module" refused kernel_says 'ended in order'
arm_kdump
load_victim
sleep 1
crash
EOF
pack_guest
append=panic_on_warn=1 crash_whole --allow 'panic - not syncing: sysrq triggered crash'
"$epitaph" info "$saved/vmcore" >"$out/info" || true
check "one generation is in the vmcore, not the one before" \
	[ "$(grep -c '^generation' "$out/info")" = 1 ]
finish
