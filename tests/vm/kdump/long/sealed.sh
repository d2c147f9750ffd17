#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A capture kernel whose root file system waits for a passphrase seals the trace on a disk that does
# not, and restarts; where it cannot, it says so, restarts, and memory has the trace.  What was
# sealed, this machine unseals: it is what the next boot harvested.  A third crash is sealed in a device
# without a file system, which setup has prepared.  The long form is packages/long/debian-luks.sh.

# shellcheck disable=SC2317 # check calls them
VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"

if ! command -v age-keygen >/dev/null; then
	echo "ok 1 - $test_name # SKIP there is no age"
	echo "1..1"
	exit
fi

guest <<'END'
with_disk
export TMPDIR=/tmp
# What initramfs-tools and udev do before anything asks for a passphrase.
capture_image() {
	mkdir -p /c/bin /c/proc /c/sys /c/dev /c/run /c/tmp /c/cryptroot /c/etc/epitaph /c/lib
	cp /bin/busybox /bin/age /c/bin
	cp /test/epitaph-static /c/bin/epitaph
	while read -r lib; do
		mkdir -p "/c${lib%/*}"
		cp "$lib" "/c$lib"
	done </test/libraries
	cp -r /lib/modules /c/lib
	ln -s busybox /c/bin/sh
	cp /test/init-top /test/init-premount /c
	echo "croot UUID=0123 none luks,discard" >/c/cryptroot/crypttab
	cp /test/recipients /c/etc/epitaph/recipients-0123
	printf 'RESERVE=0\nHOST=web1\n' >/c/etc/epitaph/seal.conf
	printf 'UUID=the-boot\nTYPE=ext4\nDIR=/epitaph\n' >/c/etc/epitaph/seal-place
	[ "$boot" != 3 ] || printf 'DEVICE=%s\n' "$place" >/c/etc/epitaph/seal-place
	cat >/c/init <<'INIT'
#!/bin/sh
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs dev /dev
exec >/dev/console 2>&1
export rootmnt=/root
sh /init-top
while read -r module; do insmod "/lib/modules/$module"; done </lib/modules/order
while [ ! -b /dev/vda ]; do usleep 100000; done
mkdir -p /dev/disk/by-uuid /dev/disk/by-partuuid
ln -s ../../vda /dev/disk/by-uuid/the-boot
ln -s ../../vdb /dev/disk/by-partuuid/the-place
case $(cat /proc/cmdline) in
*guest.no_age*) rm /bin/age ;;
esac
grep MemAvailable /proc/meminfo
sh /init-premount
echo "capture: please type the passphrase"
while :; do sleep 1000; done
INIT
	chmod 755 /c/init
}
place=/dev/disk/by-partuuid/the-place
# set_up DEVICE WORDS [OPTION...]: what setup says of that place for sealed traces
set_up() {
	device=$1 words=$2
	shift 2
	mkdir -p /etc/epitaph /etc/systemd/system
	printf 'WHEN=always\nPLACE=%s\n' "$device" >/etc/epitaph/seal.conf
	epitaph-static setup --write "$@" >/tmp/setup 2>&1
	rm /etc/epitaph/seal.conf
	grep 'sealed traces: ' /tmp/setup | tee /tmp/words
	grep -qF "$words" /tmp/words
}
# stays DEVICE COMMAND...: which leaves DEVICE as it is
stays() {
	md5sum <"$1" >/tmp/before
	stays=$1
	shift
	"$@" && md5sum <"$stays" | cmp - /tmp/before
}
set_up_device() {
	mkdir -p /dev/disk/by-partuuid
	ln -s ../../vdb $place
	ln -s ../../vda /dev/disk/by-partuuid/mounted
	[ "$boot" = 1 ] || return 0
	printf '\123\357' | dd of=/dev/vdb bs=1 seek=1080 2>/dev/null
	check "a device with a file system is refused, with what it has" stays /dev/vdb set_up $place \
		'it has an ext file system; epitaph setup --write --erase-place makes a place of it'
	check "and one that is mounted, also where it may be erased" set_up /dev/disk/by-partuuid/mounted 'it is in use: mounted' --erase-place
	check "one whose name may change is left alone" stays /dev/vdb set_up /dev/vdb 'by this name another disk may be found after a restart' --erase-place
	check "it is erased where that is asked for, and prepared" set_up $place 'the-place, prepared for two of up to ' --erase-place
	check "prepared, it is left alone" stays /dev/vdb set_up $place 'the-place, prepared for two of up to '
	dd if=/dev/zero of=/dev/vdb bs=1M 2>/dev/null || :
	check "a blank one needs no such word" set_up $place 'the-place, prepared for two of up to '
}
in_the_device() {
	epitaph-static seal --take /disk/taken $place
	[ "$(ls /disk/taken | wc -l)" = 1 ]
}
sealed() {
	ls -la /disk/epitaph
	[ "$(ls -A /disk/epitaph | wc -l)" = "$1" ]
}
load_recorder
set_up_device
[ "$boot" = 1 ] || check "boot $boot: the trace of the boot before is in memory" saved $((boot - 1))
case $boot in
1) check "a capture kernel is loaded" arm_own_capture capture_image ;;
2)
	check "one trace is sealed" sealed 1
	check "a capture kernel without age is loaded" arm_own_capture capture_image guest.no_age
	;;
3)
	check "nothing more is sealed, and no half of it" sealed 1
	check "a capture kernel with a device for sealed traces is loaded" arm_own_capture capture_image
	;;
4)
	check "the trace is in the device, and in no file" sealed 1
	check "and is taken out of it" in_the_device
	exit
	;;
esac
echo "boot $boot was here" >/dev/kmsg
sync
crash
END
age-keygen -o "$out/key" 2>"$out/age-keygen"
age-keygen -y "$out/key" >"$out/recipients"
ldd "$(command -v age)" | grep -o '/[^ ]*' >"$out/libraries"
guest_modules='virtio_pci virtio_blk ext4'
guest_programs="/bin/age $(command -v age)"
pack_guest "$top/extractor/epitaph-static" "$top/kdump-hooks/debian/init-top" "$top/kdump-hooks/debian/init-premount" "$out/recipients" "$out/libraries"
truncate -s 64M "$out/place.img"
warm_boots 7 --allow 'panic - not syncing: sysrq triggered crash' \
	--measure 'sysrq triggered crash=>epitaph: the trace is sealed' \
	-- -drive "file=$out/place.img,format=raw,if=virtio,cache=unsafe"

unseals() {
	file=$(echo "$saved"/epitaph/epitaph-*.web1.*.age)
	ls -la "$file"
	"$epitaph" unseal -i "$out/key" -o "$out/unsealed" "$file"
}

# Of the region, the sealed copy has all of it, the harvested one the newest boot's part.
is_what_was_harvested() {
	harvested=$(echo "$saved"/h2/*/region)
	for file in "$out/unsealed/region" "$harvested"; do
		recovers "$epitaph" report --all "$file" | grep -v '^#' >"$out/events" && [ -s "$out/events" ] || return
		sha256sum <"$out/events"
	done | uniq | wc -l | grep -qx 1
}

nothing_asked_for_a_passphrase() {
	! grep '^capture: please type' "$out/console.log"
}

check "the guest's script came to its end" guest_ended_well
check "nothing waits for a passphrase" nothing_asked_for_a_passphrase
check "the console says where it is sealed" grep 'epitaph: the trace is sealed, in /epitaph of the file system the-boot' "$out/console.log"
check "and counts no percents there" sh -c "! grep 'copying:' '$out/console.log'"
check "without age it says why, and restarts" sh -c "
	grep 'there is no age in PATH' '$out/console.log' && grep 'epitaph: ERROR the trace is not sealed. It stays in memory' '$out/console.log'"
check "with the private key it is unsealed" unseals
check "it has the line of the boot that died" sh -c "'$epitaph' report --all '$out/unsealed/region' | grep 'boot 1 was here'"
check "and the events that the next boot harvested" is_what_was_harvested
compare_boot 1 "$out/unsealed/region"
check "the console says that the other is in the device" grep 'epitaph: the trace is sealed, in /dev/disk/by-partuuid/the-place; ' "$out/console.log"
check "a copy of the device is unsealed" "$epitaph" unseal -i "$out/key" -o "$out/unsealed-3" "$out/place.img"
check "and what was taken out of it" "$epitaph" unseal -i "$out/key" -o "$out/taken-3" "$saved"/taken/epitaph-*.web1.*.age
check "which is the same" cmp "$out/unsealed-3/region" "$out/taken-3/region"
check "and has the line of the boot that died" sh -c "'$epitaph' report --all '$out/unsealed-3/region' | grep 'boot 3 was here'"
# The fifth kernel: two of those before were capture kernels.
compare_boot 5 "$out/unsealed-3/region"
rm "$out/place.img"
sed 's/^/# /' "$out/measures" 2>/dev/null || true
grep MemAvailable "$out/console.log" | sed 's/^/# /'
finish
