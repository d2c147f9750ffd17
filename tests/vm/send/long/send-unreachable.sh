#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# No server listens where the trace is to go: the console says so and what was asked, in
# bounded time, and trace and vmcore are on the disk all the same.
VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"
# shellcheck source=tests/vm/lib-send.sh
. "$here/lib-send.sh"

# shellcheck disable=SC2317
in_time() {
	[ "$(cut -f 2 "$out/measures" | cut -d . -f 1)" -lt 60 ]
}

start_server
kill "$server"
send_image "sftp://root@10.0.2.99:9" HOST=guest3
sending_guest
crash_and_capture --witness "$out/witness" --allow 'panic - not syncing: sysrq triggered crash' \
	--allow 'capture: ERROR the trace is not sent' --expect 'capture: ERROR the trace is not sent: .*10\.0\.2\.99' \
	--measure 'capture: trace durable=>ERROR the trace is not sent' \
	-- -netdev user,id=net -device virtio-net-pci,netdev=net
check "the vmcore was saved" [ -s "$saved/vmcore" ]
check "the region can be exported" export_json region
check "every committed event came back, none was invented" truth region
check "it took less than a minute" in_time
finish
