#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# epitaph guest watch with QEMUs that misbehave, and guests that do.  tests/vm/guest has real ones.
# shellcheck disable=SC2317 # ok calls the claims
. "$(dirname "$0")/../../lib/lib.sh"

# The first half of this one crashed, the second one ended in order.
"$top/tests/golden/mkregion" "$top/tests/golden/generations-numbered.region" "$dir/image" || exit 99
head -c 20480 "$dir/image" >"$dir/crashed"
tail -c 20480 "$dir/image" >"$dir/ended"
uuid=6b0c2ea1-1111-4222-8333-123456789abc

# watch CLAIM [LINE...]: what the next claim looks at; the guests are started by it.
fresh() {
	rm -rf "$dir/run" "$dir/store" "$dir/state" "$dir/journal"
	mkdir "$dir/run"
	printf '%s\n' "QMP=$dir/run/*.qmp" "$@" >"$dir/conf"
	guests=
}

# guest SOCKET OPTION...: it ends when this test does; $guests has its processes.
guest() {
	name=$1
	shift
	sleep 100 | "$here/fake_qemu" "$dir/run/$name.qmp" "$@" >"$dir/fake" 2>&1 &
	guests="$guests $!"
	for _ in $(seq 1200); do
		[ ! -S "$dir/run/$name.qmp" ] || return 0
		sleep 0.05
	done
}

watch() {
	"$epitaph" guest watch --conf "$dir/conf" --output "$dir/store" --state "$dir/state" >>"$dir/journal" 2>&1 &
	watcher=$!
}

# soon REGEX: a line of the journal, within a minute.
soon() {
	for _ in $(seq 600); do
		! grep -qE -- "$1" "$dir/journal" 2>/dev/null || return 0
		sleep 0.1
	done
	echo "lacks: $1"
	return 1
}

# done_with RESULT: all ends; the service in order.
done_with() {
	result=$1
	cat "$dir/journal"
	kill "$watcher"
	wait "$watcher" || { echo "the service ended with $?"; result=1; }
	# shellcheck disable=SC2086 # words
	kill $guests 2>/dev/null
	return "$result"
}

regions() {
	find "$dir/store" -name region | wc -l
}

a_panic_is_saved() {
	fresh "CONSOLE=$dir/run/%n-%u.log"
	cp "$dir/crashed" "$dir/run/memory"
	yes 'a line of the console' | head -c 100000 >"$dir/run/web1-$uuid.log"
	guest web1 --name web1 --uuid "$uuid" --memory "$dir/run/memory" GUEST_PANICKED
	watch
	soon '^web1: after GUEST_PANICKED: saved .*Fatal exception' && [ "$(regions)" = 1 ] &&
		[ "$(stat -c %s "$dir/store/web1-$uuid"/*/console.txt)" = 65536 ] &&
		grep -q '"event":"GUEST_PANICKED"' "$dir/store/web1-$uuid"/*/qmp.txt &&
		"$epitaph" list --guests "$dir/store" | grep "guest web1-$uuid: Fatal exception" &&
		"$epitaph" guest save --state "$dir/state" -o "$dir/store" web1 | grep '^saved before, in' &&
		"$epitaph" guest save --state "$dir/state" -o "$dir/store" "$uuid" | grep '^saved before, in'
	done_with $?
}

# The memory is large, so that its reader is seen.
a_reader_has_its_guest_alone() {
	fresh
	yes | head -c 256M >"$dir/run/memory1"
	cat "$dir/crashed" >>"$dir/run/memory1"
	cp "$dir/crashed" "$dir/run/memory2"
	guest web1 --name web1 --memory "$dir/run/memory1" RESET RESET RESET RESET
	guest web2 --name web2 --memory "$dir/run/memory2"
	watch
	"$here/reader_files" "$watcher" >"$dir/open" && cat "$dir/open" && grep -q /memory1 "$dir/open" &&
		! grep -qE '^socket:|/memory2|/store/web2' "$dir/open" && soon '^web1: after RESET: saved '
	done_with $?
}

what_ended_in_order_is_not_kept() {
	fresh
	cp "$dir/ended" "$dir/run/memory"
	guest web1 --name web1 --uuid "$uuid" --memory "$dir/run/memory" SHUTDOWN END
	watch
	soon 'after QEMU ended: it ended in order, and nothing is kept' && [ "$(regions)" = 0 ] &&
		[ -z "$(ls -A "$dir/store/web1-$uuid")" ]
	done_with $?
}

# is_moved EVENT...: what was recorded goes on elsewhere, and a capture would take the room of a crash
is_moved() {
	fresh
	cp "$dir/crashed" "$dir/run/memory"
	guest web1 --name web1 --uuid "$uuid" --memory "$dir/run/memory" "$@" END
	watch
	soon '^web1: it had been moved, to another host or into a file, when this QEMU ended: nothing is saved' &&
		[ "$(regions)" = 0 ] && [ -z "$(ls -A "$dir/store/web1-$uuid")" ]
	done_with $?
}

# By what QEMU answers, and by its event where someone has asked for that.
what_is_moved_has_not_ended() {
	is_moved --status postmigrate --stopped STOP SHUTDOWN && is_moved --status finish-migrate --stopped STOP &&
		is_moved --status paused STOP 'MIGRATION:{"status":"active"}' 'MIGRATION:{"status":"completed"}' SHUTDOWN
}

# is_saved WORDS EVENT...
is_saved() {
	words=$1
	shift
	fresh
	cp "$dir/crashed" "$dir/run/memory"
	guest web1 --name web1 --uuid "$uuid" --memory "$dir/run/memory" "$@"
	watch
	soon "^web1: after $words: saved " && [ "$(regions)" = 1 ]
	done_with $?
}

# That came from elsewhere; that was to be moved, and was not; that somebody had stopped.
what_was_not_moved_has_ended() {
	is_saved 'QEMU ended' RESUME 'MIGRATION:{"status":"completed"}' END &&
		is_saved 'QEMU ended' --status finish-migrate STOP 'MIGRATION:{"status":"failed"}' RESUME END &&
		is_saved SHUTDOWN --status paused --stopped STOP SHUTDOWN &&
		is_saved GUEST_PANICKED --status postmigrate --stopped STOP RESUME GUEST_PANICKED STOP
}

# It is there, and holds the guest.
a_qemu_that_does_not_answer_has_not_ended() {
	fresh DUMP=yes
	cp "$dir/crashed" "$dir/run/memory"
	guest web1 --way busy --name web1 --uuid "$uuid" --memory "$dir/run/memory" GUEST_PANICKED
	watch
	soon '^web1: after GUEST_PANICKED: saved ' && soon '^web1: no answer by QMP in time' &&
		soon '^web1: after QEMU did not answer: the crash of this boot is saved already' && ! grep 'QEMU ended' "$dir/journal"
	done_with $?
}

bad_sockets_harm_no_other() {
	fresh
	cp "$dir/crashed" "$dir/run/memory"
	guest a-silent --way silent
	for way in garbage long deep types; do
		guest "b-$way" --way "$way"
	done
	guest c-wrong --way wrong
	guest c-empty --way empty
	guest c-flood --way flood --name flood --memory "$dir/run/memory" RESET
	: >"$dir/run/d-file.qmp"
	guest web1 --name web1 --uuid "$uuid" --memory "$dir/run/memory" RESET
	watch
	soon '^web1: after RESET: saved ' && soon '^flood: after RESET: saved ' && soon 'a-silent.qmp: no answer by QMP' &&
		soon 'b-garbage.qmp: what QMP says is no JSON' && soon 'b-long.qmp: a message by QMP has more than 256 KiB' &&
		soon 'b-deep.qmp: what QMP says is no JSON' && soon 'b-types.qmp: what QMP says is no JSON' &&
		soon 'c-wrong.qmp: is watched' && soon 'c-empty.qmp: what QMP says is no JSON' && soon 'd-file.qmp: .*Connection refused'
	done_with $?
}

# Nothing is known of it yet, so it is no guest without a UUID and memory.
what_does_not_answer_at_first_is_asked_again() {
	fresh
	cp "$dir/crashed" "$dir/run/memory"
	guest web1 --way refusing --name web1 --uuid "$uuid" --memory "$dir/run/memory" RESET
	watch
	soon '^web1: QEMU does not say which guest it is, and is asked again: no such domain' &&
		soon '^web1: is watched: ' && soon '^web1: after RESET: saved ' && ! grep -q 'UUID is none' "$dir/journal"
	done_with $?
}

# Three errors in a second and a half are one line; the guest goes on.
a_full_disk_of_the_host_is_said() {
	fresh
	cp "$dir/crashed" "$dir/run/memory"
	error='BLOCK_IO_ERROR:{"device": "drive\u001b", "operation": "write", "action": "stop", "reason": "No space left on device"}'
	guest web1 --name web1 --uuid "$uuid" --memory "$dir/run/memory" "$error" "${error%\}}, \"nospace\": true}" "$error" RESET
	watch
	soon '^web1: after RESET: saved ' && [ "$(grep -c 'QEMU could not' "$dir/journal")" = 1 ] &&
		grep -q '^web1: QEMU could not write to its disk drive.*: No space left on device; the guest stands still by that$' "$dir/journal" &&
		! grep -q "$(printf '\033')" "$dir/journal" && grep -q '"event":"BLOCK_IO_ERROR"' "$dir/store/web1-$uuid"/*/qmp.txt
	done_with $?
}

two_watchers_of_one_guest() {
	fresh
	cp "$dir/crashed" "$dir/run/memory"
	guest web1 --name web1 --uuid "$uuid" --memory "$dir/run/memory"
	guest web1-again --name web1 --uuid "$uuid" --memory "$dir/run/memory"
	watch
	soon '^web1: is watched: ' && soon "^web1: is watched by another epitaph guest watch" &&
		"$epitaph" guest save --state "$dir/state" -o "$dir/store" web1
	done_with $?
}

memory_that_is_none() {
	fresh
	mkdir "$dir/run/directory"
	mkfifo "$dir/run/fifo"
	ln -s /etc/passwd "$dir/run/link"
	head -c 1M /dev/urandom >"$dir/run/random"
	for kind in directory fifo link lacking; do
		guest "$kind" --name "$kind" --memory "$dir/run/$kind" RESET
	done
	guest random --name random --memory "$dir/run/random" RESET
	guest relative --name relative --memory memory RESET
	watch
	soon '^directory: its memory cannot be opened' && soon '^fifo: its memory cannot be opened' &&
		soon '^link: its memory cannot be opened: .*link' && soon '^lacking: its memory.*No such file' &&
		soon '^random: after RESET: no recorder has written to its memory' &&
		soon '^relative: .*give QEMU an absolute mem-path' && [ "$(regions)" = 0 ]
	done_with $?
}

a_file_that_is_deleted_is_saved() {
	fresh
	cp "$dir/crashed" "$dir/run/memory"
	guest web1 --name web1 --memory "$dir/run/memory" RESET
	watch
	soon '^web1: is watched' && rm "$dir/run/memory" && soon '^web1: after RESET: saved '
	done_with $?
}

a_guest_has_its_rate() {
	fresh RATE=1
	cp "$dir/crashed" "$dir/run/memory"
	guest web1 --name web1 --memory "$dir/run/memory" RESET RTC_CHANGE RTC_CHANGE RTC_CHANGE RESET
	watch
	soon '^web1: after RESET: saved ' && soon '^web1: not saved: 1 captures in an hour are enough \(RATE=1\)'
	done_with $?
}

over_its_rate_a_guest_goes_on() {
	fresh RATE=1 AFTER=reset DUMP=yes
	cp "$dir/crashed" "$dir/run/memory"
	guest web1 --name web1 --stopped --every 1 --memory "$dir/run/memory" GUEST_PANICKED RTC_CHANGE DUMP_COMPLETED \
		RTC_CHANGE GUEST_PANICKED
	watch
	soon '^web1: dumped: ' && soon '^web1: not saved: 1 captures in an hour' && sleep 1 && cat "$dir/fake" &&
		[ "$(grep -c system_reset "$dir/fake")" = 2 ] && [ "$(grep -c dump-guest "$dir/fake")" = 1 ]
	done_with $?
}

a_guest_has_its_quota() {
	fresh SIZE=1K
	cp "$dir/crashed" "$dir/run/memory"
	guest web1 --name web1 --memory "$dir/run/memory" RESET
	watch
	soon '^web1: after RESET: its memory is not saved' && soon 'File too large' && [ "$(regions)" = 0 ] &&
		[ -z "$(find "$dir/store" -name '.guest-*')" ]
	done_with $?
}

# Some of the resets come while the panic is saved.
an_event_while_it_is_saved_is_another() {
	fresh
	yes | head -c 64M >"$dir/run/memory"
	cat "$dir/crashed" >>"$dir/run/memory"
	# shellcheck disable=SC2046 # words
	guest web1 --name web1 --every 0.02 --memory "$dir/run/memory" GUEST_PANICKED $(yes RTC_CHANGE | head -n 49) \
		$(yes RESET | head -n 20)
	watch
	soon '^web1: after .*: saved ' && soon '^web1: after GUEST_PANICKED.*: saved /' &&
		soon '^web1: after RESET: the crash of this boot is saved already' && [ "$(regions)" = 1 ]
	done_with $?
}

# The older one ended in order; the boot of the newer one is known for its crash, and not saved again.
the_oldest_goes() {
	fresh COUNT=1
	cp "$dir/crashed" "$dir/run/memory"
	"$epitaph" guest save --memory "$dir/ended" -o "$dir/store" "web1-$uuid"
	guest web1 --name web1 --uuid "$uuid" --memory "$dir/run/memory" GUEST_PANICKED RTC_CHANGE RTC_CHANGE RTC_CHANGE RESET
	watch
	soon '^web1: after GUEST_PANICKED: saved ' && soon '^web1: removed epitaph-.*the oldest' &&
		soon '^web1: after RESET: the crash of this boot is saved already' && [ "$(regions)" = 1 ] &&
		grep -q '^LAST=epitaph-' "$dir/state/web1-$uuid" && "$epitaph" list --guests "$dir/store" | grep 'Fatal exception'
	done_with $?
}

# Two crashes, of which one may stay: the older one goes only where nothing sends it.
what_is_to_be_sent_does_not_go() {
	unshare -m true 2>/dev/null || { echo "cannot mount here"; return 0; }
	for from in "$dir/store" "$dir/store/web1-$uuid" /var/lib/epitaph; do
		fresh COUNT=1
		cp "$dir/crashed" "$dir/run/memory"
		"$epitaph" guest save --memory "$dir/ended" -o "$dir/store" "web1-$uuid"
		guest web1 --name web1 --uuid "$uuid" --memory "$dir/run/memory" GUEST_PANICKED
		export from dir epitaph
		# shellcheck disable=SC2016 # of the inner shell
		unshare -m sh -c 'mount -t tmpfs none /etc && mkdir /etc/epitaph &&
			printf "TO=dir:/nowhere\nFROM=/absent %s\n" "$from" >/etc/epitaph/send.conf &&
			exec "$epitaph" guest watch --conf "$dir/conf" --output "$dir/store" --state "$dir/state"' >>"$dir/journal" 2>&1 &
		watcher=$!
		if [ "$from" = /var/lib/epitaph ]; then
			soon '^web1: removed epitaph-.*the oldest' && [ "$(regions)" = 1 ]
		else
			soon '^web1: 1 old capture is kept beyond COUNT and SIZE: not sent to dir:/nowhere yet' && [ "$(regions)" = 2 ]
		fi
		went=$?
		done_with "$went" || return 1
	done
}

a_dump_that_does_not_fit() {
	fresh DUMP=yes
	cp "$dir/crashed" "$dir/run/memory"
	guest web1 --name web1 --ram 1099511627776 --stopped --memory "$dir/run/memory" GUEST_PANICKED
	guest web2 --name web2 --memory "$dir/run/memory" GUEST_PANICKED
	watch
	soon '^web1: no dump: the guest has 1 TiB of RAM, and the quota \(SIZE\) and the disk leave room for ' &&
		soon '^web2: no dump: it runs again' && [ "$(regions)" = 2 ]
	done_with $?
}

# SIZE has room for the RAM, and not for the capture as well.
a_dump_has_what_captures_leave() {
	fresh DUMP=yes SIZE=1M
	cp "$dir/crashed" "$dir/run/memory"
	guest web1 --name web1 --stopped --memory "$dir/run/memory" GUEST_PANICKED
	watch
	soon '^web1: no dump: the guest has 1 MiB of RAM, and the quota \(SIZE\) and the disk leave room for [0-9.]* KiB'
	done_with $?
}

dump_begins() {
	for _ in $(seq 600); do
		[ -z "$(find "$dir/store" -name dump)" ] || return 0
		sleep 0.1
	done
	return 1
}

half_of_a_dump_does_not_stay() {
	fresh DUMP=yes
	cp "$dir/crashed" "$dir/run/memory"
	guest web1 --name web1 --stopped --memory "$dir/run/memory" GUEST_PANICKED RTC_CHANGE
	watch
	# shellcheck disable=SC2086 # words
	soon '^web1: after GUEST_PANICKED: saved ' && dump_begins && kill $guests &&
		soon '^web1: QEMU closed the connection' && [ -z "$(find "$dir/store" -name dump)" ] && [ "$(regions)" = 1 ] &&
		grep '^web1: no dump: the connection to QEMU ended before it was whole' "$dir/journal"
	done_with $?
}

a_dump_without_its_capture_is_none() {
	fresh DUMP=yes
	cp "$dir/crashed" "$dir/run/memory"
	guest web1 --name web1 --stopped --every 1 --memory "$dir/run/memory" GUEST_PANICKED RTC_CHANGE DUMP_COMPLETED \
		RTC_CHANGE WATCHDOG
	watch
	soon '^web1: dumped: ' && head -c 64K /dev/zero >"$dir/run/memory" && soon '^web1: after WATCHDOG: no recorder' &&
		soon '^web1: no dump: there is no capture that it belongs to'
	done_with $?
}

a_name_is_text() {
	fresh
	cp "$dir/crashed" "$dir/run/memory"
	guest web1 --name "$(printf '../../\033[31mx\ny/z')" --memory "$dir/run/memory" RESET
	watch
	soon '^\.\./\.\./\\x1b\[31mx\\x0ay/z: after RESET: saved .*harvested to /var/lib/epitaph/\\x1b\[31mx$' && [ -d "$dir/store/_._..___31mx_y_z" ] && [ "$(regions)" = 1 ]
	done_with $?
}

# As libvirt has it, and with what would lead elsewhere.
the_console_of_an_odd_name_is_found() {
	for odd in 'web 1 (test)' 'büro' '..' '../up'; do
		fresh "CONSOLE=$dir/run/logs/%n/serial"
		cp "$dir/crashed" "$dir/run/memory"
		case $odd in
		.*) log=_${odd#.} log=$(echo "$log" | tr / _) ;;
		*) log=$odd ;;
		esac
		mkdir -p "$dir/run/logs/$log" && echo "of $odd" >"$dir/run/logs/$log/serial" && echo wrong >"$dir/run/serial"
		guest web1 --name "$odd" --memory "$dir/run/memory" RESET
		watch
		soon ': after RESET: saved ' && [ "$(cat "$dir"/store/*/*/console.txt)" = "of $odd" ]
		done_with $? || return
	done
}

a_uuid_is_no_path() {
	fresh "CONSOLE=$dir/run/%u.log"
	cp "$dir/crashed" "$dir/run/memory"
	echo secret >"$dir/secret.log"
	guest web1 --name web1 --uuid ../secret --memory "$dir/run/memory" RESET
	watch
	soon '^web1: what QEMU says is its UUID is none' && soon '^web1: after RESET: saved .*/web1/' &&
		[ -z "$(find "$dir/store" -name console.txt)" ]
	done_with $?
}

wrong_settings_are_named() {
	for line in '' 'QMP' 'NONE=1' 'DUMP=maybe' 'AFTER=party' 'COUNT=many' 'SIZE=big' 'RATE=-1'; do
		printf '%s\n' "$line" >"$dir/conf"
		exits 2 guest watch --conf "$dir/conf" -o "$dir/store" || return 1
	done
	exits 3 guest watch --conf "$dir/none" && exits 2 guest && exits 2 guest save && exits 2 guest look
}

save_without_a_service() {
	fresh
	exits 4 guest save --state "$dir/state" -o "$dir/store" web9 2>"$dir/err"
	grep -q 'no guest web9 is watched' "$dir/err" &&
		"$epitaph" guest save --memory "$dir/crashed" -o "$dir/store" web9 | grep '^saved .*store/web9/epitaph-' &&
		exits 3 guest save --memory "$dir/lacking" -o "$dir/store" web9
}

# Of what the service has written, nothing is there any more.
save_opens_what_the_service_would() {
	fresh
	mkdir -p "$dir/state" "$dir/run/directory"
	mkfifo "$dir/run/fifo"
	ln -s "$dir/crashed" "$dir/run/link"
	for file in fifo directory link; do
		printf '%s\n' NAME=web1 UUID= DIR=web1 PHASE=watched LAST= "MEMORY=$dir/run/$file" >"$dir/state/web1"
		exits 3 guest save --state "$dir/state" -o "$dir/store" web1 || return 1
	done
	exits 3 guest save --memory "$dir/run/fifo" -o "$dir/store" web1 &&
		exits 3 guest save --memory "$dir/run/directory" -o "$dir/store" web1 &&
		exits 0 guest save --memory "$dir/run/link" -o "$dir/store" web1
}

what_a_killed_service_left_is_removed() {
	fresh
	cp "$dir/crashed" "$dir/run/memory"
	mkdir -p "$dir/store/web1/.guest-2000000000"
	: >"$dir/store/web1/.guest-2000000000/region"
	guest web1 --name web1 --memory "$dir/run/memory"
	watch
	soon '^web1: is watched' && [ ! -e "$dir/store/web1/.guest-2000000000" ]
	done_with $?
}

# stops_at_once [GUEST...]: the service is killed, and the guests, as by a reset of the host; sockets and state go.
stops_at_once() {
	kill -9 "$watcher"
	wait "$watcher" 2>/dev/null
	[ $# = 0 ] || kill -9 "$@"
	[ $# = 0 ] || rm -rf "$dir"/run/*.qmp "$dir/state"
	mv "$dir/journal" "$dir/before"
}

records() {
	find "$dir/store" -name '.*watched*'
}

# A host that has run for a shorter time than the record says was started anew.
host_is_started_anew() {
	sed -i 's/^UP=.*/UP=9000000000000000000/' "$dir/store"/*/.watched
}

# The next start does it once; the one behind that has nothing to do.
what_ended_unwatched_is_saved() {
	fresh "CONSOLE=$dir/run/%n-%u.log"
	cp "$dir/crashed" "$dir/run/memory"
	echo a line of the console >"$dir/run/web1-$uuid.log"
	guest web1 --name web1 --uuid "$uuid" --memory "$dir/run/memory"
	watch
	soon '^web1: is watched' || return
	# shellcheck disable=SC2086 # words
	stops_at_once $guests
	watch
	soon '^web1: after an end that was not watched: saved .*Fatal exception' &&
		grep -q '^saved because of: an end that was not watched$' "$dir/store/web1-$uuid"/*/qmp.txt &&
		grep -q console "$dir/store/web1-$uuid"/*/console.txt && sleep 1 && [ -z "$(records)" ] || return
	stops_at_once
	watch
	sleep 1.5
	[ "$(regions)" = 1 ] && [ ! -s "$dir/journal" ]
	done_with $?
}

after_a_new_start_of_the_host_it_is_saved() {
	fresh
	cp "$dir/crashed" "$dir/run/memory"
	guest web1 --name web1 --uuid "$uuid" --memory "$dir/run/memory"
	watch
	soon '^web1: is watched' || return
	# shellcheck disable=SC2086 # words
	stops_at_once $guests
	host_is_started_anew
	# QEMU is started while that is saved.
	guest web1 --name web1 --uuid "$uuid" --memory "$dir/run/other"
	watch
	soon '^web1: after the host was started anew: saved .*Fatal exception' && soon '^web1: is watched, and has no memory' &&
		! grep 'by another' "$dir/journal" && [ "$(regions)" = 1 ]
	done_with $?
}

# Of a boot that ended in order, as of one of which nothing came to the disk.
what_ended_unwatched_in_order_is_not_kept() {
	fresh
	cp "$dir/ended" "$dir/run/memory"
	: >"$dir/run/empty"
	guest web1 --name web1 --memory "$dir/run/memory"
	guest web2 --name web2 --memory "$dir/run/empty"
	watch
	soon '^web1: is watched' && soon '^web2: is watched' || return
	# shellcheck disable=SC2086 # words
	stops_at_once $guests
	watch
	soon '^web1: after an end that was not watched: it ended in order' && soon '^web2: after an end that was not watched: no recorder' &&
		sleep 1 && [ "$(regions)" = 0 ] && [ -z "$(records)" ]
	done_with $?
}

# The service was started anew, the guest ran on: nothing is said of an end.
a_guest_that_runs_on_has_no_end() {
	fresh
	cp "$dir/crashed" "$dir/run/memory"
	guest web1 --name web1 --memory "$dir/run/memory"
	watch
	soon '^web1: is watched' || return
	stops_at_once
	watch
	soon '^web1: is watched' && sleep 1 && [ "$(regions)" = 0 ] && [ "$(wc -l <"$dir/journal")" = 1 ] || return
	# shellcheck disable=SC2086 # words
	kill -9 $guests
	soon '^web1: after QEMU ended: saved ' && sleep 1 && [ "$(regions)" = 1 ] && [ -z "$(records)" ]
	done_with $?
}

# Its guest is started before the service: what it recorded before is in the file yet, and comes with its next end.
a_guest_that_was_started_before_the_service_loses_nothing() {
	fresh
	cp "$dir/ended" "$dir/run/memory"
	guest web1 --name web1 --memory "$dir/run/memory"
	watch
	soon '^web1: is watched' || return
	# shellcheck disable=SC2086 # words
	stops_at_once $guests
	host_is_started_anew
	guest web1 --name web1 --memory "$dir/run/memory" RTC_CHANGE RTC_CHANGE RTC_CHANGE SHUTDOWN
	watch
	soon '^web1: the host was started anew, and QEMU has its memory again' && soon '^web1: is watched' || return
	# The service may be started again before that.
	stops_at_once
	watch
	soon '^web1: after SHUTDOWN: saved ' && [ "$(regions)" = 1 ] && grep -q '^OWES=no' "$dir/store/web1/.watched"
	done_with $?
}

# Less of it may have come to the disk than was saved.
a_crash_that_was_saved_is_not_saved_again() {
	fresh
	cp "$dir/crashed" "$dir/run/memory"
	guest web1 --name web1 --memory "$dir/run/memory" GUEST_PANICKED
	watch
	soon '^web1: after GUEST_PANICKED: saved ' && sleep 1 || return
	# shellcheck disable=SC2086 # words
	stops_at_once $guests
	dd if=/dev/zero of="$dir/run/memory" bs=1 seek=20000 count=100 conv=notrunc 2>/dev/null
	watch
	soon '^web1: after an end that was not watched: the crash of this boot is saved already' && sleep 1 &&
		[ "$(regions)" = 1 ] && [ -z "$(records)" ]
	done_with $?
}

# A file of a tmpfs is gone; one of a disk that is not mounted yet may come.
memory_that_is_gone_is_said() {
	fresh
	mkdir "$dir/run/disk"
	cp "$dir/crashed" "$dir/run/memory"
	cp "$dir/crashed" "$dir/run/disk/memory"
	guest web1 --name web1 --memory "$dir/run/memory"
	guest web2 --name web2 --memory "$dir/run/disk/memory"
	watch
	soon '^web1: is watched' && soon '^web2: is watched' || return
	# shellcheck disable=SC2086 # words
	stops_at_once $guests
	rm "$dir/run/memory"
	mv "$dir/run/disk" "$dir/run/away"
	watch
	soon '^web1: it may have ended unwatched, and its memory cannot be opened: .*No such file' &&
		soon '^web2: it may have ended unwatched' && sleep 0.5 && [ "$(records)" = "$dir/store/web2/.watched" ] || return
	stops_at_once
	mv "$dir/run/away" "$dir/run/disk"
	watch
	soon '^web2: after an end that was not watched: saved '
	done_with $?
}

# Not by a disk without room, nor by a service that is killed meanwhile.
what_could_not_be_saved_is_tried_again() {
	fresh SIZE=1K
	cp "$dir/crashed" "$dir/run/memory"
	guest web1 --name web1 --memory "$dir/run/memory"
	watch
	# shellcheck disable=SC2086 # words
	soon '^web1: is watched' && kill -9 $guests && soon '^web1: after QEMU ended: its memory is not saved' || return
	stops_at_once
	watch
	soon '^web1: after an end that was not watched: its memory is not saved' || return
	stops_at_once
	sed -i '/SIZE/d' "$dir/conf"
	watch
	soon '^web1: after an end that was not watched: saved ' && sleep 1 && [ -z "$(records)" ]
	done_with $?
}

# What a host that was reset left has the number of a process that is there.
what_a_reset_of_the_host_left_is_removed() {
	fresh
	cp "$dir/crashed" "$dir/run/memory"
	mkdir -p "$dir/store/web1/.guest-1"
	: >"$dir/store/web1/.guest-1/region"
	guest web1 --name web1 --memory "$dir/run/memory"
	watch
	soon '^web1: is watched' && [ ! -e "$dir/store/web1/.guest-1" ]
	done_with $?
}

for claim in what_is_moved_has_not_ended what_was_not_moved_has_ended a_qemu_that_does_not_answer_has_not_ended a_panic_is_saved a_reader_has_its_guest_alone what_ended_in_order_is_not_kept bad_sockets_harm_no_other what_does_not_answer_at_first_is_asked_again a_full_disk_of_the_host_is_said two_watchers_of_one_guest \
	memory_that_is_none a_file_that_is_deleted_is_saved a_guest_has_its_rate over_its_rate_a_guest_goes_on a_guest_has_its_quota \
	an_event_while_it_is_saved_is_another the_oldest_goes what_is_to_be_sent_does_not_go a_dump_that_does_not_fit \
	a_dump_has_what_captures_leave half_of_a_dump_does_not_stay a_dump_without_its_capture_is_none a_name_is_text the_console_of_an_odd_name_is_found a_uuid_is_no_path \
	wrong_settings_are_named save_without_a_service \
	what_ended_unwatched_is_saved after_a_new_start_of_the_host_it_is_saved what_ended_unwatched_in_order_is_not_kept \
	a_guest_that_runs_on_has_no_end a_guest_that_was_started_before_the_service_loses_nothing \
	a_crash_that_was_saved_is_not_saved_again memory_that_is_gone_is_said what_could_not_be_saved_is_tried_again \
	what_a_reset_of_the_host_left_is_removed save_opens_what_the_service_would what_a_killed_service_left_is_removed; do
	ok $claim $claim
done
finish
