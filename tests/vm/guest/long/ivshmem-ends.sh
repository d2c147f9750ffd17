#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A guest whose ivshmem device was removed ends in order: nothing of the region is written back, and the
# recorder does not say that it was.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"

region_arg=

guest <<'END'
check "the device is taken" load_recorder device=ivshmem
echo 1 >/sys/bus/pci/devices/0000:00:04.0/remove
check "it is removed" grep -qx device-removed /sys/kernel/epitaph/recording
END
pack_guest
boot -- -object "memory-backend-file,id=region,mem-path=region,size=16M,share=on" \
	-device ivshmem-plain,memdev=region,addr=4
check "the guest's script came to its end" guest_ended_well
check "the kernel powers off" grep -q 'reboot: Power down' "$out/console.log"
# shellcheck disable=SC2317 # check calls it
says_nothing() {
	! grep 'epitaph: ends in order' "$out/console.log"
}
check "no region is said to be written back" says_nothing
finish
