#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A CPU spins with interrupts off; the NMI that ends it panics.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"

guest <<'END'
echo 1 >/proc/sys/kernel/unknown_nmi_panic
record
sleep 2
taskset 1 sh -c 'echo "guest: bug lockup"; echo lockup >/sys/kernel/debug/victim/bug'
END
pack_guest
crash_whole --when 'guest: bug lockup=>sleep 2; nmi' --allow 'NMI: Not continuing' \
	--allow 'Uhhuh. NMI received' --allow 'panic - not syncing: NMI: Not continuing'
finish
