#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A host and its guest on one timeline, of arm64: by the offset of the guest's counter, out of the host's
# dump.  The guest writes to a register of a device, which its host sees; then it panics.  The truth is the
# order of cause and effect: each write lies between two marks of the guest, and so must what the host
# recorded of it.  And what the guest did, it did while the host ran it.

# shellcheck disable=SC2317,SC2154 # check calls what is defined here; lib-arch.sh sets them

VM_DIR=../..
KERNEL=${KERNEL_OF_HOST:-6.12-arm64}
. "$(dirname "$0")/../../lib-arch.sh"
build_images
build_recorder
pairs=${PAIRS:-200}
region_arg=reserve_mem=16M:4096:epitaph

# The selector of fw_cfg, which no driver has.
register=0x9020008

# The guests of the guest: the same kernel.
guest <<END
load_recorder
echo 1 >/sys/kernel/tracing/events/sched/enable
echo "guest: counts by \$(cat /sys/devices/system/clocksource/clocksource0/current_clocksource)"
if [ "\$(param nest.name)" = web2 ]; then
	echo "guest: stop me"
	sleep 6
	crash
fi
for n in \$(seq $pairs); do
	echo "pair \$n begins" >/dev/epitaph-mark
	devmem $register 16 \$n
	echo "pair \$n ends" >/dev/epitaph-mark
done
echo "guest: pairs are written"
sleep 2
crash
END
pack_guest
mv "$out/initrd.img" "$out/nested.img"

libraries=$("$top/scripts/kernels" --qemu "$kernel")
program=$(find "$libraries" -name qemu-system-aarch64)
echo "file /bin/qemu 0755 $program" >"$out/kexec.manifest"
put_libraries "$program"
"$top/initramfs/pack" "$kernel" "$out/kexec.manifest" "$out/qemu.img"

guest <<'END'
load_modules /lib/modules
load_recorder
ls -l /dev/kvm
cd /sys/kernel/tracing
echo 32768 >buffer_size_kb
for event in kvm_entry kvm_exit kvm_mmio; do
	echo 1 >events/kvm/$event/enable
done
cd /test

# start_nested NAME: boots one of them; its words come to /tmp/NAME.log.
start_nested() {
	echo "guest: starts $1"
	mkfifo "/tmp/$1.monitor.in" "/tmp/$1.monitor.out"
	cat "/tmp/$1.monitor.out" >/tmp/monitor.log &
	qemu -accel kvm -cpu host -smp 1 -machine virt,gic-version=3 -nodefaults -no-user-config -display none \
		-m 384 -name "guest=$1,debug-threads=on" -kernel /test/Image -initrd /test/nested.img \
		-append "console=ttyAMA0 guest.tty=ttyAMA0 panic=0 oops=panic loglevel=4 nest.name=$1 reserve_mem=16M:4096:epitaph" \
		-serial "file:/tmp/$1.log" -chardev "pipe,id=monitor,path=/tmp/$1.monitor" -mon monitor &
}

# says NAME TEXT: within five minutes.
says() {
	for _ in $(seq 1500); do
		! grep -qE "$2|guest: ended with" "/tmp/$1.log" 2>/dev/null || break
		usleep 200000
	done
	tail -n 3 "/tmp/$1.log"
	grep -q "$2" "/tmp/$1.log"
}

start_nested web2
check "a guest runs" says web2 'guest: stop me'
sleep 2
echo stop >/tmp/web2.monitor.in
sleep 3
echo cont >/tmp/web2.monitor.in
check "it goes on, and panics" says web2 'end Kernel panic'
echo stop >/tmp/web2.monitor.in
start_nested web1
check "another counts by its counter" says web1 'guest: counts by arch_sys_counter'
check "it writes to a device" says web1 'guest: pairs are written'
check "it panics" says web1 'end Kernel panic'
sleep 1
echo 0 >/sys/kernel/tracing/tracing_on
echo "guest: dump me"
sleep 300
END
cp "$(image)" "$out/Image"
pack_guest "$out/Image" "$out/nested.img"
cat "$out/qemu.img" >>"$out/initrd.img"
rm "$out/qemu.img" "$out/nested.img" "$out/Image"
export VM_ACCEL="${VM_ACCEL:-tcg,thread=multi}"
# shellcheck disable=SC2086 # words
boot --system "$system" --machine virt,virtualization=on,gic-version=3 --cpu "$cpu" --memory 2G --timeout 1500 \
	--when "guest: dump me=>dump-guest-memory -z $out/vmcore; quit" -- $vmcoreinfo_device

lists_it() {
	recovers "$epitaph" info "$out/vmcore" >"$out/info" || return
	grep '^guest  *web1, process qemu-[0-9]*, 1 vCPU, thread [0-9]*, ' "$out/info"
}

tells_in_order() {
	recovers "$epitaph" report --all --monotonic --with guest=web1 "$out/vmcore" >"$out/together" || return
	"$here/port-pairs" "$out/together" "$pairs" >"$out/pairs" || { cat "$out/pairs"; return 1; }
}

# relates SOURCE BOUND: what the guest did lies where the host ran it, and the bound is no more.
relates() {
	recovers "$epitaph" report --all --monotonic --source "$1" --with guest=web1 "$out/vmcore" >"$out/by-$1" || return
	grep -A3 '^# guest web1' "$out/by-$1"
	bound=$(sed -n 's/^#   .*its times are those of the host within \([0-9]*\) ns.*/\1/p' "$out/by-$1")
	[ "$bound" -le "$2" ] && grep -qE '^#   seen: ([1-9][0-9]{3,}) of \1 of its events lie where the host ran that CPU of it$' "$out/by-$1"
}

# How far the clocks could be apart without being seen: from an entry to the first event, from the last to an exit.
smallest_gaps() {
	awk '{ for (i = 3; i < 8 && $i !~ /^[0-9]+[.][0-9]+:$/; i++); time = $i + 0 }
		/^web1/ { if (entry && (!lead || time - entry < lead)) lead = time - entry; entry = 0; own = time; next }
		/ kvm_entry: / { entry = time }
		/ kvm_exit: / { if (own && (!lag || time - own < lag)) lag = time - own; entry = own = 0 }
		END { printf "# from an entry to an event %d us at least, from an event to an exit %d us\n", lead * 1000000, lag * 1000000 }' \
		"$out/by-$1"
}

# What the other did before it was stopped would lie where the host did not run it: QEMU has set its counter back.
says_that_it_was_set_back() {
	"$epitaph" report --monotonic --with guest=web2 "$out/vmcore" >"$out/stopped" 2>&1 || true
	grep -A3 '^# guest web2' "$out/stopped"
	grep -qE '^#   .*its times are not known: [0-9]+ of [0-9]+ of its events would lie where the host did not run it' "$out/stopped"
}

# Of its memory, by the page tables of its process.
explains() {
	recovers "$epitaph" explain --guest web1 "$out/vmcore" >"$out/explained" || return
	cat "$out/explained"
	grep -q 'sysrq-crash:' "$out/explained"
}

check "the guest is listed" lists_it
check "each write lies between the guest's marks of it" tells_in_order
cat "$out/pairs"
check "what the guest did lies where the host ran it" relates region,ftrace 20000
smallest_gaps region,ftrace
check "so it does by its kernel's clock alone, without a recorder" relates ftrace 1000
check "of one whose counter was set back, it is said" says_that_it_was_set_back
check "why the guest died is explained" explains
finish
