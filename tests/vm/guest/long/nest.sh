#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Two guests of a host with KVM, of which one has died, out of the host's dump: QEMU's of all memory, and
# kdump's without free pages.  What each has recorded is what QEMU itself says of its memory.

# shellcheck disable=SC2317,SC2154 # check calls what is defined here; lib-nest.sh sets them

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"
. "$here/lib-nest.sh"

uuid=6b0c0000-0000-4000-8000-000000000001
capture_args=capture.dump_level=17

nested_guest web1 <<'END'
echo 1 >/sys/kernel/tracing/events/sched/sched_switch/enable
load_recorder
load_victim witness=0x11000000
sleep 1
crash
END
nested_guest web2 <<'END'
echo x86-tsc >/sys/kernel/tracing/trace_clock
echo 1 >/sys/kernel/tracing/events/sched/enable
echo 1 >/sys/kernel/tracing/events/timer/enable
load_recorder
load_victim witness=0x11000000
sleep 1
rmmod victim
echo "guest: quiet"
while :; do sleep 60; done
END

guest <<'END'
. /test/lib-nest-guest.sh
with_disk
load_recorder
arm_kdump
check "one guest dies" start_nested web1 "guest: crashing" -uuid 6b0c0000-0000-4000-8000-000000000001
cd /sys/kernel/tracing
echo 16384 >buffer_size_kb
echo 1 >events/kvm/kvm_entry/enable
echo 1 >events/kvm/kvm_exit/enable
cd /test
check "the other is quiet" start_nested web2 "guest: quiet" \
	-object memory-backend-memfd,id=ram,size=512M,share=on -machine memory-backend=ram
echo 0 >/sys/kernel/tracing/tracing_on
tell_nested web2 stop
sleep 3
mkdir /disk/truth
for name in web1 web2; do
	tell_nested $name 'pmemsave '$nested_region' 0x1000000 "/disk/truth/'$name'.region"'
	tell_nested $name 'pmemsave '$nested_witness' 0x10000 "/disk/truth/'$name'.witness"'
done
tell_nested web1 'dump-guest-memory -z /disk/truth/web1.vmcore'
check "QEMU saves a region" await_size /disk/truth/web1.region 16777216
check "QEMU saves another" await_size /disk/truth/web2.region 16777216
check "QEMU saves a witness" await_size /disk/truth/web2.witness 65536
# It is busy until QEMU has written all of its dump.
check "QEMU dumps a guest" await_unmounted
echo "guest: dump me"
sleep 5
crash
END
pack_nest
make_disk 1G
append="${append:-} guest.capture=$capture_args" boot_nest --disk "$out/disk.img" --expect 'capture: done' --timeout 300 \
	--when 'guest: dump me=>dump-guest-memory -z qemu.vmcore' --allow 'Speculative Return Stack Overflow: WARNING' \
	--allow 'Kernel panic - not syncing: sysrq triggered crash'
take_disk
mv "$out/qemu.vmcore" "$saved/"

lists_both() {
	recovers "$epitaph" info --json "$saved/$1" >"$out/info.json" || return
	jq -c '.guests[] | [.name, .uuid, .comm, (.vcpus | length), .vcpus[0].pid != null]' "$out/info.json" >"$out/guests"
	cat "$out/guests"
	grep -qF "[\"web1\",\"$uuid\",\"qemu\",1,true]" "$out/guests" && grep -qF '["web2",null,"qemu",1,true]' "$out/guests"
}

# The region of the host itself, beside those of its guests.
host_has_its_own() {
	recovers "$epitaph" info "$saved/$1" >"$out/info" || return
	grep "^region .* at $(printf 0x%x "$region_addr")," "$out/info"
}

same_region() {
	rm -rf "$out/copy"
	recovers "$epitaph" save -o "$out/copy" --guest "$2" "$saved/$1" && cmp "$out/copy/region" "$saved/truth/$2.region"
}

true_guest() {
	cp "$saved/truth/$2.witness" "$out/witness"
	recovers "$epitaph" export --to json -o "$out/$1-$2.json" --guest "$2" "$saved/$1" && truth "$1-$2"
}

# Log and trace of the guest's kernel, as from the dump that QEMU made of it.
same_kernel() {
	recovers "$epitaph" report --all --source log,ftrace "$saved/truth/web1.vmcore" >"$out/own" || return
	recovers "$epitaph" report --all --source log,ftrace --guest "$uuid" "$saved/$1" >"$out/nested" || return
	grep -c sched_switch "$out/nested"
	grep -q 'Kernel panic - not syncing: sysrq triggered crash' "$out/nested" && grep -q sched_switch "$out/nested" &&
		cmp "$out/own" "$out/nested"
}

# By the offset of its counter, which is in its host's memory, and by the host's clock.
happens_while_it_runs() {
	rm -f "$out"/host.* "$out/guest.json"
	recovers "$epitaph" info --json --source ftrace,log "$saved/$1" >"$out/host.info" &&
		recovers "$epitaph" export --to json --source ftrace -o "$out/host.json" "$saved/$1" &&
		recovers "$epitaph" export --to json --source ftrace -o "$out/guest.json" --guest web2 "$saved/$1" &&
		"$here/inside-entries" "$out/host" "$out/guest" web2 >"$out/inside"
}

explains() {
	recovers "$epitaph" explain --guest web1 "$saved/$1" >"$out/explained" || return
	cat "$out/explained"
	grep -q 'sysrq triggered crash' "$out/explained"
}

for name in qemu.vmcore vmcore; do
	check "$name: the guests are listed" lists_both $name
	check "$name: the host's region is its own" host_has_its_own $name
	for guest in web1 web2; do
		check "$name, $guest: the region is that of the guest" same_region $name $guest
		check "$name, $guest: every event came back, none was invented" true_guest $name $guest
	done
	check "$name: log and trace of the guest's kernel are its own" same_kernel $name
	check "$name: why it died is explained" explains $name
	check "$name: what a guest did, it did while the host ran it" happens_while_it_runs $name
	cat "$out/inside"
done

# Without user data and page cache there is nothing of the guests' memory, nor of what QEMU was called
# with, and that is said.
says_what_lacks() {
	recovers "$epitaph" info --json "$saved/vmcore" >"$out/info.json" || return
	pid=$(jq '.guests[] | select(.name == "web1") | .pid' "$out/info.json")
	makedumpfile -l -d 31 "$saved/vmcore" "$out/filtered" >"$out/makedumpfile" 2>&1 || cat "$out/makedumpfile"
	"$epitaph" info "$out/filtered" | grep "^guest .*process qemu-$pid, 1 vCPU, " || return
	! "$epitaph" report --guest "$pid" "$out/filtered" 2>"$out/why" || return
	cat "$out/why"
	grep -q "MiB of the guest's memory are not in the host's dump" "$out/why"
}

no_such_guest() {
	! "$epitaph" report --guest web3 "$saved/vmcore" 2>"$out/why" || return
	cat "$out/why"
	grep -q 'the host runs no guest web3; it runs web2 (process [0-9]*), web1 (process [0-9]*)' "$out/why"
}

check "what was left out is said" says_what_lacks
check "a guest that is not there is said" no_such_guest
finish
