#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What earlier boots left is in /sys/kernel/epitaph; harvested, it makes room,
# and not before.  docs/sysfs.md says what each file holds.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"

guest <<'END'
with_disk
sys=/sys/kernel/epitaph
gens=$sys/generations
says() {
	[ "$(cat "$1")" = "$2" ] || { echo "$1: $(cat "$1")"; return 1; }
}
are_there() {
	[ "$(ls $gens | tr '\n' ' ')" = "$1" ] || { ls $gens; return 1; }
}
# waiting EVIDENCE ENDED: generations that are not saved yet, by what became of their boot
waiting() {
	ls $sys/evidence $sys/ended
	[ "$(ls $sys/evidence | tr '\n' ' ')" = "$1" ] && [ "$(ls $sys/ended | tr '\n' ' ')" = "$2" ]
}
harvest() {
	echo "$2" >"$gens/$1/harvested"
}
rings=$sys/channels/main
of() {
	sed -n "s/^$1 //p" $rings/cpu"${2:-0}"
}
busy() {
	while :; do
		dd if=/dev/zero of=/dev/null bs=1 count=1000 2>/dev/null
	done
}
# The oldest go, and what is left is younger than the recorder.
comes_round() {
	began=$(date +%s)
	for _ in $(seq 60); do
		for cpu in 0 1; do
			[ "$(of whole $cpu)" = 1 ] && continue
			echo "# horizon $(of horizon_ns $cpu) ns after $(($(date +%s) - began)) s" >/dev/ttyS1
			[ "$(of horizon_ns $cpu)" -lt $((($(date +%s) - began + 5) * 1000000000)) ]
			return
		done
		sleep 1
	done
	return 1
}
# Each time all lines are there but those that may lack.
read_often() {
	for _ in $(seq 100); do
		for cpu in 0 1; do
			[ "$(grep -cE '^(size|horizon_ns|whole|too_large|too_deep) [0-9]+$' $rings/cpu$cpu)" = 5 ] || return 1
		done
	done
}
has_mode() {
	[ "$(stat -c %a "$2")" = "$1" ] || { stat -c '%n %a' "$2"; return 1; }
}
cat /proc/sys/kernel/random/boot_id >/disk/boot_id-"$boot"
load_recorder
case $boot in
1)
	check "the region" says $sys/region '0x20000000 16777216 memmap'
	check "the first generation" says $sys/current 1
	check "nothing is lost yet" says $sys/lost '0 0'
	check "nothing is there yet" are_there ''
	check "and nothing waits" waiting '' ''
	check "it began now" [ $(($(date +%s) - $(cut -c 1-10 $sys/start))) -lt 60 ]
	check "each CPU has its ring" [ "$(ls $rings | tr '\n' ' ')" = 'cpu0 cpu1 ' ]
	check "rings for errors and for marks too" [ "$(ls $sys/channels | tr '\n' ' ')" = 'main ras user ' ]
	busy &
	sleep 2
	cat $rings/cpu* | sed 's/^/# /'
	check "its size" [ "$(of size)" -gt 1000000 ]
	check "it got events just now" [ "$(of events)" -gt 20 ]
	check "they are not older than the ring" [ "$(of span_ns)" -le "$(of horizon_ns)" ]
	check "nothing was dropped" [ "$(of too_large)$(of too_deep)" = 00 ]
	kill %1
	die reboot
	;;
2)
	check "one earlier generation" are_there '1 '
	check "it ended" says $gens/1/state ended
	check "what ended waits, as such" waiting '' '1 '
	check "by its directory" says $sys/ended/1/state ended
	check "where it is" says $gens/1/offset 0
	check "how large it is" says $gens/1/size $((8 << 20))
	check "its kernel" says $gens/1/release "$(uname -r)"
	check "its boot" says $gens/1/boot_id "$(cat /disk/boot_id-1)"
	check "it began before now" [ "$(cat $gens/1/start)" -lt "$(date +%s)000000000" ]
	for file in $sys/region $sys/current $sys/start $rings/cpu0 $sys/lost $gens/1/state $gens/1/boot_id; do
		check "for root only: ${file##*/}" has_mode 400 "$file"
	done
	check "for root only: harvested" has_mode 200 $gens/1/harvested
	dd if=/dev/epitaph of=/disk/region bs=1M 2>/dev/null
	load_victim
	die panic
	;;
3)
	check "what ended in order made room" are_there '2 '
	check "what died did not end" says $gens/2/state evidence
	check "evidence waits, as such" waiting '2 ' ''
	check "that lost nothing" says $sys/lost '0 0'
	dd if=/dev/epitaph of=/disk/region-died bs=1M 2>/dev/null
	sha1sum </dev/epitaph >/dev/null
	dd if=/dev/epitaph bs=1M skip=8 count=8 2>/dev/null | sha1sum >/disk/sum-2
	die sysrq-b
	;;
4)
	check "the first evidence stays" are_there '2 '
	check "the second is overwritten, and reported" says $sys/lost '1 3'
	check "the kernel says so" kernel_says 'generation 3 is overwritten before it was harvested'
	dd if=/dev/epitaph bs=1M skip=8 count=8 2>/dev/null | sha1sum >/tmp/sum-2
	check "not a bit of the first has changed" cmp /tmp/sum-2 /disk/sum-2
	check "no name is refused" refused harvest 2 ''
	check "two lines are refused" refused harvest 2 "a
b"
	check "a long name is refused" refused harvest 2 "$(printf '%088d' 0)"
	check "and the log says why" kernel_says 'generation 2 is not marked as harvested: 88 bytes'
	check "nor is a root without capabilities heard" refused unshare -r sh -c "echo /tmp >$gens/2/harvested"
	check "it is evidence as before" says $gens/2/state evidence
	check "it is marked" harvest 2 /var/lib/epitaph/here
	check "it is harvested" says $gens/2/state harvested
	check "and waits no more" waiting '' ''
	die sysrq-b
	;;
5)
	check "what was harvested made room" are_there '4 '
	check "what was not is evidence" says $gens/4/state evidence
	check "no more was lost" says $sys/lost '1 3'
	check "numbers grow" says $sys/current 5
	harvest 4 there
	rmmod epitaph
	check "the directory goes with the recorder" [ ! -e $sys ]
	load_recorder events='*:*'
	busy &
	check "a busy ring comes round" comes_round
	check "it is read while it is written" read_often
	check "what was unloaded has ended" says $gens/5/state ended
	check "the log names the end" kernel_says 'generation 5 .*ended in order'
	;;
esac
END
pack_guest
warm_boots 5 --allow 'panic - not syncing: victim: panic' --timeout 400
check "the guest ended well" guest_ended_well
"$here/stamp" "$saved/region" 1 >"$out/stamp"
check "the restart left a mark" grep -E '^mark [0-9]+: type 2 cpu [01] restart$' "$out/stamp"
check "and no stamp of a crash" grep -qx 'stamp: none' "$out/stamp"
compare_boot 2 "$saved/region-died" --generation 2
finish
