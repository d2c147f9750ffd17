#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Debian whose policy is that no trace lies in the clear (WHEN=always), and whose root is not encrypted: it
# seals on a partition, then on a logical volume.  On each it dies with kdump, and the capture boot of
# kdump-tools seals; then without, and the next boot does.  This machine reads the disks from outside, and
# what it unseals is the kernel's own, and what the vmcore has.  PLACES: of partition and volume, those.
# The volume comes LATE (2) seconds behind the start of what waits for it, WAIT (120) at most; "shipped" are the
# 15 s of the package.  What comes later than that finds the trace in memory: the next boot seals it.

# shellcheck disable=SC2317 # check calls what is defined here
VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"
. "$(dirname "$0")/../../lib-debian.sh"

places=${PLACES:-partition volume}
late=${LATE:-2}
wait=${WAIT:-120}
too_late=
[ "$wait" != shipped ] || [ "$late" -le 15 ] || too_late=yes
more_packages="age lvm2"

command -v age-keygen >/dev/null || skip_all "there is no age-keygen"

echo "places='$places' late=$late wait=$wait too_late=$too_late" >"$out/boots.sh"
cat >>"$out/boots.sh" <<'BOOTS'
. /test/lib-debian-guest.sh

# A place has three boots, and its last is the first of the next place: it dies with kdump, without, and is
# looked at.
set -- $places
last=$((2 * $# + 1))
place_of() {
	shift $((($1 + 1) / 2))
	echo "$1"
}

link_to() {
	case $1 in
	partition) echo /dev/disk/by-partuuid/5ea15ea1-01 ;;
	volume)
		for _ in $(seq 120); do
			! ls /dev/disk/by-id/dm-uuid-LVM-* 2>/dev/null || break
			sleep 1
		done
		;;
	esac
}

make_volume() {
	pvcreate -q /dev/sda && vgcreate -q data /dev/sda && lvcreate -q -y -L 64M -n sealed data && udevadm settle
}

# As LVM does now and then: it comes behind the start of what seals, and here always.  The initramfs
# has no driver for its disk.
come_late() {
	cat >/usr/local/sbin/late <<-'END'
		#!/bin/sh
		is_starting() {
			[ "$(systemctl show -P SubState $1)" = start ]
		}
		n=0
		until is_starting epitaph-place || is_starting epitaph-capture || [ $n = 50 ]; do
			sleep 0.2
			n=$((n + 1))
		done
		sleep LATE
		echo "guest: the volume comes, waited for by: $(systemctl list-jobs --no-legend 'epitaph*' | tr -s '\n ' ', ')" >/dev/console
	END
	sed -i "s/LATE/$late/" /usr/local/sbin/late
	chmod 755 /usr/local/sbin/late
	# A guest on a busy host finds its disks in a minute.
	if [ "$wait" != shipped ]; then
		mkdir -p /etc/systemd/system/epitaph-place.service.d
		printf '[Service]\nTimeoutStartSec=infinity\nExecStart=\nExecStart=/usr/lib/epitaph/wait-for-place %s\n' "$wait" \
			>/etc/systemd/system/epitaph-place.service.d/slow.conf
	fi
	mkdir -p /etc/systemd/system/lvm-activate-data.service.d
	printf '[Service]\nExecStartPre=/usr/local/sbin/late\n' >/etc/systemd/system/lvm-activate-data.service.d/late.conf
}

set_up_place() {
	printf 'WHEN=always\nPLACE=%s\n' "$link" >/etc/epitaph/seal.conf
	epitaph setup --write >/tmp/setup
	cat /tmp/setup
	grep 'sealed traces: .*, prepared for two of up to ' /tmp/setup && systemctl daemon-reload
}

doctor_is_content() {
	epitaph doctor >/tmp/doctor || :
	cat /tmp/doctor
	grep -E '^ok +seal +traces are sealed for 1 recipient' /tmp/doctor | grep -F "$link"
}

nothing_lies_in_the_clear() {
	! find /var/crash /var/lib/epitaph -name region -o -name summary.txt -o -name why.txt | grep .
}

# keep HOW: what is in the place, as files
keep() {
	mkdir -p "/keep/$place-$1"
	epitaph list
	epitaph seal --take "/keep/$place-$1" "$link" && ls "/keep/$place-$1"/epitaph-*"$(cat /var/lib/died)"*.age
}

keep_vmcore() {
	epitaph report --all "$(of_theirs)"/dump.* >"/keep/$place.vmcore" || [ $? = 1 ]
}

# The same boot, out of memory.
seals_again() {
	systemctl unmask epitaph-recover.service
	systemctl start epitaph-recover.service
	until_saved && unit_did_it epitaph-recover
}

die_in_this_boot() {
	tr -d '\n' </proc/sys/kernel/random/boot_id >/var/lib/died
	logger "boot $boot was here"
	echo "boot $boot was here" >/dev/kmsg
	sync
	panic
}

check "boot $boot: the initramfs has loaded the recorder" [ -d /sys/kernel/epitaph ]
if [ $boot -gt 1 ] && [ $((boot % 2)) = 1 ]; then
	place=$(place_of $((boot - 2)) "$@")
	link=$(link_to "$place")
	check "$place, without kdump: the harvest comes to its end" harvest_is_over
	check "$place, without kdump: the next boot has sealed it" until_saved
	journalctl -b --no-pager -u epitaph-recover.service
	check "$place, without kdump: it is in the device" keep warm
	check "$place, without kdump: nothing lies in the clear" nothing_lies_in_the_clear
	check "$place, without kdump: no unit failed" no_unit_of_ours_failed
fi
[ $boot -lt $last ] || exit 0
place=$(place_of $boot "$@")
case $((boot % 2)) in
1)
	[ "$place" != volume ] || check "a logical volume is made" make_volume
	link=$(link_to "$place")
	check "$place: setup prepares it" set_up_place
	check "$place: kdump is loaded" kdump_is_loaded
	check "$place: doctor is content" doctor_is_content
	rm -rf /var/crash/2*
	[ "$place" != volume ] || come_late
	systemctl mask epitaph-recover.service
	die_in_this_boot
	;;
0)
	link=$(link_to "$place")
	if [ "$place$too_late" = volumeyes ]; then
		check "$place, with kdump: it came too late, and the trace is in memory" grep -qx evidence /sys/kernel/epitaph/generations/*/state
	else
		check "$place, with kdump: it is in the device" keep kdump
	fi
	check "$place, with kdump: nothing lies in the clear" nothing_lies_in_the_clear
	check "$place, with kdump: the vmcore is kdump-tools' own" keep_vmcore
	check "$place, with kdump: the next boot seals what is in memory as well" seals_again
	[ "$place$too_late" != volumeyes ] || check "$place, with kdump: then it is in the device" keep kdump
	check "$place, with kdump: no unit failed" no_unit_of_ours_failed
	kexec -p -u || :
	die_in_this_boot
	;;
esac
BOOTS

# A disk of 66 MiB with one partition of 64, by a table as DOS makes it.
make_partition() {
	truncate -s 66M "$1"
	printf '\241\136\241\136' | dd of="$1" bs=1 seek=440 conv=notrunc status=none
	printf '\0\0\0\0\203\0\0\0\0\10\0\0\0\0\2\0' | dd of="$1" bs=1 seek=446 conv=notrunc status=none
	printf '\125\252' | dd of="$1" bs=1 seek=510 conv=notrunc status=none
}

# Of lib-debian.sh.
configure() {
	echo '/dev/vda / ext4 errors=remount-ro 0 1' >"$1/etc/fstab"
	script_unit "$1" After=kdump-tools.service
	mkdir -p "$1/etc/epitaph" "$1/keep"
	cp "$out/recipients" "$1/etc/epitaph/recipients"
}

take_kept() {
	debugfs -R "rdump /keep $out" "$out/disk.img" >>"$out/debugfs" 2>&1
	ls -lR "$out/keep"
}

# Once, and again where it dies without kdump.  For what comes too late, nothing waits any more.
volume_was_late() {
	grep -a 'guest: the volume comes' "$out/console.log" || return
	waited_for=2
	[ -z "$too_late" ] || waited_for=0
	[ "$(grep -ac 'guest: the volume comes, waited for by: .*epitaph-place' "$out/console.log")" = "$waited_for" ]
}

# Partition and logical volume both begin at 1 MiB of their disk.
place_out_of() {
	dd if="$out/$1.img" of="$out/$1.place" bs=1M skip=1 count=64 conv=sparse status=none
}

# unseals FILE NAME
unseals() {
	"$epitaph" unseal -i "$out/key" -o "$out/unsealed-$2" "$1"
}

unseals_kept() {
	set -- "$out/keep/$1-kdump"/epitaph-*.age "$1-kdump"
	[ $# = 2 ] && unseals "$@"
}

# But for what the vmcore says besides, as of what it died of: that has the log.
is_what_the_vmcore_has() {
	recovers "$epitaph" report --all "$out/unsealed-$1-kdump/region" | sed '/^# died: /,/^# clock: /d' >"$out/events"
	sed '/^# died: /,/^# clock: /d' "$out/keep/$1.vmcore" >"$out/events-vmcore"
	[ -s "$out/events" ] && cmp "$out/events" "$out/events-vmcore"
}

# has_line REGION BOOT
has_line() {
	recovers "$epitaph" report --all "$1" | grep -m 1 "boot $2 was here"
}

need_bare_debian
age-keygen -o "$out/key" 2>"$out/age-keygen"
age-keygen -y "$out/key" >"$out/recipients"
check "apt installs the packages" install_built
[ -f "$out/disk.img" ] || finish
put_script
make_partition "$out/partition.img"
truncate -s 80M "$out/volume.img"
# shellcheck disable=SC2086 # words
set -- $places
debian_boots $((3 * $# + 1)) \
	--measure 'sysrq triggered crash=>sealed /dev/disk/' \
	-- -drive "file=$out/partition.img,format=raw,if=virtio,cache=unsafe" \
	-device virtio-scsi-pci -drive "file=$out/volume.img,format=raw,if=none,id=volume,cache=unsafe" -device scsi-hd,drive=volume
check "the guest ended well" guest_ended_well
grep -a 'sealed /dev/disk/\|ERROR' "$out/console.log" | sed 's/^/# /'
sealing=$#
case $too_late$places in
yes*volume*)
	sealing=$(($# - 1))
	check "of a volume that comes too late, the capture boot says that the trace is in memory" \
		grep -a 'the trace is not sealed (.*the next boot finds it in memory' "$out/console.log"
	;;
esac
check "each other capture boot has sealed" sh -c "[ \"\$(grep -ac 'sealed /dev/disk/' '$out/console.log')\" = $sealing ]"
case $places in
*volume*) check "the volume came late, in the capture boot and in the next" volume_was_late ;;
esac
check "what was taken out of the devices is here" take_kept
kernel=1
boot=1
for place in $places; do
	check "$place, with kdump: it is unsealed" unseals_kept "$place"
	check "$place, with kdump: and is what the vmcore has" is_what_the_vmcore_has "$place"
	compare_boot $kernel "$out/unsealed-$place-kdump/region"
	place_out_of "$place"
	check "$place, without kdump: read from outside, it is unsealed" unseals "$out/$place.place" "$place-warm"
	check "$place, without kdump: it has the line of the boot that died" has_line "$out/unsealed-$place-warm/region" $((boot + 1))
	compare_boot $((kernel + 2)) "$out/unsealed-$place-warm/region"
	kernel=$((kernel + 3)) boot=$((boot + 2))
done
sed 's/^/# /' "$out/measures" 2>/dev/null || true
clean_up
rm -f "$out"/*.place
finish
