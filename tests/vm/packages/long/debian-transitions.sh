#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Packages come and go by apt, the machine dies before it is booted again, and no trace is lost: downgrade,
# upgrade, removal, purge, and both installed again.  The older release is this one by another version, or
# what OLD_DEBS names: a directory of packages.  Modules are built here, and come and go as DKMS would have
# them.  What two releases make of each other's regions is in warm/long/transitions.sh.

# shellcheck disable=SC2317 # check calls what is defined here
VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"
. "$(dirname "$0")/../../lib-debian.sh"

cat >"$out/boots.sh" <<'BOOTS'
. /test/lib-debian-guest.sh
modules=/lib/modules/$(uname -r)/updates/dkms

# install OLD|NEW: what it says is in the log if it fails
install() {
	mkdir -p "$modules"
	cp /packages/*.ko "$modules/"
	depmod
	apt-get -q install -y --allow-downgrades --no-install-recommends "/packages/$1/"*.deb
	dpkg-query -W -f '${Package} ${Version}\n' epitaph epitaph-kdump | tee /tmp/versions
	[ "$(grep -c " $(cat /packages/$1/version)\$" /tmp/versions)" = 2 ]
}

# take_away remove|purge
take_away() {
	apt-get -q "$1" -y epitaph epitaph-kdump
	rm -f "$modules"/epitaph*.ko
	depmod
	! command -v epitaph
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

# Without a recorder it waits in memory, and is saved by one that comes back.
comes_back() {
	[ ! -d /sys/kernel/epitaph ] && install new && systemctl daemon-reload && systemctl start epitaph epitaph-recover &&
		until_saved
}

# But for what it saved, and what the test needs.
nothing_stays() {
	! find / -xdev -name '*epitaph*' ! -path '/var/log/*' ! -path '/tmp/*' ! -path '/packages/*' ! -path '/var/lib/epitaph*' \
		! -path '/var/crash/epitaph-*' ! -path '/var/lib/systemd/pstore/*' ! -path '/var/cache/*' | grep . &&
		! lsinitramfs /boot/initrd.img-* | grep epitaph && ! lsinitramfs /var/lib/kdump/initrd.img-*-amd64 | grep epitaph
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

case $boot in
1)
	check "the recorder is loaded" [ -d /sys/kernel/epitaph ]
	check "downgrade: apt does it" install old
	check "downgrade: the recorder goes on" [ -d /sys/kernel/epitaph ]
	die_in downgrade
	;;
2)
	check "downgrade: the harvest comes to its end" harvest_is_over
	check "downgrade: the trace is saved" has_trace downgrade
	check "downgrade: the recorder is loaded" [ -d /sys/kernel/epitaph ]
	check "upgrade: apt does it" install new
	check "upgrade: kdump is loaded, anew" kdump_is_loaded
	check "upgrade: doctor is content before the reboot" epitaph doctor
	die_in upgrade kdump
	;;
3)
	check "upgrade: the harvest comes to its end" harvest_is_over
	check "upgrade: the trace is saved" has_trace upgrade
	check "upgrade: doctor is content after it" sh -c 'for _ in 1 2 3 4 5 6; do epitaph doctor && exit; sleep 20; done; exit 1'
	check "removal: apt does it" take_away remove
	check "removal: the recorder goes on" [ -d /sys/kernel/epitaph ]
	die_in removal
	;;
4)
	check "removal: installed again, it finds what lies in memory" comes_back
	check "removal: the trace is saved" has_trace removal
	check "purge: apt does it" take_away purge
	check "purge: nothing stays but what was saved" nothing_stays
	check "purge: the recorder goes on" [ -d /sys/kernel/epitaph ]
	die_in purge
	;;
5)
	check "purge: installed again, it finds what lies in memory" comes_back
	check "all traces are there" has_all downgrade upgrade removal purge
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
	truncate -s 6G "$2"
	mke2fs -q -F -t ext4 -m 0 -d "$1" "$2"
}

need_bare_debian
check "apt installs the packages" install_built
[ -f "$out/disk.img" ] || finish
put_script
debian_boots 6
check "the guest ended well" guest_ended_well
clean_up
finish
