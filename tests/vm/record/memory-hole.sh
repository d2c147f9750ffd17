#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Ranges that are no memory, or not reserved by the kernel's own command line, are refused.  The
# check changes nothing of what lies in the region.

. "$(dirname "$0")/../lib.sh"
# Of 1 GiB: a good one, and one behind the end.
region_arg="memmap=16M!$region_addr memmap=16M!0x80000000"

guest <<'END'
# pages [FILE]: those that the check writes to, and others; from the memory, or into it.
pages() {
	for page in 0 256 511 2047 2048 3840 4095; do
		if [ "${1:-}" ]; then
			dd if="$1" of=/dev/mem bs=4096 seek=$((0x20000 + page)) count=1 conv=notrunc
		else
			dd if=/dev/mem bs=4096 skip=$((0x20000 + page)) count=1
		fi 2>/dev/null
	done | sha256sum
}
refuses "no memory" 'no memory at 0x80000000, in the region 0x80000000-0x80ffffff' addr=0x80000000 size=16M
dd if=/dev/urandom of=/tmp/page bs=4096 count=1 2>/dev/null
pages /tmp/page >/dev/null
before=$(pages)
check "pages are written" [ "$before" = "$(for i in 1 2 3 4 5 6 7; do cat /tmp/page; done | sha256sum)" ]
refuses "no event of that name" 'schedd' addr=0x20000000 size=16M events='schedd:*'
check "what lay in the region is still there" [ "$(pages)" = "$before" ]

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
