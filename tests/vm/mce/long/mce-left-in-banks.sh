#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A machine check that the kernel dies of, without kdump: the next boot has the
# record of it in the generation before, and the same error once more in what
# its own kernel logged of the banks, before any module could be there.
#
# On one CPU only, so that it waits for the others in vain: then the kernel
# panics for the time that took, and prints nothing of the bank.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"
. "$(dirname "$0")/../../lib-mce.sh"

guest <<'EOG'
with_disk
load_recorder
if [ "$boot" = 1 ]; then
	sleep 1
	echo "guest: awaits a machine check"
	await_end
fi
dmesg | grep -F 'Hardware Error' | sed 's/^/# /'
echo "guest: awaits the host"
sleep 3
EOG
pack_guest
warm_boots 2 --cpu Skylake-Server,vendor=GenuineIntel --allow 'panic - not syncing: ' \
	--allow 'RETBleed: WARNING' \
	--when "guest: awaits a machine check=>mce 1 9 $fatal $mcg_fatal $addr $misc" \
	--when "guest: awaits the host=>pmemsave $region_addr 0x1000000 region"
check "the guest's script ends well" guest_ended_well
check "the record is in the generation that died" decoded "$out/region --generation 1" \
	'bank 9 of CPU 1 .*: the machine died of this one' 'what: +memory controller: read error, channel 1' \
	'source: .*(printed by the kernel|registers on the way down)'
check "the report's header names it" headed "$out/region --generation 1" \
	'fatal machine check on CPU 1, bank 9: memory controller: read error, channel 1'
compare_boot 1 "$out/region" --generation 1
check "the bank still had it when the next kernel came" decoded "$out/region --generation 2" \
	"bank 9 of CPU 1 " "source: +printed in the kernel's log" \
	"raw: +status=0xbe00000000800091 addr=0x12345[0-9a-f]{3} "
finish
