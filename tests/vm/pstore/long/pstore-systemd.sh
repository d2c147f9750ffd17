#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# An oops that the kernel survives, and then a panic: the real systemd-pstore moves
# all that the next boot shows, and what it moved is whole.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"
. "$(dirname "$0")/../../lib-pstore.sh"

{
	guest_words
	cat <<'END'
moved=/var/lib/systemd/pstore

with_disk
load_recorder
load_backend
mount_pstore
case $boot in
1)
	load_victim
	sleep 2
	echo 0 >/proc/sys/kernel/panic_on_oops
	(bug process) || true
	sleep 2
	die panic
	;;
2)
	check "a survived oops shows as well" [ "$(grep -l '^Oops#1 Part1' "$pstore"/dmesg-* | wc -l)" = 1 ]
	keep shown
	echo "guest: copy the region"
	sleep 3
	mkdir -p "$moved"
	check "systemd-pstore succeeds" /lib/systemd/systemd-pstore
	cat /tmp/said
	check "nothing is left in pstore" shows_nothing
	find "$moved" -type f -exec ls -l {} +
	check "it moved all files" [ "$(find "$moved" -type f | wc -l)" -ge "$(ls /disk/shown | wc -l)" ]
	cp -r "$moved" /disk/moved
	unmount_pstore
	mount_pstore
	check "nothing comes back" shows_nothing
	die reboot
	;;
3)
	check "nor in the next boot" shows_nothing
	check "the recorder says who has it" kernel_says 'generation 1 .* taken out of pstore'
	;;
esac
END
} | guest
pack_guest "$backend"
add_programs /lib/systemd/systemd-pstore
warm_boots 3 --timeout 400 --allow 'Kernel panic - not syncing: ' \
	--allow 'BUG: kernel NULL pointer dereference' --allow 'Oops: 0' \
	--when "guest: copy the region\$=>pmemsave $region_addr 0x1000000 region"
check "the script ends well" guest_ended_well
check "the parts it moved are the generation in the region" \
	"$here/parts" 1 "$saved/moved" "$out/region"
compare_boot 1 "$saved/moved"
check "epitaph reads what it moved as it does the region" same_events "$saved/moved" "$out/region"
finish
