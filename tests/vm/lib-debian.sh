# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
#
# Words of the tests that boot a Debian with systemd, kdump-tools and our packages.  Source
# lib.sh first.  The guest's script is boots.sh in $out; it is run at the end of each boot that
# is not one of the capture kernel.

. "$here/lib-systemd.sh"

# What an administrator has before he hears of us; made once, and kept.
debian=$top/.cache/debian-kdump
# The same with our packages, newer than all that they are made of.
installed=$build/debian-installed
packaged="kernel pstore-backend extractor kdump-hooks initramfs systemd debian docs/*.[0-9] scripts/deb"

skip_all() {
	echo "ok 1 - $test_name # SKIP $1"
	echo "1..1"
	exit
}

# in_root ROOT COMMAND...: what runs there finds /proc and /dev, and asks nothing.
# shellcheck disable=SC2016 # the inner shell expands these
in_root() {
	unshare -m sh -c '
		root=$1
		shift
		mount -t proc proc "$root/proc" && mount --bind /dev "$root/dev" &&
			exec chroot "$root" env DEBIAN_FRONTEND=noninteractive "$@"
	' sh "$@"
}

# shellcheck disable=SC2016 # apt expands these
mirror_of() {
	apt-get indextargets --format '$(REPO_URI) $(LABEL)' 'Created-By: Packages' |
		awk -v label="$1" '$2 == label { print $1; exit }'
}

# apt_install ROOT PACKAGE...
apt_install() {
	install_to=$1
	shift
	in_root "$install_to" apt-get -q install -y --no-install-recommends "$@"
}

# The kernel is the one of other guests.  Which modules a chroot's root device needs,
# initramfs-tools cannot find out.  kdump-tools comes before the kernel, so that it builds its
# initramfs here; by what it keeps of sysctl.conf it would build it again in the guest's first
# boot, for minutes.
bootstrap() {
	new=$debian.new
	rm -rf "$new" "$debian"
	debootstrap --variant=minbase \
		--include=systemd,systemd-sysv,udev,kmod,e2fsprogs,initramfs-tools,busybox,zstd \
		bookworm "$new" "$(mirror_of Debian)"
	security=$(mirror_of Debian-Security)
	[ -z "$security" ] || echo "deb $security bookworm-security main" >>"$new/etc/apt/sources.list"
	printf '%s\n' MODULES=list COMPRESSLEVEL=1 >"$new/etc/initramfs-tools/conf.d/modules"
	printf '%s\n' virtio_pci virtio_blk ext4 >>"$new/etc/initramfs-tools/modules"
	in_root "$new" apt-get -q update
	apt_install "$new" kdump-tools makedumpfile openssh-client
	# Without most of its modules, for devices that no guest has, or no test needs: each is unpacked,
	# copied, looked at by depmod, and some would be loaded by udev in each boot.
	printf 'path-exclude=/lib/modules/*/kernel/%s/*\n' arch/x86/kvm sound drivers/ata drivers/bluetooth \
		drivers/gpu drivers/hid drivers/hwmon drivers/i2c drivers/iio drivers/infiniband drivers/input \
		drivers/media drivers/mfd drivers/mmc drivers/net/ethernet drivers/net/wireless drivers/platform \
		drivers/staging drivers/usb net/bluetooth net/mac80211 net/wireless >"$new/etc/dpkg/dpkg.cfg.d/modules"
	image=$("$top/scripts/kernels" --image "$kernel")
	apt_install "$new" "linux-image-${image##*/vmlinuz-}"
	for made in "$new"/var/lib/kdump/initrd.img-*; do
		cp "$new/etc/kdump/sysctl.conf" "$new/var/lib/kdump/latest_sysctls-${made#*/initrd.img-}"
	done
	rm -rf "$new"/var/cache/apt/archives/*.deb "$new"/usr/share/doc/* \
		"$new"/usr/share/locale/* "$new"/usr/share/man/*
	mv "$new" "$debian"
}

# What a Debian has and no test of ours asks for is not started: each takes a second of the guest, or several.
configure() {
	echo '/dev/vda / ext4 errors=remount-ro 0 1' >"$1/etc/fstab"
	for unit in apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_all.timer e2scrub_reap.service \
		fstrim.timer getty.target getty@tty1.service modprobe@dm_mod.service modprobe@fuse.service modprobe@loop.service \
		proc-sys-fs-binfmt_misc.automount sys-fs-fuse-connections.mount; do
		ln -sf /dev/null "$1/etc/systemd/system/$unit"
	done
	printf 'blacklist %s\n' aesni_intel ghash_clmulni_intel powernow_k8 sha512_ssse3 >"$1/etc/modprobe.d/unused.conf"
	script_unit "$1" After=kdump-tools.service
}

# disk_of ROOT IMAGE
disk_of() {
	truncate -s 6G "$2"
	mke2fs -q -F -t ext4 -m 0 -d "$1" "$2"
}

# new_root ROOT [NAME=VALUE...]: a copy of Debian with the test's script, and our packages in
# /packages, which are built with that in the environment.
new_root() {
	new_root=$1
	shift
	rm -rf "$new_root"
	mkdir -p "$new_root"
	# shellcheck disable=SC2086 # a word, or none
	env DEB_BUILD_OPTIONS="nocheck noautodbgsym" "$@" "$top/scripts/deb" ${deb_is-} "$out/deb" &&
		cp -a "$debian/." "$new_root" && configure "$new_root" &&
		mkdir "$new_root/packages" && cp "$out"/deb/epitaph*.deb "$new_root/packages/" &&
		rm -rf "$out/deb"
}

# Our packages into a copy, by apt; disk, kernel and both initramfs go to $installed: initrd.img
# loads the recorder, initrd-plain.img does not.
install_packages() {
	rm -rf "$installed"
	root=$installed/root
	new_root "$root" &&
		cp "$root"/boot/initrd.img-* "$installed/initrd-plain.img" &&
		apt_install "$root" linux-headers-amd64 &&
		in_root "$root" sh -c 'apt-get -q install -y --no-install-recommends /packages/*.deb' &&
		ls "$root"/lib/modules/*/updates/dkms/epitaph.ko* &&
		cp "$root"/boot/vmlinuz-* "$installed/vmlinuz" &&
		cp "$root"/boot/initrd.img-* "$installed/initrd.img" &&
		disk_of "$root" "$installed/disk.img.new" || return
	rm -rf "$root"
	mv "$installed/disk.img.new" "$installed/disk.img"
}

# Our packages as well, and the modules where DKMS would put them, without building them again: disk,
# kernel and both initramfs in $out.  The tool in the packages is of the objects that make has built.
# $more_packages are those of Debian that a test needs besides.
install_built() {
	root=$out/root
	deb_is=--built
	new_root "$root" WHOLE= || return
	rm "$root"/packages/epitaph-dkms_*
	version=$(basename "$root"/lib/modules/*)
	cp "$root"/boot/initrd.img-* "$out/initrd-plain.img"
	mkdir -p "$root/lib/modules/$version/updates/dkms"
	for module in "$recorder" "$top/pstore-backend/epitaph_pstore.ko"; do
		install -m 644 "$module" "$root/lib/modules/$version/updates/dkms/"
		strip -g "$root/lib/modules/$version/updates/dkms/${module##*/}"
	done
	depmod -b "$root" "$version"
	# shellcheck disable=SC2086 # words
	[ -z "${more_packages-}" ] || apt_install "$root" $more_packages || return
	in_root "$root" sh -c 'apt-get -q install -y --no-install-recommends /packages/*.deb' &&
		disk_of "$root" "$out/disk.img" || return
	cp "$root"/boot/vmlinuz-* "$out/vmlinuz"
	cp "$root"/boot/initrd.img-* "$out/initrd.img"
	rm -rf "$root"
}

# shellcheck disable=SC2016 # the inner shell expands these
is_fresh() {
	[ -f "$installed/disk.img" ] || return
	# shellcheck disable=SC2086 # words
	[ -z "$(cd "$top" && git ls-files -z -- $packaged |
		xargs -0 sh -c 'find "$@" -newer "$0" -print -quit' "$installed/disk.img")" ]
}

need_bare_debian() {
	[ "$(id -u)" = 0 ] || skip_all "a Debian root needs root"
	command -v debootstrap >/dev/null || skip_all "a Debian root needs debootstrap"
	exec 7>"$build/debian.lock"
	flock 7
	"$top/scripts/deps" packages >"$out/deps" 2>&1
	[ -d "$debian" ] || bootstrap >"$out/bootstrap" 2>&1
	flock -u 7
}

# need_debian: installed, in $out, with the guest's script.
need_debian() {
	need_bare_debian
	flock 7
	is_fresh || check "apt installs the packages, and DKMS builds" install_packages
	cp --sparse=always "$installed"/* "$out"
	flock -u 7
	put_script
}

put_script() {
	put /test/lib-guest.sh "$here/lib-guest.sh"
	put /test/lib-debian-guest.sh "$here/lib-debian-guest.sh"
	put /test/boots.sh "$out/boots.sh"
}

# put PATH FILE: into the guest's disk.
put() {
	debugfs -w -R "write $2 $1" "$out/disk.img" >>"$out/debugfs" 2>&1
}

# take PATH FILE: out of it.
take() {
	debugfs -R "dump $1 $2" "$out/disk.img" >>"$out/debugfs" 2>&1
}

# debian_boots N [OPTION...]: kernels that start, capture kernels among them.  $initrd is another
# initramfs in $out, $reservation another region, $append more for the command line, $disk another
# way to have the disk.
debian_boots() {
	boots=$1
	shift
	status=0
	# shellcheck disable=SC2086 # words
	"$here/run" --kernel "$out/vmlinuz" --initrd "$out/${initrd:-initrd.img}" --out "$out" \
		${disk---disk $out/disk.img} --boots "$boots" --timeout $((300 + 240 * boots)) \
		--append "$basic_args root=/dev/vda ro panic=1 crashkernel=${crashkernel_debian:-192M} \
			${reservation-$region_arg} tsc=reliable systemd.show_status=0 ${append:-}" \
		--allow 'Kernel panic - not syncing: sysrq triggered crash' "$@" || status=1
	take_guest_claims
	check "boots and ends as expected" [ "$status" = 0 ]
}

# clean_up: what is large.
clean_up() {
	rm -rf "$out"/*.img "$out/vmlinuz"
}

# console_says TEXT
console_says() {
	grep -F -- "$1" "$out/console.log"
}
