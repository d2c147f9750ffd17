#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Three warm reboots, no kdump: by panic, by sysrq-b and by a reset from outside at
# a random moment, under full load.  Each next boot harvests what the last one left.

. "$(dirname "$0")/../lib.sh"
. "$here/lib-warm.sh"

warm_reboots "${WARM_COUNT:-3}" "${WARM_SEED:-3}"
all_died_well
finish
