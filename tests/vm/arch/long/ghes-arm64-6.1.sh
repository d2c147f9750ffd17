#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# ghes-arm64 on 6.1, which can reserve nothing by its command line.

KERNEL_OF_MACHINE=6.1-arm64
region_of_machine=guest.recorder=pages=4M
# shellcheck source=tests/vm/arch/long/ghes-arm64.sh
. "$(dirname "$0")/ghes-arm64.sh"
