#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# In the capture kernel of kdump-utils, before its own dump: the trace to the same
# target.  kdump.conf(5) says what there is; a failure here is a warning there.

target=/sysroot path=/var/crash sshkey=/root/.ssh/kdump_id_rsa
host='' raw=''
# --mount "DEVICE DIRECTORY TYPE..."
mount_arg="--mount[= ]*[\"'][^ ]+ ([^ ]+) "

say() {
	echo "epitaph: $*" >&2
}

# The mount point of DEVICE, mounted now or by what fstab says.
mount_point() {
	findmnt -k -n -r -f -o TARGET --source "$1" || findmnt -s -n -r -f -o TARGET --source "$1"
}

# What kdump-utils wrote for this kernel, which names the target also where the
# administrator's file does not.
read_conf() {
	while read -r option value || [[ -n $option ]]; do
		value=${value%%#*}
		value=${value%"${value##*[![:space:]]}"}
		value=${value#\"}
		value=${value%\"}
		case $option in
		path) path=$value ;;
		sshkey) sshkey=$value ;;
		ssh) host=$value ;;
		raw) raw=$value ;;
		ext[234] | xfs | btrfs | minix | nfs | virtiofs) target=$(mount_point "$value") ;;
		dracut_args) [[ ! $value =~ $mount_arg ]] || target=${BASH_REMATCH[1]} ;;
		esac
	done </etc/kdump.conf
}

# As kdump-utils does it a moment later.
make_writable() {
	findmnt -k -n "$1" >/dev/null || mount --target "$1" || return
	case $(findmnt -k -n -r -f -o OPTIONS "$1") in
	ro | ro,*) mount -o remount,rw "$1" ;;
	esac
}

# On a share other hosts save, too: what one of them thins out, or finds half made, must be its own.
host_directory() {
	local name='' id

	case $(findmnt -k -n -r -f -o FSTYPE "$1") in
	nfs* | cifs | smb3 | virtiofs | 9p | ceph | fuse*) ;;
	*) return ;;
	esac
	{ read -r name </etc/epitaph/host; } 2>/dev/null
	read -r id </proc/sys/kernel/random/boot_id
	echo "/${name:-unknown-${id%%-*}}"
}

save_on() {
	if [[ -z $1 ]] || ! make_writable "$1"; then
		say "ERROR ${1:-the target} is not mounted for writing: the trace stays in the vmcore"
		return 1
	fi
	timeout 60 /usr/lib/epitaph/capture "$1/$path$(host_directory "$1")" >&2
}

# remote COMMAND: at the host of the dump, nobody else may read it.
remote() {
	timeout 50 ssh -q -i "$sshkey" -o BatchMode=yes -o StrictHostKeyChecking=yes "$host" "umask 0077; $1"
}

# send NAME COMMAND...: what that writes, there; under its own name when it is whole.
send() {
	local name=$1
	shift
	{ "$@" || [[ $? = 1 ]]; } | remote "cat >'$there/$name-incomplete'" &&
		[[ ${PIPESTATUS[0]} = 0 ]] && remote "mv '$there/$name-incomplete' '$there/$name'"
}

# Nothing is kept here: what is read of the dump goes there as it is read.
save_at_host() {
	read -r id </proc/sys/kernel/random/boot_id
	there=$path/epitaph-$(uname -n)-$(date -u +%Y%m%dT%H%M%SZ)-${id%%-*}
	if remote "mkdir -p '$there'" &&
		send vmcore-trace.txt epitaph report --no-pager --all /proc/vmcore; then
		say "the trace is at $host:$there"
	else
		say "ERROR the trace could not be sent to $host: it stays in the vmcore"
		return 1
	fi
}

# It has no age: by such a policy the trace is for the next boot, which finds it in memory.
case $(epitaph seal --when 2>&1) in
encrypted | never) ;;
*)
	say "ERROR seal.conf forbids to save in the clear, and this capture kernel cannot seal: the trace is not saved, it stays in memory"
	exit 1
	;;
esac
read_conf
if [[ -n $raw ]]; then
	say "$raw is no file system: the trace is in the vmcore"
elif [[ -n $host ]]; then
	save_at_host
else
	save_on "$target"
fi
