#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Another kernel is started in order: that is an end, too.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../lib-stamp.sh"

guest <<'END'
load_recorder
kexec -l --reuse-cmdline --initrd=/boot/capture.img.gz /boot/vmlinuz
sleep 1
kexec -e
END
pack_guest
boot --when "Starting new kernel=>sleep 1; pmemsave $region_addr 0x1000000 region; quit"
check "the region can be read" stamp_of "$out/region"
check "the mark says kexec" stamp_says '^mark 1: type 2 cpu [01] restart: kexec reboot$'
check "there is no stamp of a crash" stamp_says '^stamp: none$'
finish
