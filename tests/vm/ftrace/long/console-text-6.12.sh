#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# console-text.sh on another kernel.

export KERNEL=6.12
# shellcheck source=tests/vm/ftrace/long/console-text.sh
. "$(dirname "$0")/console-text.sh"
