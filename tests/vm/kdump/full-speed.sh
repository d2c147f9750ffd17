#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A panic while all CPUs record as fast as they can.

. "$(dirname "$0")/../lib.sh"

guest <<'END'
load_recorder
arm_kdump
load_victim full=1
sleep 3
bug panic
END
pack_guest
truth_args="--least 50000"
crash_whole --cpus 4 --allow 'panic - not syncing: victim: panic'
finish
