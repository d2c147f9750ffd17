# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
#
# Words of tests whose guest is a host of guests: Debian's QEMU with KVM in an emulated AMD processor.
# A guest in the nest has one CPU: with two it hangs.  Source lib.sh first.

# nested_guest NAME: the script of the guest in the nest that has this name, from standard input.
nested_guest() {
	mkdir -p "$out/nest/test"
	cat >"$out/nest/test/$1.sh"
}

# pack_nest [FILE...]: as pack_guest, with QEMU, its kernel and its guests' initramfs.
pack_nest() {
	cat >"$out/nest/manifest" <<-END
		dir /proc
		dir /sys
		dir /dev
		dir /disk
		dir /tmp
		file /init 0755 tests/vm/init
		prog /bin/busybox busybox
		link /bin/sh busybox
		file /test/lib-guest.sh 0644 tests/vm/lib-guest.sh
		file /test/guest.sh 0644 $here/lib-nest-inner.sh
		file /test/epitaph.ko 0644 $out/nest/epitaph.ko
		file /test/victim.ko 0644 $out/nest/victim.ko
	END
	for module in "$recorder" "$victim"; do
		strip -g -o "$out/nest/${module##*/}" "$module"
	done
	for script in "$out"/nest/test/*.sh; do
		echo "file /test/${script##*/} 0644 $script"
	done >>"$out/nest/manifest"
	"$top/initramfs/pack" "$kernel" "$out/nest/manifest" "$out/nest/nest.img"
	guest_modules="virtio_pci virtio_blk ext4 kvm-amd ${guest_modules:-}"
	guest_programs="/bin/qemu qemu-system-x86_64 ${guest_programs:-}"
	pack_guest "$here/lib-nest-guest.sh" "$out/nest/nest.img" "$build/unpacked-6.1.elf" \
		/usr/share/seabios/bios-256k.bin /usr/share/qemu/kvmvapic.bin /usr/share/qemu/linuxboot_dma.bin \
		/usr/share/qemu/pvh.bin "$@"
	rm -f "$out"/nest/*.img "$out"/nest/*.ko
}

# boot_nest [OPTION...]: as boot, with a thread for each processor.  In one thread, each interrupt of one of them
# kicks the other as well; behind an injected interrupt that makes QEMU 7.2 deliver it a second time: helper_vmrun()
# leaves its vector in exception_index.  On a busy machine 10 of 12 guests were stuck by that.  In a trace,
# exit_int_info of the next exit has the type of an exception.
boot_nest() {
	export VM_ACCEL="${VM_ACCEL:-tcg,thread=multi}"
	boot --cpu EPYC,+svm,+npt --memory 2G "$@"
}
