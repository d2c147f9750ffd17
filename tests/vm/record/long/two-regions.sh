#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Three regions lie in a machine's memory, because its operator moved the recorder twice: that of a
# boot that died, below; of a recorder that was unloaded, above; and between them that of the kernel
# that runs.  A dump of all memory, by QEMU, is of this one.

VM_DIR=../..
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/../../lib.sh"

region_is 8M
below=0x1e000000
above=0x24000000

cat >"$out/guest.sh" <<END
below=$below
above=$above
END
cat >>"$out/guest.sh" <<'END'
with_disk
case $boot in
1)
	load_recorder addr=$below size=8M
	echo "of the boot before" >/dev/epitaph-mark
	die sysrq-b
	;;
2)
	load_recorder addr=$above size=8M
	echo "of the recorder before" >/dev/epitaph-mark
	rmmod epitaph
	load_recorder
	echo "of this kernel" >/dev/epitaph-mark
	sync
	echo "guest: is to be dumped"
	sleep 60
	;;
esac
END
guest_modules="virtio_pci virtio_blk ext4 qemu_fw_cfg"
pack_guest "$top/extractor/epitaph-static"
make_disk 64M
append="panic_on_warn=1 memmap=8M!$below memmap=8M!$above" \
	boot --boots 2 --disk "$out/disk.img" \
	--when "guest: is to be dumped=>stop; dump-guest-memory -z $out/with; dump-guest-memory $out/elf; pmemsave 0 0x30000000 raw; quit" \
	-- -device vmcoreinfo

for name in with elf raw; do
	recovers "$epitaph" report --all "$out/$name" >"$out/report-$name"
	check "$name: the report is of the kernel that runs" grep 'mark: .* text=of this kernel$' "$out/report-$name"
	check "$name: of no other" sh -c "! grep -E 'of the (boot|recorder) before' '$out/report-$name'"
	recovers "$epitaph" info "$out/$name" >"$out/info-$name"
	for at in $below $above; do
		check "$name: info names the region at $at" grep "another region at $at" "$out/info-$name"
	done
done
rm -f "$out/with" "$out/elf" "$out/raw"
finish
