#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Debian on a LUKS2 root (argon2id) with an unencrypted /boot, kdump-tools and our packages.  Each of
# CYCLES crashes (2) is sealed on /boot by the capture kernel, which has no passphrase; after the unlock
# the next boot knows the sealed trace, harvests memory, and then drops the sealed copy.  This machine
# unseals what lay on /boot: it is what was harvested.  Then come WARM crashes (1) without kdump, and
# the boot behind each, once it is unlocked, harvests it.  With NETWORK=yes the guest has a network and is to
# send its captures: the capture kernel seals all the same, and each unlocked boot sends what it harvested.

# shellcheck disable=SC2086,SC2317 # check calls them
VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"
. "$(dirname "$0")/../../lib-debian.sh"

CYCLES=${CYCLES:-2}
WARM=${WARM:-1}
NETWORK=${NETWORK:-}
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
	[ -z "$NETWORK" ] || configure_network "$1"
	script_unit "$1" "After=kdump-tools.service boot.mount"
	rmdir "$1/test"
	ln -s boot/test "$1/test"
}

configure_network() {
	printf '[Match]\nName=en*\n[Network]\nAddress=10.0.2.15/24\n' >"$1/etc/systemd/network/guest.network"
	systemctl --root="$1" enable systemd-networkd
	settings "sftp://root@10.0.2.2:$port" HOST=guest1 >"$1/etc/epitaph/send.conf"
	cp "$out/known_hosts" "$1/etc/epitaph/known_hosts"
	install -m 600 "$out/id" "$1/etc/epitaph/id"
}

# qemu-img wants to know how fast the CPU is, and may fail to find that out on a busy host.
convert_to_luks1() {
	for _ in 1 2 3 4 5; do
		! qemu-img convert -f raw -O luks --object secret,id=k,file="$out/passphrase" -o key-secret=k,iter-time=10 "$1" "$out/luks1" || return 0
	done
	return 1
}

# QEMU encrypts as LUKS1 does, and cryptsetup makes a head of LUKS2 with the same key before it:
# neither needs the kernel's device mapper.
encrypt() {
	printf 'no one types this' >"$out/passphrase"
	head -c 32 /dev/urandom >"$out/keyfile"
	convert_to_luks1 "$1" &&
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
warm=$WARM
network=$NETWORK
BOOTS
cat >>"$out/boots.sh" <<'BOOTS'
. /test/lib-debian-guest.sh
set +u

until_harvested() {
	for _ in $(seq 120); do
		[ "$(systemctl show -P SubState epitaph-recover)" = running ] ||
			grep -qx evidence /sys/kernel/epitaph/generations/*/state || return 0
		sleep 1
	done
	return 1
}

setup_says() {
	epitaph setup --write >/tmp/setup
	cat /tmp/setup
	grep -F "$1" /tmp/setup
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
	epitaph doctor >/tmp/doctor || :
	cat /tmp/doctor
	grep '^warning *key' /tmp/doctor && epitaph seal --canary /boot/keep/canary.age || return
	epitaph doctor
	epitaph doctor | grep -E '^ok +seal' && ! epitaph doctor | grep -E '^(failure|warning) +(seal|key|encrypted)'
}

list_has_it_sealed() {
	epitaph list
	epitaph list | grep -E '^sealed .*, host .*, for 1 recipient$' && keep_sealed
}

keep_sealed() {
	cp /boot/epitaph/epitaph-*.age "/boot/keep/$boot.age"
}

login_says_sealed() {
	report_crashes
	cat /run/motd.d/epitaph
	grep 'epitaph unseal' /run/motd.d/epitaph
}

# Where the script has looked at the sealed trace, which a harvest removes.
harvest_now() {
	systemctl unmask epitaph-recover.service
	systemctl start epitaph-recover.service || :
	until_harvested
	systemctl mask epitaph-recover.service
	journalctl -b --no-pager -u epitaph-recover.service
	epitaph list
	ls -la /boot/epitaph
}

# The trace of the boot before, with the line that it left behind at last.  30 are kept.
it_is_harvested() {
	kept=$((boot <= 31 ? boot - 1 : 30))
	[ "$(find /var/lib/epitaph -name region | wc -l)" = $kept ] || return
	region=$(newest /var/lib/epitaph/*-*)/region
	{ epitaph report --all "$region" || [ $? = 1 ]; } >/tmp/report
	grep -m 1 "boot $((boot - 1)) was here" /tmp/report && cp "$region" "/boot/keep/$boot.region"
}

harvest_drops_it() {
	harvest_now
	it_is_harvested && [ -z "$(ls -A /boot/epitaph)" ]
}

nothing_is_sealed() {
	ls -A /boot/epitaph
	[ -z "$(ls -A /boot/epitaph)" ]
}

memory_is_harvested() {
	harvest_now
	it_is_harvested
}

# By the timer, or now.
is_sent() {
	for _ in $(seq 60); do
		epitaph send || :
		[ ! -s "$(newest /var/lib/epitaph/*-*)/sent" ] || break
		sleep 2
	done
	grep '^sftp://root@10.0.2.2:' "$(newest /var/lib/epitaph/*-*)/sent"
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
if [ "$boot" -gt 1 ] && [ "$boot" -le $((cycles + 1)) ]; then
	check "boot $boot: epitaph list has it, sealed" list_has_it_sealed
	[ "$boot" != 2 ] || check "who logs in reads what to do" login_says_sealed
	check "boot $boot: a whole harvest replaces the sealed copy" harvest_drops_it
elif [ "$boot" -gt 1 ]; then
	check "boot $boot: without kdump nothing is sealed" nothing_is_sealed
	check "boot $boot: the next boot has it out of memory" memory_is_harvested
fi
[ "$boot" = 1 ] || [ -z "$network" ] || check "boot $boot: what was harvested is sent" is_sent
if [ "$boot" -gt $((cycles + warm)) ]; then
	exit
fi
logger "boot $boot was here"
echo "boot $boot was here" >/dev/kmsg
sync
[ "$boot" -le "$cycles" ] || kexec -p -u
panic
BOOTS

take_kept() {
	debugfs -R "rdump /keep $out" "$out/disk.img" >>"$out/debugfs" 2>&1
	ls -la "$out/keep"
	[ "$(find "$out/keep" -name '*.age' ! -name canary.age | wc -l)" = "$CYCLES" ]
}

# unseals BOOT: into a directory of its own
unseals() {
	"$epitaph" unseal -i "$out/key" -o "$out/unsealed-$1" "$out/keep/$1.age"
}

canary_opens() {
	"$epitaph" unseal -i "$out/key" "$out/keep/canary.age"
}

is_what_was_harvested() {
	for file in "$out/unsealed-$1/region" "$out/keep/$1.region"; do
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
nic=
if [ -n "$NETWORK" ]; then
	# shellcheck source=tests/vm/lib-send.sh
	. "$here/lib-send.sh"
	start_server
	nic="-netdev user,id=net -device virtio-net-pci,netdev=net"
fi
check "apt installs the packages" install_built
[ -f "$out/luks.img" ] || finish
grep -E 'PBKDF|Memory' "$out/luks2" | sed 's/^/# /'
type_passphrase
put_script
append="root=/dev/mapper/croot" debian_boots $((2 * CYCLES + WARM + 1)) \
	--measure 'sysrq triggered crash=>epitaph: the trace is sealed' \
	-- -drive "file=$out/luks.img,format=raw,if=none,id=luks" -device virtio-blk-pci,drive=luks $nic
check "each crash was sealed" each_crash_was_sealed
check "no capture kernel asked for a passphrase" no_passphrase_was_asked_for
check "what was sealed lies on /boot" take_kept
check "the test that doctor asked for opens with the private key" canary_opens
[ -z "$NETWORK" ] || check "the server has each" sh -c "[ \$(ls '$out/collected'/guest1-*.tar.zst | wc -l) = $((CYCLES + WARM)) ]"
for boot in $(seq 2 $((CYCLES + 1))); do
	check "crash $((boot - 1)): with the private key it is unsealed" unseals "$boot"
	check "crash $((boot - 1)): and it is what was harvested" is_what_was_harvested "$boot"
done
compare_boot 1 "$out/unsealed-2/region"
sed 's/^/# /' "$out/measures" 2>/dev/null || true
clean_up
finish
