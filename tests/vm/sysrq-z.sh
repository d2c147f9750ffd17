#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# sysrq-z typed on the serial console: a break, then the key.

. "$(dirname "$0")/lib.sh"

guest <<'END'
echo 1 >/proc/sys/kernel/sysrq
load_recorder
load_victim
sleep 1
echo "guest: press"
sleep 12
cat /proc/uptime
END
pack_guest
boot --when 'guest: press=>chardev-send-break s0' --when 'guest: press=>sleep 0.3; !z'
check "the guest lives on" guest_ended_well

dump() {
	sed -n '/last events of . CPUs, newest last/,$p' "$out/console.log"
}
check "events are printed" [ "$(dump | grep -c 'seq: value=')" -ge 10 ]
finish
