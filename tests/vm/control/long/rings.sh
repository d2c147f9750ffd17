#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Programs write to rings of their own.  After SIGKILL, fork, exec, the ends of threads, a panic and
# kdump, all committed events are in the report, with program and thread; what a hostile program
# scribbles over is its own ring alone.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"

region_is 24M

guest <<'END'
says() {
	text=$1
	shift
	"$@" >/tmp/words 2>&1 || true
	grep -qF -- "$text" /tmp/words || { cat /tmp/words; return 1; }
}
# starts FILE COMMAND...: in the background; it goes on when FILE is there.
starts() {
	file=$1
	shift
	"$@" >/tmp/started 2>&1 &
	started=$!
	for i in $(seq 300); do
		[ ! -e "$file" ] || return 0
		usleep 20000
	done
	cat /tmp/started
	return 1
}
# held COUNT UID TEXT: so many rings, and why no more.
held() {
	ringer holds 100 "$2" >"/tmp/held-$2" &
	for i in $(seq 100); do
		[ ! -s "/tmp/held-$2" ] || break
		usleep 20000
	done
	cat "/tmp/held-$2"
	grep -q "^$1 rings: $3" "/tmp/held-$2"
}
no_planted() {
	epitaph-static info /dev/epitaph >/tmp/info 2>&1
	grep -q '^generation' /tmp/info && ! grep 1844674407370955161 /tmp/info || { cat /tmp/info; return 1; }
}
live() {
	epitaph-static channel | sed -n 's/^channel programs .* \([0-9]*\) live.*/\1/p'
}
check "without a recorder, a program hears why" says 'expected the recorder to be loaded' ringer run 1
load_recorder channels=5M
check "every user may open" [ "$(stat -c %a /dev/epitaph-ring)" = 666 ]
arm_kdump
check "without room, too" says 'there is no room for rings of programs: epitaph channel add' ringer run 1
check "too few bytes" wrong 2 'too few for a ring of a program' channel add programs 50K rings
check "words behind it" wrong 2 'not understood' channel add programs 4M rings 'sched:*'
check "room is made for a moment" epitaph channel add programs 4M rings
check "a program plants headers" starts /tmp/planted ringer plants /tmp/planted
check "they are none" no_planted
check "another writes all the time" starts /tmp/writes ringer hostile /tmp/writes
epitaph channel stop programs >/tmp/said
epitaph channel remove programs >/tmp/said
usleep 200000
check "it goes on when the room is gone" kill -0 $started
check "and what was planted is gone" no_planted
killall -9 ringer
wait 2>/dev/null || true
check "room is made" epitaph channel add programs 4M rings
check "once" wrong 2 'there is room' channel add more 512K rings
check "it is there" sh -c 'epitaph-static channel | grep -q "^channel programs rings records .* 0 live, 56 never used of 56"'
check "what must not be mapped is not" ringer misuse
check "a copy is refused" wrong 2 'are not copied' snapshot programs
starts /tmp/bare ringer bare || true
check "the recorder stays while a ring is open" refused rmmod epitaph
kill -9 $started
check "threads write and end" ringer run 500
check "fork and exec" ringer family
check "signal handlers nest" ringer signals 1000
check "nothing is live" [ "$(live)" = 0 ]
check "a user has a quota" held 14 1000 'this user has 14 rings of programs, the limit is 14 of 56'
check "another user has one as well" held 14 1001 'this user has 14'
pkill -9 ringer || killall -9 ringer
usleep 200000
check "killed, they are live no more" [ "$(live)" = 0 ]
check "ended ones are taken by who had them" held 14 1000 'this user has 14'
epitaph channel stop programs >/tmp/said
check "stopped, none is opened" says 'the channel is stopped' ringer run 1
epitaph channel start programs >/tmp/said
check "a hostile program" starts /tmp/hostile ringer hostile /tmp/hostile
rm /tmp/planted
check "one that plants headers" starts /tmp/planted ringer plants /tmp/planted
check "a program writes beside it" starts /tmp/wrote ringer write 700 /tmp/wrote
kill -9 $started
wait $started 2>/dev/null || true
check "another stays" starts /tmp/stays ringer write 300 /tmp/stays
load_victim
usleep 300000
bug panic
END
${CC:-cc} -std=gnu11 -O2 -Wall -Wextra -Werror -static -D_GNU_SOURCE -I "$top/api" -I "$top/include" \
	-I "$top/kernel/include" -I "$top/kernel" -o "$out/ringer" "$here/ringer.c"
pack_guest "$out/ringer" "$top/extractor/epitaph-static"

# Each thread that wrote numbers, but for those of the hostile program and of the handler: how many,
# which, and whether they are those from 0 on.
# shellcheck disable=SC2317 # check calls it
all_numbers() {
	jq -s -r 'map(select(.event == "app_shop:number" and .fields.thread != 20 and .fields.thread != 30)) |
		group_by([.pid, .fields.thread])[] | "\(length) \(.[0].fields.thread) \(map(.fields.value) == [range(length)])"' \
		"$out/region.json" | sort -n >"$out/found"
	cat "$out/found"
	for words in "10 0" "10 1" "10 2" "100 10" "100 11" "100 12" "100 13" "300 0" "300 1" "300 2" \
		"500 0" "500 1" "500 2" "700 0" "700 1" "700 2"; do
		echo "$words true"
	done | cmp - "$out/found"
}

# shellcheck disable=SC2317 # check calls it
event() {
	jq "select(.event == \"$1\") | select($2)" "$out/region.json" >"$out/found"
	[ -s "$out/found" ]
}

# All 1000 of the thread, and all of its handler: some.
# shellcheck disable=SC2317 # check calls it
nested_are_whole() {
	jq -s 'map(select(.event == "app_shop:number" and .fields.thread == 20).fields.value) == [range(1000)]' \
		"$out/region.json" >"$out/found"
	jq -s 'map(select(.event == "app_shop:nested").fields.value) | length > 0 and . == [range(length)]' \
		"$out/region.json" >>"$out/found"
	cat "$out/found"
	[ "$(grep -c true "$out/found")" = 2 ]
}

# shellcheck disable=SC2317 # check calls it
times_grow() {
	jq -s 'map(select(.event != null).ts_ns) | . == sort' "$out/region.json" | grep -qx true
}

# What is damaged is the hostile program's, and one line of the head.
# shellcheck disable=SC2317 # check calls it
one_line_of_damage() {
	recovers "$epitaph" report --last 0.01 "$saved/region" >"$out/head"
	grep '^# damage: ' "$out/head" >"$out/damage" || true
	cat "$out/damage"
	[ "$(grep -c 'ring shop of the program ringer-[0-9]*: 1[0-9] sub-buffers are damaged' "$out/damage")" = 1 ] &&
		[ "$(wc -l <"$out/damage")" = 1 ]
}

# shellcheck disable=SC2317 # check calls it
exports_to() {
	rm -rf "$out/exported"
	recovers "$epitaph" export --to "$1" -o "$out/exported" "$saved/region" && [ -s "$out/exported" ]
}

# shellcheck disable=SC2317 # check calls it
babeltrace_says() {
	exports_to ctf && babeltrace2 "$out/exported" 2>/dev/null | grep -F app_shop | grep -F "$1" | head -n 1 | grep .
}

# shellcheck disable=SC2317 # check calls it
redacted_has_none() {
	recovers "$epitaph" redact -o "$out/redacted" "$saved/region" &&
		recovers "$epitaph" report --all "$out/redacted" >"$out/report-redacted" &&
		! grep -E 'app_shop|basket|ring shop' "$out/report-redacted"
}

crash_whole --allow 'panic - not syncing: victim: panic'
check "the region can be exported" export_json region
check "all events of all threads, whatever they died of, and no other" all_numbers
check "fields have their types, and the report says who wrote" \
	report_says 'order: id=12 items=-2 who=basket'
check "JSON has program and process" event app_shop:order '.program == "ringer" and .tgid == .pid and .cpu == null'
check "a thread has its own pid and name" event app_shop:number '.comm == "shop-1" and .pid != .tgid'
check "handlers that interrupt an event" nested_are_whole
check "the order is one with the kernel's" times_grow
check "what is damaged is the hostile program's ring alone" one_line_of_damage
check "babeltrace2 shows them" babeltrace_says 'who = "basket"'
check "trace-cmd's format takes them" exports_to trace.dat
check "so does Perfetto's" exports_to perfetto
check "so does HTML" exports_to html
check "a redacted copy has none" redacted_has_none
finish
