#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# UEFI with Secure Boot, by a firmware that trusts one key: the kernel is locked, refuses a module that
# is not signed, and loads the one of the package that scripts/deb-modules has signed by that key.
# Doctor says which step is missing.

# shellcheck disable=SC2317 # check calls them
VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"

command -v sbsign >/dev/null || { echo "ok 1 - $test_name # SKIP there is no sbsign"; echo "1..1"; exit; }
ovmf=$("$top/scripts/ovmf")
keys=${ovmf%/*}/ovmf
cp "$ovmf/OVMF_VARS_4M.snakeoil.fd" "$out/vars.fd"
export KBUILD_SIGN_PIN=snakeoil
openssl rsa -in "$keys/PkKek-1-snakeoil.key" -passin env:KBUILD_SIGN_PIN -out "$out/plain.key" 2>/dev/null
sbsign --key "$out/plain.key" --cert "$keys/PkKek-1-snakeoil.pem" --output "$out/vmlinuz" "$(image)" 2>"$out/sbsign"
release=$(basename "$("$top/scripts/kernels" --modules "$kernel")")
mkdir -p "$out/built" && cp "$recorder" "$top/pstore-backend/epitaph_pstore.ko" "$out/built/"
check "the package is made and signed" env MODULES="$out/built" "$top/scripts/deb-modules" --headers "$("$top/scripts/kernels" --headers "$kernel")" \
	--key "$keys/PkKek-1-snakeoil.key" --cert "$keys/PkKek-1-snakeoil.pem" "$out/deb" "$release"
dpkg-deb -x "$out"/deb/epitaph-modules-*.deb "$out/package"
cp "$out/package/lib/modules/$release/updates/epitaph/epitaph.ko" "$out/signed.ko"
cp "$out/package/usr/share/epitaph/module-key-$release.der" "$out/module-key.der"
cp "$recorder" "$out/unsigned.ko"
strip -g "$out/unsigned.ko"

guest <<'END'
doctor_says() {
	epitaph doctor >/tmp/doctor 2>&1 || true
	cat /tmp/doctor
	grep -A 1 signature /tmp/doctor | grep -qF -- "$1"
}
mount -t securityfs securityfs /sys/kernel/security
insmod /test/efivarfs.ko
mount -t efivarfs efivarfs /sys/firmware/efi/efivars
check "the firmware has Secure Boot on" kernel_says 'secureboot: Secure boot enabled'
check "the kernel is locked by it" grep -q '\[integrity\]' /sys/kernel/security/lockdown
modules=/lib/modules/$(uname -r)
mkdir -p "$modules/updates/epitaph" /usr/share/epitaph
echo 'updates/epitaph/epitaph.ko:' >"$modules/modules.dep"
cp /test/unsigned.ko "$modules/updates/epitaph/epitaph.ko"
check "a module that is not signed is refused" refused insmod /test/unsigned.ko
check "the kernel says why" kernel_says 'unsigned module loading is restricted\|Loading of unsigned module is rejected'
check "doctor says that it has to be signed, and how" doctor_says 'epitaph.ko is not signed'
cp /test/signed.ko "$modules/updates/epitaph/epitaph.ko"
cp /test/module-key.der "/usr/share/epitaph/module-key-$(uname -r).der"
check "doctor sees the key in the firmware's list" doctor_says "the firmware's db has the key of the package"
echo another >"/usr/share/epitaph/module-key-$(uname -r).der"
check "of a key that is nowhere it says so" doctor_says 'the key of the package is not enrolled'
cp /test/module-key.der "/usr/share/epitaph/module-key-$(uname -r).der"
check "the signed module is loaded" load_signed
check "it records" [ -d /sys/kernel/epitaph ]
check "doctor is content" doctor_says 'the module is signed, as it must be here'
END
sed -i '1i load_signed() { insmod /test/signed.ko; }' "$out/guest.sh"
# The signature is at the end of a file that may be compressed: libarchive looks.
guest_programs="/bin/epitaph $epitaph /bin/epitaph-archive.so $top/extractor/epitaph-archive.so"
pack_guest "$out/signed.ko" "$out/unsigned.ko" "$out/module-key.der" \
	"$("$top/scripts/kernels" --modules "$kernel")/kernel/fs/efivarfs/efivarfs.ko"
boot --kernel "$out/vmlinuz" --machine q35,smm=on --timeout 300 -- \
	-global driver=cfi.pflash01,property=secure,value=on -global ICH9-LPC.disable_s3=1 \
	-drive "if=pflash,format=raw,unit=0,readonly=on,file=$ovmf/OVMF_CODE_4M.secboot.fd" \
	-drive "if=pflash,format=raw,unit=1,file=$out/vars.fd"
check "the guest's script came to its end" guest_ended_well
finish
