# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash disable=SC2154,SC2034
#
# QEMU's machines other than x86-64: which one runs Debian's kernel $kernel, and how it is steered.
# Sourced behind lib.sh.

region_arg=
clock=
crashkernel=${crashkernel_of_machine:-0}
memory=512M
# Of QEMU, for guests that restart.
# shellcheck disable=SC2034 # of warm-s390x.sh
machine_args=
case $kernel in
*-arm64*)
	# QEMU takes the keys of pointers through its own hash: the algorithm of real CPUs, in software,
	# takes more than half of the time.
	system=aarch64 machine=virt cpu=${MACHINE_CPU:-max,pauth-impdef=on} tty=ttyAMA0
	guest_modules="virtio_pci virtio_blk ext4 qemu_fw_cfg"
	vmcoreinfo_device="-device vmcoreinfo"
	;;
*-s390x*)
	system=s390x machine=s390-ccw-virtio cpu=max tty=ttysclp0
	guest_modules="virtio_blk ext4"
	vmcoreinfo_device=
	;;
*-ppc64*)
	system=ppc64 machine=pseries cpu=power9 tty=hvc0
	guest_modules="virtio_pci virtio_blk ext4"
	vmcoreinfo_device=
	# Half of it is the firmware's and the capture kernel's.  A panic asks the firmware to end the machine.
	# shellcheck disable=SC2034 # of warm-s390x.sh
	memory=1024M machine_args="-action panic=none"
	;;
*-riscv64)
	system=riscv64 machine=virt cpu=rv64 tty=ttyS0
	guest_modules="virtio_blk ext4 zlib_deflate"
	vmcoreinfo_device=
	memory=1024M
	;;
esac
basic_args="console=$tty guest.tty=$tty cryptomgr.notests"

# give_device_tree mapped|no-map SIZE [ADDRESS]: the machine starts by its own device tree, in which
# memory is reserved for the recorder, at $device_tree_region as sysfs writes it.  Behind all of $machine.
give_device_tree() {
	set -- "$1" "$2" "${3:-0x50000000}"
	"qemu-system-$system" -machine "$machine,dumpdtb=$out/machine.dtb" -cpu "$cpu" -smp "${cpus_of_machine:-2}" -m "${memory_of_machine:-$memory}" \
		-display none >"$out/said" 2>&1
	node=/reserved-memory/epitaph@${3#0x}
	fdtput -c "$out/machine.dtb" /reserved-memory
	fdtput -t x "$out/machine.dtb" /reserved-memory '#address-cells' 2
	fdtput -t x "$out/machine.dtb" /reserved-memory '#size-cells' 2
	fdtput "$out/machine.dtb" /reserved-memory ranges
	fdtput -c "$out/machine.dtb" "$node"
	fdtput -t x "$out/machine.dtb" "$node" reg 0 "${3#0x}" 0 "$(printf %x "$2")"
	[ "$1" = mapped ] || fdtput "$out/machine.dtb" "$node" no-map
	# shellcheck disable=SC2034 # of the tests
	device_tree_region="$3 $2"
	machine_args="-dtb $out/machine.dtb"
}

