#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Two guests that die of a soft lockup because their host did not run them: the first one's QEMU is stopped for 13 s,
# another task of a higher class has the second one's processor for as long.  The truth is what was done to them.

# shellcheck disable=SC2317,SC2154 # check calls what is defined here; lib-nest.sh sets them

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"
. "$here/lib-nest.sh"

capture_args=capture.dump_level=17
guest_programs="/bin/chrt chrt"

# A CPU that runs no task for 10 s is one that is stuck.
for name in web1 web2; do
	nested_guest $name <<'END'
load_recorder
echo 5 >/proc/sys/kernel/watchdog_thresh
echo 1 >/proc/sys/kernel/softlockup_panic
echo "guest: runs"
while :; do :; done
END
done

guest <<'END'
. /test/lib-nest-guest.sh

# died NAME: its kernel says of what, within two minutes.
died() {
	for _ in $(seq 600); do
		! grep -q 'Kernel panic - not syncing: softlockup' "/tmp/$1.console" || return 0
		usleep 200000
	done
	tail -n 5 "/tmp/$1.console"
	return 1
}

with_disk
load_recorder
arm_kdump
cd /test
check "a guest runs" start_nested web1 "guest: runs"
sleep 1
kill -STOP "$qemu"
sleep 13
kill -CONT "$qemu"
check "it dies of a soft lockup" died web1
check "another one runs" start_nested web2 "guest: runs"
sleep 1
echo -1 >/proc/sys/kernel/sched_rt_runtime_us
busybox taskset 2 chrt -f 50 sh -c 'while :; do :; done' &
busy=$!
sleep 13
kill "$busy"
check "it dies of a soft lockup too" died web2
sleep 1
echo "guest: dump me"
crash
END
pack_nest
make_disk 1G
append="${append:-} guest.capture=$capture_args nowatchdog" boot_nest --disk "$out/disk.img" --expect 'capture: done' --timeout 400 \
	--allow 'Speculative Return Stack Overflow: WARNING' \
	--allow 'Kernel panic - not syncing: sysrq triggered crash'
take_disk

# says_not_run GUEST CAUSE: for at least 12 of the 13 s, and it is what the guest died of.
says_not_run() {
	recovers "$epitaph" explain --with "guest=$1" "$saved/vmcore" >"$out/$1.why" || return
	cat "$out/$1.why"
	tr '\n' ' ' <"$out/$1.why" | tr -s ' ' >"$out/$1.line"
	grep -qE 'Its host did not run CPU 0 of this guest for 1[2-4]\.[0-9]{3} s without a break, right before its end' "$out/$1.line" &&
		grep -q "by the guest's own file: CPU 0" "$out/$1.line" &&
		grep -qE "host: CPU 0 of the guest waited 1[2-4]\.[0-9]+ s: $2" "$out/$1.line"
}

check "it was stopped, and that is why" says_not_run web1 'its thread was stopped by a signal'
# It became sh while it ran, and was given the processor before.
check "another task had its processor, and that is why" says_not_run web2 'host CPU 1 ran (chrt|sh)-[0-9]+'
finish
