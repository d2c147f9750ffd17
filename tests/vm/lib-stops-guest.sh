# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash disable=SC3028 # busybox has RANDOM
#
# What guests do that are stopped at random moments, beside the victim at full load.

# Quietly: what is refused is none of these tests'.
say() {
	(exec 3<>/dev/epitaph-control && echo "$1" >&3) 2>/dev/null || :
}
one_of() {
	shift $((RANDOM % $#))
	echo "$1"
}

# come_and_go OWN ADDED: for ever.  OWN: events of a channel that comes and goes; ADDED: those that
# main gets and loses.
come_and_go() {
	while :; do
		case $((RANDOM % 12)) in
		0) say "channel add own 192K $1" ;;
		1) say 'channel stop own' && say 'channel remove own' ;;
		2) say "filter own sched:sched_switch prev_pid == $((RANDOM % 100))" ;;
		3) say 'filter sched:sched_waking comm == "none"' && say 'filter sched:sched_waking 0' ;;
		4) say "context own sched:sched_switch $(one_of irq preempt task 0)" ;;
		5) say 'snapshot main 256K' ;;
		6) for n in $(seq 9); do say "channel remove main@$n"; done ;;
		7) say 'bridge on' && say 'bridge off' ;;
		8) echo 0 >/sys/devices/system/cpu/cpu1/online ;;
		9) echo 1 >/sys/devices/system/cpu/cpu1/online ;;
		10) say "events +$2" && say "events !$2" ;;
		11) say 'trigger sched:sched_switch snapshot main after 3' && say 'trigger remove 1' ;;
		esac
		usleep $((RANDOM % 30000))
	done
}
