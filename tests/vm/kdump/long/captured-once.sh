#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A capture kernel runs epitaph capture, and the memory survives its restart: the next boot knows
# that the trace is saved.  What another kernel left, which was not captured, is harvested.  Of each
# crash all that is stored has at most as many bytes as the region, which is full.

# shellcheck disable=SC2317 # check calls them
VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"
region_is 8M

guest <<'END'
with_disk
export TMPDIR=/tmp
capture_image() {
	mkdir -p /c/bin /c/proc /c/sys /c/dev /c/disk /c/tmp
	cp -r /lib/modules /c/modules
	cp /bin/busybox "$(command -v epitaph-static)" /c/bin
	ln -s busybox /c/bin/sh
	cat >/c/init <<'INIT'
#!/bin/sh
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs dev /dev
exec >/dev/console 2>&1
echo 1 >/proc/sys/kernel/panic
while read -r module; do insmod "/modules/$module"; done </modules/order
while [ ! -e /dev/vda ]; do sleep 0.1; done
mount -t ext4 /dev/vda /disk
epitaph-static capture -o /disk/crash
umount /disk
reboot -f
INIT
	chmod 755 /c/init
	(cd /c && find . | cpio -o -H newc 2>/dev/null) >/tmp/capture.img
}
captured_once() {
	epitaph-static harvest -o /disk/h --captures /disk/crash || [ $? = 1 ]
	grep -qx harvested /sys/kernel/epitaph/generations/1/state && [ -z "$(ls /disk/h)" ]
}
harvested() {
	epitaph-static harvest -o /disk/h --captures /disk/crash || [ $? = 1 ]
	grep -qx harvested /sys/kernel/epitaph/generations/2/state && [ "$(ls /disk/h | wc -l)" = 1 ]
}
listed() {
	epitaph-static list /disk/h /disk/crash >/tmp/list || return 1
	cat /tmp/list
	[ "$(wc -l </tmp/list)" = 4 ] && sed -n 1p /tmp/list | grep 'victim: panic' &&
		sed -n 2p /tmp/list | grep '^    /disk/h/.*/region$' &&
		sed -n 3p /tmp/list | grep 'sysrq triggered crash' &&
		sed -n 4p /tmp/list | grep '^    /disk/crash/epitaph-.*/region$'
}
latest() { epitaph-static report --latest /disk/h /disk/crash | grep '^# died: .*victim: panic'; }
load_recorder
case $boot in
1)
	load_victim full=1
	sleep 4
	capture_image
	check "a capture kernel is loaded" kexec -p --no-checks --initrd=/tmp/capture.img \
		--command-line="console=ttyS0,115200 no_timer_check nr_cpus=1 reset_devices panic=1" /boot/vmlinuz
	umount /disk
	crash
	;;
2)
	check "what is captured is not saved again" captured_once
	load_victim full=1
	sleep 4
	sync
	die panic
	;;
3)
	check "what died without kdump is harvested" harvested
	check "both are listed, the newest first" listed
	check "the latest is reported" latest
	umount /disk
	;;
esac
END
pack_guest "$top/extractor/epitaph-static"
warm_boots 4 --allow 'panic - not syncing: sysrq triggered crash' --allow 'panic - not syncing: victim: panic'
check "the guest's script came to its end" guest_ended_well
check "it was captured" [ -s "$(echo "$saved"/crash/epitaph-*/region)" ]

# stored DIR: all that is in it, of an 8 MiB region
stored() {
	(cd "$saved/$1" && ls -l ./*/ && du -sb ./*/ && [ "$(du -sb ./*/ | awk '{ n += $1 } END { print n }')" -le $((8 << 20)) ])
}

# Those of the generation that died are there, and nothing but the newest of it was overwritten.
is_full() {
	recovers "$epitaph" report --all "$saved/$1"/*/region >"$out/report" 2>"$out/noise"
	[ "$(grep -vc '^#' "$out/report")" -gt 50000 ] || { grep -vc '^#' "$out/report"; return 1; }
}
check "the captured region was full" is_full crash
check "all that is stored of the captured crash has at most 8 MiB" stored crash
sed 's/^/# /' "$out/said"
check "the harvested region was full" is_full h
check "all that is stored of the harvested crash has at most 8 MiB" stored h
sed 's/^/# /' "$out/said"
finish
