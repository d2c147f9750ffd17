#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# epitaph test-crash on machines made of a few files, which do not crash.
# shellcheck disable=SC2317,SC2086 # ok calls the claims; ids have no spaces
. "$(dirname "$0")/../../lib/lib.sh"
root=$dir/root
state=$root/var/lib/epitaph/test-crash
before=00010203-0405-0607-0809-0a0b0c0d0e0f
after=10010203-0405-0607-0809-0a0b0c0d0e0f
token=0123456789abcdef

# put FILE TEXT: a file of the machine.
put() {
	[ -d "$root/${1%/*}" ] || mkdir -p "$root/${1%/*}"
	printf '%s\n' "$2" >"$root/$1"
}

# claim NAME: on a machine without a fault.
claim() {
	rm -rf "$root"
	put sys/kernel/epitaph/current 7
	put sys/kernel/epitaph/region '0x20000000 16777216 memmap'
	put sys/kernel/epitaph/generations/6/state harvested
	put proc/iomem '20000000-20ffffff : System RAM (epitaph)'
	put proc/cmdline 'root=/dev/vda1 memmap=16M!0x20000000 crashkernel=128M'
	put proc/sys/kernel/panic 0
	put proc/sys/kernel/hostname web1
	put proc/sys/kernel/random/boot_id $before
	put sys/kernel/kexec_crash_loaded 1
	put sys/kernel/kexec_crash_size 134217728
	put proc/sysrq-trigger not
	put dev/kmsg nothing
	mkdir -p "$root/var/lib"
	ok "$1" "$1"
}

crash() {
	"$epitaph" test-crash --root "$root" "$@" >"$dir/out" 2>&1
	got=$?
	cat "$dir/out"
	return $got
}

# is FILE TEXT: what was written over "not" and "nothing"
is() {
	grep -q "^$2" "$root/$1" || { cat "$root/$1"; return 1; }
}

untouched() {
	is proc/sysrq-trigger not && is dev/kmsg nothing && is proc/sys/kernel/panic 0 && [ ! -e "$state" ]
}

it_asks_for_the_name_of_the_machine() {
	echo web1 | crash
	[ $? = 3 ] && grep 'Type the name of this machine to crash it (web1)' "$dir/out" &&
		grep '10 s later the kernel still runs' "$dir/out" && is proc/sysrq-trigger c
}

another_word_does_nothing() {
	for word in yes '' web web11 'web1 '; do
		printf '%s\n' "$word" | crash
		[ $? = 1 ] && grep 'Nothing was done' "$dir/out" && untouched || return 1
	done
	crash </dev/null
	[ $? = 1 ] && untouched
}

the_token_is_on_disk_before_it_crashes() {
	crash --yes
	[ $? = 3 ] && [ "$(stat -c %a "$state")" = 600 ] && [ "$(stat -c %a "${state%/*}")" = 700 ] &&
		is dev/kmsg "<2>epitaph: test crash $(sed -n 's/^token=//p' "$state")" &&
		grep -x "boot=$before" "$state" && grep -x way=kdump "$state" && grep -Ex 'token=[0-9a-f]{16}' "$state" &&
		is proc/sys/kernel/panic 0
}

a_new_one_replaces_it() {
	put var/lib/epitaph/.test-crash.new half && crash --yes
	cp "$state" "$dir/first" && crash --yes
	! cmp "$state" "$dir/first" && [ "$(ls -A "${state%/*}")" = test-crash ]
}

warm_restarts_after_the_panic() {
	crash --yes --warm
	[ $? = 3 ] && grep -x way=warm "$state" && is proc/sys/kernel/panic 5 && grep 'the next boot harvests' "$dir/out"
}

on_s390x_warm_starts_it_again() {
	put sys/firmware/shutdown_actions/on_panic stop && crash --yes --warm
	[ $? = 3 ] && is sys/firmware/shutdown_actions/on_panic reipl
}

what_starts_it_again_stays() {
	put sys/firmware/shutdown_actions/on_panic dump_reipl && crash --yes --warm
	[ $? = 3 ] && is sys/firmware/shutdown_actions/on_panic dump_reipl
}

without_kdump_it_is_warm() {
	put sys/kernel/kexec_crash_loaded 0 && put sys/kernel/kexec_crash_size 0 && put proc/cmdline 'memmap=16M!0x20000000' &&
		put proc/sys/kernel/panic 30 && crash --yes
	grep -x way=warm "$state" && is proc/sys/kernel/panic 30
}

what_doctor_fails_is_refused() {
	put sys/kernel/kexec_crash_size 71303168 && crash --yes
	[ $? = 1 ] && untouched && grep 'crashkernel: 68 MiB' "$dir/out" && grep 'force crashes all the same' "$dir/out" &&
		{ crash --yes --force; [ $? = 3 ] && is proc/sysrq-trigger c; }
}

warm_asks_what_is_left_without_kdump() {
	put sys/kernel/epitaph/region '0x3d000000 4194304 pages' && crash --yes --warm
	[ $? = 1 ] && untouched && grep 'nothing will be left' "$dir/out"
}

no_token_no_crash() {
	rm "$root/dev/kmsg" && crash --yes
	[ $? = 3 ] && is proc/sysrq-trigger not && grep '/dev/kmsg' "$dir/out"
}

# The kernel takes what is written, and drops it: --verify would not know the trace again.
no_token_in_the_log_no_crash() {
	put proc/sys/kernel/printk_devkmsg off && crash --yes
	[ $? = 3 ] && untouched && grep 'printk_devkmsg is off' "$dir/out" &&
		{ put proc/sys/kernel/printk_devkmsg ratelimit && crash --yes; [ $? = 3 ] && is proc/sysrq-trigger c; }
}

no_room_no_crash() {
	(ulimit -f 0; crash --yes) >/dev/null 2>&1
	[ $? = 3 ] && is proc/sysrq-trigger not && [ -z "$(ls -A "${state%/*}")" ]
}

not_in_a_capture_kernel() {
	put proc/vmcore x && crash --yes
	[ $? = 2 ] && untouched
}

misuse_is_2() {
	for args in '--verify --yes' '--verify --warm' '--verify --force' a-file --nonsense --root; do
		# shellcheck disable=SC2086
		"$epitaph" test-crash $args
		[ $? = 2 ] || return 1
	done
}

# crashed WAY: the next boot
crashed() {
	put var/lib/epitaph/test-crash "token=$token
boot=$before
way=$1
when=1700000000" && put proc/sys/kernel/random/boot_id $after && put proc/stat 'cpu 1
btime 1700000026
x'
}

# back FILE [TOKEN]: a region with the token
back() {
	mkdir -p "$root/${1%/*}"
	cat >"$dir/text" <<END
section events
event-size 17 16
section formats
batch
system: console
name: console
ID: 17
format:
	field:unsigned short common_type;	offset:0;	size:2;	signed:0;
	field:unsigned char common_flags;	offset:2;	size:1;	signed:0;
	field:unsigned char common_preempt_count;	offset:3;	size:1;	signed:0;
	field:int common_pid;	offset:4;	size:4;	signed:1;

	field:char text[64];	offset:8;	size:64;	signed:0;

print fmt: "%s", REC->text
end
include $top/tests/golden/clock.inc
section ring cpu=0 channel=1 unit=512 index=0
sub seq=1 time=2000000000 pid=5
	event 17 time=2000000100 : text 64 "[    1.0] epitaph: test crash ${2:-$token}\n"
END
	"$top/tests/golden/mkregion" "$dir/text" "$root/$1" && touch -d @1700000009 "$root/$1"
}

verify() {
	"$epitaph" test-crash --verify --root "$root" "$@" >"$dir/out" 2>&1
	got=$?
	cat "$dir/out"
	return $got
}

said() {
	for text; do
		grep -F -- "$text" "$dir/out" || { echo "lacks: $text"; return 1; }
	done
}

everything_came_back() {
	crashed kdump && back var/crash/epitaph-$before-x/region && back var/crash/202311142213/dump.202311142213 &&
		verify &&
		said "test crash $token, by kdump, 2023-11-14 22:13:20" 'this kernel started 26 s after the crash' \
		'capture      /var/crash/epitaph-' '9 s after the crash, whole, up to the crash' \
		'vmcore       /var/crash/202311142213/dump.202311142213' 'the trace came back' &&
		verify --json | head -n 1 | jq -e 'length == 5 and all(.verdict == "ok")'
}

# at SECONDS FILE: written so long after the crash
at() {
	put "$2" x && touch -d "@$((1700000000 + $1))" "$root/$2"
}

every_step_has_its_time() {
	crashed kdump && back var/crash/epitaph-$before-x/region && back var/crash/202311142213/dump.202311142213 &&
		touch -d @1700000021 "$root/var/crash/202311142213/dump.202311142213" && at 35 var/crash/kexec_cmd &&
		at 38 run/motd.d/epitaph && verify && said 'kdump        a capture kernel is loaded again, since 35 s after the crash' \
		'login        a line at login says so, since 38 s after the crash' 'the recorder is loaded again' \
		'the last step was done 38 s after the crash' &&
		verify --json | head -n 1 >"$dir/json" && jq -e 'map({(.check): .seconds}) | add |
			.reboot == 26 and .capture == 9 and .vmcore == 21 and .kdump == 35 and .login == 38' "$dir/json" &&
		"$top/tests/lib/json-schema" follows "$top/docs/doctor.schema.json" <"$dir/json"
}

what_an_earlier_boot_left_is_no_step() {
	crashed kdump && back var/crash/epitaph-$before-x/region && back var/crash/202311142213/dump.202311142213 &&
		at -500 var/crash/kexec_cmd && verify && said 'kdump        a capture kernel is loaded again' &&
		! grep 'loaded again, since' "$dir/out"
}

# Without a clock that goes on while the power is off, or before the network has said the time.
a_clock_of_1970_is_no_time() {
	crashed kdump && back var/crash/epitaph-$before-x/region && back var/crash/202311142213/dump.202311142213 && put proc/stat 'cpu 1
btime 12' && verify && said 'another kernel runs; by its clock it started before the crash' && ! grep -e '-[0-9]* s after' "$dir/out" &&
		verify --json | head -n 1 | jq -e '.[] | select(.check == "reboot") | has("seconds") | not'
}

ready_for_the_next_one() {
	crashed kdump && back var/crash/epitaph-$before-x/region && back var/crash/202311142213/dump.202311142213 &&
		put sys/kernel/kexec_crash_loaded 0 && ! verify && said 'failure  kdump        no capture kernel is loaded in this boot' &&
		rm -r "$root/sys/kernel/epitaph" && ! verify && said 'failure  recorder     the recorder is not loaded in this boot'
}

warm_is_the_harvest_alone() {
	crashed warm && back var/lib/epitaph/$before-x/region && verify && said 'without kdump' && ! grep -E 'vmcore|capture' "$dir/out"
}

nothing_came_back() {
	crashed kdump && verify
	[ $? = 1 ] && said 'failure  vmcore       nothing of this crash is in /var/crash' 'larger crashkernel=' \
		'warning  capture ' 'install epitaph-kdump' 'warning  harvest ' 'not everything came back' &&
		put usr/lib/epitaph/capture x && ! verify && said 'failure  capture '
}

nothing_came_back_warm() {
	crashed warm && ! verify && said 'failure  harvest      nothing of this crash is in /var/lib/epitaph' 'firmware has cleared'
}

another_crash_is_not_this_one() {
	crashed kdump && back var/crash/1/vmcore fedcba9876543210 && back var/lib/epitaph/$before-x/region fedcba9876543210 &&
		back var/lib/epitaph/$after-x/region && ! verify &&
		said '/var/crash/1/vmcore does not have the trace of this crash' 'failure  harvest '
}

an_older_dump_is_not_this_one() {
	crashed kdump && back var/crash/1/vmcore fedcba9876543210 && touch -d @1600000000 "$root/var/crash/1/vmcore" &&
		! verify && said 'nothing of this crash is in /var/crash'
}

another_clock_does_not_hide_it() {
	crashed warm && back var/lib/epitaph/$before-x/region && touch -d @1600000000 "$root/var/lib/epitaph/$before-x/region" &&
		verify && said "$before-x/region: whole, up to the crash"
}

damage_is_told() {
	crashed warm && back var/lib/epitaph/$before-x/region &&
		printf '\1' | dd of="$root/var/lib/epitaph/$before-x/region" bs=1 seek=100 conv=notrunc status=none && verify &&
		said 'with damage or loss'
}

rubbish_is_not_read_as_a_trace() {
	crashed kdump && put var/crash/1/vmcore "test crash $token" && put var/crash/1/dump-incomplete x && ! verify &&
		said '/var/crash/1/vmcore does not have the trace of this crash (status 4)'
}

the_same_boot_has_not_crashed() {
	crashed kdump && put proc/sys/kernel/random/boot_id $before && ! verify && said 'it is still the same boot'
}

no_test_was_made() {
	verify
	[ $? = 4 ] && said 'no test crash was made on this machine'
}

a_strange_state_is_refused() {
	crashed kdump && put var/lib/epitaph/test-crash 'token=../../x' && verify
	[ $? = 5 ] && said 'not as it was written'
}

for claim in it_asks_for_the_name_of_the_machine another_word_does_nothing the_token_is_on_disk_before_it_crashes \
	a_new_one_replaces_it warm_restarts_after_the_panic on_s390x_warm_starts_it_again what_starts_it_again_stays without_kdump_it_is_warm what_doctor_fails_is_refused \
	warm_asks_what_is_left_without_kdump no_token_no_crash no_token_in_the_log_no_crash no_room_no_crash not_in_a_capture_kernel misuse_is_2 \
	everything_came_back every_step_has_its_time what_an_earlier_boot_left_is_no_step a_clock_of_1970_is_no_time ready_for_the_next_one warm_is_the_harvest_alone nothing_came_back nothing_came_back_warm \
	another_crash_is_not_this_one an_older_dump_is_not_this_one another_clock_does_not_hide_it damage_is_told \
	rubbish_is_not_read_as_a_trace the_same_boot_has_not_crashed no_test_was_made a_strange_state_is_refused; do
	claim $claim
done
finish
