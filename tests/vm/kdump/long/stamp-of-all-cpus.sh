#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A panic in NMI while the other CPU records; kdump armed, its defaults.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"
. "$(dirname "$0")/../../lib-stamp.sh"

guest <<'EOF'
record
sleep 2
bug nmi-panic
await_end
EOF
pack_guest
crash_and_capture --allow 'panic - not syncing: victim: panic in NMI'
check "the region can be read" stamp_of "$saved/region"
check "the reason is the message of panic()" stamp_says '^reason: victim: panic in NMI$'
check "the CPU that panicked has its stack" stamp_says ' panic[+]0x'
check "CPU 0 was saved" stamp_says '^cpu 0: pid '
check "CPU 1 was saved" stamp_says '^cpu 1: pid '
finish
