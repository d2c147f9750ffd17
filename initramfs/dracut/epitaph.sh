#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The recorder before everything else.  Dracut sources this.

# Why it does not load is in the kernel's log; the boot goes on.
[ -e /proc/vmcore ] || modprobe -q epitaph || :
