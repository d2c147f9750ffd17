#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2317 # claims are called by name
#
# The shortest real cycle on arm64: record, panic, kdump, and what the vmcore has, read here.  Debian's
# kernel; its own trace of the same events, its console, and the registers in the notes of its vmcore
# are the truth.

KERNEL=${KERNEL_OF_MACHINE:-6.12-arm64}
crashkernel_of_machine=${crashkernel_of_machine:-160M}
# shellcheck source=tests/vm/lib-arch.sh
. "$(dirname "$0")/${VM_DIR:-..}/lib-arch.sh"
[ "$system" != s390x ] || need_deps emulators
build_images
build_recorder
[ -z "${device_tree_of_machine:-}" ] || give_device_tree "$device_tree_of_machine" 16777216
region_arg=${region_of_machine-reserve_mem=16M:4096:epitaph}

guest <<'END_OF_GUEST'
with_disk
echo "capture: started"
dd if=/proc/vmcore of=/disk/vmcore bs=1M 2>/dev/null
umount /disk
echo "capture: done"
END_OF_GUEST
recorder=none pack_guest
pack_capture

guest_that_records <<'END_OF_GUEST'
with_disk
load_recorder $(param guest.recorder)
trace_beside
cat /sys/kernel/epitaph/region >/disk/where
cat /sys/kernel/tracing/enabled_functions >/disk/hooked
arm_kdump
work 6
keep_trace
umount /disk
crash
END_OF_GUEST
pack_guest
cat "$out/kexec.img" >>"$out/initrd.img"
rm "$out/kexec.img"

# "%p" is the address, as we have it, and not its hash.
# shellcheck disable=SC2086 # words
append=no_hash_pointers boot --system "$system" --machine "$machine" --cpu "$cpu" --memory "${memory_of_machine:-384M}" \
	--disk "$out/disk.img" --timeout 400 \
	--allow 'Kernel panic - not syncing: sysrq triggered crash' --expect 'capture: done' \
	--measure 'Booting Linux=>guest: boot 1' --measure 'guest: boot 1=>guest: crashing' \
	--measure 'guest: crashing=>capture: started' --measure 'capture: started=>capture: done' -- $machine_args
take_all_of_disk
[ -z "${device_tree_of_machine:-}" ] || check "the region is where the device tree reserves it" \
	grep -x "$device_tree_region device_tree" "$saved/where"
sed 's/^/# /' "$out/measures"
vmcore=$saved/vmcore

# header_says TEXT
header_says() {
	recovers "$epitaph" report --events 1 "$vmcore" >"$out/head" || return
	grep -F -- "$1" "$out/head"
}

# hooked FUNCTION...: ftrace calls us for each.
hooked() {
	for function; do
		grep "^$function " "$saved/hooked" || { echo "not hooked: $function"; return 1; }
	done
}

# The console of s390x keeps its last lines until a kernel without kdump would stop.  kexec-tools read them
# out of the vmcore.
words=$out/console.log
if [ "$system" = s390x ]; then
	kexec=$("$top/scripts/kernels" --kexec "$kernel")
	qemu-s390x-static -L "$kexec" "$(find "$kexec" -name vmcore-dmesg -type f)" "$vmcore" >"$out/kernel.log" 2>"$out/said" || cat "$out/said"
	words=$out/kernel.log
fi

check "nothing is missing in the kernel's own trace" nothing_lost
check "each event came, on its CPU, in the kernel's words" as_kernel "$vmcore"
if [ "$system" = riscv64 ]; then
	says_args=--no-frames check "cause, CPU, task and place are the kernel's own, without a stack" \
		says_the_same "$words" "$vmcore"
else
	check "cause, place and frames are the kernel's own" says_the_same "$words" "$vmcore"
fi

# the_same_converted: IBM's own tool makes a dump of a stand-alone dumper of it; what that has, and of which
# kernel, is the same.
the_same_converted() {
	zgetdump=$("$top/scripts/kernels" --zgetdump "$kernel") &&
		qemu-s390x-static -L "$zgetdump" "$zgetdump/sbin/zgetdump" -f s390 "$vmcore" >"$out/dump" || return
	for file in "$vmcore" "$out/dump"; do
		recovers "$epitaph" report --source all --all "$file" | grep -vF "$file" >"$out/all-${file##*/}"
	done
	rm "$out/dump"
	grep -c sched_switch: "$out/all-dump" && cmp "$out/all-vmcore" "$out/all-dump"
}

if [ "$system" = s390x ]; then
	check "a kernel that goes to its capture kernel calls the recorder" hooked machine_crash_shutdown
	check "the clock is the CPU's counter" header_says '# clock: TOD clock; '
	check "a dump in the form of s390's own dumpers has the same" the_same_converted
fi
[ "$system" = aarch64 ] || finish
check "a fault and a CPU that stops call the recorder" hooked die_kernel_fault local_cpu_stop crash_save_cpu
check "the clock is the CPU's counter" header_says '# clock: cntvct_el0; '
check "registers of a stopped CPU are those of the vmcore's notes" "$here/registers-same" "$vmcore" "$out/head"
finish
