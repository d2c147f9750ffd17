#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# epitaph-libvirt where libvirt is no help; tests/vm/guest/long/libvirt.sh has a real one.
# shellcheck disable=SC2317 # ok calls the claims
. "$(dirname "$0")/../../lib/lib.sh"

program=$top/extractor/epitaph-libvirt

# ends STATUS WORDS OPTION...: it does so, and says that
ends() {
	wanted=$1
	words=$2
	shift 2
	result=0
	timeout 20 "$program" "$@" >"$dir/words" 2>&1 || result=$?
	cat "$dir/words"
	[ "$result" = "$wanted" ] && grep -qF -- "$words" "$dir/words"
}

it_is_built_where_libvirt_is() {
	! pkg-config --exists libvirt libvirt-qemu || [ -x "$program" ]
}

ok it_is_built_where_libvirt_is it_is_built_where_libvirt_is
if [ -x "$program" ]; then
	ok options_are_none ends 2 'usage: epitaph-libvirt [URI [DIR]]' --help
	ok three_words_are_too_many ends 2 'usage: ' test:///default "$dir/run" more
	ok a_directory_that_cannot_be_made_is_said ends 3 "$dir/no/where: No such file" test:///default "$dir/no/where"
	# libvirt's own driver for tests has no QEMU.
	ok a_driver_without_qemu_is_said ends 3 'test:///default: this function is not supported' test:///default "$dir/run"
	ok no_daemon_is_said ends 3 'qemu+unix:///system?socket=' "qemu+unix:///system?socket=$dir/none" "$dir/run"
fi
finish
