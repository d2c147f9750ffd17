#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A Debian with kdump-tools and our packages, installed by apt: it crashes, the trace is
# on disk before kdump-tools' own vmcore and in it as well; then it dies without kdump,
# and the next boot has the trace; then apt purges them, and nothing stays.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"
. "$(dirname "$0")/../../lib-debian.sh"

cat >"$out/boots.sh" <<'BOOTS'
. /test/lib-debian-guest.sh

# A vmcore of a machine that has been at work.
work() {
	find / -xdev -type f -size -300k -exec cat {} + >/dev/null 2>&1 || :
	grep -E '^(MemFree|Cached|Slab)' /proc/meminfo | sed 's/^/# /'
}

purged() {
	apt-get -q purge -y epitaph epitaph-dkms epitaph-kdump
}

# But for what they saved, and what systemd-pstore did.
nothing_stays() {
	rm -rf /var/lib/epitaph /var/crash/epitaph-* /var/lib/systemd/pstore /packages
	! find / -xdev -name '*epitaph*' ! -path '/var/log/*' ! -path '/tmp/*' | grep . &&
		! lsinitramfs /boot/initrd.img-* | grep epitaph &&
		! lsinitramfs /var/lib/kdump/initrd.img-*-amd64 | grep epitaph
}

case $boot in
1)
	check "the initramfs has loaded the recorder" [ -d /sys/kernel/epitaph ]
	dmesg | grep -m 3 epitaph: | sed 's/^/# /'
	time_of epitaph-recover
	check "kdump is loaded" kdump_is_loaded
	check "doctor is green" epitaph doctor
	work
	panic
	;;
2)
	ls -lR /var/crash | sed 's/^/# /'
	check "the trace is in a directory of its own" [ -s "$(of_ours)/region" ]
	check "a summary lies beside it" [ -s "$(of_ours)/summary.txt" ]
	check "for root alone" is_private "$(of_ours)"
	check "kdump-tools made its vmcore" [ -n "$(of_theirs)" ]
	check "the vmcore has the same trace" same_trace
	check "the next boot knows it, and saves no second copy" captured_once
	check "one crash takes no more than the region has" no_larger_than_the_region
	kexec -p -u
	panic
	;;
3)
	check "without kdump: the harvest comes to its end" harvest_is_over
	check "without kdump: harvested" [ "$(ls /var/lib/epitaph/*/region | wc -l)" = 1 ]
	check "no unit failed" no_unit_of_ours_failed
	check "apt purges them" purged
	check "nothing of them stays" nothing_stays
	;;
esac
BOOTS

need_debian
debian_boots 4 \
	--measure 'sysrq triggered crash=>captured /var/crash/epitaph-' \
	--measure 'sysrq triggered crash=>saved vmcore in'
check "the guest ended well" guest_ended_well
sed 's/^/# /' "$out/measures"
clean_up
finish
