#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# UEFI firmware that was not asked to clear memory at the next reset: nothing is
# said of it.  Debian's OVMF refuses the variable that would ask.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"

ovmf=$("$top/scripts/ovmf")
cp "$ovmf/OVMF_VARS_4M.fd" "$out/vars.fd"

guest <<'END'
mor=/sys/firmware/efi/efivars/MemoryOverwriteRequestControl-e20939be-32d4-41be-a150-897f85d49829
insmod /test/efivarfs.ko
mount -t efivarfs efivarfs /sys/firmware/efi/efivars
load_recorder
check "without the request nothing is said" refused kernel_says 'asked to clear all memory'
END
pack_guest "$("$top/scripts/kernels" --modules "$kernel")/kernel/fs/efivarfs/efivarfs.ko"
append=panic_on_warn=1 boot -- -drive "if=pflash,format=raw,readonly=on,file=$ovmf/OVMF_CODE_4M.fd" \
	-drive "if=pflash,format=raw,file=$out/vars.fd"
check "the guest ended well" guest_ended_well
finish
