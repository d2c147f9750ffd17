#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# RHEL's and Fedora's kdump-utils: their mkdumprd builds the image with our hook in it, and in
# the capture kernel their kdump.sh runs the hook before it saves.  What is not theirs: the
# distribution (a Debian), its dracut, and kdumpctl, which loads the capture kernel.

# shellcheck disable=SC2317 # check calls them
VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"
. "$(dirname "$0")/../../lib-dracut.sh"
. "$(dirname "$0")/../../lib-kdump.sh"

sources kdump-utils https://github.com/rhkdump/kdump-utils
make_root tool services dracut kdump-utils
make -s -C "$out/kdump-utils" install DESTDIR="$root" >"$out/installed" 2>&1
# Their scripts want grep, which Debian's dracut has no reason to bring along.
printf '%s\n' 'extra_modules virtio_pci virtio_blk ext4' 'extra_bins /bin/grep' >>"$root/etc/kdump.conf"
make_disk 700M

check "their mkdumprd builds the image" with_target mkdumprd /boot/kdump.img "$release"
list_image kdump.img /boot/kdump.img
check "it has the hook" in_image kdump.img '/kdump/pre\.d/50-epitaph\.sh'
check "and what that runs" in_image kdump.img '/bin/epitaph'
check "and no recorder" not_in_image kdump.img 'epitaph\.ko'
cat "$out/sizes"
make_crashing_guest "console=ttyS0,115200 no_timer_check irqpoll nr_cpus=1 reset_devices panic=10"
capture --measure 'sysrq triggered crash=>saving vmcore complete'
trace_is_there
finish
