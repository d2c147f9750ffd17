#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The power fails while a trace is saved: by a capture kernel, by a harvest, by a harvest for which an
# older capture has to go, by one that seals.  One guest does all of it, and QEMU logs each write to its disk; out of the
# log tests/vm/power-cut makes the disk of each of CUTS (200) moments, with any part of what was not
# flushed.  Whatever has its name there is whole, what was said to be saved is there, and as long as
# something was, something is.  CUTS_SEED repeats the moments of a run.

# shellcheck disable=SC2317 # check calls them
VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"

if ! command -v age-keygen >/dev/null; then
	echo "ok 1 - $test_name # SKIP there is no age"
	echo "1..1"
	exit
fi
cuts=${CUTS:-200}
seed=${CUTS_SEED:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}
region_is 8M

guest <<'END'
with_disk
export TMPDIR=/tmp
# sums DIR...: of all files there, for the host.
cat >/tmp/sums <<'SUMS'
find "$@" -type f ! -path '*/.*' -exec sha256sum {} + 2>/dev/null | sed 's/^/sum: /'
SUMS
# note TEXT: for the host, behind the file system.
note() { /test/note /dev/vda $((511 << 20)) "$*"; }
sums() { sh /tmp/sums "$@"; }
capture_image() {
	mkdir -p /c/bin /c/proc /c/sys /c/dev /c/disk /c/tmp
	cp -r /lib/modules /c/modules
	cp /bin/busybox "$(command -v epitaph-static)" /c/bin
	cp /test/note /tmp/sums /c
	ln -s busybox /c/bin/sh
	cat >/c/init <<'INIT'
#!/bin/sh
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs dev /dev
exec >/dev/console 2>&1
echo 1 >/proc/sys/kernel/panic
echo 1 >/proc/sys/kernel/printk
while read -r module; do insmod "/modules/$module"; done </modules/order
while [ ! -e /dev/vda ]; do sleep 0.1; done
mount -t ext4 /dev/vda /disk
/note /dev/vda $((511 << 20)) begins
epitaph-static capture -o /disk/crash
/note /dev/vda $((511 << 20)) 'has /crash/epitaph-'
sh /sums /disk/crash
reboot -f
INIT
	chmod 755 /c/init
	(cd /c && find . | cpio -o -H newc 2>/dev/null) >/tmp/capture.img
}
harvests() {
	epitaph-static harvest -o /disk/h "$@" || [ $? = 1 ]
}
# The newest boot that is harvested is this one.
harvested() {
	grep -qx harvested "/sys/kernel/epitaph/generations/$1/state" && [ "$(ls /disk/h)" = "$(ls /disk/h | grep "$(cat "/sys/kernel/epitaph/generations/$1/boot_id")")" ]
}
sealed() {
	epitaph-static harvest || [ $? = 1 ] || return
	grep -qx harvested /sys/kernel/epitaph/generations/3/state && [ "$(ls /disk/sealed | wc -l)" = 1 ]
}
load_recorder
case $boot in
1)
	capture_image
	check "a capture kernel is loaded" kexec -p --no-checks --initrd=/tmp/capture.img \
		--command-line="console=ttyS0,115200 no_timer_check nr_cpus=1 reset_devices panic=1" /boot/vmlinuz
	sync
	crash
	;;
2)
	check "what was captured is harvested as well" harvests
	note has "/h/$(cat /sys/kernel/epitaph/generations/1/boot_id)"
	sums /disk/h
	note may-lack "/h/$(cat /sys/kernel/epitaph/generations/1/boot_id)"
	crash
	;;
3)
	sums /disk/h
	check "the next one is harvested, and the older one goes" harvests --keep 1
	note has "/h/$(cat /sys/kernel/epitaph/generations/2/boot_id)"
	check "that alone is there" harvested 2
	sums /disk/h
	crash
	;;
4)
	mkdir -p /etc/epitaph /var/lib
	cp /test/recipients /etc/epitaph/
	printf 'WHEN=always\nPLACE=/disk/sealed\nRESERVE=0\nHOST=web1\n' >/etc/epitaph/seal.conf
	check "the next one is sealed" sealed
	note has /sealed/epitaph-
	sums /disk/sealed
	;;
esac
END
${CC:-cc} -std=gnu11 -O2 -Wall -Wextra -Werror -static -o "$out/note" "$here/note.c"
age-keygen -o "$out/key" 2>"$out/age-keygen"
age-keygen -y "$out/key" >"$out/recipients"
# shellcheck disable=SC2034 # lib.sh's
guest_modules='virtio_pci virtio_blk ext4' guest_programs="/bin/age $(command -v age)"
pack_guest "$top/extractor/epitaph-static" "$out/note" "$out/recipients"
make_disk 480M
truncate -s 512M "$out/disk.img"
cp --sparse=always "$out/disk.img" "$out/before.img"
: >"$out/disk.log"
append="panic=1" boot --boots 5 --timeout 400 --allow 'panic - not syncing: sysrq triggered crash' -- \
	-blockdev "driver=file,node-name=disk,filename=$out/disk.img" \
	-blockdev "driver=file,node-name=log,filename=$out/disk.log" \
	-blockdev driver=blklogwrites,node-name=logged,file=disk,log=log,log-sector-size=512,log-super-update-interval=1 \
	-device virtio-blk-pci,drive=logged
check "the guest's script came to its end" guest_ended_well
grep -ahoE 'sum: [0-9a-f]{64}' "$out/console.log" "$out/guest.log" | cut -c 6- | sort -u >"$out/sums"

# What must hold of a disk that a cut left, after its journal was replayed.
cat >"$out/look" <<'LOOK'
#!/bin/sh
out=$1 image=$2 notes=$3 tree=$1/tree status=0
wrong() { echo "# $*"; status=1; }
e2fsck -fp "$image" >"$out/e2fsck" 2>&1 || [ $? -le 2 ] || { cat "$out/e2fsck"; wrong "no file system"; }
rm -rf "$tree"
mkdir "$tree"
debugfs -R "rdump / $tree" "$image" >"$out/debugfs" 2>&1
for file in "$tree"/crash/epitaph-*/[!.]* "$tree"/h/[!.]*/* "$tree"/sealed/[!.]*; do
	[ ! -e "$file" ] || grep -qx "$(sha256sum <"$file" | cut -d ' ' -f 1)" "$out/sums" ||
		wrong "not whole: ${file#"$tree"}, $(stat -c %s "$file") bytes"
done
n=0
for dir in "$tree"/crash/epitaph-* "$tree"/h/[!.]*; do
	[ -e "$dir" ] || continue
	[ -s "$dir/region" ] && n=$((n + 1)) || wrong "no region in ${dir#"$tree"}"
done
while read -r word name; do
	[ "$word" = has ] && ! grep -qx "may-lack $name" "$notes" || continue
	[ -s "$(echo "$tree$name"*/region)" ] || [ -s "$(echo "$tree$name"*.age)" ] || wrong "it is gone: $name"
done <"$notes"
[ "$n" -le 3 ] || wrong "$n captures"
echo "$n" >>"$out/numbers"
exit $status
LOOK
: >"$out/numbers"
check "after each of $cuts cuts: what has its name is whole, what was said to be saved is there" \
	"$here/power-cut" "$out/before.img" "$out/disk.log" "$cuts" "$seed" sh "$out/look" "$out"
tail -n 1 "$out/said"
# A test whose cuts all came before or behind says nothing.
check "some cuts left nothing yet, others one capture or two" \
	sh -c "sort '$out/numbers' | uniq -c && grep -q 0 '$out/numbers' && grep -q 1 '$out/numbers' && grep -q 2 '$out/numbers'"
sed 's/^/# /' "$out/said"
rm -rf "$out"/*.img* "$out/disk.log" "$out/tree"
finish
