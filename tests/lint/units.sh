#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Settings of systemd and modprobe.

# shellcheck source=tests/lint/lib.sh
. "$(dirname "$0")/lib.sh"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

UNITS='systemd/*.service kdump-hooks/*/*.service'

# Exposure in tenths: 0 is a service that can do nothing, 100 any.
most_exposed()
{
	case $1 in
	# In an initrd there is nothing to be kept from, and no root to make name spaces of.
	kdump-hooks/suse/*) echo 100 ;;
	*/epitaph.service) echo 10 ;;
	*/epitaph-capture.service) echo 12 ;;
	*/epitaph-after-crash.service) echo 96 ;;	# it runs programs of the administrator
	*/epitaph-doctor.service) echo 28 ;;	# it asks where captures are sent
	# PrivateTmp= and PrivateDevices= fail on a full disk, on which these are to run.
	*/epitaph-send.service) echo 24 ;;
	*) echo 20 ;;
	esac
}

# As it will be installed, but for what is not installed here.
unit()
{
	sed -E 's,^(Exec(Start|Condition)=[-+]?)/usr/(bin/epitaph|lib/epitaph/[a-z-]*),\1/bin/true,' "$1" >"$scratch/${1##*/}"
}

unknown_settings()
{
	for path in $UNITS; do
		unit "$path"
		systemd-analyze verify --man=no --recursive-errors=no "$scratch/${path##*/}" 2>&1
	done
}

# With the unit of the distribution, which it is for.
unknown_additions()
{
	units=$scratch/units
	mkdir -p "$units/modprobe@epitaph.service.d" &&
		cp systemd/modprobe-recorder.conf "$units/modprobe@epitaph.service.d/epitaph.conf"
	SYSTEMD_UNIT_PATH=$units: systemd-analyze verify --man=no --recursive-errors=no \
		modprobe@epitaph.service 2>&1
}

exposed()
{
	for path in $UNITS; do
		unit "$path"
		systemd-analyze security --no-pager --offline=true "--threshold=$(most_exposed "$path")" \
			"$scratch/${path##*/}" >"$scratch/said" 2>&1 || tail -1 "$scratch/said"
	done
}

# All that is enabled, started with the boot: systemd breaks a cycle by leaving a unit out.
ordering_cycles()
{
	boot=$scratch/boot
	mkdir "$boot"
	cp systemd/*.timer "$boot"
	for path in systemd/*.service; do
		unit "$path"
		cp "$scratch/${path##*/}" "$boot"
	done
	for path in "$boot"/*; do
		sed -n 's/^WantedBy=//p' "$path" | while read -r target; do
			mkdir -p "$boot/$target.wants"
			ln -s "$path" "$boot/$target.wants/"
		done
	done
	SYSTEMD_UNIT_PATH=$boot: systemd-analyze verify --man=no multi-user.target 2>&1 | grep cycle
}

# A target waits for what it wants, unless that has no default dependencies.
hold_up()
{
	grep -lE '^WantedBy=' systemd/*.service | xargs grep -LE '^DefaultDependencies=no$'
	grep -HE '^Before=' systemd/*.service | grep -v ':Before=shutdown.target$'
}

# modprobe shows a file's lines as it understood them.
not_understood()
{
	mkdir "$scratch/modprobe" && cp systemd/modprobe.conf "$scratch/modprobe/epitaph.conf" &&
		PATH=$PATH:/sbin:/usr/sbin modprobe -C "$scratch/modprobe" --showconfig |
		grep -qx 'softdep nd_e820 pre: epitaph' || echo "systemd/modprobe.conf"
}

holds "units__are_there" "$([ -f systemd/epitaph-recover.service ] || echo none)"
holds "units__systemd_understands_every_line" "$(unknown_settings)"
holds "units__systemd_understands_what_is_added_to_its_own" "$(unknown_additions)"
holds "units__start_in_an_order_without_a_cycle" "$(ordering_cycles)"
holds "units__can_do_little" "$(exposed)"
holds "units__hold_up_no_target" "$(hold_up)"
holds "modprobe__is_told_who_comes_first" "$(not_understood)"
end
