#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# ftrace-6.12 on 7.2.

KERNEL_WITH_ORDER=7.2
. "$(dirname "$0")/ftrace-6.12.sh"
