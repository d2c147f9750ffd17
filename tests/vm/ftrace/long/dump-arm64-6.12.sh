#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# dump-arm64 on 6.12, of which Debian's kernel has 52 bits of virtual address.

KERNEL_OF_MACHINE=6.12-arm64
# shellcheck source=tests/vm/ftrace/long/dump-arm64.sh
. "$(dirname "$0")/dump-arm64.sh"
