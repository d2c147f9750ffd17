#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# kernel-arm64 on s390x, which is big-endian, and whose kernel of Debian has no kexec, no pstore and no
# hibernation.

KERNEL_TO_STEER=6.12-s390x
: "${TESTS:=restart consume live calls memory-pages full-speed oops-in-process doctor-in-guest}"
# shellcheck source=tests/vm/arch/long/kernel-arm64.sh
. "$(dirname "$0")/kernel-arm64.sh"
