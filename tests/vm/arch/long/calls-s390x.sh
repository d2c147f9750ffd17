#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2317 # claims are called by name
#
# Calls on a big-endian machine: the function and who called it have their names.

VM_DIR=../..
KERNEL=6.12-s390x
export VM_ACCEL="tcg,thread=single,tb-size=16"
# shellcheck source=tests/vm/lib-arch.sh
. "$(dirname "$0")/../../lib-arch.sh"
build_images
build_recorder
region_arg=reserve_mem=16M:4096:epitaph
guest_modules="$guest_modules zlib_deflate"

guest_that_records <<'END_OF_GUEST'
with_disk
load_recorder channels=2M
echo 'events +calls:vfs_read' >/dev/epitaph-control
check "the kernel can trace it" grep -q '^vfs_read ' /sys/kernel/tracing/enabled_functions
cat /proc/uptime /proc/version /proc/uptime
sleep 1
cat /dev/epitaph >/disk/region
umount /disk
END_OF_GUEST
pack_guest
make_disk 256M
# shellcheck disable=SC2086 # words
boot --system "$system" --machine "$machine" --cpu "$cpu" --memory "$memory" \
	--disk "$out/disk.img" --timeout 400 -- $machine_args
take_all_of_disk
check "the guest's script came to its end" guest_ended_well

calls_have_names() {
	"$epitaph" report --all --channel calls "$saved/region" >"$out/calls" 2>"$out/said"
	grep -c 'function: vfs_read <-ksys_read$' "$out/calls" || { tail -n 5 "$out/calls"; return 1; }
}

check "each call has the function's name and the caller's" calls_have_names
finish
