#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Logs whose lines have dates: what is said of them is what is said of the same lines with the kernel's
# time.
# shellcheck disable=SC2317
# shellcheck source=tests/lib/lib.sh
. "$(dirname "$0")/../../lib/lib.sh"
# shellcheck source=tests/unit/console/lib-console.sh
. "$here/lib-console.sh"
cd "$dir" || exit 1

# pages FILE: report and explain, without the file's name
pages() {
	of explain --json "$1" | jq 'del(.file, .files, .next)' && of report --all "$1"
}

# same FORM BEGIN [WHOLE]: of both texts; with WHOLE, the form has no fraction of a second.
same() {
	"$here/dated" "$1" "$2" "$here/panic.text" >dated
	if [ -n "${3:-}" ]; then "$here/dated" floor "$2" "$here/panic.text"; else grep -oE '\[ *[0-9]+\.[0-9]{6}\] .*' "$here/panic.text"; fi >timed
	pages dated >of-dated && pages timed >of-timed && [ -s of-timed ] && diff of-timed of-dated
}

for form in journalctl syslog short-iso short-full 'dmesg -T'; do
	ok "$(echo "$form" | tr ' -' __)" same "$form" 2025-12-31T23:59:55+01:00 whole
done
for form in short-precise short-iso-precise short-unix rsyslog 'dmesg iso'; do
	ok "$(echo "$form" | tr ' -' __)" same "$form" 2025-12-31T23:59:55+01:00
done

# What dmesg itself prints of these lines. It begins with the machine's own boot, and its times have no fraction.
dmesg_prints() {
	grep -oE '\[ *[0-9]+\.[0-9]{6}\] .*' "$here/panic.text" | sed 's/^/<4>/' >kmsg
	LC_ALL=C dmesg --file kmsg "$@" >dated && of explain --json dated | jq -r '.claim, .signature' >of-dated &&
		of explain --json "$here/panic.text" | jq -r '.claim, .signature' | diff - of-dated
}
ok as_dmesg_prints_it dmesg_prints -T
ok as_dmesg_prints_it_in_iso dmesg_prints --time-format iso
ok as_dmesg_prints_it_for_people dmesg_prints -H -P --color=never
ok as_dmesg_prints_it_with_what_lies_between dmesg_prints -d
ok as_dmesg_prints_what_lies_between_alone dmesg_prints --time-format delta
ok as_dmesg_prints_it_without_times dmesg_prints -t

# Lines of the first ten seconds of a minute, by what dmesg takes for the machine's boot: for people it
# prints the time anew with each minute, without its seconds.
within_a_minute() {
	awk -v now="$(date +%s)" '
		NR == FNR { shift_s = (65 - (now - int($1)) % 60) % 60; next }
		{ match($0, /[0-9]+\.[0-9]+/); printf "<4>[%12.6f%s\n", substr($0, RSTART, RLENGTH) + shift_s, substr($0, RSTART + RLENGTH) }
	' /proc/uptime "$1"
}

# Both say how much later each line was printed, to a microsecond; not behind a line of the time 0.
keeps_times() {
	grep -oE '\[ *[0-9]+\.[0-9]{6}\] .*' "$here/panic.text" >timed
	within_a_minute timed >kmsg
	LC_ALL=C dmesg --file kmsg "$@" >dated && stands dated | grep -v 'Linux version' >of-dated && [ -s of-dated ] &&
		stands "$here/panic.text" | grep -v 'Linux version' | diff - of-dated
}

# stands FILE: of each event and line: seconds before the end, and the first words of its text
stands() {
	of report --all "$1" | sed -n 's/^ .*T\([-+][0-9.]*\): \(.\{1,24\}\).*/\1 \2/p'
}

ok times_of_people_are_kept keeps_times -H -P --color=never
ok times_with_what_lies_between_are_kept keeps_times -d

# Of events the time is the kernel's; what was printed lies where its date says, to a second.
events_and_lines() {
	"$here/dated" "$1" 2025-12-31T23:59:55+01:00 "$here/hang.text" >dated
	stands dated >of-dated && stands "$here/hang.text" >of-timed && [ "$(wc -l <of-timed)" = 9 ] || return
	sort -k 2 of-timed >sorted-timed
	sort -k 2 of-dated | paste - sorted-timed | awk '{ away = $1 - $(NF / 2 + 1); if (away > 1.2 || away < -1.2) { print; far++ } } END { exit far || NR != 9 }' &&
		of report --all dated >printed && says '~'
}
ok events_of_sysrq_z__lie_where_their_lines_do events_and_lines journalctl
ok and_with_microseconds events_and_lines rsyslog

# What a machine prints in a second, from an hour before to an hour behind the change of the clocks.
summer_ends() {
	cat >log <<-'END'
		Oct 25 02:59:58 fox5 kernel: Linux version 6.1.0-18-amd64 (debian-kernel@lists.debian.org) (gcc-12) #1 SMP
		Oct 25 02:59:59 fox5 kernel: smpboot: Allowing 4 CPUs, 0 hotplug CPUs
		Oct 25 02:00:01 fox5 kernel: usb 1-1: new high-speed USB device number 5 using ehci-pci
		Oct 25 02:00:02 fox5 kernel: Kernel panic - not syncing: one
		Oct 25 02:00:03 fox5 kernel: Rebooting in 5 seconds..
	END
	of report --all log >printed && says 'boot 1 of 1' && says 'T-0.000000: log: Kernel panic' &&
		says 'T-1.000000: log: usb' && says 'T-1.000000: log: smpboot'
}
ok where_the_clock_is_set_back__no_boot_begins summer_ends

two_boots() {
	"$here/dated" journalctl 2025-12-31T23:59:55+01:00 "$here/panic.text" >log
	"$here/dated" journalctl 2026-01-01T00:10:00+01:00 "$here/panic.text" >>log
	of report log >printed && says 'of 2 in it' && of report --generation 1 log >printed && says 'boot 1 of 2'
}
ok a_boot_begins_with_the_version_of_the_kernel two_boots

# A boot of which the first lines are rotated away.
journal_of_two() {
	{
		"$here/dated" journalctl 2025-12-31T23:59:55+01:00 "$here/panic.text"
		echo '-- Boot 0123456789abcdef0123456789abcdef --'
		"$here/dated" journalctl 2026-01-01T00:10:00+01:00 "$here/hang.text" | tail -n +3
	} >log
	of report log >printed && says 'of 2 in it'
}
ok or_where_the_journal_says_so journal_of_two

without_their_programs() {
	"$here/dated" journalctl 2025-12-31T23:59:55+01:00 "$here/panic.text" >dated
	awk '{ print } NR % 3 == 0 { print "Jan 01 00:00:00 fox5 systemd[1]: Kernel panic - not syncing: not the kernel"
		print "Jan 01 00:00:00 fox5 sshd[17]: kernel: BUG: kernel NULL pointer dereference, address: 0000000000000010" }' dated >mixed
	pages dated | grep -v 'not the kernel' >of-dated && pages mixed >of-mixed && diff of-dated of-mixed
}
ok lines_of_programs__are_none_of_the_kernel without_their_programs

# A console on which syslog printed a line as well: most lines have the kernel's time.
most_lines_count() {
	grep -oE '\[ *[0-9]+\.[0-9]{6}\] .*' "$here/panic.text" >timed
	{ sed 2q timed; echo 'Jan  1 00:00:00 fox5 kernel: Kernel panic - not syncing: not this one'; tail -n +3 timed; } >mixed
	pages timed >of-timed && pages mixed | sed '/other/d' >of-mixed && diff of-timed of-mixed
}
ok among_lines_with_the_kernels_time__a_date_is_none most_lines_count

# refused LINE...: not a log of a kernel
refused() {
	printf '%s\n' "$@" >log
	! "$epitaph" report log >printed 2>&1 && says 'LC_ALL=C journalctl -k'
}
without_months() {
	echo 'sept. 27 21:47:33 fox5 kernel: Kernel panic - not syncing: one' >log
	of explain log >printed && says 'times: the lines of this text have none' && says 'The kernel called panic(): "one"'
}
ok months_in_another_language__are_no_times without_months
ok a_log_of_a_program__is_refused refused '2026-06-26 01:37:55,123 ERROR worker: kernel: Kernel panic - not syncing: one' \
	'2026-06-26 01:37:55,123456 Kernel panic - not syncing: one'
ok a_date_that_is_none__is_refused refused 'Jun 32 21:47:33 fox5 kernel: one' 'Jun 12 25:47:33 fox5 kernel: one' \
	'2026-13-01T00:00:00 fox5 kernel: one' 'Jun 12 21:47 fox5 kernel: one' 'Jun 12 21:47:33 fox5 kernel one'
finish
