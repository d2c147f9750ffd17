#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# memory-reserve-kdump on 7.2.

KERNEL_WITH_RESERVE=7.2 . "$(dirname "$0")/memory-reserve-kdump.sh"
