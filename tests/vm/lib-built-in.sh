# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash disable=SC2034,SC2154 # lib.sh's
#
# Words of guests whose kernel has the recorder built in, and ways to die while it boots
# (built-in/die.c).

recorder=none
victim=none
# BUILT=DIR: another kernel that was built so; BUILT_IN=built-in-7.3: that of another series.
built=${BUILT:-$("$top/scripts/kernel-from-source" "${BUILT_IN:-built-in}")}

boot_image() {
	echo "$built/arch/x86/boot/bzImage"
}

# built_in_guest: the last boot harvests what the others left, and leaves on /disk what it recorded itself.
built_in_guest() {
	guest <<'END'
await_file /dev/vda
mount -t ext4 /dev/vda /disk
check "it is no module" refused grep -q '^epitaph ' /proc/modules
check "earlier boots are harvested" harvest
dmesg >/disk/log
cat /proc/sys/kernel/random/boot_id >/disk/boot_id
check "events can be chosen" epitaph-static events '+irq:*'
check "a mark can be left" eval 'echo built in >/dev/epitaph-mark'
dd if=/dev/epitaph of=/disk/region bs=1M 2>/dev/null
END
	# shellcheck disable=SC2016 # the guest's
	sed -i '1i dir=/disk/harvested' "$out/guest.sh"
	pack_guest "$top/extractor/epitaph-static" "$@"
}

# regions: of the boots that died, oldest first.
regions() {
	find "$saved/harvested" -name region | while read -r region; do
		recovers "$epitaph" info --json "$region" 2>/dev/null | jq -r ".generation | \"\\(.) $region\""
	done | sort -n | cut -d ' ' -f 2
}
