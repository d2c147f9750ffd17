#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Guests of a kernel that looks at what it does: KASAN, UBSAN, lockdep, sleep where there may be none,
# DEBUG_OBJECTS, kmemleak.  What it finds in any of these tests is a failure of that test.

KERNEL_TO_STEER=6.1-debug
# As in lib-debug.sh: all headers take four times as long to build.
export few=--few
: "${VM_TIMEOUT:=3600}"
: "${TESTS:=control channels channel-reload filter trigger context context-hotplug marks live snapshot bridge reload hibernates mce-corrected sysrq-c oops-in-softirq}"
export VM_TIMEOUT
# shellcheck source=tests/vm/control/long/kernel-6.12.sh
. "$(dirname "$0")/kernel-6.12.sh"
