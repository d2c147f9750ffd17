#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The recorder is loaded and unloaded CYCLES times (1000), each EVERYth (25) with a victim, channels and
# what else it is asked for: afterwards the kernel has as much memory as before.  A kernel with
# kmemleak says itself what is left (init); on others slabs, vmalloc and free pages are counted.

VM_DIR=../..
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/../../lib.sh"

cycles=${CYCLES:-1000}
cat >"$out/guest.sh" <<EOF
cycles=$cycles
every=${EVERY:-25}
EOF
cat >>"$out/guest.sh" <<'EOF'
# say COMMAND: what is refused ends the test.
say() {
	exec 3<>/dev/epitaph-control
	echo "$1" >&3 || { echo "# refused: $1"; comment <&3; return 1; }
	cat <&3 >/tmp/answer
	exec 3>&-
}
ask_for_much() {
	load_victim $lazy
	say 'channel add own 256K sched:* ?victim:*'
	say 'filter own sched:sched_switch next_comm ~ "kworker*"'
	say 'context own sched:sched_switch irq,task'
	say 'channel set own size=384K'
	say 'snapshot own 128K'
	say 'trigger sched:sched_waking snapshot own after 3'
	[ -z "$bridge" ] || { say 'bridge on' && say 'bridge off'; }
	echo "cycle $1" >/dev/epitaph-mark
	cat /sys/kernel/epitaph/channels/*/* /sys/kernel/epitaph/generations/*/state >/tmp/sysfs 2>&1 || :
	dd if=/dev/epitaph of=/dev/null bs=64k count=4 2>/tmp/dd
	rmmod victim
}
# go FROM TO
go() {
	i=$1
	while [ $i -lt "$2" ]; do
		load_recorder channels=4M
		[ $((i % every)) != 0 ] || ask_for_much $i
		rmmod epitaph
		i=$((i + 1))
	done
}
# used: names and numbers, of which a leak makes one greater: objects of each slab, bytes of vmalloc
# and of pages that are not free.
used() {
	sync
	echo 3 >/proc/sys/vm/drop_caches
	echo 1 >/proc/sys/vm/compact_memory
	for cache in /sys/kernel/slab/*/shrink; do
		echo 1 >"$cache"
	done
	sleep 1
	awk 'NR > 2 { print "slab:" $1, $2 }' /proc/slabinfo
	awk '!/unpurged/ { n++; sum += $2 } END { print "vmalloc:areas", n; print "vmalloc:pages", sum / 4096 }' /proc/vmallocinfo
	# Not what can be dropped, nor free pages that a CPU keeps for itself.
	awk '/^Mem(Total|Free):|^(Active|Inactive|SReclaimable):/ { is[$1] = $2 / 4 } /^ *count:/ { kept += $2 }
		END { print "memory:pages", is["MemTotal:"] - is["MemFree:"] - kept - is["Active:"] - is["Inactive:"] - is["SReclaimable:"] }' \
		/proc/meminfo /proc/zoneinfo
	awk '/^Percpu:/ { print "percpu:pages", $2 / 4 }' /proc/meminfo
}
# grown: what has grown by one for every other cycle, in the first half and in the second.
grown() {
	most=$((cycles / 4))
	[ $most -ge 100 ] || most=100
	awk -v most=$most 'FILENAME != file { file = FILENAME; nr++ }
		{ used[nr, $1] = $2; names[$1] }
		END {
			for (name in names) {
				one = used[2, name] - used[1, name]
				two = used[3, name] - used[2, name]
				less = one < two ? one : two
				print less, name ": " used[1, name] ", then " used[2, name] ", then " used[3, name]
				bad += less > most
			}
			exit nr != 3 || bad
		}' /tmp/first /tmp/second /tmp/third >/tmp/grown && return
	sort -rn /tmp/grown | head -n 12
	return 1
}
# A victim that is always at work is more than a slow kernel gets done.
lazy=
[ ! -e /sys/kernel/debug/kmemleak ] || lazy=work=0
bridge=
[ ! -e /sys/kernel/tracing/events/sched ] || bridge=yes
if [ -e /sys/kernel/debug/kmemleak ]; then
	go 0 "$cycles"
else
	go 0 $((every + 6))
	used >/tmp/first
	go 0 $((cycles / 2))
	used >/tmp/second
	go $((cycles / 2)) "$cycles"
	used >/tmp/third
	check "it leaves no memory in use, time and again" grown
	sort -rn /tmp/grown | head -n 4 | comment
	grep 'memory\|vmalloc\|percpu' /tmp/grown | comment
fi
check "it comes and goes $cycles times" true
check "nothing of it is there" sh -c '[ ! -e /sys/kernel/epitaph ] && [ ! -e /dev/epitaph ] && ! grep "(epitaph)" /proc/iomem'
EOF
strip -g -o "$out/epitaph.ko" "$recorder"
strip -g -o "$out/victim.ko" "$victim"
recorder=$out/epitaph.ko victim=$out/victim.ko
pack_guest
boot --timeout $((600 + 10 * cycles))
check "the guest's script ends well" guest_ended_well
finish
