#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# nd_pmem takes every memmap=SIZE!ADDR if it comes first: then the recorder says so
# and stays out.  If it comes second, it gets nothing.

. "$(dirname "$0")/../lib.sh"

guest <<'END'
load_modules /lib/modules
check "nd_pmem has the region" await_file /dev/pmem0
check "the recorder is refused" refused load_recorder
check "it says whose the memory is" kernel_says 'in use by another driver.*nd_pmem'
check "the numbers are there" kernel_says 'epitaph: 0x20000000-0x20ffffff is in use'
check "it leaves nothing behind" refused grep -q epitaph /proc/iomem
check "the disk of nd_pmem still works" dd if=/dev/pmem0 of=/dev/null bs=1M count=16
rmmod nd_pmem
check "without nd_pmem it loads" load_recorder
load_victim
insmod /lib/modules/nd_pmem.ko
check "the kernel says that nd_pmem cannot have it" await kernel_says 'nd_pmem.*\(probe.*failed\|could not reserve\)'
check "nd_pmem gets nothing now" [ ! -e /dev/pmem0 ]
check "the recorder's memory is its own" grep -q 'System RAM (epitaph)' /proc/iomem
END
# shellcheck disable=SC2034 # pack_guest's
guest_modules="nd_pmem nd_e820"
pack_guest
boot
check "the guest ended well" guest_ended_well
finish
