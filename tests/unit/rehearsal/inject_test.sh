#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# epitaph inject on machines made of a few files, to which it writes.
# shellcheck disable=SC2317,SC2086 # ok calls the claims; names of files have no blanks
. "$(dirname "$0")/../../lib/lib.sh"
root=$dir/root
inject=sys/kernel/debug/mce-inject
einj=sys/kernel/debug/apei/einj

# put FILE TEXT: a file of the machine.
put() {
	[ -d "$root/${1%/*}" ] || mkdir -p "$root/${1%/*}"
	printf '%s\n' "$2" >"$root/$1"
}

# claim NAME: on a machine that has mce-inject, and where alice works.
claim() {
	rm -rf "$root"
	put sys/kernel/epitaph/current 7
	put sys/devices/system/cpu/online 0-1,4
	for file in flags status addr misc cpu bank; do put $inject/$file -; done
	put proc/sys/kernel/hostname web1
	put proc/sys/kernel/random/boot_id 00010203-0405-0607-0809-0a0b0c0d0e0f
	put proc/self/loginuid 1000
	put etc/passwd 'root:x:0:0::/root:/bin/sh
alice:x:1000:1000::/home/alice:/bin/sh'
	put run/systemd/sessions/1 'USER=alice
CLASS=user
TTY=tty1'
	put proc/sysrq-trigger not
	put dev/kmsg nothing
	put sys/kernel/kexec_crash_loaded 1
	mkdir -p "$root/var/lib"
	ok "$1" "$1"
}

inject() {
	"$epitaph" inject --root "$root" "$@" >"$dir/out" 2>&1
	got=$?
	cat "$dir/out"
	return "$got"
}

# gives STATUS TEXT: the last inject did.
gives() {
	[ "$got" = "$1" ] && grep -qF -- "$2" "$dir/out"
}

untouched() {
	[ "$(cat "$root/$inject/"* | sort -u)" = - ] && grep -qx not "$root/proc/sysrq-trigger"
}

# has FILE TEXT: it begins so.
has() {
	grep -q "^$2" "$root/$1" || { cat "$root/$1"; return 1; }
}

it_writes_what_the_kernel_takes() {
	inject corrected --cpu 4 --bank 3 --yes
	gives 0 'CPU 4, bank 3' && has $inject/flags sw && has $inject/status 0x9c00004000010091 &&
		has $inject/addr 0xfffffff000 && has $inject/misc 0x8c && has $inject/cpu 0x4 && has $inject/bank 0x3
}

the_name_is_asked_for() {
	echo web1 >"$dir/typed"
	inject corrected <"$dir/typed"
	gives 0 'Type the name of this machine to do so (web1)' && has $inject/bank 0x0
}

another_name_does_nothing() {
	for word in yes '' web 'web1 '; do
		printf '%s\n' "$word" >"$dir/typed"
		inject corrected <"$dir/typed"
		gives 1 'Nothing was done' && untouched || return 1
	done
}

others_who_are_logged_in_are_asked_first() {
	put run/systemd/sessions/3 'USER=bob
CLASS=user
REMOTE_HOST=10.0.0.7
TTY=pts/2'
	put run/systemd/sessions/4 'USER=gdm
CLASS=greeter
TTY=tty7'
	inject corrected --yes
	gives 1 'logged in on this machine: bob (10.0.0.7); expected no other user than you: ask them, or use --force' &&
		untouched || return 1
	inject crash --yes
	gives 1 'bob' && untouched || return 1
	inject corrected --yes --force
	gives 0 'It is done' && has $inject/bank 0x0
}

a_service_is_no_user() {
	put proc/self/loginuid 4294967295
	inject corrected --yes
	gives 1 'alice (tty1)' && untouched
}

# A struct utmp of Linux: type 7, line at 8, user at 44; 384 bytes.
utmp_counts_where_systemd_keeps_none() {
	rm -r "$root/run/systemd"
	{
		printf '\007\000\000\000\001\000\000\000pts/5'
		head -c 31 /dev/zero
		printf 'carol'
		head -c 335 /dev/zero
	} >"$root/run/utmp"
	[ "$(wc -c <"$root/run/utmp")" = 384 ] || return 1
	inject corrected --yes
	gives 1 'carol (pts/5)' && untouched
}

the_firmware_does_it_where_mce_inject_is_not() {
	rm -r "${root:?}/$inject"
	put $einj/available_error_type '0x00000002	Processor Uncorrectable non-fatal
0x00000008	Memory Correctable'
	put $einj/error_type - && put $einj/error_inject -
	inject corrected --yes
	gives 0 'The firmware will make' && has $einj/error_type 0x8 && has $einj/error_inject 0x1 || return 1
	inject corrected --yes --bank 1
	gives 2 'the firmware (EINJ) chooses both'
}

without_a_way_it_says_what_to_load() {
	rm -r "${root:?}/$inject"
	inject corrected --yes
	gives 3 'expected debugfs there; run: mount -t debugfs' || return 1
	put sys/kernel/debug/usb/devices x
	inject corrected --yes
	gives 3 'has neither mce-inject nor apei/einj; expected one of both; run: modprobe mce_inject' || return 1
	put $einj/available_error_type '0x00000002	Processor Uncorrectable non-fatal'
	inject corrected --yes
	gives 3 'has no memory error that is corrected (0x00000008)'
}

a_cpu_that_is_off_is_none() {
	inject corrected --cpu 2 --yes
	gives 2 '--cpu: CPU 2 is not online (/sys/devices/system/cpu/online); expected one of 0-1,4; choose one of these' &&
		untouched
}

without_a_recorder_it_is_refused() {
	rm "$root/sys/kernel/epitaph/current"
	inject corrected --yes
	gives 1 'the recorder is not loaded; expected one that records what is injected; run: modprobe epitaph' &&
		untouched && inject corrected --yes --force
}

not_in_a_capture_kernel() {
	put proc/vmcore x
	inject corrected --yes --force
	gives 1 'this is a capture kernel' && untouched
}

a_crash_is_that_of_test_crash() {
	inject crash --yes
	gives 3 '10 s later the kernel still runs' && has proc/sysrq-trigger c &&
		has dev/kmsg "<2>epitaph: test crash $(sed -n 's/^token=//p' "$root/var/lib/epitaph/test-crash")" &&
		grep -x way=kdump "$root/var/lib/epitaph/test-crash"
}

what_cannot_be_is_2() {
	for args in '' nonsense 'corrected crash' 'corrected --cpu x' 'corrected --cpu -1' 'corrected --cpu 9999' \
		'corrected --bank 256' 'crash --cpu 1' 'corrected --nonsense' 'corrected --bank'; do
		# shellcheck disable=SC2086 # words
		inject --yes $args
		if [ "$got" != 2 ] || ! untouched; then
			echo "$args: $got"
			return 1
		fi
	done
	inject corrected --cpu 1x
	gives 2 '--cpu: 1x; expected a number from 0 to 8191; give one'
}

for name in it_writes_what_the_kernel_takes the_name_is_asked_for another_name_does_nothing \
	others_who_are_logged_in_are_asked_first a_service_is_no_user utmp_counts_where_systemd_keeps_none \
	the_firmware_does_it_where_mce_inject_is_not without_a_way_it_says_what_to_load \
	a_cpu_that_is_off_is_none without_a_recorder_it_is_refused not_in_a_capture_kernel \
	a_crash_is_that_of_test_crash what_cannot_be_is_2; do
	claim "$name"
done
finish
