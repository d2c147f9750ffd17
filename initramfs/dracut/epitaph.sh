#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The recorder before everything else.  Dracut sources this before udev, and again before the root
# is mounted.

# A hibernated kernel may be resumed, and it goes on writing to the region.
epitaph_may_resume() {
	! getargbool 0 noresume || return 1
	getarg resume= >/dev/null || [ -e "${efivars:-/sys/firmware/efi/efivars}/HibernateLocation-8cf2644b-4b0b-428f-9387-6d876050dc67" ]
}

# Before the root is mounted, an image has been resumed, or there was none.
if [ ! -e /proc/vmcore ] && { [ -e "${hookdir:?}/epitaph-waits" ] || ! epitaph_may_resume; }; then
	# Why it does not load is in the kernel's log; the boot goes on.
	modprobe -q epitaph || :
fi
: >"$hookdir/epitaph-waits"
