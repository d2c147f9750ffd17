#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# SUSE's kdump: their mkdumprd builds the initrd with our unit in it, which in the capture
# kernel comes before their kdump-save.service.  What is not theirs: the distribution (a
# Debian), its dracut, and load.sh, which loads the capture kernel.

# shellcheck disable=SC2317 # check calls them
VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"
. "$(dirname "$0")/../../lib-dracut.sh"
. "$(dirname "$0")/../../lib-kdump.sh"

# install_kdump: as their CMakeLists.txt do it, but for what is compiled, and what
# names the kernel there.
install_kdump() {
	from=$out/kdump-suse
	module=$root/usr/lib/dracut/modules.d/99kdump
	mkdir -p "$module" "$root/usr/lib/kdump" "$root/etc/sysconfig" "$root/var/lib/kdump"
	install -m 755 "$from"/dracut/module-setup.sh "$from"/dracut/kdump-root.sh "$from"/dracut/kdump-save "$module/"
	install -m 644 "$from"/dracut/kdump-save.service "$from"/dracut/setup-kdump.functions "$module/"
	install -m 755 "$from"/init/mkdumprd "$root/usr/sbin/"
	install -m 755 "$from"/kdump-read-config.sh "$root/usr/lib/kdump/"
	printf '#!/bin/sh\necho %s\n' "$release" >"$root/usr/bin/get_kernel_version"
	chmod 755 "$root/usr/bin/get_kernel_version"
	cat >"$root/etc/sysconfig/kdump" <<-END
		KDUMP_KERNELVER=$release
		KDUMP_SAVEDIR=/var/crash
		KDUMP_IMMEDIATE_REBOOT=yes
		KDUMP_DUMPFORMAT=lzo
		KDUMP_DUMPLEVEL=31
	END
	echo 'add_drivers+=" virtio_pci virtio_blk ext4 "' >"$root/etc/dracut.conf.d/guest.conf"
}

sources kdump-suse https://github.com/openSUSE/kdump
make_root tool services dracut kdump-suse
mkdir -p "$root/var/crash"
install_kdump
make_disk 700M

check "their mkdumprd builds the initrd" with_target mkdumprd -f -I /boot/kdump.img
list_image kdump.img /boot/kdump.img
check "it has the unit" in_image kdump.img '/kdump-save\.service\.wants/epitaph-capture\.service'
check "and what that runs" in_image kdump.img '/bin/epitaph'
check "and no recorder" not_in_image kdump.img 'epitaph\.ko'
cat "$out/sizes"
make_crashing_guest "console=ttyS0,115200 no_timer_check irqpoll nr_cpus=1 reset_devices root=kdump rootflags=bind panic=1"
capture
trace_is_there
finish
