#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The way of a machine owner key, on a machine as it is sold: firmware with Microsoft's keys, Debian's shim,
# GRUB and kernel.  The module of the package is signed by a key of the operator's own.  It is refused, and
# doctor says which step is missing; mokutil --import; doctor says that the console waits; at the next boot
# MokManager asks, and this script types what the operator types; then the module is loaded.

# shellcheck disable=SC2317 # check calls them
VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"

ovmf=$("$top/scripts/ovmf")
shim=$("$top/scripts/shim")
cp "$ovmf/OVMF_VARS_4M.ms.fd" "$out/vars.fd"
openssl req -new -x509 -newkey rsa:2048 -nodes -days 36500 -subj "/CN=our modules/" \
	-keyout "$out/mok.key" -outform DER -out "$out/mok.der" 2>"$out/openssl"
release=$(basename "$("$top/scripts/kernels" --modules "$kernel")")
mkdir -p "$out/built" && cp "$recorder" "$top/pstore-backend/epitaph_pstore.ko" "$out/built/"
check "the package is made and signed" env MODULES="$out/built" "$top/scripts/deb-modules" --headers "$("$top/scripts/kernels" --headers "$kernel")" \
	--key "$out/mok.key" --cert "$out/mok.der" "$out/deb" "$release"
dpkg-deb -x "$out"/deb/epitaph-modules-*.deb "$out/package"
cp "$out/package/lib/modules/$release/updates/epitaph/epitaph.ko" "$out/signed.ko"
cp "$out/package/usr/share/epitaph/module-key-$release.der" "$out/module-key.der"

guest <<'END'
doctor_says() {
	epitaph doctor >/tmp/doctor 2>&1 || true
	cat /tmp/doctor
	grep -A 1 signature /tmp/doctor | grep -qF -- "$1"
}
load_signed() { insmod /test/signed.ko; }
import_key() {
	export LD_LIBRARY_PATH=/test
	mokutil --generate-hash=epitaph >/tmp/hash && cat /tmp/hash &&
		mokutil --hash-file /tmp/hash --import "/usr/share/epitaph/module-key-$(uname -r).der" &&
		ls -l /sys/firmware/efi/efivars/MokNew-*
}
with_disk
mount -t securityfs securityfs /sys/kernel/security
insmod /test/efivarfs.ko
mount -t efivarfs efivarfs /sys/firmware/efi/efivars
modules=/lib/modules/$(uname -r)
mkdir -p "$modules/updates/epitaph" /usr/share/epitaph
echo 'updates/epitaph/epitaph.ko:' >"$modules/modules.dep"
cp /test/signed.ko "$modules/updates/epitaph/epitaph.ko"
cp /test/module-key.der "/usr/share/epitaph/module-key-$(uname -r).der"
check "boot $boot: the firmware has Secure Boot on" kernel_says 'secureboot: Secure boot enabled'
check "boot $boot: the kernel is locked by it" grep -q '\[integrity\]' /sys/kernel/security/lockdown
case $boot in
1)
	check "signed by a key that is not enrolled, it is refused" refused load_signed
	check "doctor says so, and which step is missing" doctor_says 'the key of the package is not enrolled'
	check "it is imported, with a password" import_key
	check "doctor says that the next step is at the console" doctor_says 'reboot, and confirm the key at the console, where shim asks for it'
	umount /disk
	reboot -f
	;;
2)
	check "behind the console doctor is content" doctor_says 'the module is signed, as it must be here'
	check "and asks for nothing" sh -c '! grep -A 1 signature /tmp/doctor | grep -e "->"'
	check "the module is loaded" load_signed
	check "it records" [ -d /sys/kernel/epitaph ]
	;;
esac
END
# The signature is at the end of a file that may be compressed: libarchive looks.
guest_programs="/bin/epitaph $epitaph /bin/epitaph-archive.so $top/extractor/epitaph-archive.so /bin/mokutil $shim/usr/bin/mokutil"
LD_LIBRARY_PATH=$shim/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH
pack_guest "$out/signed.ko" "$out/module-key.der" "$LD_LIBRARY_PATH/libefivar.so.1" \
	"$("$top/scripts/kernels" --modules "$kernel")/kernel/fs/efivarfs/efivarfs.ko"
unset LD_LIBRARY_PATH

# What the firmware starts from: QEMU shows the directory as a disk.
make_esp() {
	esp=$out/esp
	mkdir -p "$esp/EFI/BOOT" "$esp/EFI/debian"
	cp "$shim/usr/lib/shim/shimx64.efi.signed" "$esp/EFI/BOOT/BOOTX64.EFI"
	cp "$shim/usr/lib/shim/mmx64.efi.signed" "$esp/EFI/BOOT/mmx64.efi"
	cp "$shim/usr/lib/grub/x86_64-efi-signed/grubx64.efi.signed" "$esp/EFI/BOOT/grubx64.efi"
	cp "$(image)" "$esp/vmlinuz"
	mv "$out/initrd.img" "$esp/initrd"
	khz=$(PYTHONPATH=$here python3 -c 'import tsc; print(tsc.khz() or "")')
	cat >"$esp/EFI/debian/grub.cfg" <<-END
		linux /vmlinuz $basic_args panic=-1 tsc=reliable $region_arg ${khz:+tsc_early_khz=$khz lpj=$((khz * 4))}
		initrd /initrd
		boot
	END
}

make_esp
make_disk 64M
# Keys are those of a keyboard: on the serial line "enter" is no newline to the firmware.
next="sleep 3; sendkey down; sendkey ret"
status=0
"$here/run" --out "$out" --disk "$out/disk.img" --boots 2 --machine q35,smm=on --timeout 900 \
	--when "Press any key=>sendkey ret" \
	--when "Enroll MOK=>$next" \
	--when "View key 0=>$next" \
	--when "Enroll the key=>$next" \
	--when "Password:=>sleep 3; sendkey e; sendkey p; sendkey i; sendkey t; sendkey a; sendkey p; sendkey h; sendkey ret" \
	--when "Reboot=>sleep 3; sendkey ret" -- \
	-global driver=cfi.pflash01,property=secure,value=on -global ICH9-LPC.disable_s3=1 \
	-drive "if=pflash,format=raw,unit=0,readonly=on,file=$ovmf/OVMF_CODE_4M.ms.fd" \
	-drive "if=pflash,format=raw,unit=1,file=$out/vars.fd" \
	-drive "file=fat:rw:$out/esp,format=raw,if=none,id=esp" -device ide-hd,drive=esp,bootindex=1 || status=1
take_guest_claims
check "boots and ends as expected" [ "$status" = 0 ]
check "the guest's script came to its end" guest_ended_well
rm -rf "$out/esp" "$out/disk.img"
finish
