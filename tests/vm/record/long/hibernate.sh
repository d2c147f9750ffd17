#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Hibernated.  First the memory keeps what it had, and recording goes on behind the image that is
# resumed.  Then another kernel records beside it before it resumes the image: that one has ended in
# order, and recording goes on.  At last the machine is without power: the recorder says that its
# region was lost, and records again when it was loaded again.  (Not by test_resume: 6.1 wants the
# swap disk for itself then, which it swaps to.)

VM_DIR=../..
# With addresses of 52 bits, 6.12 of arm64 oopses in trans_pgd_create_copy() while it resumes any image,
# the recorder loaded or not.
case ${KERNEL-} in
6.12-arm64) export MACHINE_CPU=max,pauth-impdef=on,lpa2=off ;;
esac
. "$(dirname "$0")/../../lib.sh"

guest <<'END'
swap=/dev/vdb
sys=/sys/kernel/epitaph
hibernate() {
	umount /disk
	dmesg -c >/dev/null
	echo "$1" >/sys/power/disk
	check "$1: hibernates and resumes" sh -c 'echo disk >/sys/power/state'
	mount /dev/vda /disk
}
says() {
	[ "$(cat "$1")" = "$2" ] || { echo "$1: $(cat "$1")"; return 1; }
}
take() {
	check "$1: what is recorded is saved" epitaph-static snapshot -o "/disk/$1"
	sync
}
with_disk
resume=$(cat /sys/class/block/vdb/dev)
if [ -e /disk/await-resume ]; then
	[ ! -e /disk/records-first ] || load_recorder
	rm -f /disk/await-resume /disk/records-first
	umount /disk
	echo "$resume" >/sys/power/resume
	echo "guest: no image was resumed"
	return 1
fi
if [ -e /disk/crashed ]; then
	load_recorder
	cat $sys/generations/*/state
	check "there is one generation that did not end" [ "$(cat $sys/generations/*/state | grep -c evidence)" = 1 ]
	mkdir /disk/harvested
	dir=/disk/harvested
	check "what was recorded is harvested" harvest
	return 0
fi
mkswap $swap >/dev/null
swapon $swap
# No image is there yet; it is said where it will be.
echo "$resume" >/sys/power/resume
echo 0 >/sys/power/image_size
echo 0 >/sys/module/printk/parameters/console_suspend
load_recorder
mark_of_now before
# Writes on till the image is made.
while :; do :; done &
touch /disk/await-resume
hibernate reboot
kill $!
check "the region is still ours" says $sys/recording yes
mark_of_now "behind the image"
take region

touch /disk/await-resume /disk/records-first
hibernate reboot
check "the region is still ours" says $sys/recording yes
mark_of_now "behind the other kernel"
take region-2
check "the other kernel's generation is erased" kernel_says 'generation 2 at 0x800000 gave way'

touch /disk/await-resume
hibernate shutdown
# More than a round of the parity.
sleep 2
echo "guest: the region is lost"
sleep 3
check "the log says that the region was lost" kernel_says 'the region was lost in hibernation'
check "so does sysfs" says $sys/recording lost-in-hibernation
check "so does the status" sh -c 'epitaph-static status | grep -i "lost in hibernation"'
check "it cannot be started" refused epitaph-static start
check "a mark is refused" refused sh -c 'echo nowhere >/dev/epitaph-mark'
check "it is unloaded" rmmod epitaph
load_recorder
echo "loaded again" >/dev/epitaph-mark
touch /disk/crashed
sync
die sysrq-b
END
# shellcheck disable=SC2317 # check calls it
only_zeros() {
	[ -s "$1" ] || return 1
	LC_ALL=C tr -d '\0' <"$1" | od -A d -t x1 | head -4 | tee "$out/others"
	cmp -n "$(stat -c %s "$1")" "$1" /dev/zero
}

pack_guest "$top/extractor/epitaph-static"
cp "$out/initrd.img" "$out/initrd-2.img"
truncate -s 256M "$out/swap.img"
# The first machine loses its power with an image on its swap disk; the second one resumes that.
make_disk 512M
power() {
	append="no_console_suspend panic=1 panic_on_warn=1 memmap=64K!$witness_addr" boot --boots "$1" --disk "$out/disk.img" \
		--timeout 300 --ends 'reboot: Power down' \
		--when "guest: the region is lost=>stop; pmemsave $region_addr $((${region_size%M} << 20)) lost; cont" -- \
		-drive "file=$out/swap.img,format=raw,if=virtio,cache=unsafe"
}
packed_kernel=yes
power 3
cp "$out/guest.log" "$out/guest-1.log"
cp "$out/console.log" "$out/console-1.log"
mv "$out/initrd-2.img" "$out/initrd.img"
power 2
take_all_of_disk
rm -f "$out/swap.img"
check "the guest ended well" guest_ended_well
check "nothing is written to a region that was lost" only_zeros "$out/lost"
for file in region region-2; do
	check "$file: nothing is damaged" no_damage "$saved/$file"
	recovers "$epitaph" report --all "$saved/$file" >"$out/report-$file"
	check "$file: what was recorded before is there" grep -E 'text=[0-9]+ before$' "$out/report-$file"
	check "$file: so is what came after" grep -E 'text=[0-9]+ behind the image$' "$out/report-$file"
	check "$file: the break is explained" grep -E 'recording was stopped by' "$out/report-$file"
done
check "region: marks have their times" marks_have_their_times "$saved/region" 2
check "region-2: marks have their times" marks_have_their_times "$saved/region-2" 3
check "so is what came behind another kernel" grep -E 'text=[0-9]+ behind the other kernel$' "$out/report-region-2"
harvested=$(find "$saved/harvested" -name region)
recovers "$epitaph" report --all "$harvested" >"$out/report-harvested"
check "what was recorded after power was lost is there" grep -E 'text=loaded again$' "$out/report-harvested"
finish
