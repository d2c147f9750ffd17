#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Debian on a LUKS2 root (argon2id) with an unencrypted /boot, kdump-tools and our packages.  Each
# crash is sealed on /boot by the capture kernel, which has no passphrase; after the unlock the next
# boot knows the sealed trace, harvests memory, and then drops the sealed copy.  This machine unseals
# what lay on /boot: it is what was harvested.  $CYCLES: how many crashes; the first one is looked at
# from all sides.

# shellcheck disable=SC2086,SC2317 # check calls them
VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"
. "$(dirname "$0")/../../lib-debian.sh"

CYCLES=${CYCLES:-2}
boot_uuid=0b007b00-7b00-4b00-8b00-0b007b007b00
luks_uuid=1c5c1c5c-1c5c-4c5c-8c5c-1c5c1c5c1c5c
more_packages="cryptsetup-initramfs age"

for program in cryptsetup qemu-img age-keygen; do
	command -v $program >/dev/null || skip_all "there is no $program"
done

# Of lib-debian.sh.
configure() {
	cat >"$1/etc/fstab" <<-END
		/dev/mapper/croot / ext4 errors=remount-ro 0 1
		UUID=$boot_uuid /boot ext4 defaults 0 2
	END
	echo "croot UUID=$luks_uuid none luks,initramfs" >"$1/etc/crypttab"
	printf '%s\n' dm_mod dm_crypt aesni_intel cryptd xts ecb cbc sha256_generic >>"$1/etc/initramfs-tools/modules"
	mkdir -p "$1/etc/epitaph"
	cp "$out/recipients" "$1/etc/epitaph/recipients"
	script_unit "$1" "After=kdump-tools.service boot.mount"
	rmdir "$1/test"
	ln -s boot/test "$1/test"
}

# QEMU encrypts as LUKS1 does, and cryptsetup makes a head of LUKS2 with the same key before it:
# neither needs the kernel's device mapper.
encrypt() {
	printf 'no one types this' >"$out/passphrase"
	head -c 32 /dev/urandom >"$out/keyfile"
	qemu-img convert -f raw -O luks --object secret,id=k,file="$out/passphrase" -o key-secret=k,iter-time=10 "$1" "$out/luks1" &&
		cryptsetup luksDump -q --dump-volume-key --volume-key-file "$out/volume-key" --key-file "$out/passphrase" "$out/luks1" &&
		truncate -s $(($(stat -c %s "$1") + (16 << 20))) "$2" &&
		cryptsetup luksFormat -q --type luks2 --volume-key-file "$out/volume-key" --cipher aes-xts-plain64 --sector-size 512 \
			--pbkdf argon2id --pbkdf-memory 1048576 --pbkdf-force-iterations 4 \
			--uuid $luks_uuid --key-file "$out/passphrase" "$2" &&
		cryptsetup luksAddKey -q --key-file "$out/passphrase" --pbkdf pbkdf2 --pbkdf-force-iterations 1000 "$2" "$out/keyfile" &&
		dd if="$out/luks1" of="$2" bs=1M iflag=skip_bytes oflag=seek_bytes skip=$((4040 * 512)) seek=$((16 << 20)) conv=notrunc status=none &&
		cryptsetup luksDump "$2" >"$out/luks2"
	encrypted=$?
	rm -f "$out/luks1" "$1"
	return $encrypted
}

# Of lib-debian.sh: /boot is the disk that this machine can write to.
disk_of() {
	echo CRYPTSETUP=y >>"$1/etc/cryptsetup-initramfs/conf-hook"
	in_root "$1" update-initramfs -u || return
	mkdir -p "$1/boot/test" "$1/boot/keep"
	truncate -s 512M "$2"
	mke2fs -q -F -t ext4 -m 0 -U $boot_uuid -d "$1/boot" "$2" || return
	mv "$1/boot" "$out/boot" && mkdir "$1/boot"
	truncate -s 2G "$out/root.img"
	mke2fs -q -F -t ext4 -m 0 -d "$1" "$out/root.img" && encrypt "$out/root.img" "$out/luks.img"
	made=$?
	rmdir "$1/boot" && mv "$out/boot" "$1/boot"
	return $made
}

# The administrator who types it is a key in the initramfs of ordinary boots; kdump's has none.  The
# kernel reads a cpio at multiples of four bytes only.
type_passphrase() {
	mkdir -p "$out/typed/cryptroot/keyfiles"
	cp "$out/keyfile" "$out/typed/cryptroot/keyfiles/croot.key"
	echo "croot UUID=$luks_uuid /cryptroot/keyfiles/croot.key luks,initramfs,key-slot=1" >"$out/typed/cryptroot/crypttab"
	truncate -s %4 "$out/initrd.img"
	(cd "$out/typed" && find . | cpio -o -H newc -R 0:0 --quiet) >>"$out/initrd.img"
	rm -rf "$out/typed"
}

cat >"$out/boots.sh" <<BOOTS
cycles=$CYCLES
BOOTS
cat >>"$out/boots.sh" <<'BOOTS'
. /test/lib-debian-guest.sh
set +u

until_harvested() {
	for _ in $(seq 120); do
		grep -qx evidence /sys/kernel/epitaph/generations/*/state || return 0
		sleep 1
	done
	return 1
}

setup_says() {
	epitaph setup
	epitaph setup | grep -F "$1"
}

# The capture kernel is loaded after that.
kdump_image_is_made() {
	/usr/lib/epitaph/rebuild-kdump
	lsinitramfs /var/lib/kdump/initrd.img-* >/tmp/names
	ls -l /var/lib/kdump/
	grep -E 'epitaph|bin/age|cryptroot/crypttab' /tmp/names
	for name in bin/age bin/epitaph etc/epitaph/seal-place etc/epitaph/seal.conf etc/epitaph/recipients- cryptroot/crypttab; do
		grep -q "$name" /tmp/names || return
	done
}

# Until a test was sealed, doctor asks for one.
doctor_is_content() {
	epitaph doctor | grep '^warning *key' && epitaph seal --canary /boot/keep/canary.age || return
	epitaph doctor
	epitaph doctor | grep -E '^ok +seal' && ! epitaph doctor | grep -E '^(failure|warning) +(seal|key|encrypted)'
}

list_has_it_sealed() {
	epitaph list
	epitaph list | grep -E '^sealed .*, host .*, for 1 recipient$'
	cp /boot/epitaph/epitaph-*.age /boot/keep/
}

login_says_sealed() {
	systemctl start epitaph-after-crash.service
	cat /run/motd.d/epitaph
	grep 'epitaph unseal' /run/motd.d/epitaph
}

harvest_drops_it() {
	systemctl unmask epitaph-recover.service
	systemctl start epitaph-recover.service || :
	until_harvested
	journalctl -b --no-pager -u epitaph-recover.service
	epitaph list
	ls -la /boot/epitaph
	cp /var/lib/epitaph/*/region /boot/keep/region
	[ -z "$(ls -A /boot/epitaph)" ]
}

saved_whole() {
	until_harvested
	[ "$(find /var/lib/epitaph -name region | wc -l)" = "$1" ] && [ -z "$(ls -A /boot/epitaph)" ]
}

check "boot $boot: / is on LUKS" sh -c 'dmsetup table; cat /proc/self/mountinfo | grep " / "; dmsetup table croot | grep crypt'
check "boot $boot: the initramfs has loaded the recorder" [ -d /sys/kernel/epitaph ]
if [ "$boot" = 1 ]; then
	check "setup says where sealed traces go" setup_says /boot/epitaph
	check "kdump's initramfs is built anew, with age and recipients" kdump_image_is_made
	echo "# kdump's initramfs: $(stat -Lc %s /var/lib/kdump/initrd.img) bytes"
	systemctl mask epitaph-recover.service
fi
check "boot $boot: kdump is loaded" kdump_is_loaded
[ "$boot" != 1 ] || check "doctor is content with what seals" doctor_is_content
if [ "$boot" = 2 ]; then
	check "epitaph list has it, sealed" list_has_it_sealed
	check "who logs in reads what to do" login_says_sealed
	check "a whole harvest replaces the sealed copy" harvest_drops_it
elif [ "$boot" -gt 2 ]; then
	check "boot $boot: the crash is stored once" saved_whole $((boot - 1))
fi
if [ "$boot" -gt "$cycles" ]; then
	exit
fi
logger "boot $boot was here"
echo "boot $boot was here" >/dev/kmsg
sync
panic
BOOTS

unseals() {
	debugfs -R "rdump /keep $out" "$out/disk.img" >>"$out/debugfs" 2>&1
	ls -la "$out/keep"
	"$epitaph" unseal -i "$out/key" -o "$out/unsealed" "$out"/keep/epitaph-*.age
}

canary_opens() {
	"$epitaph" unseal -i "$out/key" "$out/keep/canary.age"
}

is_what_was_harvested() {
	for file in "$out/unsealed/region" "$out/keep/region"; do
		recovers "$epitaph" report --all "$file" | grep -v '^#' >"$out/events" && [ -s "$out/events" ] || return
		sha256sum <"$out/events"
	done | uniq | wc -l | grep -qx 1
}

each_crash_was_sealed() {
	grep -a 'epitaph: the trace is sealed' "$out/console.log"
	[ "$(grep -ac 'epitaph: the trace is sealed' "$out/console.log")" = "$CYCLES" ]
}

no_passphrase_was_asked_for() {
	! grep -a 'Please unlock disk' "$out/console.log"
}

need_bare_debian
age-keygen -o "$out/key" 2>"$out/age-keygen"
age-keygen -y "$out/key" >"$out/recipients"
check "apt installs the packages" install_built
[ -f "$out/luks.img" ] || finish
grep -E 'PBKDF|Memory' "$out/luks2" | sed 's/^/# /'
type_passphrase
put_script
append="root=/dev/mapper/croot" debian_boots $((2 * CYCLES + 1)) \
	--measure 'sysrq triggered crash=>epitaph: the trace is sealed' \
	-- -drive "file=$out/luks.img,format=raw,if=none,id=luks" -device virtio-blk-pci,drive=luks
check "each crash was sealed" each_crash_was_sealed
check "no capture kernel asked for a passphrase" no_passphrase_was_asked_for
check "with the private key it is unsealed" unseals
check "and the test that doctor asked for" canary_opens
check "and it is what was harvested" is_what_was_harvested
compare_boot 1 "$out/unsealed/region"
sed 's/^/# /' "$out/measures" 2>/dev/null || true
clean_up
finish
