#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The recorder in the memory of an ivshmem device: which devices it takes and which not, and what
# the host reads of the file while the guest runs and after it is gone.

# shellcheck disable=SC2317 # check calls what is defined here

. "$(dirname "$0")/../lib.sh"

region_arg=

guest <<'END'
reads_nothing() {
	result=0
	wait "$reader" || result=$?
	cat /tmp/lost
	[ $result = 0 ]
}
identities() {
	cat /sys/kernel/epitaph/start /sys/kernel/epitaph/lost /sys/kernel/epitaph/generations/*/boot_id \
		/sys/kernel/epitaph/generations/*/release /sys/kernel/epitaph/generations/*/start
}
# fails_with TEXT COMMAND...
fails_with() {
	text=$1
	shift
	! "$@" >/tmp/failed 2>&1 || { head -c 200 /tmp/failed; return 1; }
	grep -q "$text" /tmp/failed || { head -c 200 /tmp/failed; return 1; }
}
dmesg -c >/dev/null
refuses "no device there" 'device=0000:00:1e.0: there is no ivshmem device' device=0000:00:1e.0
refuses "no address" 'device=here is neither ivshmem nor a PCI address' device=here
refuses "a small device" 'device 0000:00:05.0: its BAR 2 has 524288 bytes' device=0000:00:05.0
refuses "a device with data of others" 'device 0000:00:06.0 has data that is not of the recorder' device=0000:00:06.0
refuses "two ways at once" 'only one of these four' device=ivshmem pages=4M
check "the only device that fits is found" load_recorder device=ivshmem
check "sysfs says what it is" grep -q ' 16777216 device$' /sys/kernel/epitaph/region
check "it is the driver" [ "$(basename "$(readlink /sys/bus/pci/devices/0000:00:04.0/driver)")" = epitaph ]
check "no other program maps its memory" refused dd if=/dev/mem of=/dev/null bs=4096 count=1 \
	skip=$(($(cut -d ' ' -f 1 /sys/kernel/epitaph/region) / 4096))
check "it left the others alone" [ ! -e /sys/bus/pci/devices/0000:00:06.0/driver ]
dmesg | grep 'epitaph: '
rmmod epitaph
check "unloaded, it gives the device back" [ ! -e /sys/bus/pci/devices/0000:00:04.0/driver ]
# As a machine whose command line has no region yet.
echo quiet >/tmp/cmdline
mount --bind /tmp/cmdline /proc/cmdline
check "setup finds the device" sh -c 'epitaph-static setup >/tmp/setup; cat /tmp/setup; grep "^epitaph.device=0000:00:04.0" /tmp/setup'
check "setup says why not the others" grep -q 'not the ivshmem device 0000:00:06.0: it has data' /tmp/setup
umount /proc/cmdline
check "its own region is taken again, by the command line" load_recorder channels=1M
check "a channel is added" epitaph-static channel add read 256K consume 'raw_syscalls:*'
/test/consume_misuse read lost >/tmp/lost &
reader=$!
identities=$(identities)
load_victim witness=0x22000000
sleep 1
await_host look at me
check "a trigger waits" epitaph-static trigger victim:seq snapshot main after 2000ms
usleep 100000
rmmod victim
echo 1 >/sys/bus/pci/devices/0000:00:04.0/remove
await_host has lost its device
check "sysfs says that the device was removed" grep -qx device-removed /sys/kernel/epitaph/recording
check "so does the status" sh -c 'epitaph-static status | grep "the device with the region was removed"'
check "it cannot be started" refused epitaph-static start
check "no byte of it is read" fails_with 'No such device' cat /dev/epitaph
check "nor of its rings" refused grep -E 'horizon|events|too_' /sys/kernel/epitaph/channels/main/cpu0
check "what the region is, is known" grep -q ' 16777216 device$' /sys/kernel/epitaph/region
check "so are the boots" [ "$(identities)" = "$identities" ]
echo z >/proc/sysrq-trigger
check "no last events are printed" sh -c 'dmesg | grep "the last events are not at hand: the device with the region was removed"'
check "what was mapped is gone, nothing is given back" reads_nothing
check "a mark is refused" refused sh -c 'echo nowhere >/dev/epitaph-mark'
check "nothing is added" refused epitaph-static channel add other 64K 'sched:*'
# Time to write what it must not.
sleep 3
check "it is unloaded" rmmod epitaph
dmesg | grep 'epitaph: '
END
${CC:-cc} -std=gnu11 -O2 -Wall -Wextra -Werror -static -no-pie -I "$top/include" -o "$out/consume_misuse" "$here/consume_misuse.c"
pack_guest "$top/extractor/epitaph-static" "$out/consume_misuse"
truncate -s 16M "$out/region"
truncate -s 512K "$out/small"
yes foreign | head -c 1M >"$out/foreign"
truncate -s 1G "$out/ram"

# when_guest WORDS COMMAND...: when it awaits the host with these words; the host says so in its log then.
when_guest() {
	words=$1
	shift
	until grep -q "^guest: $words" "$out/guest.log" 2>/dev/null; do
		[ ! -e "$out/over" ] || return 0
		sleep 0.1
	done
	"$@"
	echo "host: $words" >>"$out/host.log"
}

# While the guest runs: its report of a file that changes.
report_running() {
	result=0
	"$epitaph" report --events 2000 "$out/region" >"$out/running" 2>"$out/running.err" || result=$?
	echo "$result" >"$out/running.status"
}

look_at_running() {
	when_guest 'look at me' report_running
	when_guest 'has lost its device' cp "$out/region" "$out/region-removed"
}

shared() {
	echo "-object memory-backend-file,id=$1,mem-path=$1,size=$2,share=on"
}

look_at_running &
# shellcheck disable=SC2046 # words
append="epitaph.device=ivshmem memmap=64K!$witness_addr" boot --log "$out/host.log" \
	--when "host: look at me=>$host_answers" --when "host: has lost its device=>$host_answers" -- \
	$(shared ram 1G) -machine memory-backend=ram \
	$(shared region 16M) -device ivshmem-plain,memdev=region,addr=4 \
	$(shared small 512K) -device ivshmem-plain,memdev=small,addr=5 \
	$(shared foreign 1M) -device ivshmem-plain,memdev=foreign,addr=6
: >"$out/over"
wait
saved=$out
dd if="$out/ram" of="$out/witness" bs=4096 skip=$((witness_addr / 4096)) count=16 2>"$out/said"

running_is_read() {
	cat "$out/running.err"
	[ "$(cat "$out/running.status")" -le 1 ] && grep -q 'victim/0.*: seq: ' "$out/running"
}

check "the host reads the file while the guest runs" running_is_read
check "of a device that was removed, nothing was written to" cmp "$out/region" "$out/region-removed"
check "the host reads the file of a guest that is gone" export_json region
check "every committed event came back, none was invented" truth region
check "the other device was not written to" sh -c "yes foreign | head -c 1M | cmp - '$out/foreign'"
rm -f "$out/ram"
finish
