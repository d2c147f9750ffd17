#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# kernel-arm64 on 6.1.

KERNEL_TO_STEER=6.1-arm64
# shellcheck source=tests/vm/arch/long/kernel-arm64.sh
. "$(dirname "$0")/kernel-arm64.sh"
