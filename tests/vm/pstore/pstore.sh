#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What pstore stored while a kernel died, and its whole generation, are files in
# the boots after, until they are unlinked; and then the region has it still.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../lib-pstore.sh"

{
	guest_words
	cat <<'END'
with_disk
load_recorder generations=4
load_backend
mount_pstore

case $boot in
1)
	check "an empty region shows nothing" shows_nothing
	load_victim
	sleep 3
	die panic
	;;
2)
	ls -l "$pstore"
	keep second
	ls "$pstore" >/disk/second.list
	check "the panic shows: its log" [ "$(named 'dmesg-epitaph-10000[1-9]')" -gt 0 ]
	check "its trace" [ "$(named 'pmsg-epitaph-10000[1-5]')" = 5 ]
	check "and nothing else but a summary" \
		[ "$(ls "$pstore" | wc -l)" = $(($(named 'dmesg-epitaph-10000?') + 5)) ]
	check "the log ends with the panic" \
		file_says dmesg-epitaph-100001 'Kernel panic - not syncing: '
	check "the log is the kernel's" file_says dmesg-epitaph-100001 '^Panic#1 Part1'
	check "the restart that ends a panic stores nothing" refused grep -rq ^Emergency "$pstore"
	check "the summary says why" file_says dmesg-epitaph-100000 '^reason: '
	cat "$pstore/dmesg-epitaph-100000"
	epitaph-static report --all "$pstore" >/tmp/report
	check "epitaph reads pstore itself" grep -q '^# died: Kernel panic - not syncing: victim: panic' /tmp/report
	await_host copy the region
	rm "$pstore"/pmsg-epitaph-10000[1-4] "$pstore"/dmesg-*
	check "what was unlinked is gone" shows pmsg-epitaph-100005
	unmount_pstore
	mount_pstore
	check "and stays so when pstore is mounted again" shows pmsg-epitaph-100005
	load_victim
	# 5.10 gives the files of a backend that goes back twice, and warns (docs/pstore.md).
	case $(uname -r) in 5.10.*) unmount_pstore ;; esac
	check "the backend is unloaded under a mounted pstore" rmmod epitaph_pstore
	check "and leaves nothing behind" shows_nothing
	die reboot
	;;
3)
	# shellcheck disable=SC2046 # words
	check "with a part left, all of it shows again, and the boot that ended in order does not" \
		shows $(cat /disk/second.list)
	rm "$pstore"/*
	check "nothing is left" shows_nothing
	unmount_pstore
	mount_pstore
	check "nothing comes back" shows_nothing
	die sysrq-b
	;;
4)
	ls -l "$pstore"
	keep fourth
	check "what was erased does not show again" [ "$(named '*-epitaph-10*')" = 0 ]
	check "an emergency restart shows" \
		file_says dmesg-epitaph-300001 '^Emergency#1 Part1'
	check "with its trace" [ "$(named 'pmsg-epitaph-30*')" = 5 ]
	check "sysfs says who has what was erased" \
		grep -qx taken-by-pstore /sys/kernel/epitaph/generations/1/state
	dd if=/dev/epitaph of=/disk/device bs=1M 2>/dev/null
	await_host copy the region again
	check "the others can be harvested" epitaph-static harvest -o /disk/harvest
	die sysrq-b
	;;
5)
	ls -l "$pstore"
	check "what was harvested does not show again" [ "$(named '*-epitaph-[13]0*')" = 0 ]
	check "the next emergency shows, with its trace" [ "$(named 'pmsg-epitaph-40*')" = 5 ]
	unmount_pstore
	mount -t securityfs security /sys/kernel/security
	echo confidentiality >/sys/kernel/security/lockdown
	mount_pstore
	check "under lockdown its trace does not show" [ "$(named 'pmsg-*')" = 0 ]
	check "its log does, as that may be read" [ "$(named 'dmesg-epitaph-40000[1-9]')" -gt 0 ]
	check "and the summary says so" file_says dmesg-epitaph-400000 '^trace: not shown, .* locked down'
	echo z >/proc/sysrq-trigger
	check "sysrq-z prints nothing" refused kernel_says 'last events of'
	check "and says why" kernel_says 'the last events are not printed: this kernel is locked down'
	;;
esac
END
} | guest
pack_guest "$backend" "$top/extractor/epitaph-static"
warm_boots 5 --timeout 500 --allow 'Kernel panic - not syncing: ' \
	--when "guest: copy the region\r?\n=>pmemsave $region_addr 0x1000000 region2" \
	--when "guest: copy the region\r?\n=>$host_answers" \
	--when "guest: copy the region again=>pmemsave $region_addr 0x1000000 region4" \
	--when "guest: copy the region again=>$host_answers"
check "the script ends well" guest_ended_well
check "the parts are the generation in the region" \
	"$here/parts" 1 "$saved/second" "$out/region2"
check "once erased, the region has it still" \
	"$here/parts" 1 "$saved/second" "$out/region4"
check "and /dev/epitaph" "$here/parts" 1 "$saved/second" "$saved/device"
compare_boot 1 "$saved/second"
check "the emergency's parts are whole, too" \
	"$here/parts" 3 "$saved/fourth" "$out/region4"
check "epitaph reads the directory as it does the region" same_events "$saved/second" "$out/region2"
finish
