#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# kdump-arm64 on 6.1, with a region that the device tree reserves.

KERNEL_OF_MACHINE=6.1-arm64
memory_of_machine=512M
device_tree_of_machine=mapped
region_of_machine=
VM_DIR=../..
# shellcheck source=tests/vm/arch/kdump-arm64.sh
. "$(dirname "$0")/../kdump-arm64.sh"
