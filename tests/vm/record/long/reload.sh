#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Recorder and victim come and go, and CPUs too, while events fire.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"

guest <<'END'
cpu1() {
	echo "$1" >/sys/devices/system/cpu/cpu1/online
}
for round in 1 2 3 4 5; do
	load_recorder
	load_victim full=1
	cpu1 0
	sleep 0.3
	cpu1 1
	sleep 0.3
	rmmod victim
	rmmod epitaph
done
check "five times" true
# An open /dev/snapshot keeps PREPARE and POST of hibernation apart, and only POST is seen here.
exec 3</dev/snapshot
load_recorder
exec 3<&-
check "a hibernation that began before it takes nothing away" grep -qx yes /sys/kernel/epitaph/recording
rmmod epitaph
# A reference that somebody has does not keep a file that calls what is gone.
load_recorder
sys=/sys/kernel/epitaph
number=$(ls $sys/generations | head -n 1)
insmod /test/holder.ko path=epitaph,epitaph/generations,epitaph/generations/"$number",epitaph/channels,epitaph/channels/main
rmmod epitaph
check "the directory goes with the recorder, whatever holds it" [ ! -e $sys ]
load_recorder
check "and comes again" grep -q . $sys/generations/*/state
rmmod holder
check "what is there stays when the old one is let go" [ -s $sys/channels/main/cpu0 ]
rmmod epitaph
load_recorder
check "the recorder is not unloaded under the victim" load_victim
check "rmmod is refused" refused rmmod epitaph
sleep 1
arm_kdump
crash
END
pack_guest "${victim%/*}/holder.ko"
append=panic_on_warn=1 crash_whole --allow 'panic - not syncing: sysrq triggered crash' \
	--allow 'smpboot: CPU 1 is now offline'
finish
