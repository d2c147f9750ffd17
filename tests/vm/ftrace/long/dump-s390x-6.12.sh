#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# dump-arm64 on s390x, which is big-endian: from 6.12 on Debian's kernel of it has types.

KERNEL_OF_MACHINE=6.12-s390x
# shellcheck source=tests/vm/ftrace/long/dump-arm64.sh
. "$(dirname "$0")/dump-arm64.sh"
