#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# first-event on 7.3.

export BUILT_IN=built-in-7.3
# shellcheck source=tests/vm/built-in/long/first-event.sh
. "$(dirname "$0")/first-event.sh"
