#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What a machine lives through while it records, and then it dies: its clock goes back by a year,
# its pids wrap, modules, CPUs and memory come and go, its kernel is patched.  Each mark is there,
# in order, and has the time that CLOCK_MONOTONIC had.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"

guest <<'END'
marks() {
	mark_of_now "$1"
	mark_of_now "$1"
}
# named NAME PID: a process of that name gets that pid, and ends.
named() {
	cp /bin/busybox "/tmp/$1"
	for try in 1 2 3 4 5 6 7 8 9 10; do
		echo $(($2 - 1)) >/proc/sys/kernel/ns_last_pid
		"/tmp/$1" usleep 1000 &
		[ $! != "$2" ] || { wait $!; return 0; }
		wait $!
	done
	return 1
}
# ours: what the kernel has allocated for the recorder.
ours() {
	grep -c '\[epitaph\]' /proc/vmallocinfo
}
load_recorder
arm_kdump
sleep 1
marks start

then=$(date +%s)
date -s "@$((then - 31536000))" >/dev/null
marks 'a year ago'
sleep 2
date -s "@$((then + 2))" >/dev/null
marks 'today again'

check "a process has a pid" named first_of_pid 4321
marks 'before the pids wrap'
echo 32760 >/proc/sys/kernel/ns_last_pid
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
	usleep 1 &
	last=$!
	wait $!
done
check "pids wrap" [ "$last" -lt 32768 ]
check "another process has it then" named second_of_pid 4321
marks 'the pids have wrapped'

before=$(ours)
free_before=$(sed -n 's/^MemAvailable: *\([0-9]*\) kB/\1/p' /proc/meminfo)
i=0
while [ $i -lt 500 ]; do
	insmod /test/tenant_first.ko
	rmmod tenant_first
	insmod /test/tenant_second.ko
	rmmod tenant_second
	i=$((i + 1))
done
i=0
while [ $i -lt 20 ]; do
	load_victim
	rmmod victim
	i=$((i + 1))
done
marks '1000 modules'
free_after=$(sed -n 's/^MemAvailable: *\([0-9]*\) kB/\1/p' /proc/meminfo)
echo "# allocations $before, then $(ours); $free_before kB available, then $free_after kB"
check "1000 modules leave nothing allocated" [ "$(ours)" = "$before" ]

i=0
while [ $i -lt 50 ]; do
	echo 0 >/sys/devices/system/cpu/cpu1/online
	echo 1 >/sys/devices/system/cpu/cpu1/online
	i=$((i + 1))
done
marks '50 times a CPU'

echo "guest: wants memory"
for try in $(seq 100); do
	[ ! -e /sys/devices/system/memory/memory32/state ] || break
	sleep 0.1
done
check "memory was added" [ -e /sys/devices/system/memory/memory32/state ]
echo online >/sys/devices/system/memory/memory32/state || :
check "and is online" grep -qx online /sys/devices/system/memory/memory32/state
for block in 3 5; do
	! echo offline >/sys/devices/system/memory/memory$block/state || echo "# block $block beside the region is offline"
done
check "the memory of the region stays" refused sh -c 'echo offline >/sys/devices/system/memory/memory4/state'
for block in 3 5; do
	echo online >/sys/devices/system/memory/memory$block/state || :
done
marks 'memory came and went'

check "the kernel is patched" insmod /test/patcher.ko
for try in $(seq 100); do
	[ "$(cat /sys/kernel/livepatch/patcher/transition)" != 0 ] || break
	sleep 0.1
done
check "for all tasks" [ "$(cat /sys/kernel/livepatch/patcher/transition)" = 0 ]
check "and works" grep -qx patched /proc/cmdline
marks 'patched'
echo 0 >/sys/kernel/livepatch/patcher/enabled
marks 'end'
crash
END
pack_guest "$top/extractor/epitaph-static" "${victim%/*}/tenant_first.ko" "${victim%/*}/tenant_second.ko" \
	"${victim%/*}/patcher.ko"

# shellcheck disable=SC2317 # check calls them
has_both_names() {
	recovers "$epitaph" report --all --event 'sched:sched_process_exit' "$1" >"$out/exits"
	grep -o '[a-z]*_of_pid pid=4321' "$out/exits" >"$out/named"
	printf 'first_of_pid pid=4321\nsecond_of_pid pid=4321\n' | diff - "$out/named"
}

# With memory that came later, the capture kernel needs more.
crashkernel=192M capture_args=acpi_no_memhotplug crash_and_capture --timeout 900 --memory 1G,slots=2,maxmem=6G \
	--when 'guest: wants memory=>object_add memory-backend-ram,id=m1,size=128M; device_add pc-dimm,id=d1,memdev=m1' \
	--allow 'panic - not syncing: sysrq triggered crash' --allow 'smpboot: CPU 1 is now offline'
for file in region vmcore; do
	check "$file: 20 marks, each at its time" marks_have_their_times "$saved/$file" 20
	check "$file: a pid has the name of its process" has_both_names "$saved/$file"
done
check "region: no damage" no_damage "$saved/region"
finish
