#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# warm-s390x on riscv64, which the recorder knows by what every kernel has (kernel/arch/generic.c): the
# firmware (SBI) restarts the machine.

KERNEL_OF_MACHINE=7.2-riscv64
VM_DIR=../..
export VM_ACCEL=tcg,thread=single
# shellcheck source=tests/vm/arch/warm-s390x.sh
. "$(dirname "$0")/../warm-s390x.sh"
