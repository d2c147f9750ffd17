#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# epitaph inject: a corrected error on purpose is in the recording, as one of the hardware is; the
# machine's name, and others who are logged in, stand in its way.  Then a crash on purpose.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../lib-mce.sh"

guest <<'EOF'
inject() {
	epitaph-static inject "$@"
}
hostname rehearsed
echo rehearsed >/tmp/name
echo another >/tmp/wrong-name
mkdir -p /var/lib
check "without the recorder it is refused" wrong 1 'the recorder is not loaded; expected one that records what is injected; run: modprobe epitaph' inject corrected --yes || true
load_recorder
check "without mce_inject it says what to load" wrong 3 'has neither mce-inject nor apei/einj; expected one of both; run: modprobe mce_inject' inject corrected --yes
insmod /test/mce-inject.ko
check "of no bank that there is, it says which there are" wrong 3 'mce-inject/bank: 0xff: Invalid argument; expected a bank that this CPU has; ls /sys/devices/system/machinecheck/machinecheck0' inject corrected --bank 255 --yes
check "of a CPU that is not there, which there are" wrong 2 'CPU 7 is not online (/sys/devices/system/cpu/online); expected one of 0-1' inject corrected --cpu 7 --yes
check "another name does nothing" refused sh -c 'epitaph-static inject corrected --bank 9 </tmp/wrong-name'
mkdir -p /run/systemd/sessions
printf 'USER=alice\nCLASS=user\nTTY=tty2\n' >/run/systemd/sessions/3
check "who is logged in stands in its way" wrong 1 'logged in on this machine: alice (tty2); expected no other user than you' inject corrected --bank 9 --yes
check "unless it is forced" inject corrected --cpu 0 --bank 2 --yes --force
rm /run/systemd/sessions/3
check "the name of the machine does it" sh -c 'epitaph-static inject corrected --cpu 1 --bank 4 </tmp/name'
sleep 1
arm_kdump
echo "guest: bug crash on purpose"
inject crash --yes
EOF
pack_guest "$(module mce-inject)" "$top/extractor/epitaph-static"

crash_and_capture --allow 'sysrq: Trigger a crash' --allow 'panic - not syncing: sysrq triggered crash'
check "the region is saved" [ -s "$saved/region" ]
check "it can be read" mces_of "$saved/region"
check "the forced one is there" \
	mce_says ' source logged cpu 0 bank 2 status 9c00004000010091 addr fffffff000 misc 8c '
check "the one by name is there" \
	mce_says ' source logged cpu 1 bank 4 status 9c00004000010091 addr fffffff000 misc 8c '
check "and no other" mce_count ' source logged ' 2
check "the report has both" \
	sh -c "[ \"\$('$epitaph' report --all '$saved/region' | grep -c ' mce: bank [24] of CPU')\" = 2 ]"
check "in words" decoded "$saved/region" 'bank 4 of CPU 1' 'bank 2 of CPU 0' 'corrected by the hardware'
check "the crash has its token" \
	sh -c "'$epitaph' report --all '$saved/region' | grep -q 'epitaph: test crash [0-9a-f]\{16\}'"
finish
