#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# running-arm64 on 6.1, which has no reserve_mem=.

KERNEL_OF_MACHINE=6.1-arm64
region_of_machine=guest.recorder=pages=4M
advice_of_machine='a kernel from 6.12 on and reserve_mem=16M:4096:epitaph'
# shellcheck source=tests/vm/arch/long/running-arm64.sh
. "$(dirname "$0")/running-arm64.sh"
