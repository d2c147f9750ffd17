#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# warm-arm64, with a region that the device tree reserves.

KERNEL_OF_MACHINE=6.12-arm64
device_tree_of_machine=mapped
region_of_machine=
VM_DIR=../..
# shellcheck source=tests/vm/arch/warm-s390x.sh
. "$(dirname "$0")/../warm-s390x.sh"
