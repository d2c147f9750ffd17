#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# kexec_file_load(2) puts the next kernel into the first System RAM with room for
# it. Here there is little below the region, so that the region would be next.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"
. "$(dirname "$0")/../../lib-stamp.sh"

# Debian's boot code puts the kernel elsewhere.
packed_kernel=yes
region_addr=0x3000000
region_is 128M
second_slot=$((64 << 20))

bytes_of_second_slot()
{
	tail -c +$((second_slot + 1)) "$out/region" | tr -d '\0' | wc -c
}

guest <<'END'
load_recorder
kexec -s -l --reuse-cmdline --initrd=/boot/capture.img.gz /boot/vmlinuz
sleep 1
kexec -e
END
pack_guest
boot --when "Starting new kernel=>sleep 1; pmemsave $region_addr 0x8000000 region" \
	--when 'Starting new kernel=>sleep 3; quit'
check "the region can be read" stamp_of "$out/region"
check "the mark says kexec" stamp_says '^mark 1: type 2 cpu [01] restart: kexec reboot$'
check "the other slot is untouched" [ "$(bytes_of_second_slot)" = 0 ]
finish
