#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Packages come and go by apt, the machine dies before it is booted again, and no trace is lost: downgrade,
# upgrade, removal, purge, and both installed again, at last with a larger region.  The older release is this
# one by another version, or what OLD_DEBS names: a directory of packages.  Modules are built here, and come
# and go as DKMS would have them.  What two releases make of each other's regions is in warm/long/transitions.sh.
# FROM=removal: without downgrade and upgrade.  The initramfs is the host's, and has no recorder: it would be
# there after a removal too.  What apt makes of the guest's own is looked into.

# shellcheck disable=SC2317 # check calls what is defined here
VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"
. "$(dirname "$0")/../../lib-debian.sh"

from=${FROM:-downgrade}
case $from in
downgrade) first=1 kernels=7 ;;
removal) first=3 kernels=4 ;;
*) skip_all "there are FROM=downgrade and FROM=removal" ;;
esac

echo "first=$first" >"$out/boots.sh"
cat >>"$out/boots.sh" <<'BOOTS'
. /test/lib-debian-guest.sh
boot=$((boot + first - 1))
release=$(uname -r)
modules=/lib/modules/$release/updates/dkms

# has_modules DIR: where depmod was run before; here it would take a minute.
has_modules() {
	cp /packages/$1/modules.* "/lib/modules/$release/"
}

# set_region SIZE: from the next start of the recorder on.
set_region() {
	echo "options epitaph addr=0x20000000 size=$1" >/etc/modprobe.d/region.conf
}

region_has() {
	epitaph status --json | grep -o '"region":{[^}]*}' | tee /dev/stderr | grep -q "\"size\":$1[,}]"
}

# install OLD|NEW: what it says is in the log if it fails
install() {
	mkdir -p "$modules"
	cp /packages/*.ko "$modules/"
	has_modules with
	apt-get -q install -y --allow-downgrades --no-install-recommends "/packages/$1/"*.deb || return
	dpkg-query -W -f '${Package} ${Version}\n' epitaph epitaph-kdump | tee /tmp/versions
	[ "$(grep -c " $(cat /packages/$1/version)\$" /tmp/versions)" = 2 ]
}

# take_away remove|purge
take_away() {
	apt-get -q "$1" -y epitaph epitaph-kdump || return
	rm -f "$modules"/epitaph*.ko
	has_modules without
	[ ! -e /usr/bin/epitaph ]
}

no_initramfs_has_it() {
	for image in /boot/initrd.img-* /var/lib/kdump/initrd.img-*-amd64; do
		lsinitramfs "$image" >/tmp/names && [ -s /tmp/names ] || return
		! grep epitaph /tmp/names || return
	done
}

# has_trace ROW: of the boot that died in it, whole
has_trace() {
	for region in /var/lib/epitaph/*/region /var/crash/epitaph-*/region; do
		{ epitaph report --all "$region" || [ $? = 1 ]; } >/tmp/report 2>/dev/null || continue
		if grep -q "row $1 was here" /tmp/report; then
			epitaph check "$region"
			return
		fi
	done
	ls -lR /var/lib/epitaph /var/crash
	cat /sys/kernel/epitaph/generations/*/state
	return 1
}

has_all() {
	for row in "$@"; do
		has_trace "$row" || return
	done
}

# Without a recorder it waits in memory, and is saved by one that comes back.  The driver of NVDIMMs may have taken
# the memory meanwhile: doctor says so, and what to do; and then that kdump was loaded before the recorder.
comes_back() {
	install new && systemctl daemon-reload || return
	systemctl start epitaph || :
	if [ ! -d /sys/kernel/epitaph ]; then
		! epitaph doctor >/tmp/doctor || return
		cat /tmp/doctor
		grep -A 1 '^failure *nd_pmem' /tmp/doctor | grep -e '-> modprobe -r nd_pmem && modprobe epitaph' || return
		echo "doctor said that nd_pmem has the memory" >>/var/log/times
		modprobe -r nd_pmem && modprobe epitaph && systemctl restart epitaph || return
	fi
	systemctl start epitaph-recover && until_saved || return
	kdump_is_loaded
	! epitaph doctor >/tmp/doctor || return 0
	cat /tmp/doctor
	grep -A 1 '^failure *order' /tmp/doctor | grep -e '-> kdump-config reload' || return
	echo "doctor said that kdump was loaded too early" >>/var/log/times
	kdump-config reload
}

# But for what it saved, and what the test needs.
nothing_stays() {
	! find / -xdev -name '*epitaph*' ! -path '/var/log/*' ! -path '/tmp/*' ! -path '/packages/*' ! -path '/var/lib/epitaph*' \
		! -path '/var/crash/epitaph-*' ! -path '/var/lib/systemd/pstore/*' ! -path '/var/cache/*' | grep . &&
		no_initramfs_has_it
}

# die_in ROW [kdump]
die_in() {
	logger "row $1 was here"
	echo "row $1 was here" >/dev/kmsg
	sync
	[ "${2-}" = kdump ] || kexec -p -u || :
	rm -rf /var/crash/2*
	panic
}

is_armed() {
	kdump_is_loaded
	# What of it is looked at beside the boot comes later.
	for _ in 1 2 3 4 5 6; do
		! epitaph doctor >/tmp/doctor || break
		sleep 20
	done
	cat /tmp/doctor
	epitaph status
	epitaph doctor
}

# timed COMMAND...: how long it took, for who tunes this test
timed() {
	read -r before _ </proc/uptime
	"$@"
	done_with=$?
	read -r after _ </proc/uptime
	echo "$1: ${before%.*} to ${after%.*} s" >>/var/log/times
	return $done_with
}

case $boot in
1)
	check "the recorder is loaded" [ -d /sys/kernel/epitaph ]
	check "downgrade: apt does it" timed install old
	check "downgrade: the recorder goes on" [ -d /sys/kernel/epitaph ]
	die_in downgrade
	;;
2)
	check "downgrade: the harvest comes to its end" harvest_is_over
	check "downgrade: the trace is saved" has_trace downgrade
	check "downgrade: the recorder is armed, doctor says" timed is_armed
	check "upgrade: apt does it" timed install new
	check "upgrade: kdump is loaded, anew" kdump_is_loaded
	check "upgrade: doctor is content before the reboot" epitaph doctor
	die_in upgrade kdump
	;;
3)
	if [ "$first" = 1 ]; then
		check "upgrade: the harvest comes to its end" harvest_is_over
		check "upgrade: the trace is saved" has_trace upgrade
		check "upgrade: the recorder is armed, doctor says" timed is_armed
	else
		check "the recorder is loaded" [ -d /sys/kernel/epitaph ]
	fi
	check "removal: apt does it" timed take_away remove
	check "removal: no initramfs has it" no_initramfs_has_it
	check "removal: the recorder goes on" [ -d /sys/kernel/epitaph ]
	die_in removal
	;;
4)
	check "removal: nothing of it starts" [ ! -d /sys/kernel/epitaph ]
	check "removal: installed again, it finds what lies in memory" timed comes_back
	check "removal: the trace is saved" has_trace removal
	check "removal: the recorder is armed, doctor says" timed is_armed
	check "purge: apt does it" timed take_away purge
	check "purge: nothing stays but what was saved" nothing_stays
	check "purge: the recorder goes on" [ -d /sys/kernel/epitaph ]
	die_in purge
	;;
5)
	check "purge: nothing of it starts" [ ! -d /sys/kernel/epitaph ]
	set_region 32M
	check "purge: installed again with a larger region, it finds what lies in memory" timed comes_back
	check "purge: the trace is saved" has_trace purge
	check "larger region: it has that" region_has 33554432
	check "larger region: the recorder is armed, doctor says" timed is_armed
	die_in larger
	;;
6)
	check "larger region: the harvest comes to its end" harvest_is_over
	check "larger region: the trace is saved" has_trace larger
	check "larger region: it has that after the reboot" region_has 33554432
	check "larger region: the recorder is armed after it, doctor says" timed is_armed
	check "all traces are there" has_all $([ "$first" != 1 ] || echo downgrade upgrade) removal purge larger
	check "no unit failed" no_unit_of_ours_failed
	;;
esac
BOOTS

# repack FILE DIR: the same as an older version
repack() {
	rm -rf "$out/package"
	dpkg-deb -R "$1" "$out/package" &&
		sed -i "s/\b$version_new\b/0.1.0/; s/^Version: .*/Version: 0.1.0/" "$out/package/DEBIAN/control" &&
		dpkg-deb -Zgzip -z1 --root-owner-group -b "$out/package" "$2/$(basename "$1" | sed "s/_[^_]*_/_0.1.0_/")" || return
	rm -rf "$out/package"
}

# Of lib-debian.sh: what is to come and to go lies there.
disk_of() {
	packages=$1/packages
	# It depends on one version of ours.
	in_root "$1" dpkg --purge epitaph-libvirt || return
	mkdir "$packages/new" "$packages/old"
	mv "$packages"/epitaph_*.deb "$packages"/epitaph-kdump_*.deb "$packages/new/"
	rm -f "$packages"/*.deb
	cp "$1"/lib/modules/*/updates/dkms/epitaph*.ko "$packages/"
	version_new=$(dpkg-deb -f "$packages"/new/epitaph_*.deb Version)
	if [ -n "${OLD_DEBS-}" ]; then
		cp "$OLD_DEBS"/epitaph_*.deb "$OLD_DEBS"/epitaph-kdump_*.deb "$packages/old/"
	else
		for file in "$packages"/new/*.deb; do
			repack "$file" "$packages/old" || return
		done
	fi
	for which in old new; do
		dpkg-deb -f "$packages/$which"/epitaph_*.deb Version >"$packages/$which/version"
	done
	for which in with without; do
		mkdir "$packages/$which"
		[ "$which" = with ] || rm "$1"/lib/modules/*/updates/dkms/epitaph*.ko
		depmod -b "$1" "$version" && cp "$1/lib/modules/$version"/modules.* "$packages/$which/" || return
	done
	cp "$packages"/epitaph*.ko "$1/lib/modules/$version/updates/dkms/"
	cp "$packages"/with/modules.* "$1/lib/modules/$version/"
	# apt reads what it knows of all packages, and the guest would, for minutes.
	rm -rf "$1"/var/lib/apt/lists/*
	truncate -s 6G "$2"
	mke2fs -q -F -t ext4 -m 0 -d "$1" "$2"
}

# Of lib-debian.sh.
configure() {
	echo '/dev/vda / ext4 errors=remount-ro 0 1' >"$1/etc/fstab"
	echo 'options epitaph addr=0x20000000 size=16M' >"$1/etc/modprobe.d/region.conf"
	# The guest makes a dozen of them.
	echo COMPRESSLEVEL=1 >"$1/etc/initramfs-tools/conf.d/level"
	for hook in dmsetup fsck keymap resume thermal; do
		rm -f "$1/usr/share/initramfs-tools/hooks/$hook"
	done
	echo force-unsafe-io >"$1/etc/dpkg/dpkg.cfg.d/unsafe-io"
	script_unit "$1" After=kdump-tools.service
}

need_bare_debian
check "apt installs the packages" install_built
cp "$out/said" "$out/installed"
check "and builds each initramfs once" [ "$(grep -c '^[a-z-]*: Generating ' "$out/installed")" = 2 ]
[ -f "$out/disk.img" ] || finish
# The packed one would unpack itself in each of the boots.
cp "$(boot_image)" "$out/vmlinuz"
put_script
# At a reset QEMU clears memory, and for each page with code goes through all that it has translated of it: of
# the minutes that apt takes, in a gigabyte, that is for many minutes more.
VM_ACCEL=${VM_ACCEL:-tcg,thread=single,tb-size=128}
export VM_ACCEL VM_TIMEOUT="${VM_TIMEOUT:-3600}"
reservation="memmap=32M!$region_addr" initrd=initrd-plain.img debian_boots "$kernels"
check "the guest ended well" guest_ended_well
take /var/log/times "$out/times"
comment <"$out/times"
clean_up
finish
