#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Some of the ways to die: head and stacks of the report are the kernel's own words.  The
# others are in long/die.sh.

. "$(dirname "$0")/../lib.sh"
. "$here/lib-mce.sh"
. "$here/lib-die.sh"

all_die deadlock two-survived
