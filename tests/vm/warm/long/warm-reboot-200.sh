#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Two hundred warm reboots, or $WARM_COUNT; another seed each time, unless $WARM_SEED says which.

WARM_COUNT=${WARM_COUNT:-200}
WARM_SEED=${WARM_SEED:-$(date +%s)}
VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"
. "$here/lib-warm.sh"

warm_reboots "$WARM_COUNT" "$WARM_SEED"
all_died_well
finish
