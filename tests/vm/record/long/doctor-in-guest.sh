#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The whole way of an administrator in one machine: setup proposes words for the kernel's command line,
# or says that this kernel has none; with them the machine boots, and doctor says what is true there.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"

given=$region_arg
guest <<'END'
echo "guest: setup ended with $(epitaph-static setup >/tmp/setup 2>&1; echo $?)"
sed 's/^/# setup: /' /tmp/setup
sed -n 's/^\(memmap=\|reserve_mem=\)\([^ ]*\).*:$/guest: proposes \1\2/p' /tmp/setup
if [ "$(param guest.with)" = region ]; then
	# shellcheck disable=SC2046 # words
	load_recorder $(param guest.recorder)
	cat /sys/kernel/epitaph/region /sys/kernel/epitaph/missing | sed 's/^/# /'
	arm_kdump
fi
epitaph-static doctor >/tmp/doctor 2>&1 || echo "# doctor ended with $?"
sed 's/^/# doctor: /' /tmp/doctor
END
pack_guest "$top/extractor/epitaph-static"
cp "$out/initrd.img" "$out/initrd-2.img"
region_arg='' boot
cp "$out/guest.log" "$out/guest-1.log"
proposed=$(sed -n 's/^guest: proposes \([^ \r]*\).*/\1/p' "$out/guest-1.log")
mv "$out/initrd-2.img" "$out/initrd.img"
region_arg="${proposed:-$given}" append="guest.with=region" boot
finish
