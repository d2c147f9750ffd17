#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# epitaph doctor under UEFI: what it says of firmware that clears memory at a
# reset follows from the firmware's variables.  Debian's OVMF does not offer to
# clear memory; tests/unit/host/doctor_test.sh has the case of one that does.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"

ovmf=$("$top/scripts/ovmf")
cp "$ovmf/OVMF_VARS_4M.fd" "$out/vars.fd"

guest <<'END'
says() {
	/test/epitaph-static doctor | grep -A 1 ' overwrite ' | tee /dev/stderr | grep -q "$1"
}
insmod /test/efivarfs.ko
check "without efivarfs it is not known" says 'mount -t efivarfs'
mount -t efivarfs efivarfs /sys/firmware/efi/efivars
check "this firmware does not offer it" says '^ok .* does not offer to clear memory'
END
pack_guest "$top/extractor/epitaph-static" \
	"$("$top/scripts/kernels" --modules "$kernel")/kernel/fs/efivarfs/efivarfs.ko"
boot -- -drive "if=pflash,format=raw,readonly=on,file=$ovmf/OVMF_CODE_4M.fd" \
	-drive "if=pflash,format=raw,file=$out/vars.fd"
finish
