#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What an administrator of kdump-tools configures: an NFS server that is not there, an ssh
# server that is, /var on a file system of its own, and that one full.  Ours is on the local disk
# each time that there is room, and kdump-tools does what it does without us.  The initramfs is one that
# does not load the recorder, so epitaph.service has to, as it is confined.

# shellcheck disable=SC2317 # called by name
VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"
. "$(dirname "$0")/../../lib-debian.sh"

cat >"$out/boots.sh" <<'BOOTS'
. /test/lib-debian-guest.sh

loaded_by_its_unit() {
	unit_did_it epitaph && [ -d /sys/kernel/epitaph ]
}

region_is_in_their_dump() {
	kdump_is_loaded && dmesg | grep epitaph:
}

# The trace of the boot before this one, in DIR.
has_trace() {
	dir=$(newest "$1"/epitaph-* "$1"/epitaph/*-*)
	[ -s "$dir/region" ] && [ -s "$dir/summary.txt" ]
}

configure() {
	sed -i '/^SSH\|^NFS\|^KDUMP_COREDIR/d' /etc/default/kdump-tools
	printf '%s\n' "$@" >>/etc/default/kdump-tools
}

# A key, an address, and a server that answers as 10.0.2.100.
set_up_ssh() {
	mkdir -p /root/.ssh
	install -m 600 /test/key /root/.ssh/kdump_id_rsa
	printf 'Host *\nStrictHostKeyChecking no\nUserKnownHostsFile /dev/null\n' >/root/.ssh/config
	printf '[Match]\nName=en*\n[Network]\nAddress=10.0.2.15/24\n' >/etc/systemd/network/guest.network
	systemctl enable systemd-networkd
}

move_var() {
	mke2fs -q -F -t ext4 -m 0 /dev/vdb
	mount /dev/vdb /mnt
	cp -a /var/. /mnt/
	rm -rf /mnt/crash/*
	umount /mnt
	echo '/dev/vdb /var ext4 defaults 0 2' >>/etc/fstab
}

empty_var() {
	rm -rf /var/full /var/crash/* /var/lib/epitaph/* /var/lib/systemd/pstore/* /var/log/journal/*/*@*
	sync
}

# leave MIB: of all the room in /var.
leave() {
	empty_var
	free=$(df --output=avail -m /var | tail -n 1)
	fallocate -l $((free - $1))M /var/full
	df -m /var
}

# But for what boots are counted in: a region, compressed, is larger.
fill() {
	empty_var
	dd if=/dev/zero of=/var/full bs=1M 2>/dev/null || :
	truncate -s -64K /var/full
	sync
	df -k /var
}

check "boot $boot: kdump is loaded, with a region" region_is_in_their_dump
case $boot in
1)
	check "epitaph.service loads the recorder, confined as it is" loaded_by_its_unit
	time_of epitaph
	time_of epitaph-recover
	configure NFS=192.0.2.1:/dumps NFS_MOUNT_RETRY=1
	panic
	;;
2)
	check "an NFS server that is not there: ours is on the disk" has_trace /var/crash
	check "and for root alone" is_private "$(of_ours)"
	if [ -s /test/key ]; then
		set_up_ssh
		configure SSH=root@10.0.2.100 "KDUMP_COREDIR=$(cat /test/remote)" SSH_KDUMP_RETRY=2
	else
		configure SSH=root@192.0.2.1 KDUMP_COREDIR=/srv/dumps SSH_KDUMP_RETRY=1
	fi
	panic
	;;
3)
	configure KDUMP_COREDIR=/var/crash
	move_var
	panic
	;;
4)
	check "/var is a file system of its own" sh -c 'grep " /var " /proc/mounts'
	check "the trace is in it" has_trace /var/crash
	check "and the vmcore of kdump-tools" [ -n "$(of_theirs)" ]
	check "the vmcore has the same trace" same_trace
	# What has to be known of it, the initramfs does not know: from now on the unit saves there.
	sed -i 's/ defaults 0 2$/ defaults,x-systemd.device-timeout=90 0 2/' /etc/fstab
	check "/var is nearly full" leave 150
	panic
	;;
5)
	ls -lR /var/crash | sed 's/^/# /'
	check "with 150 MiB of room: the trace is there" has_trace /var/crash
	check "and takes no more than the region has, as the room is the vmcore's" no_larger_than_the_region
	check "which is whole, and has the same trace" same_trace
	check "/var is full" fill
	panic
	;;
6)
	ls -lR /var/crash | sed 's/^/# /'
	check "in a full /var nothing of ours is left behind" sh -c '! find /var/crash -name "*epitaph*" | grep .'
	check "and the trace is in memory" grep -qx evidence /sys/kernel/epitaph/generations/*/state
	rm /var/full
	systemctl restart epitaph-recover
	check "with room, it is saved" until_saved
	check "and has its summary" has_trace /var/lib
	;;
esac
BOOTS

# serve_ssh: what 10.0.2.100 in the guest's network is; a process for each connection.
serve_ssh() {
	mkdir -p "$out/remote" "$out/ssh" /run/sshd
	chmod 700 "$out/ssh"
	ssh-keygen -q -t ed25519 -N '' -f "$out/ssh/host"
	ssh-keygen -q -t ed25519 -N '' -f "$out/ssh/key"
	cat >"$out/ssh/config" <<SSHD
HostKey $out/ssh/host
AuthorizedKeysFile $out/ssh/key.pub
StrictModes no
UsePAM no
Subsystem sftp internal-sftp
SSHD
	echo "$out/remote" >"$out/ssh/remote"
	put /test/key "$out/ssh/key"
	put /test/remote "$out/ssh/remote"
}

# In the directory of that name, of which a boot may clean a part, as of /tmp.
is_here_as_well() {
	console_says "captured $out/remote/epitaph-" || console_says 'captured /srv/dumps/epitaph-'
}

arrived() {
	ls -lR "$out/remote"
	recovers "$epitaph" report --all "$out"/remote/*/dump.* >"$out/report-remote" && [ -s "$out/report-remote" ]
}

need_debian
network="user,model=virtio-net-pci,restrict=on"
if [ -x /usr/sbin/sshd ]; then
	serve_ssh
	network="$network,guestfwd=tcp:10.0.2.100:22-cmd:/usr/sbin/sshd -i -f $out/ssh/config"
fi
truncate -s 2G "$out/var.img"
initrd=initrd-plain.img debian_boots 11 \
	--measure 'sysrq triggered crash=>captured /' \
	-- -nic "$network" -drive "file=$out/var.img,format=raw,if=virtio,cache=unsafe"
check "the guest ended well" guest_ended_well
check "of the NFS server kdump-tools itself says that it is not there" console_says 'Unable to mount remote NFS'
check "an ssh server: ours is on the local disk" is_here_as_well
if [ -x /usr/sbin/sshd ]; then
	check "the vmcore has arrived at the ssh server, with the trace" arrived
else
	ok "the vmcore has arrived at the ssh server, with the trace # SKIP no sshd"
fi
check "/var elsewhere is reported, but where it was mounted before udev" [ "$(console_says \
	'epitaph: /var/crash may be on another file system: saved when all is mounted' | wc -l)" = 2 ]
check "full: it says so, and shows the last events" console_says 'epitaph: ERROR not everything is saved in /var/crash'
check "full: kdump-tools' own attempt comes after it" console_says 'No space left on device'
clean_up
finish
