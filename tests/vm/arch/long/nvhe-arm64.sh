#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A host of arm64 whose CPUs have no VHE: the virtual counter has the offset of a guest while the
# thread of a vCPU is in the kernel, so the recorder does not count by it.  With VHE it does.

VM_DIR=../..
KERNEL=${KERNEL_OF_HOST:-6.12-arm64}
. "$(dirname "$0")/../../lib-arch.sh"
build_images
build_recorder
region_arg=reserve_mem=16M:4096:epitaph

# shellcheck disable=SC2154 # lib-arch.sh sets them
# counts_by CPU CLOCK KVM: a host with that CPU, which the kernel's own words are about.
counts_by() {
	guest <<'END'
with_disk
load_recorder
cat /dev/epitaph >/disk/region
sync
END
	pack_guest
	make_disk 128M
	rm -f "$out/guest.log"
	boot --system "$system" --machine virt,virtualization=on,gic-version=3 --cpu "$1" --memory 512M \
		--disk "$out/disk.img" --timeout 400
	take_all_of_disk
	check "$1: the guest ended well" guest_ended_well
	grep -a ' kvm ' "$out/console.log" | sed 's/^/# /'
	check "$1: the kernel is such a host" grep -E "$3" "$out/console.log"
	recovers "$epitaph" info "$saved/region" >"$out/info"
	check "$1: the clock is $2" grep "^clock  *$2" "$out/info"
}

counts_by cortex-a57 trace_clock_local 'kvm \[1\]: Hyp nVHE mode initialized'
counts_by "$cpu" cntvct_el0 'kvm \[1\]: VHE mode initialized'
finish
