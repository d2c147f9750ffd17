#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The only memmap=SIZE!ADDR of the command line is a disk with a file system of its owner's: the recorder
# does not write over it, unless epitaph.addr= names the memory.

. "$(dirname "$0")/../lib.sh"
region_arg="memmap=16M!$region_addr"

guest <<'END'
load_modules /lib/modules
check "nd_pmem has the memory" await_file /dev/pmem0
check "a file system is made" mke2fs /dev/pmem0
dd if=/dev/pmem0 of=/before bs=1M 2>/dev/null
rmmod nd_pmem
check "the recorder is refused" refused load_recorder
check "it says what lies there" kernel_says 'epitaph: 0x0*20000000-0x0*20ffffff has an ext2, ext3 or ext4 file system'
check "and what to boot with" kernel_says 'boot with another memmap=SIZE!ADDR, and epitaph.addr= and epitaph.size='
check "it leaves nothing behind" refused grep -q epitaph /proc/iomem
insmod /lib/modules/nd_pmem.ko
await_file /dev/pmem0
check "the file system is as it was" cmp /before /dev/pmem0
check "swap space is made" mkswap /dev/pmem0
dd if=/dev/zero of=/dev/pmem0 bs=1024 seek=1 count=1 2>/dev/null
rmmod nd_pmem
check "the recorder is refused of swap too" refused load_recorder
check "it says so" kernel_says 'has swap space'
check "named by addr=, the memory is the recorder's" load_recorder addr=0x20000000 size=16M
rmmod epitaph
check "what has a generation is the recorder's from then on" load_recorder
END
# shellcheck disable=SC2034 # pack_guest's
guest_modules="nd_pmem nd_e820"
pack_guest
boot
check "the guest ended well" guest_ended_well
finish
