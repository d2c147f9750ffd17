#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Nodes of a device tree's reserved-memory that the recorder does not take, and why; and what lies in
# the one that is for it.

VM_DIR=../..
KERNEL=${KERNEL_OF_MACHINE:-6.12-arm64}
# shellcheck source=tests/vm/lib-arch.sh
. "$(dirname "$0")/../../lib-arch.sh"
build_images
build_recorder
give_device_tree no-map 16777216

# node NAME@ADDRESS SIZE [PROPERTY [VALUE]]
node() {
	fdtput -c "$out/machine.dtb" "/reserved-memory/$1"
	fdtput -t x "$out/machine.dtb" "/reserved-memory/$1" reg 0 "${1#*@}" 0 "$2"
	[ -z "${3:-}" ] || fdtput ${4:+-t s} "$out/machine.dtb" "/reserved-memory/$1" "$3" ${4:+"$4"}
}
node crashes@54000000 400000 compatible ramoops
node lent@54800000 400000 reusable
node nowhere@20000000 400000 no-map
node little@55800000 4000

guest <<'END_OF_GUEST'
refuses "of a driver" 'crashes@54000000 of the device tree is memory of a driver .compatible = "ramoops".' reserve=crashes
refuses "lent to the kernel" 'lent@54800000 of the device tree is reusable' reserve=lent
refuses "no memory" 'no memory node of the device tree has 0x20000000-0x203fffff' reserve=nowhere
refuses "too small" 'region of 16 KiB is too small' reserve=little
refuses "no such node" 'and no such node in the device tree' reserve=none
refuses "larger than what is reserved" '0x50800000-0x517fffff is not in what the device tree reserves for epitaph: 0x50000000-0x50ffffff' \
	addr=0x50800000 size=16M
refuses "beside it" 'not in what the device tree reserves' addr=0x51000000 size=8M
check "what lies in it is taken" load_recorder addr=0x50400000 size=8M
check "and is there" grep -x '0x50400000 8388608 device_tree' /sys/kernel/epitaph/region
check "it is System RAM for dump tools" grep -q '50400000-50bfffff : System RAM$' /proc/iomem
rmmod epitaph
check "without a parameter, all of it" load_recorder
check "and is that" grep -x '0x50000000 16777216 device_tree' /sys/kernel/epitaph/region
rmmod epitaph
check "nothing of it stays registered" refused grep -q '50000000-50ffffff : System RAM$' /proc/iomem
END_OF_GUEST
pack_guest
# shellcheck disable=SC2154,SC2086 # lib-machine.sh sets them; words
boot --system "$system" --machine "$machine" --cpu "$cpu" --memory "$memory" --timeout 400 -- $machine_args
check "the guest's script came to its end" guest_ended_well
finish
