#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# branches-arm64 with Debian's 6.1, whose ftrace keeps all registers, in memory that the device tree reserves.

export KERNEL_OF_MACHINE=6.1-arm64 region_of_machine='' device_tree_of_machine=mapped
# shellcheck source=tests/vm/arch/long/branches-arm64.sh
. "$(dirname "$0")/branches-arm64.sh"
