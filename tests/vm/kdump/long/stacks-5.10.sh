#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# stacks.sh on a kernel before 6.0, without a recorder: its symbols are found by their shape.

KERNEL_OF_STACKS=5.10
# shellcheck source=tests/vm/kdump/long/stacks-6.12.sh
. "$(dirname "$0")/stacks-6.12.sh"
