#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# epitaph live as its user has it: beside a writer, through pipes, a socket and ssh.
# shellcheck disable=SC2317
# shellcheck source=tests/lib/lib.sh
. "$(dirname "$0")/../../lib/lib.sh"
# shellcheck source=tests/lib/lib-sshd.sh
. "$top/tests/lib/lib-sshd.sh"

${CC:-cc} -std=gnu11 -D_GNU_SOURCE -O2 -I "$top/include" -I "$top/kernel/include" -I "$top/tests/lib" -o "$dir/write" "$top/tests/lib/live_write.c" \
	"$top/tests/lib/live_image.c" "$top/tests/lib/region_image.c" "$top/kernel/core/ring.c" || exit 99
writers=
trap 'kill $writers $daemon 2>/dev/null; rm -rf "$dir"' EXIT
daemon=

# writes NAME [MICROSECONDS]: a region of that name is recorded into; see live_write.
writes() {
	"$dir/write" ${2:+"$2"} >"$dir/where.$1" &
	writers="$writers $!"
	until [ -s "$dir/where.$1" ]; do sleep 0.1; done
}
writes slow
where=$(cat "$dir/where.slow")

# await COMMAND...: the bound is there to end a hang.
await() {
	for _ in $(seq 600); do
		if "$@"; then
			return
		fi
		sleep 0.1
	done
	echo "never: $*"
	return 1
}

# has_lines N FILE
has_lines() {
	[ -e "$2" ] && [ "$(wc -l <"$2")" -ge "$1" ]
}

live() {
	"$epitaph" live --device "$where" "$@"
}

# Numbers of each CPU grow by one, but where an event says that it was lapped; the status says then
# that something was.
has_no_gap() {
	jq -r 'select(.event) | "\(.cpu) \(.fields.number) \(.lapped_sub_buffers // 0)"' "$1" |
		awk '($1 in last) && ($3 > 0 ? $2 <= last[$1] : $2 != last[$1] + 1) { print "gap:", $0; bad = 1 }
			{ last[$1] = $2; n++ } END { print n; exit bad || n < 20 }'
}

text_is_the_report_s() {
	live --for 0.5 >"$dir/text" 2>"$dir/err" || return 1
	grep -qE '^ +<\.\.\.>-10[01] +\[00[01]\] \.{5} +[0-9]+\.[0-9]{6}: fixed: number=[0-9]+ value=' "$dir/text" &&
		grep -qE '^epitaph live: [0-9]+ events$' "$dir/err"
}

json_has_each_event_once() {
	live --json --for 1 >"$dir/json" 2>"$dir/err" && has_no_gap "$dir/json" &&
		head -n 1 "$dir/json" | jq -e '.live and .events == null'
}

history_comes_first() {
	live --last 100 --for 0.2 --json >"$dir/json" && has_no_gap "$dir/json" &&
		[ "$(jq -s 'map(select(.event)) | length' "$dir/json")" -ge 100 ]
}

filters_hold() {
	live --cpu 1 --for 0.5 --json | jq -r '.cpu // empty' | sort -u | grep -qx 1 &&
		[ "$(live --event 'no:*' --for 0.3 | grep -vc '^#')" = 0 ]
}

an_interrupt_ends_it_with_a_summary() {
	: >"$dir/text"
	"$epitaph" live --device "$where" >"$dir/text" 2>"$dir/err" &
	follower=$!
	await has_lines 20 "$dir/text"
	kill -TERM "$follower"
	wait "$follower" || return 1
	grep -E '^epitaph live: [0-9]{2,} events$' "$dir/err"
}

it_said_so() {
	[ "$(wc -l <"$dir/err")" = 1 ] &&
		grep -qE '^epitaph live: [0-9]+ events; the reader of standard output went$' "$dir/err" && return
	cat "$dir/err"
	return 1
}

a_closed_pipe_ends_it_and_it_says_so() {
	live --last 100 2>"$dir/err" | head -n 3 >/dev/null
	it_said_so || return 1
	live --event 'no:*' 2>"$dir/err" | true
	it_said_so || return 1
	live --event 'no:*' 2>"$dir/err" | timeout 0.5 cat >/dev/null
	it_said_so
}

a_trace_needs_no_reader_of_standard_output() {
	live --ctf "$dir/unheard" --for 0.5 2>"$dir/err" | true
	grep -qE '^epitaph live: [0-9]{2,} events$' "$dir/err" || { cat "$dir/err"; return 1; }
}

# The ring laps a reader that is stopped for a second and a half more than three times.  A busy
# machine may keep it from its CPU for as long once more: each time is reported.
who_was_stopped_is_told() {
	writes fast 5000
	: >"$dir/json"
	"$epitaph" live --device "$(cat "$dir/where.fast")" --json >"$dir/json" 2>"$dir/err" &
	follower=$!
	await has_lines 20 "$dir/json"
	# The process that reads, and not the one that waits for it.
	reader=$(cat "/proc/$follower/task/$follower/children")
	kill -STOP "$reader"
	before=$(wc -l <"$dir/json")
	sleep 1.5
	kill -CONT "$reader"
	await has_lines $((before + 100)) "$dir/json"
	kill -TERM "$follower"
	wait "$follower"
	[ $? = 1 ] || return 1
	times=$(sed -n 's/.*lapped \([0-9]*\) times: [0-9]* sub-buffers.*/\1/p' "$dir/err")
	cat "$dir/err"
	[ "$times" -ge 2 ] && [ "$(jq -c 'select(.lapped_sub_buffers > 0)' "$dir/json" | wc -l)" = "$times" ]
}

# ctf_has_more_than N FILE: what babeltrace2 reads now lies in FILE.
ctf_has_more_than() {
	babeltrace2 --no-delta "$dir/ctf" >"$2" 2>/dev/null && [ "$(wc -l <"$2")" -gt "$1" ]
}

# cpu_begins_alike CPU: what was read of its file early is the beginning of what was read late.
# The files grow one after the other, so that between them one may be a round behind.
cpu_begins_alike() {
	grep "{ cpu_id = $1," "$dir/early" >"$dir/early.$1" &&
		grep "{ cpu_id = $1," "$dir/late" | head -n "$(wc -l <"$dir/early.$1")" | cmp - "$dir/early.$1"
}

ctf_is_read_while_it_grows() {
	"$epitaph" live --device "$where" --ctf "$dir/ctf" 2>/dev/null &
	follower=$!
	await ctf_has_more_than 50 "$dir/early" &&
		await ctf_has_more_than "$(wc -l <"$dir/early")" "$dir/late"
	result=$?
	kill -TERM "$follower"
	wait "$follower" && [ "$result" = 0 ] && cpu_begins_alike 0 && cpu_begins_alike 1
}

it_is_locked_in() {
	live --for 0.1 -v 2>&1 >/dev/null | grep 'seccomp, memory limited'
}

a_socket_gets_it() {
	python3 - "$dir/socket" >"$dir/json" <<'END' &
import socket, sys
listener = socket.socket(socket.AF_UNIX)
listener.bind(sys.argv[1])
listener.listen()
peer, _ = listener.accept()
while data := peer.recv(65536):
    sys.stdout.buffer.write(data)
END
	listener=$!
	until [ -S "$dir/socket" ]; do sleep 0.1; done
	python3 - "$dir/socket" "$epitaph" live --device "$where" --json --for 1 2>/dev/null <<'END'
import socket, subprocess, sys
s = socket.socket(socket.AF_UNIX)
s.connect(sys.argv[1])
sys.exit(subprocess.run(sys.argv[2:], stdout=s).returncode)
END
	wait "$listener" && has_no_gap "$dir/json"
}

there_follows() {
	pgrep -f "^[^ ]*epitaph live --device $where --event gone:"
}

nothing_follows_there() {
	! there_follows
}

ssh_gets_it() {
	port=$((20000 + $$ % 20000))
	ssh-keygen -q -t ed25519 -N '' -f "$dir/host" && ssh-keygen -q -t ed25519 -N '' -f "$dir/user" || return 1
	cp "$dir/user.pub" "$dir/authorized"
	sshd_run -p "$port" -h "$dir/host" -o "AuthorizedKeysFile=$dir/authorized" 2>"$dir/sshd" &
	daemon=$!
	set -- -p "$port" -i "$dir/user" -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR 127.0.0.1
	await ssh "$@" true || { cat "$dir/sshd"; return 1; }
	# sshd may be slower than the writer: then the message and the status report the loss.
	ssh "$@" "$(realpath "$epitaph")" live --device "$where" --json --for 1 >"$dir/json" 2>"$dir/err"
	status=$?
	[ "$status" = 0 ] || { [ "$status" = 1 ] && grep 'lapped [0-9]* time' "$dir/err"; } || { cat "$dir/sshd"; return 1; }
	has_no_gap "$dir/json" || return 1
	# Who goes away ends it there.
	ssh "$@" "$(realpath "$epitaph")" live --device "$where" --event 'gone:*' >/dev/null &
	follower=$!
	await there_follows || return 1
	kill "$follower"
	wait "$follower"
	await nothing_follows_there
}

ok text_is_the_report_s text_is_the_report_s
ok json_has_each_event_once json_has_each_event_once
ok history_comes_first history_comes_first
ok filters_hold filters_hold
ok an_interrupt_ends_it_with_a_summary an_interrupt_ends_it_with_a_summary
ok a_closed_pipe_ends_it_and_it_says_so a_closed_pipe_ends_it_and_it_says_so
ok a_trace_needs_no_reader_of_standard_output a_trace_needs_no_reader_of_standard_output
ok who_was_stopped_is_told who_was_stopped_is_told
ok ctf_is_read_while_it_grows ctf_is_read_while_it_grows
ok it_is_locked_in it_is_locked_in
ok a_socket_gets_it a_socket_gets_it
sshd_find
if [ -z "$no_sshd" ]; then
	ok ssh_gets_it ssh_gets_it
else
	skip ssh_gets_it "$no_sshd"
fi
ok a_file_is_not_taken exits 2 live some-file
ok json_and_ctf_exclude_each_other exits 2 live --json --ctf "$dir/never"
ok a_device_that_is_not_there_is_told exits 3 live --device "$dir/none"
ok what_is_no_region_is_told exits 4 live --device "$dir/write"
finish
