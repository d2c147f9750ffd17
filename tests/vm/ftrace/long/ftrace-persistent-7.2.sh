#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# ftrace-persistent on 7.2, which lays the buffer down in another way.

# shellcheck source=tests/vm/ftrace/long/ftrace-persistent.sh
KERNEL_WITH_PERSISTENT=7.2 . "$(dirname "$0")/ftrace-persistent.sh"
