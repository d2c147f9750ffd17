#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The capture kernel loaded by kexec_file_load.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"

guest <<'END'
record -s
sleep 2
crash
END
pack_guest
crash_whole --allow 'panic - not syncing: sysrq triggered crash'
finish
