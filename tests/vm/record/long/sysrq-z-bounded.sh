#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# sysrq-z again and again while both CPUs record: bounded by the console's
# speed, in order, marked in the region, and given back to the kernel.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"
. "$(dirname "$0")/../../lib-stamp.sh"

guest <<'EOF'
echo 1 >/proc/sys/kernel/panic_on_warn
load_recorder
for cpu in 1 2; do
	taskset $cpu sh -c 'while :; do cat /proc/version; done' >/dev/null &
done
sleep 1
i=0
while [ $i -lt 20 ]; do
	echo z >/proc/sysrq-trigger
	i=$((i + 1))
done
echo 9600 >/sys/module/epitaph/parameters/sysrq_z_baud
echo z >/proc/sysrq-trigger
echo 115200 >/sys/module/epitaph/parameters/sysrq_z_baud
# Two busy CPUs that take turns may have few lines since both ran; one has many.
kill %1
wait %1 || :
echo 500 >/proc/sys/kernel/printk_delay
echo z >/proc/sysrq-trigger
echo 0 >/proc/sys/kernel/printk_delay
echo "guest: marked, the region is at $(cut -d ' ' -f 1 /sys/kernel/epitaph/region)."
sleep 3
kill %2
rmmod epitaph
load_recorder sysrq_z=0
echo z >/proc/sysrq-trigger
rmmod epitaph
EOF
pack_guest
boot --when "guest: marked, the region is at (0x[0-9a-f]+)[.]=>sleep 0.5; pmemsave {1} 0x1000000 region"
check "the guest lives on" guest_ended_well
check "22 dumps, each bounded and sorted" "$here/dumps" "$out/console.log" 22 57600
check "at 9600 baud fewer bytes" "$here/dumps" --nr 21 "$out/console.log" 22 4800
check "on a slow console fewer lines" grep -q 'epitaph: .* left out: the console is slow' \
	"$out/console.log"
check "the region can be read" stamp_of "$out/region"
check "each is marked" stamp_says '^mark 22: type 1 cpu [01] sysrq-z, during '
check "with sysrq_z=0 the kernel's own is back" grep -q 'Dumping ftrace buffer' \
	"$out/console.log"
finish
