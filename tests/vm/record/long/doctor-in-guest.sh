#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The whole way of an administrator in one machine: setup proposes words for the kernel's command line,
# or says that this kernel has none.  With them (or, on arm64 6.1, with a device tree that reserves
# memory) the machine boots, and doctor says what is true there.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"

# What setup says of this kernel, and doctor of the memory then.
proposes='^memmap=16M!0x[0-9a-f]+ panic=10:$|^memmap=16M!0x[0-9a-f]+:$' memory='memmap= reserves the same place in every boot'
missing=
case $kernel in
6.1-*)
	proposes='memmap=SIZE!ADDRESS is for x86, and reserve_mem= for kernels from 6.12: this is 6\.1\.'
	memory='the device tree reserves the same place in every boot'
	;;
6.12-arm64* | 6.12-s390x)
	proposes='^reserve_mem=16M:4096:epitaph( panic=10)?:$'
	memory='reserve_mem= may give another place in the next boot'
	;;
esac
case $kernel in *-arm64* | *-s390x) missing='not recorded on this architecture: machine checks' ;; esac
given=$region_arg

{
	printf "proposes='%s' memory='%s' missing='%s'\n" "$proposes" "$memory" "$missing"
	cat <<'END'
# says FILE REGEX: and if not, what it says.
says() {
	grep -E -- "$2" "$1" || { cat "$1"; return 1; }
}
epitaph-static setup >/tmp/setup 2>&1 || true
sed 's/^/# setup: /' /tmp/setup
case $(param guest.with) in
'')
	sed -n 's/^\(memmap=[^ :]*\|reserve_mem=[^ ]*epitaph\).*:$/guest: proposes \1/p' /tmp/setup
	check "setup says what this kernel can reserve" says /tmp/setup "$proposes"
	epitaph-static doctor >/tmp/doctor 2>&1 || true
	check "doctor says that there is no region" says /tmp/doctor '^failure  region +there is no region$'
	;;
*)
	load_recorder
	arm_kdump
	result=0
	epitaph-static doctor >/tmp/doctor 2>&1 || result=$?
	check "setup has nothing to write" says /tmp/setup 'Nothing is to be written|reserved already'
	check "doctor finds no failure" [ "$result" = 0 ]
	check "the recorder records" says /tmp/doctor '^ok +recorder +the recorder is loaded; it records'
	at=$(cut -d ' ' -f 1 /sys/kernel/epitaph/region)
	check "the region is where the kernel says" says /tmp/doctor "^ok +region +16384 KiB at $at$"
	check "the memory is called what it is" says /tmp/doctor "^(ok|warning) +memory +$memory"
	[ -z "$missing" ] || check "what is not recorded is named" says /tmp/doctor "^ok +machine .*$missing"
	if [ -e /sys/kernel/kexec_crash_loaded ]; then
		check "kdump is armed" says /tmp/doctor '^ok +kdump +a capture kernel is loaded$'
	else
		check "there is no kdump" says /tmp/doctor '^warning +kdump +this kernel has no kexec'
	fi
	;;
esac
sed 's/^/# doctor: /' /tmp/doctor
END
} | guest
pack_guest "$top/extractor/epitaph-static"
cp "$out/initrd.img" "$out/initrd-2.img"
region_arg='' boot
check "the first boot's script came to its end" guest_ended_well
proposed=$(sed -n 's/^guest: proposes \([^ ]*\).*/\1/p' "$out/guest.log" | tr -d '\r')
echo "# proposed: ${proposed:-nothing}"
mv "$out/initrd-2.img" "$out/initrd.img"
region_arg="${proposed:-$given}" append="guest.with=region" boot
check "the second boot's script came to its end" guest_ended_well
finish
