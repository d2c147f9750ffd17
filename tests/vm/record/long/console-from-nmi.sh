#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What is printed is recorded, and so is what the kernel says when an NMI makes
# it panic: lines that no console gets any more.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"

guest <<'END'
cat /proc/consoles >/tmp/before
print() {
	echo "<5>$1" >/dev/kmsg
}
# Recorder after recorder, while a task prints.
(for n in $(seq 400); do print "noise $n"; done) &
for round in 1 2 3 4 5; do
	load_recorder
	rmmod epitaph
done
wait
cat /proc/consoles >/tmp/after
check "the consoles are what they were" cmp /tmp/before /tmp/after
load_recorder
head -n 1 /tmp/before >/tmp/first
head -n 1 /proc/consoles >/tmp/now
check "the first console stays the first" cmp /tmp/first /tmp/now
arm_kdump
load_victim
echo 1 >/proc/sys/kernel/unknown_nmi_panic
print "console: plain line 1"
print "console: plain line 2"
sleep 1
print "console: last plain line"
echo "guest: ready for the NMI"
await_end
END
pack_guest
crash_whole --when 'guest: ready for the NMI=>sleep 1; nmi' \
	--allow 'Uhhuh. NMI received' --allow 'panic - not syncing: NMI: Not continuing'
recovers "$epitaph" report --all "$saved/vmcore" >"$out/report" || :

# once TEXT: one printk:console event has it.
# shellcheck disable=SC2317 # check calls it
once() {
	n=$(grep ': console: ' "$out/report" | grep -cF -- "$1" || :)
	[ "$n" = 1 ] || { echo "$n times"; return 1; }
}
check "a line is recorded, once" once 'console: plain line 1'
check "the next one too" once 'console: plain line 2'
check "the last one before the NMI too" once 'console: last plain line'
check "the NMI is recorded, once" once 'NMI received for unknown reason'
check "the panic is recorded, once" once 'Kernel panic - not syncing: NMI: Not continuing'
finish
