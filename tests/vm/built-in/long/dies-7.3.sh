#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# dies on 7.3.

export BUILT_IN=built-in-7.3
# shellcheck source=tests/vm/built-in/long/dies.sh
. "$(dirname "$0")/dies.sh"
