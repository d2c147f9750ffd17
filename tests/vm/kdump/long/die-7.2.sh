#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# die on 7.2.

KERNEL_TO_DIE=7.2
# shellcheck source=tests/vm/kdump/long/die-6.12.sh
. "$(dirname "$0")/die-6.12.sh"
