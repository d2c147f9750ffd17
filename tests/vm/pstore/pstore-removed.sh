#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The device with the region is removed while pstore shows what earlier boots left there: nothing is
# read at these addresses any more, which may be another device's.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../lib-pstore.sh"

region_arg=
cat >"$out/generation.region" <<'END'
header number=5 start_real_ns=1700000000123456000 salt=0x5555 minor=1 release="6.1.0"
place at=0 size=0x400000
section crash
entry 512
	u64 1000 2000 1700000009000000000
	u32 1 42
	text 16 "killer"
	text 256 "a reason"
end
section records
record 8192 seq=1 part=1 count=1 reason=1 real_ns=1700000009000000000
Panic#1 Part1
<0>[    9.000000] Kernel panic - not syncing: first
end
END
"$here/../golden/mkregion" "$out/generation.region" "$out/generation"

{
	guest_words
	cat <<'END'
load_recorder device=ivshmem
load_backend trace_mib=0
mount_pstore
check "what an earlier boot left is shown" shows dmesg-epitaph-500000 dmesg-epitaph-500001
check "its record" file_says dmesg-epitaph-500001 'not syncing: first$'
unmount_pstore
echo 1 >/sys/bus/pci/devices/0000:00:04.0/remove
await_host has lost its device
mount_pstore
ls "$pstore"
check "of a device that was removed, nothing is shown" shows_nothing
check "which is said" kernel_says 'epitaph_pstore: the device with the region was removed'
check "it is unloaded" rmmod epitaph_pstore
check "and not loaded again" refused load_backend
rmmod epitaph
END
} | guest
pack_guest "$backend"
truncate -s 16M "$out/region"
dd if="$out/generation" of="$out/region" conv=notrunc 2>"$out/said"
append="panic_on_warn=1" boot --when "guest: has lost its device=>$host_answers" -- \
	-object memory-backend-file,id=region,mem-path=region,size=16M,share=on -device ivshmem-plain,memdev=region,addr=4
check "the script ends well" guest_ended_well
finish
