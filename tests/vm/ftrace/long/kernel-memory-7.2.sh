#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# kernel-memory.sh on 7.2: symbols by their place, other modules, another log.

KERNEL_TO_READ=7.2
# shellcheck source=tests/vm/ftrace/long/kernel-memory-6.12.sh
. "$(dirname "$0")/kernel-memory-6.12.sh"
