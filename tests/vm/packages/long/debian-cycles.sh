#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The same Debian dies DEBIAN_CYCLES times (20): with kdump at odd boots, without at even ones.
# Each death leaves a trace, and each is whole.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"
. "$(dirname "$0")/../../lib-debian.sh"

cycles=${DEBIAN_CYCLES:-20}

cat >"$out/boots.sh" <<BOOTS
. /test/lib-debian-guest.sh
cycles=$cycles
BOOTS
cat >>"$out/boots.sh" <<'BOOTS'

# Of the boot before this one, by its id: a clock that an overloaded host set wrong may make an
# older one look newer.
trace_of_last() {
	id=$(cat /var/lib/last-boot)
	if [ $((boot % 2)) = 0 ]; then
		ls -d /var/crash/epitaph-"$id"-*
	else
		ls -d /var/lib/epitaph/"$id"-*
	fi
}

last_is_whole() {
	dir=$(trace_of_last) || { ls -l /var/crash /var/lib/epitaph; return 1; }
	epitaph check "$dir/region" && epitaph report --all "$dir/region" >/tmp/report &&
		grep 'sysrq triggered crash' /tmp/report || { df /; ls -l "$dir"; return 1; }
	echo "${dir##*/}" >>/var/lib/whole
}

every_death_left_one() {
	sort -u /var/lib/whole | tee /tmp/whole
	[ "$(wc -l </tmp/whole)" = "$cycles" ] || return 1
	for name in $(cat /tmp/whole); do
		epitaph check /var/crash/"$name"/region 2>/dev/null || epitaph check /var/lib/epitaph/"$name"/region || return 1
	done
}

[ $boot = 1 ] || check "boot $((boot - 1)) left its trace, whole" last_is_whole
if [ $boot -gt "$cycles" ]; then
	check "$cycles traces are there, each whole" every_death_left_one
	check "no unit failed" no_unit_of_ours_failed
	exit
fi
time_of epitaph-recover
tr -d '\n' </proc/sys/kernel/random/boot_id >/var/lib/last-boot
kdump_is_loaded
[ $((boot % 2)) = 1 ] || kexec -p -u
# Their vmcores are another's matter, and large.
rm -rf /var/crash/2*
panic
BOOTS

need_debian
debian_boots $((cycles + (cycles + 1) / 2 + 1))
check "the guest ended well" guest_ended_well
clean_up
finish
