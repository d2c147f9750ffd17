#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Another backend has pstore: ramoops, loaded first, or named on the command line.
# That is said in words, and the recorder goes on.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"
. "$(dirname "$0")/../../lib-pstore.sh"

ramoops_addr=0x24000000

{
	guest_words
	cat <<END
ramoops_addr=$ramoops_addr
END
	cat <<'END'
owner() {
	cat /sys/module/pstore/parameters/backend
}

load_ramoops() {
	insmod /test/ramoops.ko mem_address=$((ramoops_addr)) mem_size=$((0x100000)) \
		record_size=$((0x10000))
}

# With the number that its version of the kernel has for it: EPERM, or EBUSY from 6.6 on.
said() {
	kernel_says "epitaph_pstore: pstore belongs to another backend, 'ramoops' (-16*):"
}

load_recorder
load_victim
check "the command line names ramoops" [ "$(owner)" = ramoops ]
check "before it comes, the backend is refused" refused load_backend
check "and it is said whose pstore is" said
insmod /test/reed_solomon.ko
check "ramoops loads" load_ramoops
check "the backend is refused" refused load_backend
check "it is said what works without" kernel_says "/dev/epitaph and 'epitaph harvest' have it without pstore"
check "pstore is ramoops's still" [ "$(owner)" = ramoops ]
rmmod ramoops
check "once ramoops is gone, the backend loads" load_backend
check "and pstore is ours" [ "$(owner)" = epitaph ]
check "the recorder is not unloaded under it" refused rmmod epitaph
rmmod epitaph_pstore
load_ramoops
check "and ramoops's again" [ "$(owner)" = ramoops ]
dmesg -c >/dev/null
check "loaded second, the backend is refused" refused load_backend
check "and it is said" said
arm_kdump
crash
END
} | guest
pack_guest "$backend" "$(kernel_module ramoops)" "$(kernel_module reed_solomon)"
append="panic_on_warn=1 pstore.backend=ramoops memmap=1M!$ramoops_addr" \
	crash_whole --allow 'panic - not syncing: sysrq triggered crash'
finish
