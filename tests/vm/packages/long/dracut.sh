#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# An initramfs that Debian's dracut makes: it has the recorder, which is loaded before
# udev and so before nd_pmem takes the memory.  The same image boots the capture kernel, and
# loads nothing there.  The image of kdump-utils' capture kernel does not load it.

# shellcheck disable=SC2317 # check calls them
# shellcheck disable=SC2034 # lib.sh's
VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"
. "$(dirname "$0")/../../lib-dracut.sh"
crashkernel=256M

# modprobe's settings for nd_e820 go along.
make_root tool services dracut
check "dracut makes an image" make_image initrd.img
check "it has the recorder" in_image initrd.img '/updates/dkms/epitaph\.ko'
check "and what loads it" in_image initrd.img '/hooks/pre-udev/00-epitaph\.sh'
check "and modprobe's settings" in_image initrd.img '/modprobe\.d/epitaph\.conf'
in_kdump=1
check "dracut makes an image for kdump-utils" make_image kdump.img
# An image for any host has nd_e820, and so the file of the recorder; one that mkdumprd makes has
# neither (kdump-utils.sh).
check "without the hook" not_in_image kdump.img '-epitaph\.sh'
in_kdump=
rm -r "$root/lib/modules/$release/updates"
depmod -b "$root" "$release"
check "dracut makes an image for a kernel without the module" make_image without.img
check "without the hook" not_in_image without.img '-epitaph\.sh'

make_dracut_disk initrd.img <<'END'
# when TEXT: the milliseconds at which the kernel's log has it first
when() {
	dmesg | sed -n "s|^\[ *\([0-9]*\)\.\([0-9]\{3\}\).*$1.*|\1\2|p" | head -n 1
}
if [ -e /proc/vmcore ]; then
	check "in the capture kernel: the same image does not load it" refused grep -q '^epitaph ' /proc/modules
	check "and where nd_e820 has it loaded, it refuses" kernel_says 'epitaph: this is a capture kernel'
	exit
fi
check "the image has loaded the recorder" grep -q '^epitaph ' /proc/modules
check "which records" [ "$(cat /sys/kernel/epitaph/current)" -ge 0 ]
dmesg | grep 'epitaph: \|nd_pmem\|Run /init\|udevd' | head -n 8 | sed 's/^/# /'
check "nd_pmem came too late" [ ! -e /dev/pmem0 ]
check "though it was in the image" grep -q '^nd_e820 ' /proc/modules
echo "# the initramfs began $(when 'Run /init') ms after the kernel, the recorder spoke at $(when 'epitaph: ') ms"
kexec -p --command-line="console=ttyS0,115200 no_timer_check nr_cpus=1 irqpoll reset_devices panic=-1 root=/dev/vda rw init=/test/init" \
	--initrd=/boot/initrd.img /boot/vmlinuz
crash
END
boot_dracut initrd.img --timeout 600 --allow 'Kernel panic - not syncing: sysrq triggered crash'
check "the guest ended well" guest_ended_well
rm -f "$out/disk.img"
finish
