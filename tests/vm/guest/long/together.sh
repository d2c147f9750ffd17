#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A host and its guest on one timeline: a guest writes to ports, which its host sees; the host does not
# run it for a while; it panics; then the host dies.  The truth is the order of cause and effect: each
# write lies between two events of the guest, and so must what the host recorded of it.

# shellcheck disable=SC2317,SC2154 # check calls what is defined here; lib-nest.sh sets them

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"
. "$here/lib-nest.sh"

pairs=${PAIRS:-10000}
capture_args=capture.dump_level=17

nested_guest web1 <<END
load_recorder
load_victim work=0
echo 4096 >/sys/kernel/tracing/buffer_size_kb
echo 1 >/sys/kernel/tracing/events/victim/port/enable
echo "guest: counts by \$(cat /sys/devices/system/clocksource/clocksource0/current_clocksource)"
echo 10 >/sys/kernel/debug/victim_ports
echo "guest: stop me"
sleep 3
echo "guest: writes to ports"
echo $pairs >/sys/kernel/debug/victim_ports
echo "guest: ports are written"
while [ ! -e /tmp/never ]; do sleep 1; [ "\$((n += 1))" != 12 ] || crash; done
END
nested_guest web2 <<'END'
load_recorder
echo "guest: quiet"
while :; do sleep 1; echo "guest: goes on"; done
END

guest <<'END'
. /test/lib-nest-guest.sh

# await_saved FILE: it does not grow any more.
await_saved() {
	before=0
	for _ in $(seq 60); do
		sleep 1
		size=$(stat -c %s "$1" 2>/dev/null || echo 0)
		[ "$size" = "$before" ] && [ "$size" -gt 1000000 ] && return
		before=$size
	done
	return 1
}

# On a busy machine a minute is not enough.
await_crash() {
	nested_says web1 "guest: crashing" || nested_says web1 "guest: crashing" || nested_says web1 "guest: crashing"
}

# To a file, and from it some seconds later.  One that was stuck when it was saved still is.
save_and_resume() {
	rm -f /tmp/web2.*
	start_nested web2 "guest: goes on" || return
	tell_nested web2 'migrate "exec:cat >/tmp/web2.state"'
	await_saved /tmp/web2.state || return
	tell_nested web2 quit
	sleep 4
	rm /tmp/web2.monitor.*
	starts="1 2" start_nested web2 "guest: goes on" -incoming "exec:cat /tmp/web2.state"
}

# Stopped by QEMU for a while, which sets its kvm-clock then.  On a busy machine a minute is not enough.
write_ports() {
	start_nested web1 "guest: stop me" || return
	tell_nested web1 stop
	sleep 2
	tell_nested web1 cont
	nested_says web1 "guest: ports are written" || nested_says web1 "guest: ports are written"
}

with_disk
load_recorder
arm_kdump
cd /sys/kernel/tracing
echo 16384 >buffer_size_kb
for event in kvm_entry kvm_exit kvm_pio kvm_write_tsc_offset; do
	echo 1 >events/kvm/$event/enable
done
cd /test
for try in 1 2 3; do
	! save_and_resume || { resumed=yes; break; }
done >/tmp/resumed 2>&1
sed 's/^/# /' /tmp/resumed
check "a guest is saved, and resumed by another process: try $try of 3" [ "${resumed:-}" = yes ]
# The emulation may lose it at any time, so it has little to wait for.
check "a guest writes to ports" write_ports
check "its kernel counts by kvm-clock" nested_says web1 "guest: counts by kvm-clock"
# It is stopped, and then another takes its processor: of several, none would have it for half of a gap.
kill -STOP "$qemu"
sleep 2
kill -CONT "$qemu"
sleep 1
taskset 2 sh -c 'while :; do :; done' &
busy=$!
busybox renice -n -20 -p $busy >/dev/null
sleep 3
kill $busy
check "the guest panics" await_crash
sleep 2
echo "guest: dump me"
crash
END
pack_nest
make_disk 1G
append="${append:-} guest.capture=$capture_args" boot_nest --disk "$out/disk.img" --expect 'capture: done' --timeout 300 \
	--allow 'Speculative Return Stack Overflow: WARNING' \
	--allow 'Kernel panic - not syncing: sysrq triggered crash'
take_disk

tells_in_order() {
	recovers "$epitaph" report --all --monotonic --with guest=web1 "$saved/vmcore" >"$out/together" || return
	"$here/port-pairs" "$out/together" "$pairs" >"$out/pairs" || { cat "$out/pairs"; return 1; }
}

# The same of a guest without our recorder: its kernel's own trace, by kvm-clock.
tells_in_order_by_kvm_clock() {
	recovers "$epitaph" report --all --monotonic --source ftrace --with guest=web1 "$saved/vmcore" >"$out/by-kvm-clock" || return
	"$here/port-pairs" "$out/by-kvm-clock" "$pairs" >"$out/pairs" || { cat "$out/pairs"; return 1; }
	grep '^#   seen: ' "$out/by-kvm-clock"
	grep -E '^#   20 events would lie before its kvm-clock was set last' "$out/by-kvm-clock" || return
	grep -qE '^#   seen: ([1-9][0-9]{3,}) of \1 of its events lie where the host ran that CPU of it$' "$out/by-kvm-clock"
}

# What the guest did, it did while the host ran it.
lies_inside() {
	grep '^#   seen: ' "$out/together" || return
	grep -qE '^#   seen: ([1-9][0-9]{3,}) of \1 of its events lie where the host ran that CPU of it$' "$out/together"
}

# It was stopped for 2 s, and then another task had its processor.
says_why_it_waited() {
	grep '^# web1/0 .* waited [1-9]' "$out/together" || return
	grep -qE '^# web1/0 .*: waited 2\.[0-9]+ s: its thread was stopped by a signal$' "$out/together" &&
		grep -qE '^# web1/0 .*: waited [0-9.]+ s: host CPU 1 ran sh-[0-9]+$' "$out/together"
}

# A port write of the guest makes its vCPU leave, and the reason has words.
has_words_for_exits() {
	grep -m 3 '^host>web1/0 .*kvm_exit: .* reason io .*(an access to a port)$' "$out/together"
}

# The guest's panic stands among the host's events, and a write behind the panic does not come before it.
has_both_ends() {
	grep -n ' CRASH on CPU ' "$out/together" || return
	[ "$(sed -n 's/^# \(web1\|host\).* CRASH on CPU .*/\1/p' "$out/together" | tr '\n' ' ')" = "web1 host " ]
}

# The same, from what the guest's region was saved as; the FILE says itself which guest it is.
tells_the_same_of_a_file() {
	rm -rf "$out/web1"
	recovers "$epitaph" save -o "$out/web1" --guest web1 "$saved/vmcore" || return
	recovers "$epitaph" report --all --monotonic --source region --with guest=web1 "$saved/vmcore" >"$out/inside" &&
		recovers "$epitaph" report --all --monotonic --source region --event 'port' --with guest="$out/web1/region" "$saved/vmcore" |
		grep '^web1/0<' >"$out/by-file" && grep '^web1/0<.* port: ' "$out/inside" >"$out/by-name"
	wc -l <"$out/by-file"
	cmp "$out/by-file" "$out/by-name"
}

# refuses STATUS TEXT GUEST...
refuses_guests() {
	status=$1 text=$2
	shift 2
	result=0
	for guest in "$@"; do
		set -- "$@" --with "guest=$guest"
		shift
	done
	"$epitaph" report --events 5 "$@" "$saved/vmcore" >"$out/refused" 2>"$out/why" || result=$?
	cat "$out/why"
	[ "$result" = "$status" ] && grep -qF -- "$text" "$out/why" "$out/refused"
}

# What the resumed guest recorded before it was saved has no place, and what has one lies where the host ran it.
says_that_it_was_resumed() {
	recovers "$epitaph" report --all --with guest=web2 "$saved/vmcore" >"$out/resumed" || return
	grep -A4 '^# guest web2' "$out/resumed"
	# Its process had been there for a while before it ran.
	[ "$(grep -m 1 -oE '^(web2/0<|host>web2/0 .* kvm_entry)' "$out/resumed" | grep -c kvm_entry)" = 1 ] || return
	grep -qE '^#   it was resumed here, or came from another host: [1-9][0-9]* events would lie before its counter was set' "$out/resumed" &&
		grep -qE '^#   seen: ([1-9][0-9]{2,}) of \1 of its events lie' "$out/resumed"
}

finds_gaps() {
	recovers "$epitaph" explain --with guest=web1 "$saved/vmcore" >"$out/explained" || return
	cat "$out/explained"
	# The longest of those in the report: it was stopped for 2 s, or others had its processor for longer.
	longest=$(sed -n 's/^ .*host: CPU 0 of the guest waited \([0-9.]*\) s.*/\1/p' "$out/explained")
	sed -n 's/^# web1\/0 .*: waited \([0-9.]*\) s.*/\1/p' "$out/together" | sort -n | tail -n 1 >"$out/longest"
	[ "${longest%.*}" -ge 2 ] && [ "$longest" = "$(cat "$out/longest")" ]
}

says_that_its_clock_was_set() {
	grep -E 'its host set its kvm-clock [0-9]+ s before its end' "$out/explained"
}

exports_tracks() {
	recovers "$epitaph" export --to perfetto --last 10 --with guest=web1 -o "$out/perfetto" "$saved/vmcore" &&
		protoc --decode=perfetto.protos.Trace -I"$top/docs" "$top/docs/perfetto.proto" <"$out/perfetto" >"$out/perfetto.text" || return
	grep -q 'name: "guest web1, CPU 0: not run"' "$out/perfetto.text" && grep -q 'type: TYPE_SLICE_BEGIN' "$out/perfetto.text" &&
		! grep -qE '^ *[0-9]+: ' "$out/perfetto.text"
}

# As many events of the guest as the report has, and the gap of 2 s.
exports_lines() {
	rm -f "$out/together.json"
	recovers "$epitaph" export --to json --with guest=web1 -o "$out/together.json" "$saved/vmcore" || return
	lines=$(grep -c '^web1' "$out/together")
	echo "$lines"
	[ "$lines" -gt 0 ] &&
		[ "$(jq -c 'select(.guest == "web1" and .event != null and .event != "epitaph:vcpu_wait")' "$out/together.json" | wc -l)" = "$lines" ] &&
		jq -e -n '[inputs | select(.event == "epitaph:vcpu_wait" and .fields.cause == "stopped")] | length > 0' "$out/together.json"
}

# Its rows are the lines of the report, and the guest has its lanes.
exports_a_page() {
	rm -f "$out/together.html"
	recovers "$epitaph" export --to html --last 10 --with guest=web1 -o "$out/together.html" "$saved/vmcore" &&
		recovers "$epitaph" report --last 10 --with guest=web1 "$saved/vmcore" >"$out/last" || return
	thread=$(sed -n 's/^#   CPU 0 is thread \([0-9]*\);.*/\1/p' "$out/last")
	"$top/tests/unit/export/html_check" joint "$out/together.html" "$out/last" web1 "$thread"
}

check "each write to a port lies between the guest's events of it" tells_in_order
cat "$out/pairs"
check "so it does by kvm-clock, without a recorder" tells_in_order_by_kvm_clock
cat "$out/pairs"
check "what the guest did lies where the host ran it" lies_inside
check "gaps have their causes" says_why_it_waited
check "reasons of exits have words" has_words_for_exits
check "the guest's end comes before the host's" has_both_ends
check "a file of the guest's gives the same report as its memory" tells_the_same_of_a_file
check "a guest that is given twice is refused" refuses_guests 2 'guest web1 is given twice' web1 "$out/web1/region"
check "the host's own region is no guest" refuses_guests 4 'is of no guest of this host; it runs ' "$saved/region"
check "another guest's file is left out" refuses_guests 1 'its times are not known: its last event would ' "web2:$out/web1/region"
check "of a guest that was resumed, it is said" says_that_it_was_resumed
check "the gaps are found" finds_gaps
check "that its clock was set is found" says_that_its_clock_was_set
check "Perfetto has tracks of the guest" exports_tracks
check "JSON has the guest's events" exports_lines
check "a page has the report's lines, and lanes of the guest" exports_a_page
finish
