#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A halt is an end in order: a mark says so, after the last events, and what the
# caches held is in memory.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../lib-stamp.sh"

guest <<'END'
load_recorder
for function in emergency_restart console_flush_on_panic; do
	check "caches are written back in $function()" \
		grep -q "^$function " /sys/kernel/tracing/enabled_functions
done
sleep 1
halt -f
END
pack_guest
boot --expect 'epitaph: ends in order [(]halt[)]' \
	--when "System halted=>pmemsave $region_addr 0x1000000 region; quit"
check "the region can be read" stamp_of "$out/region"
check "the mark says halt" stamp_says '^mark 1: type 2 cpu [01] halt$'
check "there is no stamp of a crash" stamp_says '^stamp: none$'
check "the report says so" \
	sh -c "'$epitaph' report '$out/region' | grep '^# .*ended in order'"
echo "# $(grep -o '[0-9]* KiB written back in [0-9]* us' "$out/console.log")"
finish
