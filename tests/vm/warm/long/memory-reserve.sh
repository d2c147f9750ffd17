#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# reserve_mem= on a kernel that has it: the next boot finds what was recorded, or
# the memory has moved, and either way the log says so.

export KERNEL="${KERNEL_WITH_RESERVE:-6.12}"
VM_DIR=../..
# shellcheck source=tests/vm/lib-kernel.sh
. "$(dirname "$0")/../../lib-kernel.sh"
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/../../lib.sh"
region_arg="reserve_mem=16M:4096:epitaph"
packed_kernel=yes
build_for_kernel

guest <<'END'
with_disk
load_recorder
dmesg | grep 'epitaph: ' >"/disk/log-$boot"
at=$(sed -n 's/.*reserve_mem=epitaph is at \(0x[0-9a-f]*\) in this boot.*/\1/p' "/disk/log-$boot")
check "boot $boot: says where it is, and that it may move" [ -n "$at" ]
echo "$at" >"/disk/at-$boot"
cat /sys/kernel/epitaph/current >"/disk/number-$boot"
before=/disk/at-$((boot - 1))
if [ -f "$before" ] && [ "$at" = "$(cat "$before")" ]; then
	last=$(cat "/disk/number-$((boot - 1))")
	check "boot $boot: has not moved, and finds the one before" \
		kernel_says "generation $last at .*\(stopped without a word\|crashed: sysrq\)"
	cat /dev/epitaph >"/disk/region-$boot"
	echo "$last" >"/sys/kernel/epitaph/generations/$last/harvested"
elif [ -f "$before" ]; then
	echo "# boot $boot: moved from $(cat "$before") to $at"
fi
echo "hello from boot $boot" >/dev/kmsg
sleep 0.5
case $boot in
1) die sysrq-b ;;
2) sync; echo c >/proc/sysrq-trigger ;;
esac
END
pack_guest
make_disk 64M
append="panic=1 panic_on_warn=1" boot --boots 3 --disk "$out/disk.img" \
	--allow 'panic - not syncing: sysrq triggered crash'
take_all_of_disk
check "the guest ended well" guest_ended_well

# told_in REGION N: what boot N said is in its generation.
# shellcheck disable=SC2317 # check calls it
told_in() {
	recovers "$epitaph" report --all --generation "$(cat "$saved/number-$2")" "$1" >"$out/told"
	grep -F "hello from boot $2" "$out/told"
}

for n in 2 3; do
	[ ! -f "$saved/region-$n" ] || check "boot $((n - 1)) is reported in boot $n" \
		told_in "$saved/region-$n" $((n - 1))
done
cat "$saved"/at-* | sed 's/^/# reserve_mem= at /'
finish
