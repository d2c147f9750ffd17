#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Corrected machine checks, polled, on two CPUs; one that was in the registers
# before the recorder, which this kernel clears without a report; and a storm.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../lib-mce.sh"

guest <<'EOF'
machine=/sys/devices/system/machinecheck/machinecheck0
# The kernel traces an error when the recorder has it, in the same work.
t=/sys/kernel/tracing
echo 1 >$t/events/mce/mce_record/enable
traced() {
	grep -q "$1" $t/trace
}
echo 1 >$machine/ignore_ce
await_host awaits one in a register
load_recorder
check "the error in a register is reported" kernel_says 'epitaph: 1 machine check'
echo 1 >$machine/check_interval
echo 0 >$machine/ignore_ce
await_host awaits corrected ones
check "the kernel takes the one on CPU 0" await traced 'CPU: 0, .* MC5: '
check "and the one on CPU 1" await traced 'CPU: 1, .* MC6: '

# A storm, as fast as the kernel takes it.
insmod /test/mce-inject.ko
cd /sys/kernel/debug/mce-inject
echo sw >flags
echo 1 >cpu
for i in $(seq 700); do
	echo 0x9c00004000010091 >status
	echo $((i * 4096)) >addr
	echo 7 >bank
	usleep 2000
done
check "the kernel takes the last of the storm" await traced 'MC7: .* 00000000002bc000[/,]'
await_host awaits the host
EOF
pack_guest "$(module mce-inject)"
boot --when "guest: awaits one in=>mce 0 4 $corrected 0 0x77777000 $misc" \
	--when "guest: awaits one in=>$host_answers" \
	--when "guest: awaits corrected=>mce 0 5 $corrected 0 $addr $misc" \
	--when "guest: awaits corrected=>mce 1 6 $corrected 0 0x22345640 $misc" \
	--when "guest: awaits corrected=>$host_answers" \
	--when "guest: awaits the host=>pmemsave $region_addr 0x1000000 region" \
	--when "guest: awaits the host=>$host_answers"
check "the guest's script ends well" guest_ended_well
check "the region can be read" mces_of "$out/region"
check "what was in a register is there as such" \
	mce_says ' source load cpu 0 bank 4 status 9c00004000010091 addr 77777000 misc 8c '
check "the one on CPU 0 is there" \
	mce_says ' source logged cpu 0 bank 5 status 9c00004000010091 addr 12345[0-9a-f]* misc 8c '
check "the one on CPU 1 is there" \
	mce_says ' source logged cpu 1 bank 6 status 9c00004000010091 addr 22345[0-9a-f]* misc 8c '
check "no error is reported twice" mce_count ' bank [4-6] ' 3
check "the first of the storm is there" mce_says ' bank 7 .* addr 1000 '
check "the last of the storm is there" mce_says ' bank 7 .* addr 2bc000 '
check "between them it took all of the room, and no more" mces_fill_it
check "in words they are corrected, with their addresses" decoded "$out/region" \
	'bank 4 of CPU 0, corrected: ' 'bank 5 of CPU 0, corrected: ' 'bank 6 of CPU 1, corrected: ' \
	'address: +physical address 0x12345[0-9a-f]{3}, exact to 4096' \
	'[0-9]+ machine checks are not kept between these'
finish
