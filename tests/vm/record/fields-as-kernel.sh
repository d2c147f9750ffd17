#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Every field of every default event is printed as the kernel prints it in the trace file of an
# instance that records the same events beside us.  Each event is provoked once at least; which
# ones no guest can have, and which fields cannot be equal, fields-as-kernel.py says, and why.
# KERNEL_OF_FIELDS=KEY is another kernel.
# shellcheck disable=SC2317

KERNEL=${KERNEL_OF_FIELDS:-6.1}
if [ "$KERNEL" != 6.1 ]; then
	# shellcheck source=tests/vm/lib-kernel.sh
	. "$(dirname "$0")/${VM_DIR:-..}/lib-kernel.sh"
fi
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/${VM_DIR:-..}/lib.sh"
if [ "$kernel" != 6.1 ]; then
	build_for_kernel
	build_victim
fi

${CC:-cc} -std=gnu11 -O2 -Wall -Wextra -Werror -static -o "$out/provoke" "$here/provoke.c"

region_addr=0x10000000
region_is 16M

guest <<'END_OF_GUEST'
with_disk
insmod /test/provoker.ko
insmod /test/aer_inject.ko
# Its functions are found where they were when they ran, but by the trace file.
rmmod scsi_debug
# What is shown is all that is said.
dmesg -n 8
load_recorder
epitaph-static events | awk '$3 == "on" { print $2 }' >/disk/events
t=/sys/kernel/tracing/instances/beside
mkdir $t
echo mono >$t/trace_clock
echo 16384 >$t/buffer_size_kb
while read -r name; do
	echo 1 >"$t/events/${name%%:*}/${name#*:}/enable"
done </disk/events
echo both record >$t/trace_marker
p=/sys/kernel/debug/provoker

# provoke NAME NUMBER
provoke() {
	echo "$2" >"$p/$1" || echo "guest: no $1"
}

# is_chosen PID: it asked to be killed first.
is_chosen() {
	[ "$(cat "/proc/$1/oom_score_adj")" = 1000 ]
}
# hangs PID: it was chosen, and sleeps so that nothing wakes it.
hangs() {
	is_chosen "$1" && grep -q ' (provoke) D ' "/proc/$1/stat"
}

# What takes its time goes on beside the rest.
echo 1 >/proc/sys/kernel/hung_task_timeout_secs
provoke hang 3 &
provoke hang 3 &
/test/provoke exit &
await is_chosen $!
# The task that was just started is killed, and has gone when its memory is to be reaped.
echo f >/proc/sysrq-trigger
echo "<4>the kernel says something" >/dev/kmsg
/test/provoke timers
/test/provoke memory || echo "guest: no bad memory"
provoke tasklet 1
provoke kthread 1
provoke work 1
provoke priority 1
provoke ras 7
# Bus 0, device 1; uncorrected status 0, corrected 1: receiver error.
printf '\000\001\0\0\0\0\0\0\001\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0' >/dev/aer_inject
echo 300 >/proc/self/oom_score_adj
mount -t nosuchfs none /tmp 2>/dev/null || true
rmmod aer_inject
insmod /lib/modules/scsi_debug.ko dev_size_mb=8 opts=2
await_file /dev/sda
dd if=/dev/sda of=/dev/null bs=4096 skip=582 count=2 2>/dev/null || true
echo 0x8000 >/sys/bus/pseudo/drivers/scsi_debug/opts
echo 3 >/sys/bus/pseudo/drivers/scsi_debug/every_nth
dd if=/dev/sda of=/dev/null bs=4096 skip=700 count=20 2>/dev/null || true
# Pages that it can give back, for the kernel to look for them; kswapd may be awake for another.
for i in 1 2 3 4 5 6 7 8 9 10; do
	dd if=/dev/vda of=/dev/null bs=1M count=32 2>/dev/null
	provoke reclaim 9
	grep -q " compact_retry: " $t/trace && break
done
echo "guest: compaction after $i"
for i in 1 2 3; do
	taskset 1 true
	taskset 2 true
	sh -c 'kill -USR1 $$' || true
done
wait
# This one is killed while it cannot die: its memory is reaped.
/test/provoke hang &
await hangs $!
echo f >/proc/sysrq-trigger
wait
echo 0 >$t/tracing_on
epitaph-static snapshot -o /disk/region >/dev/null
cat $t/trace >/disk/trace
cat $t/per_cpu/cpu*/stats >/disk/stats
END_OF_GUEST
guest_modules="virtio_pci virtio_blk ext4 sd_mod scsi_debug" pack_guest \
	"${victim%/*}/provoker.ko" "$(module aer_inject)" "$out/provoke" "$top/extractor/epitaph-static"
make_disk 128M
# "%p" is the address, as we have it, and not its hash.
append=no_hash_pointers boot --disk "$out/disk.img" --memory 384M \
	--allow 'hung_task|blocked for more than|Out of memory|oom-kill|AER: ' \
	-- -device pcie-root-port,id=rp0,chassis=1
take_all_of_disk
check "the guest's script came to its end" guest_ended_well

# The kernel's own buffer was large enough.
nothing_lost() {
	! grep -E '^(commit overrun|overrun|dropped events): [1-9]' "$saved/stats"
}

as_kernel() {
	recovers "$epitaph" report --all --monotonic "$saved/region" >"$out/report" &&
		"$here/fields-as-kernel.py" "$kernel" "$saved/events" "$saved/trace" "$out/report" >"$out/compared"
	result=$?
	cat "$out/compared"
	return "$result"
}
check "nothing is missing in the trace file" nothing_lost
check "each event came, and each field is printed as the kernel prints it" as_kernel
sed 's/^/# /' "$out/compared" | head -n 1
finish
