#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# No local disk at all: the trace goes from memory to the server, by an e1000 with an
# address of its own.
VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"
# shellcheck source=tests/vm/lib-send.sh
. "$here/lib-send.sh"

# Region and archive lie in memory, beside the ssh programs.
crashkernel=160M
start_server
send_image "sftp://root@10.0.2.2:$port"
sending_guest
append="guest.capture=capture.ip=10.0.2.77/24@10.0.2.2,capture.host=guest2" \
	boot --witness "$out/witness" --allow 'panic - not syncing: sysrq triggered crash' --allow 'capture: ERROR no disk' \
	--expect 'capture: trace sent' --expect 'capture: done' -- -netdev user,id=net -device e1000,netdev=net
saved=$out/saved
mkdir -p "$saved"
check "the server has one archive" archive_of guest2
cp "$(collected guest2)" "$saved/region"
check "under the boot id of the kernel that died" boot_id_of "$saved/region" guest2
check "its sums are right" sums_of "$(collected guest2)"
check "the region can be exported" export_json region
check "every committed event came back, none was invented" truth region
finish
