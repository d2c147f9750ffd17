#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# kdump-arm64 on riscv64: plain pages, as its kexec leaves what is reserved out of the vmcore.  With less
# memory than 256M the capture kernel does not start.

KERNEL_OF_MACHINE=7.2-riscv64
VM_DIR=../..
export VM_ACCEL=tcg,thread=single
crashkernel_of_machine=256M
memory_of_machine=1024M
disk_of_machine=1300M
region_of_machine=guest.recorder=pages=4M
# shellcheck source=tests/vm/arch/kdump-arm64.sh
. "$(dirname "$0")/../kdump-arm64.sh"
