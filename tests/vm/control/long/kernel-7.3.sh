#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# kernel-6.12 on 7.3.

KERNEL_TO_STEER=7.3
# shellcheck source=tests/vm/control/long/kernel-6.12.sh
. "$(dirname "$0")/kernel-6.12.sh"
