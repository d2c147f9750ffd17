# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash disable=SC2154,SC2034
#
# Guests of another machine for scripts that name none: lib.sh sources it where ON_MACHINE is set, and
# KERNEL is of that machine.  arm64 has its region by a device tree, at a place that the host knows, and
# kdump with our initramfs.  s390x has it by reserve_mem=, and of one that dies QEMU dumps the memory.

# shellcheck source=tests/vm/lib-qemu.sh
. "$here/lib-qemu.sh"
run_args="--system $system --machine $machine --cpu $cpu"
dumps=
# One that panics waits for what the host does then.
always_args="$machine_args -action panic=none"

case $system in
aarch64)
	crashkernel=160M triple=aarch64-linux-gnu
	;;
s390x)
	# With a large buffer of translated code, QEMU spends minutes in a second boot's decompressor.
	export VM_ACCEL="${VM_ACCEL:-tcg,thread=single,tb-size=16}"
	guest_modules="$guest_modules zlib_deflate"
	triple=s390x-linux-gnu dumps=yes crashkernel=
	# Disks are on channels, which are looked at all at once: one that is to be behind the first comes later.
	disk_comes="guest: takes another disk=>device_add virtio-blk-ccw,drive=pulled"
	;;
esac
# Of programs that a test builds for its guest.
guest_cc=$triple-gcc
guest_tool=$top/build/machines/$triple/epitaph-static

# region_is SIZE: as lib.sh has it, but memory of arm64 begins at 1 GiB.
region_is() {
	region_size=$1
	case $system in
	aarch64)
		region_addr=$(printf '0x%x' $((region_addr | 0x40000000)))
		region_arg="epitaph.addr=$region_addr epitaph.size=$region_size"
		;;
	*) region_arg="reserve_mem=$region_size:4096:epitaph" ;;
	esac
}
region_is "$region_size"

# before_boot OPTION...: of run.
before_boot() {
	cpus_of_machine=2 memory_of_machine=1G word=
	for next; do
		case $word in
		--cpus) cpus_of_machine=$next ;;
		--memory) memory_of_machine=$next ;;
		esac
		word=$next
	done
	case $region_arg in
	*epitaph.addr=*) give_device_tree no-map $((${region_size%M} << 20)) "$region_addr" ;;
	*) machine_args=$always_args ;;
	esac
	run_args="--system $system --machine $machine --cpu $cpu"
	case "$dumps $*" in
	"yes "*"capture: done"*) run_args="$run_args --dump $out/core" ;;
	esac
}

# capture_kernel: with that machine's kexec, for a guest that loads it.
capture_kernel() {
	[ -n "$dumps" ] || ! grep -qE '^[[:space:]]*(record|arm_kdump|crash_by_kdump)' "$out/guest.sh" ||
		echo "$build/capturing-$kernel.cpio"
}

# make_disk SIZE: with room for all memory; bookworm's makedumpfile, and trixie's, read no kernel of arm64
# with 52 bits of virtual address, which 6.12 has.
make_disk() {
	truncate -s 1536M "$out/disk.img"
	mke2fs -q -F -t ext4 -m 0 "$out/disk.img"
}

# take_disk: what QEMU dumped of a guest that has no kdump, as an administrator takes it.
[ -z "$dumps" ] || take_disk() {
	saved=$out/saved
	rm -rf "$saved" "$out/of-core"
	mkdir -p "$saved"
	debugfs -R "rdump /truth $saved" "$out/disk.img" 2>/dev/null
	rm -f "$out/disk.img"
	mv "$out/core" "$saved/vmcore"
	recovers "$epitaph" save -o "$out/of-core" "$saved/vmcore" >"$out/said" 2>&1 || cat "$out/said"
	cp "$(find "$out/of-core" -name region)" "$saved/region"
}

# build_tool: it takes minutes, and is of no kernel.
build_tool() {
	[ ! -f "$guest_tool" ] ||
		[ -n "$(find "$top/extractor" "$top/include" -name '*.[chS]' -newer "$guest_tool" -print -quit)" ] || return 0
	mkdir -p "${guest_tool%/*}"
	sh "$top/tests/unit/other_hosts" --tool "${triple%%-*}" "$guest_tool"
}

# pack_images: what the guests' initramfs is made of.
pack_images() {
	for_machine="busybox=$("$top/scripts/kernels" --busybox "$kernel")"
	"$top/initramfs/pack" "$kernel" "$here/manifest.machine" "$build/base-$kernel.img" "$for_machine"
	[ -z "$dumps" ] || return 0
	# Word by word: a path has no blanks.
	"$top/initramfs/pack" "$kernel" "$top/initramfs/manifest" "$build/capture-$kernel.img.gz" "$for_machine" \
		"epitaph=$guest_tool" "makedumpfile=$("$top/scripts/kernels" --makedumpfile "$kernel")/usr/bin/makedumpfile" \
		"modules=virtio_pci virtio_blk ext4"
	{
		echo "prog /bin/kexec $(find "$("$top/scripts/kernels" --kexec "$kernel")" -path '*sbin/kexec')"
		echo "file /boot/vmlinuz 0644 $(image)"
		echo "file /boot/capture.img.gz 0644 $build/capture-$kernel.img.gz"
	} >"$out/capturing"
	"$top/initramfs/pack" "$kernel" "$out/capturing" "$build/capturing-$kernel.cpio"
}

# images_of_kernel: behind the modules.
images_of_kernel() {
	mkdir -p "$build"
	build_tool && pack_images
}
