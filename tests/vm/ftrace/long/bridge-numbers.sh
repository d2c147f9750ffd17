#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# bridge-reload.sh where ftrace has given all numbers once, so that it gives them again.

use_up=yes
# shellcheck source=tests/vm/ftrace/long/bridge-reload.sh
. "$(dirname "$0")/bridge-reload.sh"
