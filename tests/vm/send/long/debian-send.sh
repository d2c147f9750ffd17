#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A Debian with kdump-tools that has an sshd to send to.  It crashes: the capture boot
# sends the region while kdump-tools writes its vmcore, and the boot after it has nothing to send.
# Then it dies without kdump, and the next boot's timer sends.

# shellcheck disable=SC2317 # check calls them
VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"
. "$(dirname "$0")/../../lib-debian.sh"
# shellcheck source=tests/vm/lib-send.sh
. "$here/lib-send.sh"

cat >"$out/boots.sh" <<'BOOTS'
. /test/lib-debian-guest.sh

set_up_network() {
	printf '[Match]\nName=en*\n[Network]\nAddress=10.0.2.15/24\n' >/etc/systemd/network/guest.network
	systemctl enable --now systemd-networkd
	mkdir -p /etc/epitaph
	cp /test/send.conf /etc/epitaph/
	install -m 600 /test/id /etc/epitaph/id
	cp /test/known_hosts /etc/epitaph/
	for _ in $(seq 30); do
		! epitaph send --check || return 0
		sleep 1
	done
	return 1
}

# said TEXT: by the service that the timer starts; the first time, or, if the harvest was not over, ten minutes later.
said() {
	for _ in $(seq 1200); do
		journalctl -b -o cat --no-pager -u epitaph-send >/tmp/journal
		! grep -q -- "$1" /tmp/journal || break
		sleep 1
	done
	sed 's/^/# /' /tmp/journal
	grep -q -- "$1" /tmp/journal
}

everything_is_marked() {
	find /var/lib/epitaph /var/crash/epitaph-* -name region >/tmp/regions
	for trace in $(cat /tmp/regions); do
		grep '^sftp://root@10.0.2.2:' "${trace%/region}/sent" || return
	done
}

case $boot in
1)
	check "a trace would be taken" set_up_network
	check "kdump is loaded" kdump_is_loaded
	panic
	;;
2)
	systemctl list-timers --no-pager epitaph-send.timer | sed 's/^/# /'
	# Where the reboot came first, it is this boot that sends it.
	check "after kdump: the timer starts it" said '^nothing to send\|^sent /var/crash/epitaph-.* to sftp://'
	check "all is marked" everything_is_marked
	check "no unit failed" no_unit_of_ours_failed
	kexec -p -u
	panic
	;;
3)
	check "without kdump: the timer starts it, and what was harvested is sent" said '^sent /var/lib/epitaph/'
	check "all is marked" everything_is_marked
	;;
esac
BOOTS

all_collected() {
	find "$out/collected" -name "guest1-*.tar.zst" | sort
	[ "$(find "$out/collected" -name "guest1-*.tar.zst" | wc -l)" = 2 ]
}

# unpack ARCHIVE
unpack() {
	mkdir -p "$out/unpacked/$(basename "$1")" && tar --zstd --no-same-owner -C "$out/unpacked/$(basename "$1")" -xf "$1"
}

# In the order in which it came.
first() {
	archive=$(find "$out/collected" -name "guest1-*.tar.zst" -printf '%T@ %p\n' | sort -n | head -n 1 | cut -d ' ' -f 2)
	unpack "$archive" && echo "$out/unpacked/$(basename "$archive")"
}

same_as_on_disk() {
	debugfs -R "rdump /var/crash $out" "$out/disk.img" >>"$out/debugfs" 2>&1
	cmp "$(first)/region" "$out"/crash/epitaph-*/region
}

# Each is of the boot that it is called after, and whole.
all_are_whole() {
	for archive in "$out"/collected/guest1-*.tar.zst; do
		unpack "$archive" && sums_of "$out/unpacked/$(basename "$archive")/region" || return
	done
}

need_bare_debian
check "apt installs the packages" install_built
start_server
settings "sftp://root@10.0.2.2:$port" HOST=guest1 >"$out/send.conf"
put_script
put /test/send.conf "$out/send.conf"
put /test/id "$out/id"
put /test/known_hosts "$out/known_hosts"
debian_boots 4 --measure 'sysrq triggered crash=>epitaph: the trace is on another machine' \
	--measure 'sysrq triggered crash=>saved vmcore in' \
	-- -netdev user,id=net -device virtio-net-pci,netdev=net
check "the guest ended well" guest_ended_well
check "the capture boot has sent it" console_says 'epitaph: the trace is on another machine'
check "and kdump-tools saved its vmcore" console_says 'saved vmcore in'
check "the server has two archives: of kdump, and of the harvest" all_collected
check "each is whole" all_are_whole
check "of the first the region alone" [ ! -e "$(first)/summary.txt" ]
check "which is what the disk has" same_as_on_disk
sed 's/^/# /' "$out/measures" "$out/server.log"
clean_up
rm -rf "$out/crash"
finish
