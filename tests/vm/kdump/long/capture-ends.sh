#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A capture kernel whose root file system never comes, as on an encrypted disk, one that mounts it for ever, one
# that panics while kernel.panic is 0, and one that hangs with interrupts off where a hardware watchdog was
# started before the crash: the machine restarts, and the next boot saves the trace.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"

guest <<'END'
with_disk
export TMPDIR=/tmp
# What initramfs-tools does before it mounts anything, and then waits.
capture_image() {
	mkdir -p /c/bin /c/proc /c/sys /c/dev
	cp /bin/busybox /c/bin
	ln -s busybox /c/bin/sh
	cp /test/init-top /test/stuck.ko /c
	cat >/c/init <<'INIT'
#!/bin/sh
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs dev /dev
exec >/dev/console 2>&1
export rootmnt=/root
sh /init-top
for name in panic softlockup_panic hardlockup_panic; do
	echo "capture: $name is $(cat /proc/sys/kernel/$name)"
done
case $(cat /proc/cmdline) in
*guest.dies*) echo c >/proc/sysrq-trigger ;;
*guest.hangs*) insmod /stuck.ko ;;
*guest.mounts*) /fsck.ext4 & ;;
esac
echo "capture: please type the passphrase"
while :; do sleep 1000; done
INIT
	printf '#!/bin/sh\nsleep 1000\n:\n' >/c/fsck.ext4
	chmod 755 /c/init /c/fsck.ext4
}
# As systemd does with RuntimeWatchdogSec=, and then it is not fed any more.
start_watchdog() {
	insmod /test/watchdog.ko && insmod /test/i6300esb.ko heartbeat=30 && exec 9>/dev/watchdog
}
load_recorder
[ "$boot" = 1 ] || check "boot $boot: the trace of the boot before is saved" saved $((boot - 1))
case $boot in
1) check "a capture kernel is loaded" arm_own_capture capture_image epitaph.root_wait=5 ;;
2) check "another one is loaded" arm_own_capture capture_image guest.dies ;;
3)
	check "a third one is loaded" arm_own_capture capture_image guest.hangs
	check "a hardware watchdog is started" start_watchdog
	;;
4) check "a fourth one is loaded" arm_own_capture capture_image epitaph.root_wait=5 guest.mounts ;;
5) exit ;;
esac
echo "boot $boot was here" >/dev/kmsg
sync
crash
END
pack_guest "$top/extractor/epitaph-static" "$top/kdump-hooks/debian/init-top" "$here/victim/stuck.ko" "$(module watchdog)" "$(module i6300esb)"
warm_boots 9 --allow 'panic - not syncing: sysrq triggered crash' \
	--measure 'stuck: interrupts are off=>epitaph: generation 3 at' -- -device i6300esb
check "the guest's script came to its end" guest_ended_well
check "the console says why, and what happens" sh -c "
	grep 'epitaph: no root file system after 5 s: its disk did not come. The trace stays in memory:' '$out/console.log' &&
	grep 'epitaph: this machine restarts now, and its next boot saves the trace' '$out/console.log'"
check "while it is checked or mounted, it has five times as long, and the console says that" sh -c "
	grep 'epitaph: after 5 s the root file system is still being checked or mounted: it has 20 s more' '$out/console.log' &&
	grep 'epitaph: no root file system after 25 s: it is being checked or mounted. The trace' '$out/console.log'"
check "the first and the fourth capture kernel waited" [ "$(grep -c '^capture: please type' "$out/console.log")" = 2 ]
for set in "panic is 10" "softlockup_panic is 1" "hardlockup_panic is 1"; do
	check "in each $set" [ "$(grep -c "^capture: $set" "$out/console.log")" = 4 ]
done
check "the third one hung" [ "$(grep -c 'stuck: interrupts are off' "$out/console.log")" = 1 ]
sed 's/^/# /' "$out/measures"
check "the other one panicked by itself, and restarted" grep 'Rebooting in 10 seconds' "$out/console.log"
finish
