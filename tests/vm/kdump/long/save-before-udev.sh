#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What saves before udev, on a worse day: the disk is full, and then it never comes.  Neither is made
# worse by it: nothing is left behind, kdump-tools makes its own attempt, the machine restarts, and
# the next boot has the trace out of memory.

# shellcheck disable=SC2317 # lib-debian.sh's; called by name
VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"
. "$(dirname "$0")/../../lib-debian.sh"

cat >"$out/boots.sh" <<'BOOTS'
rm -f /var/full
. /test/lib-debian-guest.sh

# leave KIB: of all the room.
leave() {
	sync
	free=$(df --output=avail -k / | tail -n 1)
	fallocate -l $((free - $1))K /var/full
	sync
}

# harvested TEXT: a region that is harvested has it, when all are.
harvested() {
	epitaph harvest || :
	for _ in $(seq 600); do
		grep -qx evidence /sys/kernel/epitaph/generations/*/state || break
		sleep 1
	done
	for region in $(find /var/lib/epitaph /var/crash -name region); do
		epitaph report --all "$region" >/tmp/harvested || [ $? = 1 ]
		! grep "$1" /tmp/harvested || return 0
	done
	ls -lR /var/lib/epitaph /var/crash
	grep . /sys/kernel/epitaph/generations/*/state
	return 1
}

check "boot $boot: kdump is loaded" kdump_is_loaded
echo "boot $boot was here" >/dev/kmsg
case $boot in
1)
	leave 512
	panic
	;;
2)
	check "on a full disk nothing of ours is left behind" sh -c '! ls -d /var/crash/.epitaph* /var/crash/epitaph-*'
	check "when there is room, the trace is harvested" harvested 'boot 1 was here'
	sed -i '/^KDUMP_CMDLINE_APPEND/d' /etc/default/kdump-tools
	echo 'KDUMP_CMDLINE_APPEND="reset_devices nr_cpus=1 systemd.unit=kdump-tools-dump.service root=UUID=0f0f0f0f-0000-4000-8000-0f0f0f0f0f0f"' \
		>>/etc/default/kdump-tools
	kdump-config reload
	panic
	;;
3) check "the trace of a boot whose capture kernel had no disk is harvested" harvested 'boot 2 was here' ;;
esac
BOOTS

# In this order: ours, before udev; then that of kdump-tools.
full_is_said() {
	awk '/epitaph: ERROR not everything is saved in \/var\/crash/ && !ours { ours = NR }
		/epitaph: end of the last events/ && !end { end = NR } /Starting systemd-udevd/ && ours && !udev { udev = NR }
		/No space left on device/ { theirs = NR }
		END { print ours, end, udev, theirs; exit !(ours && ours < end && end < udev && udev < theirs) }' "$out/console.log"
}

need_bare_debian
check "apt installs the packages" install_built
put_script
debian_boots 5
check "the guest ended well" guest_ended_well
check "full: it is said before udev, with the last events, and kdump-tools tries after it" full_is_said
check "a disk that never comes: the initramfs says so, as without us" console_says 'Gave up waiting for root file system device'
clean_up
finish
