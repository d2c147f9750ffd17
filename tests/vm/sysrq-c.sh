#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A crash by sysrq-c; its trace out of every container is the same.

. "$(dirname "$0")/lib.sh"

guest <<'END'
record
sleep 2
crash
END
pack_guest
capture_args=capture.elf
crash_whole --allow 'panic - not syncing: sysrq triggered crash'
check "the ELF vmcore is saved, for root only" is_private vmcore.elf
check "region and ELF vmcore give the same trace" same_trace region vmcore.elf
finish
