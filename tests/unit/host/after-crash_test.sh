#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# systemd/after-crash with the list of a machine that is made of files.
# shellcheck disable=SC2016,SC2086,SC2317
here=$(cd "$(dirname "$0")" && pwd)
top=$here/../../..
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
nr=0
failed=0
one=00010203-0405-0607-0809-0a0b0c0d0e0f-20261101T000000Z
two=epitaph-10010203-0405-0607-0809-0a0b0c0d0e0f-20261102T000000Z

# A machine that died twice, and went down in order in between; logger(1) is not asked.
fresh() {
	rm -rf "$dir/m" && mkdir -p "$dir/m/etc/crash.d" "$dir/m/bin" "$dir/m/har vests/$one" "$dir/m/crash/$two" && cd "$dir/m" || exit 1
	cat >list <<-END
		2026-11-02 10:00:00.500000 UTC, 1.5 MiB, sent: Oops "x" \\x1b at f+0x1/0x2 [m]
		    $dir/m/crash/$two/region
		2026-11-01 20:00:00.000000 UTC, 40 KiB, not sent: ended in order: restart
		    /var/lib/epitaph/20010203-0405-0607-0809-0a0b0c0d0e0f-20261101T100000Z/region
		saved 2026-11-01 10:00:00.000000 UTC, 512 bytes: reset, or still running: the kernel did not say
		    $dir/m/har vests/$one/region
	END
	printf '%s\n' '#!/bin/sh' 'case $1 in list) cat list ;; status) exit $(cat armed) ;; esac' >bin/epitaph
	printf '%s\n' '#!/bin/sh' 'cat >>journal' >bin/logger
	chmod +x bin/*
	echo 0 >armed
}

after_crash() {
	EPITAPH_SYSFS=$dir/m/sysfs EPITAPH_PARAMETERS=$dir/m/parameters EPITAPH_BOOT_ID=$dir/m/boot_id EPITAPH_ETC=$dir/m/etc EPITAPH_STATE=$dir/m/state EPITAPH_MOTD=$dir/m/motd.d EPITAPH=$dir/m/bin/epitaph \
		PATH=$dir/m/bin:$PATH "$top/systemd/after-crash" >said 2>&1
	status=$?
	cat said
	return $status
}

# hook NAME: its standard input
hook() {
	{
		echo '#!/bin/sh'
		cat
	} >"etc/crash.d/$1" && chmod 755 "etc/crash.d/$1"
}

ok() {
	nr=$((nr + 1))
	if (fresh && "$1") >"$dir/said" 2>&1; then
		echo "ok $nr - after_crash__$1"
	else
		echo "not ok $nr - after_crash__$1"
		sed 's/^/# /' "$dir/said"
		failed=$((failed + 1))
	fi
}

who_logs_in_sees_the_last_one() {
	after_crash && [ "$(cat motd.d/epitaph)" = 'The kernel of this machine died at 2026-11-02 10:00:00.500000 UTC: Oops "x" \x1b at f+0x1/0x2 [m]. To read more: epitaph explain --latest' ]
}

with_the_sentence_that_explain_saved() {
	printf 'Likely: f() of module m read a field of a NULL pointer.\033[31m\nmore\n' >"crash/$two/why.txt"
	hook 10-why <<-'END'
		echo "$EPITAPH_WHY" >>why
	END
	after_crash && [ "$(cat motd.d/epitaph)" = 'The kernel of this machine died at 2026-11-02 10:00:00.500000 UTC: Oops "x" \x1b at f+0x1/0x2 [m]. Likely: f() of module m read a field of a NULL pointer.[31m To read more: epitaph explain --latest' ] &&
		grep -x 'Likely: f() of module m .*' why && grep -x '' why
}

the_journal_has_each_with_an_id() {
	after_crash && cat journal && [ "$(grep -c '^MESSAGE_ID=abe6438fc7b141159923cd63e9012869$' journal)" = 2 ] &&
		grep -x "EPITAPH_CAPTURE=$dir/m/har vests/$one" journal && grep -x "EPITAPH_CAPTURE=$dir/m/crash/$two" journal &&
		grep 'MESSAGE=the kernel died before 2026-11-01 10:00:00.000000 UTC, when its trace was saved: reset, or still running: the kernel did not say' journal &&
		! grep restart journal
}

a_fatal_machine_check_has_its_own() {
	"$top/tests/golden/mkregion" "$top/tests/golden/mce-fatal.region" region &&
		"$top/extractor/epitaph" mce region >"crash/$two/mce.txt" && after_crash && [ "$(grep -c '^MESSAGE_ID=0e40b7b4685941baac7fb3f203580de8$' journal)" = 1 ] &&
		grep 'MESSAGE=a fatal machine check stopped the kernel at .*: machine check 1 of 2: .* bank 5 of CPU 1 .*: the machine died of this one' journal
}

a_sealed_one_says_where_the_key_is_needed() {
	cat >>list <<-END
		sealed 2026-11-03 09:00:00.000000 UTC, 1.9 MiB, host web1, for 2 recipients
		    /boot/epitaph/epitaph-30010203-0405-0607-0809-0a0b0c0d0e0f-20261103T000000Z.web1.age
		sealed 2026-11-02 10:00:05.000000 UTC, 1.9 MiB, host web1, for 2 recipients
		    /boot/epitaph/$two.web1.age
		sealed 2026-11-01 09:00:00.000000 UTC, 1.9 MiB, host web1, for 2 recipients
		    /boot/epitaph/ended-40010203-0405-0607-0809-0a0b0c0d0e0f-20261103T000000Z.web1.age
	END
	after_crash && after_crash && cat motd.d/epitaph journal state/crashes && [ "$(grep -c '^MESSAGE_ID=abe' journal)" = 3 ] &&
		[ "$(cat motd.d/epitaph)" = "The kernel of this machine died before 2026-11-03 09:00:00.000000 UTC; its trace is sealed. To read it, where the private key is: epitaph unseal -i IDENTITY -o DIR /boot/epitaph/epitaph-30010203-0405-0607-0809-0a0b0c0d0e0f-20261103T000000Z.web1.age" ] &&
		[ "$(wc -l <state/crashes)" = 3 ] && grep -q 'EPITAPH_CAPTURE=/boot/epitaph/epitaph-3' journal
}

each_is_reported_once() {
	hook say <<-'END'
		echo "$EPITAPH_CAPTURE" >>hooked
	END
	after_crash && after_crash && rm -r motd.d && after_crash && [ ! -e motd.d ] &&
		[ "$(cat hooked)" = "$dir/m/har vests/$one
$dir/m/crash/$two" ] && [ "$(wc -l <state/crashes)" = 2 ]
}

at_first_old_ones_are_only_noted() {
	touch -d '25 hours ago' "har vests/$one/region" && touch "crash/$two/region" && after_crash &&
		[ "$(grep -c '^MESSAGE_ID' journal)" = 1 ] && grep "EPITAPH_CAPTURE=$dir/m/crash/$two" journal &&
		[ "$(wc -l <state/crashes)" = 2 ] && sed -i 1d state/crashes && after_crash && [ "$(grep -c '^MESSAGE_ID' journal)" = 2 ]
}

what_a_program_says_goes_to_the_journal() {
	hook talks <<-'END'
		seq 200
		echo "to stderr" >&2
		(sleep 300 &)
	END
	after_crash && [ "$(grep -c '^<5>talks: ' said)" = 200 ] && grep -x '<5>talks: 100' said && ! grep 101 said && [ ! -e state/crashes.output ]
}

programs_get_the_crash_in_the_order_of_names() {
	hook 20-b <<-'END'
		echo "b $EPITAPH_TIME|$EPITAPH_REASON|$EPITAPH_CAPTURE" >>hooked
	END
	hook 10-a <<-'END'
		echo a >>hooked
	END
	after_crash && cat hooked && [ "$(sed -n '3,4p' hooked)" = "a
b 2026-11-02 10:00:00.500000 UTC|Oops \"x\" \\x1b at f+0x1/0x2 [m]|$dir/m/crash/$two" ]
}

what_is_no_program_is_not_run() {
	hook no.sh </dev/null && hook 'with~' </dev/null && echo text >etc/crash.d/README && mkdir etc/crash.d/folder &&
		hook open </dev/null && chmod 777 etc/crash.d/open && for name in no.sh with~ open; do
			echo "echo $name >>hooked" >>"etc/crash.d/$name"
		done && after_crash && [ ! -e hooked ] && grep 'crash.d/open is not run: it must be' said &&
		grep 'crash.d/README is not run' said && ! grep 'no.sh\|with~' said
}

one_that_fails_or_hangs_stops_nothing() {
	echo HOOK_SECONDS=1 >etc/after-crash.conf
	hook 1-fails <<-'END'
		exit 7
	END
	hook 2-hangs <<-'END'
		sleep 600
	END
	hook 3-runs <<-'END'
		echo ran >>hooked
	END
	after_crash && [ "$(grep -c ran hooked)" = 2 ] && grep '1-fails ended with status 7' said && grep '2-hangs ended with status 124' said
}

metrics_are_those_of_the_last() {
	mkdir metrics && echo "TEXTFILE_DIR=$dir/m/metrics" >etc/after-crash.conf && after_crash && cat metrics/epitaph.prom &&
		grep -x 'epitaph_crashes_total 2' metrics/epitaph.prom && grep -x 'epitaph_armed 1' metrics/epitaph.prom &&
		grep -x 'epitaph_last_crash_timestamp_seconds 1793613600' metrics/epitaph.prom &&
		grep -xF 'epitaph_last_crash_info{reason="Oops \"x\" \\x1b at f+0x1/0x2 [m]"} 1' metrics/epitaph.prom &&
		echo 4 >armed && after_crash && grep -x 'epitaph_armed 0' metrics/epitaph.prom && [ "$(ls -A metrics)" = epitaph.prom ]
}

a_folder_for_metrics_that_is_not_there_is_named() {
	echo "TEXTFILE_DIR=$dir/m/none" >etc/after-crash.conf && after_crash && grep 'no metrics in .*/none, which .*after-crash.conf names as TEXTFILE_DIR' said &&
		[ "$(wc -l <state/crashes)" = 2 ]
}

# The table as rasdaemon makes it, with the columns $1 of a later one.
database() {
	sqlite3 ras.db "CREATE TABLE mce_record (id INTEGER PRIMARY KEY, timestamp TEXT, mcgcap INTEGER, mcgstatus INTEGER,
		status INTEGER, addr INTEGER, misc INTEGER, ip INTEGER, tsc INTEGER, walltime INTEGER,${1-} cpu INTEGER, cpuid INTEGER,
		apicid INTEGER, socketid INTEGER, cs INTEGER, bank INTEGER, cpuvendor INTEGER, bank_name TEXT, error_msg TEXT,
		mcgstatus_msg TEXT, mcistatus_msg TEXT, mcastatus_msg TEXT, user_action TEXT, mc_location TEXT)" &&
		echo "RASDAEMON_DB=$dir/m/ras.db" >etc/after-crash.conf &&
		"$top/tests/golden/mkregion" "$top/tests/golden/mce-fatal.region" "crash/$two/region" &&
		echo 'fatal machine check' >"crash/$two/mce.txt" &&
		printf '%s\n' '#!/bin/sh' 'case $1 in list) cat list ;; *) exec '"$top"'/extractor/epitaph "$@" ;; esac' >bin/epitaph
}

# Registers as the recorder's own witness has them: status is the bits of a signed number.
are_recovered() {
	sqlite3 ras.db "SELECT printf('%llx', status), cpu, bank, user_action FROM mce_record" >rows
	cat rows
	[ "$(cat rows)" = "be00000000800400|1|5|recovered from a crash by epitaph
b200000000000e0b|2|7|recovered from a crash by epitaph" ]
}

machine_checks_go_to_rasdaemon_once() {
	database && after_crash && are_recovered && rm state/crashes.rasdaemon && after_crash && are_recovered
}

a_newer_rasdaemon_has_more_columns() {
	database ' ppin INTEGER, microcode INTEGER,' && after_crash && are_recovered
}

what_rasdaemon_has_is_not_added() {
	database && sqlite3 ras.db "INSERT INTO mce_record (status, addr, misc, tsc, walltime, cpu, bank)
		VALUES (0xbe00000000800400, 0x1234567, 0x8c, 0x3062652eaab, 1700000001, 1, 5)" && after_crash &&
		[ "$(sqlite3 ras.db 'SELECT count(*) FROM mce_record')" = 2 ]
}

a_database_without_the_table_is_said_once() {
	database && sqlite3 ras.db 'DROP TABLE mce_record' && after_crash && grep 'no such table: mce_record' said &&
		after_crash && ! grep 'no such table' said
}

# Another program holds it longer than is waited for.
a_locked_database_is_tried_again() {
	database && mkfifo go || return
	printf 'BEGIN EXCLUSIVE;\n.shell echo held >go\n.shell sleep 25\n' | sqlite3 ras.db &
	locker=$!
	cat go >ignored && after_crash && grep '^<4>machine checks of .* are not in .*ras.db: .*locked.*; it is tried again' said || return
	wait $locker
	after_crash && are_recovered
}

a_corrupt_database_is_said_once() {
	database && head -c 8192 /dev/urandom >ras.db && cp ras.db before && after_crash &&
		grep '^<3>machine checks of .* are not in .*ras.db: .*file is not a database.*; epitaph mce --rasdaemon .* prints them' said &&
		cmp before ras.db && after_crash && ! grep 'not a database' said
}

a_region_that_cannot_be_read_adds_nothing() {
	database && : >"crash/$two/region" && after_crash && ! grep 'are in' said && grep '^<3>machine checks of .* are not in .*ras.db: ' said &&
		[ "$(sqlite3 ras.db 'SELECT count(*) FROM mce_record')" = 0 ]
}

a_full_disk_is_said_and_nothing_runs_twice() {
	hook say <<-'END'
		echo run >>hooked
	END
	mkdir -p state && : >state/crashes && ln -s /dev/full state/crashes.new && after_crash &&
		grep 'crashes.new cannot be written; the crash in .* is reported when it can' said && [ ! -e hooked ] &&
		[ ! -e journal ] && grep 'died at 2026-11-02' motd.d/epitaph && after_crash && [ "$(grep -c run hooked)" = 2 ]
}

# is_read_only: also for root, who runs the tests
is_read_only() { ln -s /proc/none state; }

a_state_that_cannot_be_written_hides_no_crash() {
	hook say <<-'END'
		echo run >>hooked
	END
	is_read_only && ! after_crash && grep 'crashes.new cannot be written; the crash in .* is reported when it can' said &&
		grep 'died at 2026-11-02' motd.d/epitaph && [ ! -e hooked ] && [ ! -e journal ] &&
		rm state && after_crash && [ "$(grep -c run hooked)" = 2 ]
}

# With captures of an earlier version alone, a login says nothing; metrics are whole.
a_state_that_cannot_be_written_makes_no_news() {
	mkdir metrics && echo "TEXTFILE_DIR=$dir/m/metrics" >etc/after-crash.conf && is_read_only &&
		touch -d '25 hours ago' "har vests/$one/region" "crash/$two/region" && ! after_crash && [ ! -e motd.d ] &&
		grep -x 'epitaph_crashes_total 0' metrics/epitaph.prom
}

memory_that_was_lost_is_not_said_again_and_again() {
	boots first 0x20000000 memmap && : >journal && ln -s /dev/full state/recorded.new && echo second >boot_id && after_crash && after_crash &&
		[ ! -s journal ] && grep 'recorded cannot be written' said && rm state/recorded.new && after_crash && grep 'nothing is left of boot first' journal
}

a_list_that_fails_is_said_once() {
	printf '%s\n' '#!/bin/sh' 'case $1 in list) cat list; echo "epitaph list: $(cat why)" >&2; exit 2 ;; esac' >bin/epitaph
	echo 'send.conf: line 1: no such setting: TOO' >why
	after_crash && grep -x '<3>epitaph list ended with status 2: .*' said && grep -x '<3>epitaph list: send.conf: line 1: no such setting: TOO' said &&
		[ "$(grep -c '^MESSAGE_ID' journal)" = 2 ] && after_crash && ! grep 'epitaph list' said &&
		echo other >why && after_crash && grep 'epitaph list: other' said
}

a_region_with_damage_is_no_list_that_fails() {
	printf '%s\n' '#!/bin/sh' 'case $1 in list) cat list; echo "lost" >&2; exit 1 ;; esac' >bin/epitaph
	after_crash && [ ! -s said ] && [ "$(grep -c '^MESSAGE_ID' journal)" = 2 ]
}

# recovers STATUS [GENERATION]: harvest ends so, and this generation is not saved then
recovers() {
	printf '#!/bin/sh\necho "$*" >harvested\nexit %s\n' "$1" >bin/epitaph
	rm -rf sysfs && mkdir -p motd.d "sysfs/evidence/${2-}" && : >motd.d/epitaph-unsaved
	EPITAPH=$dir/m/bin/epitaph EPITAPH_SYSFS=$dir/m/sysfs EPITAPH_MOTD=$dir/m/motd.d "$top/systemd/recover" --notify
	[ $? = "$1" ] && [ "$(cat harvested)" = 'harvest --notify' ]
}

a_login_says_what_is_not_saved() {
	for status in 0 1 2 3; do
		echo "status $status"
		recovers $status && [ ! -e motd.d/epitaph-unsaved ] || return
	done
	recovers 3 7 && [ -e motd.d/epitaph-unsaved ] && recovers 2 7 && [ -e motd.d/epitaph-unsaved ]
}

a_name_that_begins_like_a_known_one_is_another() {
	mkdir -p state && printf 'x\ty\t%s.1\n' "$one" "$two" >state/crashes && after_crash && [ "$(grep -c '^MESSAGE_ID' journal)" = 2 ]
}

rasdaemon_can_be_left_alone() {
	database && echo RASDAEMON_DB=none >etc/after-crash.conf && after_crash && ! grep ras said &&
		[ "$(sqlite3 ras.db 'SELECT count(*) FROM mce_record')" = 0 ]
}

a_line_of_the_configuration_that_is_wrong_is_named() {
	printf 'HOOK_SECONDS=1\n# a comment\nTEXTFILE=/x\n' >etc/after-crash.conf && hook slow <<-'END'
		sleep 2
		echo ran >>hooked
	END
	after_crash && grep 'after-crash.conf:3: TEXTFILE=/x: neither TEXTFILE_DIR=/DIRECTORY, RASDAEMON_DB=/FILE or none, nor HOOK_SECONDS' said &&
		[ "$(grep -c ran hooked)" = 2 ] && printf 'TEXTFILE_DIR="%s"\n' "$dir/m/motd.d" >etc/after-crash.conf &&
		after_crash && [ -s motd.d/epitaph.prom ] && echo 'HOOK_SECONDS=0' >etc/after-crash.conf && after_crash && grep 'conf:1: HOOK_SECONDS=0' said
}

a_machine_without_crashes_says_nothing() {
	mkdir metrics && echo "TEXTFILE_DIR=$dir/m/metrics" >etc/after-crash.conf && : >list && after_crash && [ ! -s said ] &&
		[ ! -e motd.d ] && [ ! -e journal ] && grep -x 'epitaph_crashes_total 0' metrics/epitaph.prom && ! grep last metrics/epitaph.prom
}

# boots ID ADDRESS HOW [GENERATION]: a boot with a recorder, that finds this generation.
boots() {
	echo "$1" >boot_id
	rm -rf sysfs && mkdir -p sysfs/generations ${4:+"sysfs/generations/$4"} && echo "$2 16777216 $3" >sysfs/region
	: >journal
	after_crash && : >list
}

memory_that_did_not_survive_is_said_once() {
	boots first 0x20000000 memmap && ! grep -q 'nothing is left' journal &&
		boots second 0x20000000 memmap && cat journal && grep -x 'MESSAGE_ID=d4e3490ff4e3418293bdb532c9a220fc' journal &&
		grep 'MESSAGE=the region at 0x20000000 is empty: nothing is left of boot first, which recorded into it' journal &&
		! grep EPITAPH_CAPTURE journal && : >journal && after_crash && [ ! -s journal ]
}

memory_that_survived_or_is_another_is_no_news() {
	boots first 0x20000000 memmap && boots second 0x20000000 memmap 1 && [ ! -s journal ] &&
		boots third 0x20000000 memmap 2 && [ ! -s journal ] && boots fourth 0x30000000 pages && [ ! -s journal ] &&
		rm -r sysfs && after_crash && [ ! -s journal ] && boots sixth 0x20000000 memmap && grep 'nothing is left of boot third' journal
}

a_region_that_was_moved_is_said_once() {
	boots first 0x20000000 memmap && boots second 0x30000000 memmap && cat journal &&
		grep -x 'MESSAGE_ID=13d8d1b8a3a24b8797a1c9d8f6a1ddc4' journal && grep 'MESSAGE=the region is at 0x30000000 now; what boot first left is at 0x20000000, and nothing looks there' journal &&
		: >journal && after_crash && [ ! -s journal ] && boots third 0x30000000 memmap 1 && [ ! -s journal ]
}

memory_of_one_generation_is_recorded_over() {
	boots first 0x20000000 memmap && mkdir parameters && echo 1 >parameters/generations &&
		boots second 0x20000000 memmap && [ ! -s journal ] && echo 2 >parameters/generations &&
		boots third 0x20000000 memmap && grep 'nothing is left of boot first' journal
}

for claim in a_region_that_was_moved_is_said_once memory_of_one_generation_is_recorded_over memory_that_did_not_survive_is_said_once memory_that_survived_or_is_another_is_no_news who_logs_in_sees_the_last_one with_the_sentence_that_explain_saved the_journal_has_each_with_an_id a_fatal_machine_check_has_its_own \
	a_sealed_one_says_where_the_key_is_needed each_is_reported_once at_first_old_ones_are_only_noted \
	what_a_program_says_goes_to_the_journal programs_get_the_crash_in_the_order_of_names what_is_no_program_is_not_run \
	one_that_fails_or_hangs_stops_nothing metrics_are_those_of_the_last \
	machine_checks_go_to_rasdaemon_once a_newer_rasdaemon_has_more_columns what_rasdaemon_has_is_not_added \
	a_database_without_the_table_is_said_once a_locked_database_is_tried_again a_corrupt_database_is_said_once rasdaemon_can_be_left_alone \
	a_region_that_cannot_be_read_adds_nothing a_full_disk_is_said_and_nothing_runs_twice \
	a_state_that_cannot_be_written_hides_no_crash a_state_that_cannot_be_written_makes_no_news \
	memory_that_was_lost_is_not_said_again_and_again a_list_that_fails_is_said_once \
	a_region_with_damage_is_no_list_that_fails a_login_says_what_is_not_saved \
	a_name_that_begins_like_a_known_one_is_another \
	a_folder_for_metrics_that_is_not_there_is_named a_line_of_the_configuration_that_is_wrong_is_named a_machine_without_crashes_says_nothing; do
	ok $claim
done
echo "1..$nr"
exit $((failed != 0))
