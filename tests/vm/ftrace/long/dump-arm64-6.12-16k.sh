#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# dump-arm64 on 6.12, of which Debian's kernel has 52 bits of virtual address; this one pages of 16 KiB.

KERNEL_OF_MACHINE=6.12-arm64-16k
# shellcheck source=tests/vm/ftrace/long/dump-arm64.sh
. "$(dirname "$0")/dump-arm64.sh"
