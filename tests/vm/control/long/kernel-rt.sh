#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Guests of Debian's kernel with PREEMPT_RT, where most locks sleep and interrupts are threads: none of
# ours may sleep where that is not allowed.  KERNEL_TO_STEER=6.1-rt is the other one, which has no filters
# and no bridge (docs/control.md): TESTS="channels reload snapshot live" there.

: "${KERNEL_TO_STEER:=6.12-rt}"
# As in lib-debug.sh: all headers take four times as long to build.
export few=--few
: "${VM_TIMEOUT:=1800}"
: "${TESTS:=control channels trigger context context-hotplug marks live snapshot bridge reload hibernates mce-corrected oops-in-softirq}"
export VM_TIMEOUT
# shellcheck source=tests/vm/control/long/kernel-6.12.sh
. "$(dirname "$0")/kernel-6.12.sh"
