#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Events of two modules that come and go by turns, and get each other's number from ftrace, come over
# the bridge as the instance's own trace has them: from any depth of the stack, with NMIs in between,
# filtered or not, while other instances have them too and go away.
#
# Before 6.2 ftrace gives no number twice until 65535 have been given: with use_up=yes they are, by
# synthetic events, which takes some minutes.

VM_DIR=../..
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/../../lib.sh"
. "$here/lib-bridge.sh"

guest_modules="ahci virtio_pci virtio_blk ext4"
guest <<'END'
t=/sys/kernel/tracing
i=$t/instances/epitaph
load_recorder bridge=1
arm_kdump
load_modules /lib/modules
mount -t tracefs none $t || true
mount -t ext4 /dev/vda /disk
mkdir -p /disk/truth
: >/disk/truth/trace
# go EVENT: more than a hundred of it, with numbers that none had before.
next=1000
go() {
	echo $next >/sys/module/$1/parameters/go
	next=$((next + 1000))
}
# turn EVENT 0|1 INSTANCE...
turn() {
	event=$1 on=$2
	shift 2
	for instance; do
		echo "$on" >"$instance/events/bridged/$event/enable"
	done
}
# run EVENT: from the module's start to its end.
run() {
	insmod /test/$1.ko
	cat $i/events/bridged/$1/id >>/tmp/numbers
	mkdir $t/instances/other
	turn $1 1 $i
	go $1
	go $1
	echo 'n & 64' >$i/events/bridged/$1/filter
	go $1
	turn $1 1 $t $t/instances/other
	go $1
	echo 0 >$i/events/bridged/$1/filter
	go $1
	turn $1 0 $i
	go $1
	turn $1 0 $t/instances/other
	rmdir $t/instances/other
	turn $1 1 $i
	go $1
	turn $1 0 $i $t
	cat $i/trace >>/disk/truth/trace
	rmmod $1
}
# use_up: all numbers but those of the events that are there.
use_up() {
	n=0
	while [ $n -lt 500 ]; do
		echo "used u64 up"
		echo "!used u64 up"
		n=$((n + 1))
	done >/tmp/used
	n=0
	while [ $n -lt 132 ]; do
		cat /tmp/used >>$t/synthetic_events
		n=$((n + 1))
	done
}
[ ! -e /test/use_up ] || use_up
for round in 1 2 3; do
	run bridged_one
	run bridged_two
done
cat /tmp/numbers
check "both get one number of ftrace's" [ "$(sort -u /tmp/numbers | wc -l)" = 1 ]
sleep 1
check "each got its format" sh -c "epitaph-static bridge | grep -x 'bridge on, 6 events, 0 refused'"
umount /disk
load_victim
bug panic
END
use_up=${use_up:-}
case $kernel$use_up in
5.* | 6.1) sed -i '/both get one number/d' "$out/guest.sh" ;;
*yes) : >"$out/use_up" ;;
esac
victims=$(dirname "$victim")
pack_guest "$out/use_up" "$top/extractor/epitaph-static" "$victims/bridged_one.ko" "$victims/bridged_two.ko"
crash_whole ${use_up:+--timeout 900} --allow 'panic - not syncing: victim: panic'

recovers "$epitaph" report --all --monotonic "$saved/region" >"$out/report"
check "events of a fixed size are there once, with their own fields" both_have ' bridged_one: '
check "so are those of another size" both_have ' bridged_two: '
check "nothing is without its format" sh -c "! grep -E ': early: |unknown:|format lost' '$out/report'"
finish
