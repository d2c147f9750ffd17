#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2154,SC2317 # lib-arch.sh sets them; claims are called by name
#
# branches=1 on arm64: the last branches that a report shows are those that the CPUs had.  The truth is the
# log of a patched QEMU, whose CPUs have BRBE (scripts/qemu-skewed aarch64).  Where EL2 might trap the
# registers, they are not touched: the kernel would die.

VM_DIR=../..
KERNEL=${KERNEL_OF_MACHINE:-6.12-arm64}
# shellcheck source=tests/vm/lib-arch.sh
. "$(dirname "$0")/../../lib-arch.sh"
build_images
build_recorder
build_victim
region_arg=${region_of_machine-reserve_mem=16M:4096:epitaph}
victims=$victim
in_el1=$machine
# Where memory is reserved for the guests that die alone.
pages=
[ -n "$region_arg" ] || pages=pages=4M
of_el2=virt,virtualization=on,gic-version=3

# has_none WHY MACHINE [ARGUMENT]: the recorder says why it stays away, and the guest lives on.
has_none() {
	victim=none
	guest <<END
with_disk
load_recorder branches=1 $pages
check "the kernel's log says it" kernel_says 'epitaph: no last branches: $1'
check "so does sysfs" grep -q '^none: $1' /sys/kernel/epitaph/last-branches
rmmod epitaph
END
	pack_guest
	make_disk 64M
	rm -f "$out/guest.log"
	append="${3:-}" boot --system "$system" --machine "$2" --cpu "$cpu" --memory "$memory" --disk "$out/disk.img" --timeout 600
	take_all_of_disk
	check "the guest's script came to its end" guest_ended_well
}

# What QEMU has of its own.
has_none 'ID_AA64DFR0_EL1 says that there is no BRBE' "$in_el1"

# 10 minutes of CPU, the first time.
patched=$("$top/scripts/qemu-skewed" aarch64 2>"$out/qemu-skewed") || {
	tail -n 20 "$out/qemu-skewed"
	check "scripts/qemu-skewed builds QEMU" false
	finish
}
PATH=$patched:$PATH
EPITAPH_BRANCHES=$out/branches
export EPITAPH_BRANCHES

# The registers are there, and the kernel is below EL2: a CPU with FEAT_FGT would trap it.
has_none 'the CPUs have BRBE, but this kernel cannot know whether EL2 lets it have the registers' "$of_el2" \
	kvm-arm.mode=nvhe

# is_truth CPU [SYMBOL]
is_truth() {
	"$here/branches-truth" "$EPITAPH_BRANCHES" "$saved/kallsyms" "$out/report" "$@"
}

# dies MACHINE BUG [SYMBOL]: CPU 1 dies of it, and CPU 0 is stopped; the next boot has both lists.
dies() {
	rm -f "$EPITAPH_BRANCHES" "$out/guest.log"
	machine=$1
	[ -z "${device_tree_of_machine:-}" ] || give_device_tree "$device_tree_of_machine" 16777216
	victim=$victims
	guest <<END
says() {
	cat /sys/kernel/epitaph/last-branches
	grep -qx "\$1" /sys/kernel/epitaph/last-branches
}
with_disk
if [ "\$boot" = 2 ]; then
	load_recorder
	cat /dev/epitaph >/disk/region
	exit 0
fi
load_recorder branches=1
check "both CPUs keep them" says 'Arm BRBE, on 2 CPUs, 0 left to another one'
echo 0 >/sys/devices/system/cpu/cpu1/online
check "one is unplugged" says 'Arm BRBE, on 1 CPUs, 0 left to another one'
echo 1 >/sys/devices/system/cpu/cpu1/online
check "it is plugged in again" says 'Arm BRBE, on 2 CPUs, 0 left to another one'
rmmod epitaph
load_recorder branches=1
check "loaded again, both keep them" says 'Arm BRBE, on 2 CPUs, 0 left to another one'
load_victim
cat /proc/kallsyms >/disk/kallsyms
sync
echo "guest: dies"
taskset 2 sh -c 'echo $2 >/sys/kernel/debug/victim/bug'
sleep 60
END
	pack_guest
	make_disk 128M
	append="no_hash_pointers panic=1" boot --system "$system" --machine "$machine" --cpu "$cpu" --memory "$memory" \
		--disk "$out/disk.img" --timeout 1200 --boots 2 \
		--allow 'psci: CPU1 killed|Unable to handle kernel|Internal error: Oops|Kernel panic - not syncing|crashed: '
	take_all_of_disk
	check "the second boot's script came to its end" guest_ended_well
	recovers "$epitaph" report "$saved/region" --generation 2 >"$out/report" || true
	sed -n '/its last branches/,$p' "$out/report" | sed 's/^/# /'
	check "CPU 1, which died of $2: QEMU's own" is_truth 1 ${3:+"$3"}
	cat "$out/said"
	check "CPU 0, which was stopped: QEMU's own" is_truth 0
	cat "$out/said"
	mv "$out/report" "$out/report-$2"
	mv "$EPITAPH_BRANCHES" "$out/branches-$2"
}

# Time goes by instructions: a tick between the fault and the read would take all places, and is as rare then
# as on a real CPU.
export VM_QEMU="-icount shift=3"

# The kernel in EL1, and in EL2 (VHE).  Of 64 the newest 32 are read.
dies "$in_el1" process dereference_null
export EPITAPH_NR_BRANCHES=64
dies "$of_el2" panic
finish
