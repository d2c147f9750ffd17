#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# kdump-arm64 on ppc64le, of which the recorder knows arguments, registers and stacks.

KERNEL_OF_MACHINE=6.12-ppc64el
VM_DIR=../..
# The CPU that waits for the capture kernel spins: where CPUs take turns, each letter takes one of its turns.
export VM_ACCEL=tcg,thread=multi
crashkernel_of_machine=256M
memory_of_machine=1024M
disk_of_machine=1300M
# shellcheck source=tests/vm/arch/kdump-arm64.sh
. "$(dirname "$0")/../kdump-arm64.sh"
