#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# scripts/deb-modules: a package of built modules, signed by a key of one's own.
# shellcheck disable=SC2317
# shellcheck source=tests/lib/lib.sh
. "$(dirname "$0")/../../lib/lib.sh"

release=$(modinfo -F vermagic "$top/kernel/epitaph.ko" 2>/dev/null | cut -d ' ' -f 1)
headers=$top/.cache/kernels/6.1/usr/src/linux-headers-$release
if [ -z "$release" ] || [ ! -x "$headers/scripts/sign-file" ] || ! command -v dpkg-deb >/dev/null; then
	skip all "no module that is built, or nothing to sign it with"
	finish
fi
mkdir "$dir/built" "$dir/out"
cp "$top/kernel/epitaph.ko" "$top/pstore-backend/epitaph_pstore.ko" "$dir/built/" || exit 99
package=$dir/out/epitaph-modules-${release}_$(sed -n '1s/.*(\(.*\)).*/\1/p' "$top/debian/changelog")_$(dpkg --print-architecture).deb

make_key() {
	openssl req -new -newkey rsa:2048 -nodes -subj "/CN=$1/" -keyout "$dir/$1.key" -out "$dir/$1.csr" 2>"$dir/noise" &&
		openssl x509 -req -in "$dir/$1.csr" -signkey "$dir/$1.key" -days "${2:-36500}" -outform DER -out "$dir/$1.der" 2>"$dir/noise"
}
make_key ours && make_key other || exit 99

deb_modules() {
	MODULES=$dir/built "$top/scripts/deb-modules" --headers "$headers" "$@" "$dir/out" "$release"
}

# refuses WORDS COMMAND...: status 2, and no package
refuses() {
	words=$1
	shift
	rm -f "$package"
	"$@" 2>"$dir/noise"
	[ $? = 2 ] && cat "$dir/noise" && grep -qF -- "$words" "$dir/noise" && [ ! -e "$package" ]
}

unpack() {
	rm -rf "$dir/root" && dpkg-deb -x "$package" "$dir/root" && modules=$dir/root/lib/modules/$release/updates/epitaph
}

signer_of() {
	modinfo -F signer "$modules/$1.ko"
}

both_modules_are_in_it() {
	deb_modules && unpack && [ "$(ls "$modules")" = "epitaph.ko
epitaph_pstore.ko" ] && [ -z "$(signer_of epitaph)" ] && [ ! -e "$dir/root/usr/share/epitaph" ]
}

it_is_of_its_kernel_and_takes_the_place_of_dkms() {
	dpkg-deb -f "$package" Package | grep -qx "epitaph-modules-$release" &&
		dpkg-deb -f "$package" Depends | grep -q "linux-image-$release " &&
		dpkg-deb -f "$package" Conflicts | grep -qx epitaph-dkms && dpkg-deb -f "$package" Provides | grep -qx epitaph-modules &&
		dpkg-deb --ctrl-tarfile "$package" | tar -xO ./triggers | grep -q 'activate-noawait epitaph-initramfs'
}

both_are_signed_by_that_key() {
	deb_modules --key "$dir/ours.key" --cert "$dir/ours.der" && unpack && [ "$(signer_of epitaph)" = ours ] &&
		[ "$(signer_of epitaph_pstore)" = ours ] &&
		cmp "$dir/ours.der" "$dir/root/usr/share/epitaph/module-key-$release.der"
}

# As the kernel does: PKCS#7 over all that stands before it.
the_signature_holds() {
	file=$modules/epitaph.ko
	size=$(stat -c %s "$file")
	# Behind the signature stand 12 bytes, of which the last four are its length, and 28 of a text.
	length=$(tail -c 32 "$file" | head -c 4 | od -An -tu1 | awk '{ print (($1 * 256 + $2) * 256 + $3) * 256 + $4 }')
	head -c $((size - 40 - length)) "$file" >"$dir/code" && tail -c $((40 + length)) "$file" | head -c "$length" >"$dir/sig" &&
		openssl x509 -in "$dir/ours.der" -inform DER -out "$dir/ours.pem" &&
		openssl cms -verify -in "$dir/sig" -inform DER -content "$dir/code" -binary -certfile "$dir/ours.pem" \
			-CAfile "$dir/ours.pem" -purpose any -out "$dir/ignored" && printf x >>"$dir/code" &&
		! openssl cms -verify -in "$dir/sig" -inform DER -content "$dir/code" -binary -certfile "$dir/ours.pem" \
			-CAfile "$dir/ours.pem" -purpose any -out "$dir/ignored"
}

a_passphrase_comes_from_the_environment() {
	openssl pkey -in "$dir/ours.key" -aes256 -passout pass:secret -out "$dir/locked.key" &&
		KBUILD_SIGN_PIN=secret deb_modules --key "$dir/locked.key" --cert "$dir/ours.der" && unpack && [ "$(signer_of epitaph)" = ours ]
}

what_is_wrong_is_said() {
	refuses 'a key and its certificate go together' deb_modules --key "$dir/ours.key" &&
		refuses 'is of another key than' deb_modules --key "$dir/ours.key" --cert "$dir/other.der" &&
		refuses 'no certificate in PEM or DER' deb_modules --key "$dir/ours.key" --cert "$dir/ours.key" &&
		make_key old -1 && refuses 'has expired' deb_modules --key "$dir/old.key" --cert "$dir/old.der" &&
		refuses 'it cannot be read' deb_modules --key "$dir/nowhere" --cert "$dir/ours.der" &&
		refuses 'no option --sign; there are' deb_modules --sign x &&
		refuses 'no headers of 5.4.0-1-amd64 in' "$top/scripts/deb-modules" "$dir/out" 5.4.0-1-amd64 &&
		refuses 'is for the kernel' env MODULES="$dir/built" "$top/scripts/deb-modules" --headers "$headers" "$dir/out" 6.1.0-1-amd64 &&
		refuses 'no release of a kernel' "$top/scripts/deb-modules" --headers "$headers" "$dir/out" ../x &&
		refuses 'expected OUT RELEASE' "$top/scripts/deb-modules"
}

# A machine that has keys is careful with new files.
a_umask_does_not_matter() (
	umask 077
	deb_modules && unpack && [ "$(stat -c %a "$modules/epitaph.ko")" = 644 ]
)

for claim in a_umask_does_not_matter both_modules_are_in_it it_is_of_its_kernel_and_takes_the_place_of_dkms both_are_signed_by_that_key \
	the_signature_holds a_passphrase_comes_from_the_environment what_is_wrong_is_said; do
	ok $claim $claim
done
finish
