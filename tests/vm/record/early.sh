#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Loaded by the first line of the first program, with nothing mounted: the
# recorder finds its region and the boot's id, and says how early it was.

. "$(dirname "$0")/../lib.sh"

guest <<'END'
with_disk
check "it was loaded before anything else" grep -q '^epitaph ' /proc/modules
cat /proc/sys/kernel/random/boot_id >/disk/boot_id
dd if=/dev/epitaph of=/disk/region bs=1M 2>/dev/null
check "nothing of ours is mounted" [ "$(grep -c ' proc ' /proc/mounts)" = 1 ]
END
cat >"$out/early" <<'END'
#!/bin/busybox sh
[ ! -f /lib/modules/zlib_deflate.ko ] || /bin/busybox insmod /lib/modules/zlib_deflate.ko
/bin/busybox insmod /test/epitaph.ko
exec /init
END
chmod +x "$out/early"
pack_guest "$out/early"
append=rdinit=/test/early warm_boots 1
check "the guest ended well" guest_ended_well
"$here/stamp" "$saved/region" >"$out/log"
recovers "$epitaph" export --to json -o "$out/events.json" "$saved/region"
recovers "$epitaph" info "$saved/region" >"$out/info"

# shellcheck disable=SC2317 # check calls these
knows_boot_id() {
	grep -F "\"boot_id\":\"$(cat "$saved/boot_id")\"" "$out/events.json"
}
ms() {
	echo "$(($1 / 1000000)) ms"
}
init=$(sed -n 's/^log at \([0-9]*\): Run .* as init process$/\1/p' "$out/log")
start=$(sed -n 's/^start: mono //p' "$out/log")
first=$(grep -v '"event":null\|"epitaph:log"' "$out/events.json" |
	sed -n 's/^{"ts_ns":\([0-9]*\),.*/\1/p' | head -n 1)
echo "# the first program ran $(ms "$init") after the kernel's start, recording began $(ms "$start") after it; the first event is at $(ms "$first")"
# The time until the first program measures how fast this machine is.
check "recording begins before half of that time has passed again" \
	[ $((start - init)) -lt $((init / 2)) ]
check "the first event is there before all of it has" [ $((first - init)) -lt "$init" ]
check "before which there is the kernel's log" \
	grep -q '^log at .*Linux version' "$out/log"
check "it has the boot's id" knows_boot_id
finish
