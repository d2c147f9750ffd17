#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The recorder into dracut's initramfs, to record from the first moment; never into that
# of a capture kernel, where it has no business.
# shellcheck disable=SC2154 # dracut sets these

# Is this kdump-utils' image, or SUSE kdump's?
is_for_capture() {
	[[ -n $IN_KDUMP ]] || [[ " $dracutmodules $add_dracutmodules $force_add_dracutmodules " == *" kdump "* ]]
}

# A kernel that it has not been built for boots as well.
check() {
	! is_for_capture && [[ -n $(find -L "$srcmods" -name 'epitaph.ko*' -print -quit) ]]
}

depends() {
	:
}

installkernel() {
	hostonly='' instmods epitaph
}

install() {
	inst_multiple modprobe
	# Before udev, which has nd_pmem take the memory.
	inst_hook pre-udev 00 "$moddir/epitaph.sh"
	# Where a hibernated kernel might have been resumed: after that.
	inst_hook pre-mount 00 "$moddir/epitaph.sh"
}
