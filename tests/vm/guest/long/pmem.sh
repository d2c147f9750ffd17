#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Memory of an nvdimm and of a virtio-pmem device: epitaph setup finds it, the next boot records there,
# and the host reads the file when QEMU was killed.

# shellcheck disable=SC2317,SC2154 # check calls what is defined here; lib-watch.sh sets them

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"
. "$here/lib-watch.sh"

guest_modules="virtio_pci nfit nd_pmem virtio_pmem"

# device KIND FILE: options of QEMU.
device() {
	memory_file "$2" "${3:-16M}"
	echo "-device $1,memdev=$2"
}

# boot_with [OPTION...] -- WORD...: with room for such devices.
boot_with() {
	# shellcheck disable=SC2046 # words
	boot --memory 1G,slots=4,maxmem=4G "$@" $(memory_file ram 1G) -machine memory-backend=ram,nvdimm=on
}

# first_boot NAME KIND WORD...: setup's words for the region are in $words.
first_boot() {
	region_arg=
	name=$1
	kind=$2
	shift 2
	guest <<'END'
epitaph-static setup >/tmp/before
load_modules /lib/modules
sleep 1
epitaph-static setup >/tmp/setup
sed 's/^/setup: /' /tmp/before /tmp/setup
check "setup says which is without a driver" grep -q 'nvdimm (ACPI0012) is there without its driver' /tmp/before
check "setup says why not one with data of others" grep -q 'not the .* namespace.*: it has data that is not of the recorder' /tmp/setup
if grep -q empties /proc/cmdline; then
	disk=$(sed -n 's/.*empty it: dd if=.dev.zero of=//p' /tmp/setup)
	dd if=/dev/zero of="$disk" bs=64K 2>/dev/null || true	# to its end
	check "what was emptied as setup says would do" sh -c 'epitaph-static setup | grep "2 devices of the host would do"'
fi
END
	pack_guest "$top/extractor/epitaph-static"
	boot_with -- "$@"
	cp "$out/guest.log" "$out/setup-$name.log"
	words=$(sed -n 's/^setup: \(memmap=16M!0x[0-9a-f]*\).*/\1/p' "$out/guest.log" | tail -n 1)
	check "setup finds the $kind" grep -q "^setup: .*: an\{0,1\} $kind with 16 MiB, which is empty; the host" "$out/guest.log"
}

# second_boot NAME WORD...: records there, and QEMU is killed.
second_boot() {
	# The victim's witness has such a word too, so the recorder's is named.
	region_arg="$words epitaph.addr=${words#*!} epitaph.size=16M memmap=64K!$witness_addr"
	name=$1
	shift
	guest <<'END'
load_recorder
load_modules /lib/modules
load_surviving_victim
sleep 2
epitaph-static doctor >/tmp/doctor || true
check "doctor knows what keeps the region" grep 'a device (nvdimm, virtio-pmem) has the region' /tmp/doctor
grep -E '^(setup|failure|warning|ok) .*memory|ersist|namespace|epitaph' /tmp/doctor /proc/iomem
echo "guest: kill me"
sleep 60
END
	pack_guest "$top/extractor/epitaph-static"
	boot_with --kill 'guest: kill me' -- "$@"
	saved=$out
	dd if="$out/ram" of="$out/witness" bs=4096 skip=$((witness_addr / 4096)) count=16 2>"$out/said"
	check "the host reads the file of the $name" export_json "$name"
	check "every committed event came back, none was invented" truth "$name"
	cp "$out/guest.log" "$out/guest-$name.log"
	rm -f "$out/ram"
}

yes foreign | head -c 2M >"$out/foreign"
cp "$out/foreign" "$out/foreign-before"
# shellcheck disable=SC2046 # words
{
	first_boot nvdimm nvdimm $(device nvdimm nvdimm) $(device virtio-pmem-pci foreign 2M)
	second_boot nvdimm $(device nvdimm nvdimm)
	cmp "$out/foreign" "$out/foreign-before" || not_ok "setup wrote to the other one"
	append=empties
	first_boot virtio 'virtio-pmem device' $(device virtio-pmem-pci virtio) $(device nvdimm foreign 2M)
	second_boot virtio $(device virtio-pmem-pci virtio)
}
finish
