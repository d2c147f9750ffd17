#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A kernel that goes on after an oops has no crash stamp.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../lib-stamp.sh"

guest <<'EOF'
echo 0 >/proc/sys/kernel/panic_on_oops
load_recorder
load_victim
(bug process) || true
echo "guest: survived"
sleep 4
EOF
pack_guest
boot --allow 'BUG: kernel NULL pointer dereference' --allow 'Oops: 0' \
	--when "guest: survived=>sleep 1; pmemsave $region_addr 0x1000000 region"
check "the guest lives on" guest_ended_well
check "the region can be read" stamp_of "$out/region"
check "there is no stamp" stamp_says '^stamp: none$'
check "no CPU was stopped" stamp_lacks '^cpu '
echo "# $test_name: not compared with the kernel's own words: it did not die"
finish
