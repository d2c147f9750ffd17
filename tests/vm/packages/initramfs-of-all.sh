#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What our packages put into initramfs is of the same version in those of all kernels, and in none
# after they are purged.  Debian's dpkg and initramfs-tools, in a chroot; the packages have the
# scripts and triggers of debian/, and of files the hooks alone.

# shellcheck disable=SC2317 # check calls them
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../lib-debian.sh"

root=$out/root
older=6.1.0-1-older

mount_root() {
	mkdir -p "$out/upper" "$out/work" "$root"
	mount -t overlay overlay -o "lowerdir=$debian,upperdir=$out/upper,workdir=$out/work" "$root"
	trap 'umount "$root"; rm -rf "$out/upper" "$out/work"' EXIT
}

# A second kernel, without the modules of the first.
add_older_kernel() {
	newest=$(basename "$root"/lib/modules/*)
	for file in vmlinuz config System.map; do
		cp "$root/boot/$file-$newest" "$root/boot/$file-$older"
	done
	# What others have in it costs time.
	find "$root/usr/share/initramfs-tools/hooks" -type f ! -name kmod ! -name zz-busybox -delete
	printf 'COMPRESS=gzip\nCOMPRESSLEVEL=1\n' >"$root/etc/initramfs-tools/conf.d/compress"
	mkdir "$root/lib/modules/$older" && cp "$root/lib/modules/$newest"/modules.* "$root/lib/modules/$older/" &&
		depmod -b "$root" "$older" && : >"$root/etc/initramfs-tools/modules" &&
		in_root "$root" update-initramfs -c -k "$older" && in_root "$root" update-initramfs -u -k "$newest"
}

# package NAME VERSION: its .deb, with what debhelper adds to scripts left out
package() {
	tree=$out/tree
	rm -rf "$tree"
	mkdir -p "$tree/DEBIAN"
	printf '%s\n' "Package: $1" "Version: $2" 'Architecture: all' 'Maintainer: none <none@example.org>' \
		'Description: scripts of a package' >"$tree/DEBIAN/control"
	for script in postinst prerm postrm; do
		[ ! -e "$top/debian/$1.$script" ] || install -m 755 "$top/debian/$1.$script" "$tree/DEBIAN/$script"
	done
	[ ! -e "$top/debian/$1.triggers" ] || install -m 644 "$top/debian/$1.triggers" "$tree/DEBIAN/triggers"
	case $1 in
	epitaph)
		DESTDIR=$tree prefix=/usr "$top/scripts/install" initramfs-tools
		echo "# version $2" >>"$tree/usr/share/initramfs-tools/scripts/init-top/epitaph"
		;;
	epitaph-kdump)
		install -D -m 755 "$top/kdump-hooks/debian/init-top" "$tree/usr/share/initramfs-tools/scripts/init-top/epitaph-capture"
		;;
	esac
	dpkg-deb --build --root-owner-group "$tree" "$root/packages/$1.deb"
}

# Kdump's own initramfs are tried elsewhere.
packages_of() {
	mkdir -p "$root/packages" && package epitaph "$1" && package epitaph-dkms "$1" &&
		in_root "$root" dpkg --install /packages/epitaph.deb /packages/epitaph-dkms.deb
}

# contents IMAGE: names of what it has, and the version of our script
contents() {
	# shellcheck disable=SC2016 # the inner shell expands these
	in_root "$root" sh -c 'lsinitramfs "$1" && rm -rf /srv/unpacked && unmkinitramfs "$1" /srv/unpacked &&
		grep -rh "^# version" /srv/unpacked/; true' sh "/boot/${1##*/}" >"$out/contents" && grep -qx init "$out/contents"
}

# each_has VERSION: every kernel's initramfs has our script, of that version
each_has() {
	for image in "$root"/boot/initrd.img-*; do
		if ! contents "$image" || ! grep -x "# version $1" "$out/contents"; then
			echo "not in $image"
			return 1
		fi
	done
}

none_has_ours() {
	for image in "$root"/boot/initrd.img-*; do
		if ! contents "$image" || grep epitaph "$out/contents"; then
			echo "in $image"
			return 1
		fi
	done
}

purge() {
	in_root "$root" dpkg --purge epitaph-dkms epitaph
}


need_bare_debian
mount_root
mv "$root/etc/kernel/postinst.d/kdump-tools" "$root/srv/"
check "there are two kernels" add_older_kernel
check "the packages are installed" packages_of 0.1
check "every kernel's initramfs has what is installed" each_has 0.1
check "the packages are upgraded" packages_of 0.2
check "every kernel's initramfs has the new version" each_has 0.2
check "the packages are purged" purge
check "no kernel's initramfs has anything of ours" none_has_ours
finish
