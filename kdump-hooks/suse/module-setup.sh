#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# For the image of SUSE kdump's capture kernel: the tool, and a unit that runs it before
# kdump's own.
# shellcheck disable=SC2154 # dracut sets these

# kdump's mkdumprd adds its module by this name.
check() {
	[[ " $dracutmodules $add_dracutmodules $force_add_dracutmodules " == *" kdump "* ]]
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
	local root=${dracutsysrootdir-} where

	! grep -q '^FROM=' "$root/etc/epitaph/send.conf" || return
	where=$(sed -n "s/^KDUMP_SAVEDIR=[\"']*//p" "$root/etc/sysconfig/kdump")
	[[ -z $where || $where == [/\"\']* || $where == file:* ]]
}

install() {
	local wants=$systemdsystemunitdir/kdump-save.service.wants conf

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
	inst_script "$moddir/save" /kdump/epitaph-save
	inst_simple "$moddir/epitaph-capture.service" "$systemdsystemunitdir/epitaph-capture.service"
	mkdir -p "$initdir$wants"
	ln_r "$systemdsystemunitdir/epitaph-capture.service" "$wants/epitaph-capture.service"
	inst_multiple findmnt mount
}
