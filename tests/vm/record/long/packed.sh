#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Packed events are what ftrace saw of the same guest, field by field, and take less room:
# ftrace's bytes of an event against all of ours, for default events, while a disk is
# read, a shell forks, tasks send messages, and nothing happens; docs/performance.md has the figures.  QEMU dumps the
# guest: makedumpfile leaves out pages of newer kernels that ftrace's buffers need.
# shellcheck disable=SC2317

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"
region_arg="memmap=32M!0x10000000 epitaph.addr=0x10000000 epitaph.size=32M"

${CC:-cc} -std=gnu11 -O2 -Wall -Wextra -Werror -static -o "$out/messages" "$here/messages.c"

guest_modules="qemu_fw_cfg null_blk"

# traced WORKLOAD...: the guest's script: both record the same events, and how much ftrace took.
traced() {
	cat <<-'END'
	load_modules /lib/modules
	load_recorder
	t=/sys/kernel/tracing
	echo mono >$t/trace_clock
	echo 8192 >$t/buffer_size_kb
	epitaph-static events | while read -r _ name state; do
		# The kernel warns of ftrace's own printk:console while it dies.
		[ "$state" != on ] || [ "$name" = printk:console ] || echo "$name"
	done >/tmp/on
	while read -r name; do
		[ ! -e "$t/events/$(echo "$name" | tr : /)" ] || echo "$name" >>$t/set_event
	done </tmp/on
	# From here on both see the same: what ftrace saw while the recorder was loaded, for seconds on
	# a busy host, is of other kinds.
	rmmod epitaph
	load_recorder generations=1
	echo >$t/trace
	epitaph-static mark both record
	END
	echo "$@"
	cat <<-'END'
	for cpu in $t/per_cpu/cpu*; do
		echo "trace: $(tr '\n' ' ' <$cpu/stats)"
	done
	echo "guest: both have recorded"
	sleep 60
	END
}

# Of all CPUs: pages of 4096 bytes, of which 16 are not events.
ftrace_bytes() {
	tr -d '\r' <"$out/guest.log" | awk '$1 == "trace:" {
		if (!/overrun: 0 /) bad = 1
		for (i = 1; i < NF; i++) {
			if ($i == "entries:") events += $(i + 1)
			if ($i == "bytes:") bytes += $(i + 1)
		}
	} END { if (bad || !events) exit 1; printf "%.3f\n", bytes / 4080 * 4096 / events }'
}

# Of the newest sub-buffer of a ring, half is in use, one time with another.
our_bytes() {
	awk '$1 == "ring" && /channel main/ {
		for (i = 1; i < NF; i++)
			if ($i == "events") { events += $(i - 1); subs += $(i + 2) - 0.5 }
	} END { if (!events) exit 1; printf "%.3f\n", subs * 4096 / events }' "$out/info"
}

saves() {
	theirs=$(ftrace_bytes) && recovers "$epitaph" info "$core" >"$out/info" && ours=$(our_bytes) || return 1
	echo "# $1: $ours bytes an event, ftrace's $theirs: $(echo "scale=2; $theirs / $ours" | bc)"
	[ "$(echo "$theirs >= $2 * $ours" | bc)" = 1 ]
}

same_fields() {
	"$here/fields-same" "$out/json" >"$out/same" || { cat "$out/same"; return 1; }
}

# Every event is reported by its kind, and none as unknown.
all_known() {
	recovers "$epitaph" export --to json --source all -o - --all "$core" >"$out/json" || return 1
	! grep '"epitaph:packed"' "$out/json" && grep -c '"sched:sched_switch"' "$out/json"
}

# workload NAME LEAST WORDS...: what the guest does.
workload() {
	name=$1
	least=$2
	shift 2
	traced "$@" >"$out/guest.sh"
	pack_guest "$out/messages" "$top/extractor/epitaph-static"
	core=$out/core
	boot --memory 384M --when "guest: both have recorded=>dump-guest-memory -z $core; quit" \
		-- -device vmcoreinfo
	check "$name: nothing that was packed is unknown" all_known
	check "$name: every field as ftrace has it" same_fields
	sed 's/^/# /' "$out/same" | head -n 1
	good=0
	saves "$name" "$least" >"$out/room" || good=1
	cat "$out/room"
	check "$name: $least times as many events in the same memory, or more" [ "$good" = 0 ]
	rm -f "$core" "$out/json"
}

# shellcheck disable=SC2016 # the guest counts
workload fork 3.03 'i=0; while [ $i -lt 1000 ]; do (true); i=$((i + 1)); done'
workload block 2.5 'dd if=/dev/nullb0 of=/dev/null bs=4k count=15000 iflag=direct; sleep 1'
workload messages 3.33 'messages 10 1000'
workload idle 2.86 'sleep 30'
finish
