#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Loads that must be refused, with the reason and the numbers.

. "$(dirname "$0")/../lib.sh"

guest <<'END'
refuses "not reserved" 'is not reserved by the kernel.s command line; boot with memmap=' addr=0x100000000 size=16M
refuses "memory of the kernel" 'overlaps memory that the kernel uses' addr=0x10000000 size=16M
refuses "too small" 'KiB is too small for 2 generations of 2 CPUs: [0-9]* KiB would do$' addr=0x20000000 size=64K
refuses "too small for two" "would do, or generations=1" addr=0x20000000 size=640K
refuses "no generation" "generations=0: expected 1 to 16" addr=0x20000000 size=16M generations=0
refuses "not whole pages" 'must be multiples of 4096' addr=0x20000010 size=16M
refuses "no number" 'size=much is not a number' addr=0x20000000 size=much
refuses "more than 64 bits" 'size=0x10000000001000000 is not a number below' addr=0x20000000 size=0x10000000001000000
refuses "more than 64 bits by its suffix" 'size=17179869185G is not a number below' addr=0x20000000 size=17179869185G
refuses "channels of more than 64 bits" 'channels=18014398509482240K is no size below 2^64' addr=0x20000000 size=16M channels=18014398509482240K
refuses "channels of no size" 'channels=1Q is no size' addr=0x20000000 size=16M channels=1Q
refuses "an address that is none" 'addr=here is not a number' addr=here size=16M
refuses "too long for a console" 'sysrq_z_seconds=60: expected 1 to 15' sysrq_z_seconds=60
refuses "size missing" 'go together' addr=0x20000000
refuses "partly reserved" 'overlaps' addr=0x20000000 size=32M
refuses "unknown event" 'schedd' addr=0x20000000 size=16M events='schedd:*'
dmesg -c >/dev/null
check "and then it loads" load_recorder
check "none of these has used up a generation" kernel_says 'recording into .*, generation 1$'
check "twice" refused load_recorder
check "its memory is registered" grep -q 'System RAM (epitaph)' /proc/iomem
rmmod epitaph
check "and unregistered" refused grep -q epitaph /proc/iomem
END
pack_guest
boot
check "the guest ended well" guest_ended_well
finish
