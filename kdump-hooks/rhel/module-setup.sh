#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# For the image of kdump-utils' capture kernel: what pre.d/50-epitaph.sh runs, which
# kdump-utils puts there itself.
# shellcheck disable=SC2154 # dracut sets these

# kdump-utils says so.
check() {
	[[ -n $IN_KDUMP ]]
}

depends() {
	:
}

# The one without the libraries that a capture kernel has no memory for, if there is one.
find_tool() {
	local tool=/usr/lib/epitaph/epitaph-small
	[[ -x ${dracutsysrootdir-}$tool ]] || tool=/usr/bin/epitaph
	echo "$tool"
}

# The directory of this machine's traces on a share: the capture kernel does not know its name.
put_host() {
	local name id=''

	name=$(uname -n)
	{ read -r id <"${dracutsysrootdir-}/etc/machine-id"; } 2>/dev/null
	mkdir -p "$initdir/etc/epitaph"
	echo "${name//[!A-Za-z0-9._-]/_}-${id:0:8}" >"$initdir/etc/epitaph/host"
}

# Does epitaph send look where the dumps are? Otherwise none there is ever marked as sent, and none may make room.
sends_from_target() {
	local root=${dracutsysrootdir-} option value

	! grep -q '^FROM=' "$root/etc/epitaph/send.conf" || return
	[[ -e $root/etc/kdump.conf ]] || return 0
	while read -r option value || [[ -n $option ]]; do
		case $option in
		ssh | raw | nfs* | virtiofs | dracut_args) return 1 ;;
		ext[234] | xfs | btrfs | minix) findmnt -S "${value//\"/}" >/dev/null || return ;;
		esac
	done <"$root/etc/kdump.conf"
}

install() {
	local conf

	inst "$(find_tool)" /bin/epitaph
	inst_simple /usr/lib/epitaph/capture
	# What must not lie in the clear is not saved there, and what is to be kept, or is not sent yet, does
	# not make room for what is new.
	for conf in /etc/epitaph/{seal,retention,send}.conf; do
		[[ -e ${dracutsysrootdir-}$conf ]] || continue
		[[ $conf != */send.conf ]] || sends_from_target || continue
		inst_simple "$conf"
	done
	put_host
	inst_multiple findmnt mount timeout
}
