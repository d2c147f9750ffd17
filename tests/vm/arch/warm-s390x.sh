#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2317 # claims are called by name
#
# The shortest real cycle without kdump, on s390x, which is big-endian: record, panic, re-IPL, and what
# the next boot finds, read here.  Debian's 6.12 has no kexec; memory by reserve_mem= is at the same
# place again.  Its own trace of the same events and its console are the truth.

KERNEL=${KERNEL_OF_MACHINE:-6.12-s390x}
# With a large buffer of translated code, QEMU spends minutes in the second boot's decompressor.
export VM_ACCEL="${VM_ACCEL:-tcg,thread=single,tb-size=16}"
# shellcheck source=tests/vm/lib-arch.sh
. "$(dirname "$0")/${VM_DIR:-..}/lib-arch.sh"
build_images
build_recorder
[ -z "${device_tree_of_machine:-}" ] || give_device_tree "$device_tree_of_machine" 16777216
region_arg=${region_of_machine-reserve_mem=16M:4096:epitaph}
[ "$system" != s390x ] || guest_modules="$guest_modules zlib_deflate"

guest_that_records <<'END_OF_GUEST'
with_disk
load_recorder
dmesg | grep 'epitaph: ' || true
cat /sys/kernel/tracing/enabled_functions >"/disk/hooked-$boot"
case $boot in
1)
	trace_beside
	work 6
	keep_trace
	umount /disk
	# s390x stops, and others restart, by panic=.
	[ ! -e /sys/firmware/shutdown_actions/on_panic ] || echo reipl >/sys/firmware/shutdown_actions/on_panic
	crash
	;;
2)
	cat /sys/kernel/epitaph/region >/disk/where
	last=$(ls /sys/kernel/epitaph/generations | head -n 1)
	check "the next boot finds the one that crashed" kernel_says "generation $last at .*crashed: sysrq"
	cat /dev/epitaph >/disk/region
	;;
esac
END_OF_GUEST
pack_guest
make_disk 256M
# "%p" is the address, as we have it, and not its hash.
# shellcheck disable=SC2086 # words
append="no_hash_pointers panic=1" boot --system "$system" --machine "$machine" --cpu "$cpu" --memory "$memory" \
	--disk "$out/disk.img" --timeout 400 --boots 2 \
	--allow 'Kernel panic - not syncing: sysrq triggered crash' \
	--measure 'Linux version=>guest: boot 1' --measure 'guest: boot 1=>guest: crashing' \
	--measure 'guest: crashing=>guest: boot 2' -- $machine_args
take_all_of_disk
[ -z "${device_tree_of_machine:-}" ] || check "the region is where the device tree reserves it" \
	grep -x "$device_tree_region device_tree" "$saved/where"
sed 's/^/# /' "$out/measures"
check "the guest's script came to its end" guest_ended_well
check "nothing is missing in the kernel's own trace" nothing_lost
check "each event came, on its CPU, in the kernel's words" as_kernel "$saved/region" --generation 1
if [ "$system" = riscv64 ]; then
	says_args="--no-frames --boot 1" check "boot 1, region: cause, CPU, task and place are the kernel's own, without a stack" \
		says_the_same "$out/console.log" "$saved/region" --generation 1
else
	compare_boot 1 "$saved/region" --generation 1
fi
[ "$system" != s390x ] || check "the clock is the CPU's counter" grep -F '# clock: TOD clock; ' "$out/head-region"
finish
