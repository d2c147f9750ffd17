#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# CPUs and modules come and go while context is asked for and taken away.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"

guest <<'END'
cpu1() {
	echo "$1" >/sys/devices/system/cpu/cpu1/online
}
# until_enough COMMAND...: over and over in the background, until enough is called.
until_enough() {
	rm -f /tmp/enough
	(while [ ! -e /tmp/enough ]; do "$@" || true; done >/tmp/rounds 2>&1) &
	rounds=$!
}
enough() {
	touch /tmp/enough
	wait "$rounds"
}
ask_for_counters() {
	epitaph-static context sched:sched_switch perf:page-faults,perf:context-switches || touch /tmp/refused
	epitaph-static context sched:sched_switch 0 || touch /tmp/refused
}
# Refused while the victim is away.
ask_of_victim() {
	epitaph-static context 'victim:*' perf:page-faults,task
	epitaph-static context sched:sched_switch perf:page-faults,task
	epitaph-static context 'victim:*' 0
	epitaph-static context sched:sched_switch 0
}
load_recorder channels=1M

# perf is asked for a counter of each CPU, and given it back.
until_enough ask_for_counters
for i in 1 2 3 4 5 6 7 8; do
	cpu1 0
	cpu1 1
done
enough
check "CPUs go and come while counters are asked for" [ ! -e /tmp/refused ]

# switches CPU: what the counter of context switches said on it, in order.
switches() {
	grep -F "[00$1]" /tmp/live | sed -n 's/.* context_switches=\([0-9]*\)$/\1/p'
}
# CPU 1 went and came, so its counter is off; that of CPU 0 goes on.
epitaph-static context sched:sched_switch perf:context-switches >/tmp/said
cpu1 0
cpu1 1
(while [ ! -e /tmp/live.end ]; do usleep 2000; done) &
(while [ ! -e /tmp/live.end ]; do usleep 3000; done) &
epitaph-static live --for 2 --event sched:sched_switch >/tmp/live
touch /tmp/live.end
wait
echo "# CPU 0: $(switches 0 | head -n 1) to $(switches 0 | tail -n 1), CPU 1: $(switches 1 | wc -l) events"
check "a counter of a CPU that went and came says 0" [ "$(switches 1 | sort -u)" = 0 ]
check "those of others go on" [ "$(switches 0 | tail -n 1)" -gt "$(switches 0 | head -n 1)" ]
epitaph-static context sched:sched_switch 0 >/tmp/said

epitaph-static channel add own 256K 'sched:*' '?victim:*' >/tmp/said
until_enough ask_of_victim
for i in 1 2 3 4 5 6; do
	load_victim full=1
	epitaph-static context own 'victim:*' perf:page-faults,task >/tmp/said
	sleep 0.1
	# While it is asked for its events, it is in use.
	for try in 1 2 3 4 5 6 7 8 9 10; do
		! rmmod victim || break
		sleep 0.1
	done
	[ ! -d /sys/module/victim ]
done
enough
check "modules go and come while their events are asked for context" true
check "what is left of it waits" sh -c "epitaph-static context | grep -v ' waits ' && exit 1 || true"
rmmod epitaph
END
pack_guest "$top/extractor/epitaph-static"
append=panic_on_warn=1 boot --timeout 300 --allow 'smpboot: CPU 1 is now offline'
check "the guest ended well" guest_ended_well
finish
