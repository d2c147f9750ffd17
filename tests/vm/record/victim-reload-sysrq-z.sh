#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Events in the ring outlive the module they are of: sysrq-z after it has gone
# reports them by number, and once it is back there are new ones by name.  Addresses of the
# kernel, which anybody might read there, are in none.

. "$(dirname "$0")/../lib.sh"

guest <<'END'
# z: a dump alone in the kernel's log.
z() {
	dmesg -c >/dev/null
	echo z >/proc/sysrq-trigger
	kernel_says 'end of the last events'
}
# Little else, so that the victim's events are the last, and no line of ours.
load_recorder 'events="default !timer:* !irq:* !workqueue:* !sched:* !printk:*"'
load_victim
sleep 1
check "sysrq-z while the victim is there" z
check "its events have names" kernel_says ': seq: '
rmmod victim
# Other modules now use the memory of the removed one.
for round in 1 2 3; do
	check "sysrq-z after the victim has gone" z
	check "what there was of it goes by number" kernel_says ': event [0-9]*: [0-9]* bytes'
	check "and not by names that have gone" refused kernel_says ': seq: '
	find / -xdev -type f >/dev/null
done
load_victim
sleep 1
check "sysrq-z when the victim is back" z
check "events come again" kernel_says ': seq: '
rmmod victim
rmmod epitaph
load_recorder 'events="rcu:rcu_utilization"'
sleep 0.3
check "sysrq-z with an event that has a pointer to text" z
check "it goes by its fields" kernel_says 'rcu_utilization: s='
check "a pointer is hashed" kernel_says 'rcu_utilization: s=00000000[0-9a-f]'
check "and no address of the kernel is there" refused kernel_says '=\(0x\)\?ffff[0-9a-f]\{12\}\|=1844[0-9]\{16\}'
rmmod epitaph
END
pack_guest
append=panic_on_warn=1 boot
check "the guest lives on" guest_ended_well
finish
