#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2317 # claims are called by name
#
# A null dereference on arm64 while the victim emits events on all CPUs: each event that it committed is
# in the vmcore, and the place, the address and the frames are those that the kernel printed.

KERNEL=6.12-arm64
VM_DIR=../..
crashkernel_of_machine=160M
# shellcheck source=tests/vm/lib-arch.sh
. "$(dirname "$0")/../../lib-arch.sh"
build_images
build_recorder
build_victim
region_arg=reserve_mem=16M:4096:epitaph

guest <<'END_OF_GUEST'
with_disk
echo "capture: started"
dd if=/proc/vmcore of=/disk/vmcore bs=1M 2>/dev/null
umount /disk
echo "capture: done"
END_OF_GUEST
recorder=none victim=none pack_guest
pack_capture

guest_that_records <<'END_OF_GUEST'
with_disk
load_recorder
arm_kdump
load_victim
sleep 1
umount /disk
bug process
await_end
END_OF_GUEST
pack_guest
cat "$out/kexec.img" >>"$out/initrd.img"
rm "$out/kexec.img"

boot --system "$system" --machine "$machine" --cpu "$cpu" --memory 384M --disk "$out/disk.img" --timeout 400 \
	--allow 'Unable to handle kernel|Internal error: Oops|Kernel panic - not syncing: Oops' \
	--expect 'capture: done' --witness "$out/witness"
take_all_of_disk

check "the vmcore can be exported" export_json vmcore
check "every committed event came back, none was invented" truth vmcore
check "cause, place and frames are the kernel's own" says_the_same "$out/console.log" "$saved/vmcore"
finish
