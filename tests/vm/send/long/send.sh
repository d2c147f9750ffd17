#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The capture kernel sends the trace to an sshd as soon as it is on disk, by a virtio
# network card that asks for its address; ssh, key and target lie behind its initramfs.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"
# shellcheck source=tests/vm/lib-send.sh
. "$here/lib-send.sh"

start_server
send_image "sftp://root@10.0.2.2:$port" HOST=guest1
sending_guest
crash_and_capture --witness "$out/witness" --allow 'panic - not syncing: sysrq triggered crash' \
	--expect 'capture: trace sent' -- -netdev user,id=net -device virtio-net-pci,netdev=net
check "the server has the region, byte for byte" cmp "$(collected guest1)" "$saved/region"
check "under the boot id of the kernel that died" boot_id_of "$saved/region" guest1
check "its sums are right" sums_of "$(collected guest1)"
check "the vmcore was saved as well" [ -s "$saved/vmcore" ]
check "the region can be exported" export_json region
check "every committed event came back, none was invented" truth region
finish
