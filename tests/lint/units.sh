#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What systemd and modprobe are told.

# shellcheck source=tests/lint/lib.sh
. "$(dirname "$0")/lib.sh"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Exposure in tenths: 0 is a service that can do nothing, 100 any.
MOST_EXPOSED=20

# As it will be installed, but for what is not installed here.
unit()
{
	sed 's,^ExecStart=/usr/sbin/epitaph,ExecStart=/bin/true,' "systemd/$1" >"$scratch/$1"
}

unknown_settings()
{
	for path in systemd/*.service; do
		unit "${path##*/}"
		systemd-analyze verify --man=no --recursive-errors=no "$scratch/${path##*/}" 2>&1
	done
}

# With the unit of the distribution, which it is for.
unknown_additions()
{
	units=$scratch/units
	mkdir -p "$units/systemd-pstore.service.d" &&
		cp systemd/systemd-pstore.conf "$units/systemd-pstore.service.d/epitaph.conf"
	SYSTEMD_UNIT_PATH=$units: systemd-analyze verify --man=no --recursive-errors=no \
		systemd-pstore.service 2>&1
}

exposed()
{
	for path in systemd/*.service; do
		unit "${path##*/}"
		systemd-analyze security --no-pager --offline=true --threshold=$MOST_EXPOSED \
			"$scratch/${path##*/}" >"$scratch/said" 2>&1 || tail -1 "$scratch/said"
	done
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
holds "units__can_do_little" "$(exposed)"
holds "units__harvest_before_systemd_pstore_does" \
	"$(grep -q '^Before=.*systemd-pstore.service' systemd/epitaph-recover.service || echo no)"
holds "modprobe__is_told_who_comes_first" "$(not_understood)"
end
