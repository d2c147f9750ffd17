#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A buffer of the kernel's own trace in memory that outlives a reboot: what its trace
# file said before, out of an image of the machine, out of the memory alone, and out of an
# image of the next boot.

# shellcheck disable=SC2317 # check calls it

export KERNEL="${KERNEL_WITH_PERSISTENT:-6.12}"
VM_DIR=../..
# shellcheck source=tests/vm/lib-ftrace.sh
. "$(dirname "$0")/../../lib-ftrace.sh"
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/../../lib.sh"
kept_at="memmap=2M\$0x10000000 trace_instance=kept@0x10000000:2M"
guest_modules="virtio_pci virtio_blk ext4 qemu_fw_cfg"
build_images

guest <<'END_OF_GUEST'
with_disk
t=/sys/kernel/tracing
k=$t/instances/kept
# What the trace file of the boot before says, before anything is added.
cat $k/trace >"/disk/found-$boot"
if [ "$boot" = 2 ]; then
	dd if=/dev/mem of=/disk/memory bs=4096 skip=$((0x10000)) count=512 2>/dev/null
	sync
	echo "guest: boot 2 is as it began"
	sleep 20
	exit 0
fi
echo 0 >$k/tracing_on
echo >$k/trace
for events in sched irq timer; do
	echo 1 >$k/events/$events/enable
done
echo 1 >$k/tracing_on
for i in 1 2 3 4 5 6 7 8; do
	ls -l / >/tmp/listing
	(cat /proc/interrupts | wc) >/dev/null
	echo "marker $i" >$k/trace_marker
done
echo 0 >$k/tracing_on
mkdir /disk/truth
cat $k/trace >/disk/truth/ftrace:kept
sync
echo "guest: boot 1 has traced"
sleep 10
die sysrq-b
END_OF_GUEST
pack_guest
make_disk 64M
region_arg="$kept_at" append="panic=1" boot --boots 2 --memory 384M --disk "$out/disk.img" --timeout 240 \
	--when "guest: boot 1 has traced=>pmemsave 0 0x18000000 \"$out/first\"" \
	--when "guest: boot 2 is as it began=>pmemsave 0 0x18000000 \"$out/second\"; pmemsave 0x10000000 0x200000 \"$out/alone\"" \
	-- -device vmcoreinfo
take_all_of_disk
true=$saved/truth/ftrace:kept
check "the guest says what it traced" [ -s "$true" ]
check "the kernel's own next boot finds as many events" \
	[ "$(grep -c '^ .*\[00[0-9]\]' "$true")" = "$(grep -c '^ .*\[00[0-9]\]' "$saved/found-2")" ]
check "the guest reads the same memory as the host" cmp "$saved/memory" "$out/alone"

# as_traced IMAGE OPTION...: each event of the first boot; what may differ is an option of ftrace-truth.
as_traced() {
	image=$1
	shift
	recovers "$epitaph" report --all --source ftrace --monotonic "$image" >"$out/report" &&
		"$here/ftrace-truth" "$@" "$true" "$out/report"
}

check "every event out of the machine's memory before it died" as_traced "$out/first"
check "every event out of the memory of the next boot, by its kernel" as_traced "$out/second" --pids
check "times of the boot before are not placed among others" grep 'in the boot that recorded' "$out/report"
check "every event out of the buffer's memory alone, without texts" as_traced "$out/alone" --pids --bare
check "and out of what the next boot saved of it" as_traced "$saved/memory" --pids --bare
check "the report says that the events have no names" grep 'without its kernel' "$out/report"
rm -f "$out/first" "$out/second"
finish
