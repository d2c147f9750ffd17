#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A restart in order, which unmounts nothing: the next boot finds what was recorded to its end, and that
# it ended in order.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"

guest <<'END'
with_disk
load_recorder
case $boot in
1)
	mark_of_now first
	sleep 1
	mark_of_now last
	die reboot
	;;
2)
	last=$(ls /sys/kernel/epitaph/generations | head -n 1)
	check "the log of the next boot says that it ended in order" kernel_says "generation $last at .*ended in order"
	check "so does its file" grep -v evidence "/sys/kernel/epitaph/generations/$last/state"
	cat /dev/epitaph >/disk/region
	;;
esac
END
pack_guest
# KASLR from boot to boot.
packed_kernel=yes
warm_boots 2
check "the guest's script came to its end" guest_ended_well
recovers "$epitaph" report --all --generation 1 "$saved/region" >"$out/report"
check "the report says so, and by what" grep -E '^# .*ended in order: restart' "$out/report"
check "what was recorded before is there" grep -E 'text=[0-9]+ first$' "$out/report"
check "to the end" grep -E 'text=[0-9]+ last$' "$out/report"
check "nothing is damaged" no_damage "$saved/region"
finish
