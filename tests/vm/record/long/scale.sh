#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What an event, the load and the memory beside the rings cost on machines of more CPUs.  QEMU
# counts instructions, one a nanosecond; so that it can, one CPU is started, and the others might be
# at any time.  SCALE_CPUS: how many there are; RECORDER: another version to be measured.

# shellcheck disable=SC2317 # check calls them
VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"

cpus=${SCALE_CPUS:-"1 2 8 24 64 255"}
bench=$top/tests/bench
# Each CPU has a ring of some sub-buffers.
region_is 64M

guest <<'END'
# What modules, the slab and CPUs' own variables take, in KiB; the rings lie elsewhere.
memory_used() {
	sync
	echo 3 >/proc/sys/vm/drop_caches
	sleep 2
	awk '/^(VmallocUsed|Slab|Percpu):/ { sum += $2 } END { print sum }' /proc/meminfo
}

now_us() { sed -n 's/^now at \([0-9]*\)[0-9][0-9][0-9] nsecs$/\1/p' /proc/timer_list; }

while grep -qx cryptomgr_test /proc/[0-9]*/comm 2>/dev/null; do
	usleep 100000
done
before=$(memory_used)
load_recorder
sleep 3
echo "memory: $(($(memory_used) - before))"
echo "load: $(dmesg | sed -n 's/.*initcall recorder_init.* after \([0-9]*\) usecs/\1/p' | tail -n 1)"
insmod /test/epitaph_bench.ko
echo 1 >/sys/kernel/debug/epitaph_bench
sh /test/measure.sh ours
rmmod epitaph_bench
before=$(now_us)
rmmod epitaph
echo "unload: $(($(now_us) - before))"
END

# of WORD...: the number behind these words in what the guest said.
of() {
	sed -n "s/^$*:* \([0-9]*\)$/\1/p" "$out/guest.log" | tail -n 1
}

# figures_of N: those of a machine of N CPUs, none of them missing.
figures_of() {
	echo "# $1 CPUs: u64 $(of 'bench: ours u64'), switch $(of 'bench: ours switch')," \
		"load $(of load) us, memory $(of memory) KiB, unload $(of unload) us" | tee -a "$out/figures"
	tail -n 1 "$out/figures" |
		grep -qE '^# [0-9]+ CPUs: u64 [0-9]+, switch [0-9]+, load [0-9]+ us, memory [0-9]+ KiB, unload [0-9]+ us$'
}

# an_event_costs_the_same: on each machine, but for half an instruction.
an_event_costs_the_same() {
	sed 's/.*: u64 \([0-9]*\), switch \([0-9]*\),.*/\1 \2/' "$out/figures" | awk '
		NR == 1 { u64 = $1; other = $2 }
		{ print; more += $1 > u64 + 50 || $2 > other + 50 }
		END { exit more != 0 }'
}

# more_for_a_cpu FIELD MOST: what one more CPU adds to that field of the figures, last against first.
more_for_a_cpu() {
	awk -v field="$1" -v most="$2" '{ cpus[NR] = $2; value[NR] = $field }
		END { each = (value[NR] - value[1]) / (cpus[NR] - cpus[1]); print each; exit !(each <= most) }' "$out/figures"
}

for n in $cpus; do
	pack_guest "$bench/guest/epitaph_bench.ko" "$bench/measure.sh"
	# The kernel measures the timer of the APIC in a loop of PAUSE, and QEMU goes round all CPUs at each.
	append="loglevel=3 initcall_debug maxcpus=1 nolapic_timer" boot --cpus "$n" --memory 2048 --timeout 900 -- \
		-icount shift=0,sleep=on -rtc clock=vm
	check "$n CPUs: the guest ended well" guest_ended_well
	check "$n CPUs: all figures are there" figures_of "$n"
done
check "an event costs the same with more CPUs" an_event_costs_the_same
check "each CPU adds at most 40 us to the load" more_for_a_cpu 9 40
check "each CPU adds at most 48 KiB of memory" more_for_a_cpu 12 48
check "each CPU adds at most 40 us to the unload" more_for_a_cpu 15 40
finish
