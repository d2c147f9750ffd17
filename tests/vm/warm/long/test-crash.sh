#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# epitaph test-crash, both ways: without the capture kernel, which it unloads, and by
# it; what the next boot verifies; and that it reports a missing trace.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"

guest <<'END'
with_disk
mkdir -p /disk/lib /var/lib /var/crash
mount -o bind /disk/lib /var/lib
mount -o bind /disk /var/crash
show() {
	sed "s/^/# boot $boot: /" /tmp/verified
}
verify() {
	epitaph-static test-crash --verify >/tmp/verified 2>&1
}
load_recorder
echo "# boot $boot: $(epitaph-static harvest 2>&1)"
case $boot in
1)
	check "without a test there is nothing to verify" sh -c 'epitaph-static test-crash --verify; [ $? = 4 ]'
	check "without a capture kernel doctor is red, and it does not crash" \
		sh -c 'epitaph-static test-crash --yes; [ $? = 1 ]'
	arm_kdump
	check "another word does nothing" sh -c 'echo no | epitaph-static test-crash; [ $? = 1 ]'
	echo 0 >/proc/sys/kernel/panic
	sync
	epitaph-static test-crash --warm --yes
	;;
2)
	check "warm: the trace came back" verify
	show
	check "warm: harvested, and nothing else is asked for" sh -c 'grep "^ok *harvest" /tmp/verified && ! grep vmcore /tmp/verified'
	check "warm: the list calls it a rehearsal" sh -c 'epitaph-static list | tee /dev/stderr | grep "a rehearsal, epitaph test-crash: "'
	arm_kdump
	sync
	# s390x of Debian has no kexec, and nothing more to test.
	command -v kexec >/tmp/kexec || exit 0
	cat /proc/sys/kernel/hostname >/tmp/name
	epitaph-static test-crash </tmp/name
	;;
3)
	check "kdump: where the next crash would not be dumped, that is reported" \
		sh -c 'epitaph-static test-crash --verify | grep "^failure *kdump *no capture kernel"'
	arm_kdump
	check "kdump: the trace came back" verify
	show
	check "kdump: captured, and in the vmcore; a harvest is not asked for" \
		sh -c 'grep "^ok *capture" /tmp/verified && grep "^ok *vmcore" /tmp/verified && ! grep harvest /tmp/verified'
	check "kdump: the list calls it a rehearsal" sh -c 'epitaph-static list | head -n 2 | tee /dev/stderr | grep "a rehearsal, epitaph test-crash: "'
	check "kdump: so does explain" sh -c 'epitaph-static explain --latest | tee /dev/stderr | grep "This was a rehearsal: epitaph test-crash asked"'
	mkdir /disk/away
	mv /disk/epitaph-* /disk/away/
	check "kdump: a missing vmcore is reported" sh -c 'epitaph-static test-crash --verify | grep "^failure *vmcore *nothing of this crash"'
	;;
esac
END
pack_guest "$top/extractor/epitaph-static"
make_disk 512M
boots=4
[ -z "${dumps:-}" ] || boots=2
append="panic=1" boot --boots "$boots" --disk "$out/disk.img" --timeout 400 \
	--allow 'Kernel panic - not syncing: sysrq triggered crash'
check "the guest's script ended well" guest_ended_well
rm -f "$out/disk.img"
finish
