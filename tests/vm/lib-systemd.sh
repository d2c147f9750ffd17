# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
#
# Words of guests that boot a Debian with its systemd.

# script_unit ROOT [LINE]: a unit that runs /test/boots.sh in each boot; LINE is for its [Unit].
script_unit() {
	mkdir -p "$1/test" "$1/var/log/journal"
	cat >"$1/etc/systemd/system/guest.service" <<UNIT
[Unit]
Description=The test's script
${2:-}
[Service]
Type=oneshot
TimeoutStartSec=infinity
ExecStart=/bin/sh /test/boots.sh
[Install]
WantedBy=multi-user.target
UNIT
	# Not a first boot, which has systemd enable what its presets name.
	echo 5c0ffee05c0ffee05c0ffee05c0ffee0 >"$1/etc/machine-id"
	systemctl --root="$1" enable guest.service
}
