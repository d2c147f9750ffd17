#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The same in memory of reserve_mem=, which is in the kernel's own map: one dies before the allocators,
# one in a core_initcall.  Without KASLR that memory is at the same place in each boot.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"
. "$here/lib-built-in.sh"

region_arg=reserve_mem=32M:4096:epitaph
built_in_guest
append="nokaslr epitaph.reserve=epitaph epitaph.generations=4 earlyprintk=serial,ttyS0,115200 die=setup,core" \
	warm_boots 3 --allow 'Kernel panic' --allow 'BUG: ' --allow 'Oops' --allow 'kernel BUG'
check "the last boot came to its end" guest_ended_well
check "each that died left a generation" [ "$(regions | wc -l)" = 2 ]
nr=0
for region in $(regions); do
	nr=$((nr + 1))
	compare_boot "$nr" "$region"
	check "boot $nr: nothing is damaged" no_damage "$region"
done
finish
