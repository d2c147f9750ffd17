#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Guests of Debian's kernel for virtual machines, which has few drivers and another configuration.
# KERNEL_TO_STEER=6.12-cloud is the other one.  Those of control and bridge load ahci, which it has not.

: "${KERNEL_TO_STEER:=6.1-cloud}"
# As in lib-debug.sh: all headers take four times as long to build.
export few=--few
: "${VM_TIMEOUT:=1800}"
: "${TESTS:=sysrq-c oops-in-softirq harvest reload channels trigger context marks live snapshot}"
export VM_TIMEOUT
# shellcheck source=tests/vm/control/long/kernel-6.12.sh
. "$(dirname "$0")/kernel-6.12.sh"
