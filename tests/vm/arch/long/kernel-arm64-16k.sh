#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# kernel-arm64 with pages of 16 KiB: it records, dies, and is read.

KERNEL_TO_STEER=6.12-arm64-16k
: "${TESTS:=full-speed oops-in-process live}"
# shellcheck source=tests/vm/arch/long/kernel-arm64.sh
. "$(dirname "$0")/kernel-arm64.sh"
