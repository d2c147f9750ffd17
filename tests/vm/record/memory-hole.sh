#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Ranges that are no memory, or not reserved by the kernel's own command line, are refused.  The
# check changes nothing of what lies in the region.

. "$(dirname "$0")/../lib.sh"
# Of 1 GiB: a good one, and one behind the end.
region_arg="memmap=16M!$region_addr memmap=16M!0x80000000"

guest <<'END'
refuses() {
	name=$1 says=$2
	shift 2
	dmesg -c >/dev/null
	check "$name" refused load_recorder "$@"
	check "$name: says why" kernel_says "$says"
	check "$name: leaves nothing behind" refused grep -q epitaph /proc/iomem
	! grep -q '^epitaph ' /proc/modules || rmmod epitaph
}
# The words that the check writes to, and their like at the end of a MiB.
words() {
	for mib in 0x200 0x201 0x207 0x208 0x20e 0x20f; do
		devmem "${mib}00000" 32 ${1:+"$1"}
		devmem "${mib}ffff8" 32 ${1:+"$1"}
	done
}
refuses "no memory" 'no memory at 0x80000000, in the region 0x80000000-0x80ffffff' addr=0x80000000 size=16M
words 0x5eed1234
check "words are written" [ "$(words | sort -u)" = 0x5EED1234 ]
refuses "no event of that name" 'schedd' addr=0x20000000 size=16M events='schedd:*'
check "what lay in the region is still there" [ "$(words | sort -u)" = 0x5EED1234 ]

# The last range of 64 KiB or more that the firmware has for itself.
sed -n 's/^\([0-9a-f]*\)-\([0-9a-f]*\) : Reserved$/\1 \2/p' /proc/iomem >/tmp/reserved
while read -r start end; do
	[ $((0x$end - 0x$start)) -lt 65535 ] || firmware=0x$start
done </tmp/reserved
refuses "memory of the firmware" 'not reserved by the kernel.s command line' addr="$firmware" size=64K

# What is at /proc/cmdline is not the kernel's command line.
echo "memmap=16M!0x20000000" >/tmp/cmdline
mount --bind /tmp/cmdline /proc/cmdline
refuses "a command line that is none" 'more than one memmap=SIZE!ADDR'
umount /proc/cmdline
check "a good one" load_recorder addr=0x20000000 size=16M
END
pack_guest
boot
check "the guest ended well" guest_ended_well
finish
