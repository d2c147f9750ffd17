#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# kernel-6.12 on 5.10.

KERNEL_TO_STEER=5.10
: "${TESTS:=load-time filter trigger channels control live snapshot early reload hibernates hibernate bridge}"
# shellcheck source=tests/vm/control/long/kernel-6.12.sh
. "$(dirname "$0")/kernel-6.12.sh"
