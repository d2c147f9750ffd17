#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Ten fatal machine checks, beside those that make check has.

here=$(cd "$(dirname "$0")/.." && pwd)
export MCE_FIRST=1 MCE_TRIALS=10 VM_OUT="$here/../../../build/vm/long"
exec sh "$here/mce-fatal-kdump.sh"
