#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The corpus on 5.10.

KERNEL_TO_DIE=5.10
# shellcheck source=tests/vm/kdump/long/corpus-6.12.sh
. "$(dirname "$0")/corpus-6.12.sh"
