# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
#
# Words of guests whose initramfs dracut makes: a Debian of debootstrap's with dracut, the
# tool and the recorder installed as a package would, and images of it.  Sourced, after lib.sh.

dracut_debian=$top/.cache/debian-dracut
root=$out/root
release=

skip() {
	echo "ok 1 - $test_name # SKIP $1"
	echo "1..1"
	exit
}
[ "$(id -u)" = 0 ] || skip "a Debian root needs root"
command -v debootstrap >/dev/null || skip "a Debian root needs debootstrap"

bootstrap_dracut() {
	# shellcheck disable=SC2016 # apt expands these
	mirror=$(apt-get indextargets --format '$(REPO_URI) $(LABEL)' 'Created-By: Packages' |
		awk '$2 == "Debian" { print $1; exit }')
	rm -rf "$dracut_debian"
	packages=systemd,systemd-sysv,udev,kmod,e2fsprogs,dracut-core,kexec-tools,makedumpfile
	packages=$packages,gawk,procps,iproute2,openssh-client,cpio,xz-utils
	packages=$packages,libbpf1,libdw1,libsnappy1v5,libdeflate0,libjson-c5,libarchive13,liblzo2-2
	DEBIAN_FRONTEND=noninteractive debootstrap --variant=minbase --include=$packages \
		bookworm "$dracut_debian" "$mirror"
	: >"$dracut_debian/.whole"
}

# in_root COMMAND...: what runs there finds /proc, /sys and /dev.
# shellcheck disable=SC2016 # the inner shell expands these
in_root() {
	unshare -m sh -c '
		root=$1
		shift
		mount -t proc proc "$root/proc" && mount --rbind /dev "$root/dev" &&
			mount --rbind /sys "$root/sys" && exec chroot "$root" "$@"
	' sh "${root:?}" "$@"
}

# make_root PART...: a Debian with the kernel's modules, the recorder, and these parts of
# scripts/install.list.
make_root() {
	[ -f "$dracut_debian/.whole" ] || bootstrap_dracut >"$out/bootstrap" 2>&1
	cp -a "$dracut_debian" "${root:?}"
	from=$("$top/scripts/kernels" --modules "$kernel")
	release=${from##*/}
	mkdir -p "$root/lib/modules"
	cp -a "$from" "$root/lib/modules/"
	mkdir -p "$root/lib/modules/$release/updates/dkms"
	strip -g -o "$root/lib/modules/$release/updates/dkms/epitaph.ko" "$recorder"
	depmod -b "$root" "$release"
	cp "$(image)" "$root/boot/vmlinuz-$release"
	DESTDIR=$root prefix=/usr "$top/scripts/install" "$@"
}

# make_image NAME [OPTION...]: an initramfs by dracut, /boot/NAME, with the drivers of a guest
# and what would take the region; $in_kdump is IN_KDUMP.
make_image() {
	name=$1
	shift
	in_root env IN_KDUMP="${in_kdump-}" dracut --no-hostonly --no-early-microcode --kver "$release" \
		--drivers "virtio_pci virtio_blk ext4 nd_pmem nd_e820" --gzip "$@" "/boot/$name" \
		>"$out/dracut-$name.log" 2>&1 || {
		tail -n 20 "$out/dracut-$name.log"
		return 1
	}
	list_image "$name" "/boot/$name"
}

# list_image NAME PATH: what is in it, for in_image.
list_image() {
	in_root lsinitrd "$2" >"$out/$1.list"
	echo "# $1: $(stat -c %s "$root/$2") bytes" >>"$out/sizes"
}

# in_image NAME REGEX: a file of that path is in it.
in_image() {
	awk '{ print $9 }' "$out/$1.list" | grep -E "$2\$"
}

not_in_image() {
	! in_image "$@"
}

# make_dracut_disk: the guest's root.  PID 1 is the script on standard input; its words go
# to the host.
make_dracut_disk() {
	mkdir -p "$root/test"
	cp "$here/lib-guest.sh" "$root/test/"
	{
		cat "$here/init.dracut"
		cat
	} >"$root/test/init"
	chmod +x "$root/test/init"
	mv "$root/boot" "$out/boot"
	mkdir "$root/boot"
	cp "$out/boot/$1" "$root/boot/initrd.img"
	cp "$out"/boot/vmlinuz-* "$root/boot/vmlinuz"
	rm -rf "${root:?}/lib/modules" "$root/usr/share/doc" "$root/usr/share/locale" "$root/var/cache/apt"
	truncate -s 1G "$out/disk.img"
	mke2fs -q -F -t ext4 -m 0 -U "${disk_uuid:-random}" -d "$root" "$out/disk.img"
	rm -rf "${root:?}"
}

# boot_dracut NAME [OPTION...]: the guest, by that image; options are those of run.
boot_dracut() {
	mv "$out/boot/$1" "$out/initrd.img"
	rm -r "${out:?}/boot"
	shift
	append="root=/dev/vda rw init=/test/init panic=1 ${append:-}" boot --disk "$out/disk.img" "$@"
	sort -u "$out/sizes"
}
