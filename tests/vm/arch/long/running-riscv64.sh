#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# running-arm64 on Debian's kernel of another machine.

KERNEL_OF_MACHINE=7.2-riscv64
export VM_ACCEL=tcg,thread=single
# shellcheck source=tests/vm/arch/long/running-arm64.sh
. "$(dirname "$0")/running-arm64.sh"
