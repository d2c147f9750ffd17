#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# /dev/epitaph is the region, to be read by root, while it is recorded into.

. "$(dirname "$0")/../lib.sh"
region_is 4M

guest <<'END'
mode_is() {
	[ "$(stat -c '%a %u' "$2")" = "$1" ] || { stat -c '%a %u' "$2"; return 1; }
}
bytes() {
	dd if="$1" bs=1 skip="$2" count="$3" 2>/dev/null
}
recovers() {
	result=0
	"$@" || result=$?
	[ "$result" -le 1 ]
}
as_nobody() {
	su nobody -c "$*"
}
ln -s /test/epitaph-static /bin/epitaph
mkdir -p /etc
echo 'nobody:x:65534:65534::/:/bin/sh' >/etc/passwd
check "not there before" [ ! -e /dev/epitaph ]
load_recorder
check "there now, for root to read" mode_is '400 0' /dev/epitaph
load_victim full=1
sleep 1
check "as large as the region" [ "$(wc -c </dev/epitaph)" = $((4 << 20)) ]
check "it is not written to" refused dd if=/dev/zero of=/dev/epitaph count=1
bytes /dev/epitaph 0 8 >/tmp/magic
printf 'EPITAPH\032' >/tmp/expected
check "begins with the magic" cmp /tmp/magic /tmp/expected
check "ends where it ends" [ -z "$(bytes /dev/epitaph $((4 << 20)) 1)" ]
dd if=/dev/epitaph of=/tmp/region bs=1M 2>/dev/null
bytes /dev/epitaph 123 389 >/tmp/part
bytes /tmp/region 123 389 >/tmp/expected
check "the same from any offset" cmp /tmp/part /tmp/expected
check "no other user may read it" refused as_nobody head -c 1 /dev/epitaph
chmod 0444 /dev/epitaph
check "not even if the file says so" refused as_nobody head -c 1 /dev/epitaph
chmod 0400 /dev/epitaph
export TMPDIR=/tmp
check "info reads it" recovers epitaph info /dev/epitaph
check "check reads it at full speed" recovers epitaph check /dev/epitaph
recovers epitaph export --to json -o /tmp/live.json /dev/epitaph
rmmod victim
check "there are events of the victim in it" \
	[ "$(grep -c '"victim:seq"' /tmp/live.json)" -gt 10000 ]
mount -t securityfs security /sys/kernel/security
exec 3</dev/epitaph
echo integrity >/sys/kernel/security/lockdown
check "lockdown for integrity leaves it alone" head -c 1 /dev/epitaph
echo confidentiality >/sys/kernel/security/lockdown
check "lockdown for confidentiality does not" refused head -c 1 /dev/epitaph
check "but who had it has it" head -c 1 <&3
check "the recorder stays while the device is open" refused rmmod epitaph
exec 3<&-
check "and goes afterwards" rmmod epitaph
check "with its device" [ ! -e /dev/epitaph ]
check "and its directory" [ ! -e /sys/kernel/epitaph ]
END
pack_guest "$top/extractor/epitaph-static"
append=panic_on_warn=1 boot
check "the guest ended well" guest_ended_well
finish
