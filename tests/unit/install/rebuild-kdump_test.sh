#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What the package of kdump-tools' hook runs when it is installed, with a builder of ours.
# shellcheck disable=SC2016,SC2317 # ok calls the claims, and what it writes are scripts
. "$(dirname "$0")/../../lib/lib.sh"

fresh() {
	rm -rf "$dir/m" && mkdir -p "$dir/m/kdump" "$dir/m/bin" && cd "$dir/m" || return
	for release in 6.1.0-8-amd64 6.1.0-9-amd64 6.1.0-10-amd64; do
		: >"kdump/initrd.img-$release"
	done
	: >kdump/initrd.img-6.1.0-9-amd64.new
	printf '%s\n' '#!/bin/sh' 'echo "$1" >>built' '[ "$1" != "$(cat bad 2>/dev/null)" ]' >bin/builder
	printf '%s\n' '#!/bin/sh' 'echo "$1" >>reloaded' >bin/kdump-config
	chmod 755 bin/*
}

rebuild() {
	EPITAPH_BUILDER=$dir/m/bin/builder EPITAPH_KDUMP=$dir/m/kdump PATH=$dir/m/bin:$PATH sh "$top/kdump-hooks/debian/rebuild" >said 2>&1
}

has_built_all() {
	[ "$(sort built | tr '\n' ' ')" = '6.1.0-10-amd64 6.1.0-8-amd64 6.1.0-9-amd64 ' ] && [ "$(cat reloaded)" = try-reload ]
}

all_are_built_anew() {
	fresh && rebuild && has_built_all && [ ! -s said ]
}

# As where a kernel was removed by hand: dpkg would have left the package half configured.
one_that_fails_keeps_no_other_from_it() {
	fresh && echo 6.1.0-10-amd64 >bad && { rebuild; [ $? = 1 ]; } && has_built_all &&
		grep 'kdump/initrd.img-6.1.0-10-amd64 could not be built anew: it is as it was' said
}

without_kdump_tools_nothing_is_done() {
	fresh && rm bin/builder && rebuild && [ ! -e built ] && [ ! -e reloaded ]
}

for claim in all_are_built_anew one_that_fails_keeps_no_other_from_it without_kdump_tools_nothing_is_done; do
	ok $claim $claim
done
finish
