#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Channels beside the main one are added, filled, stopped, copied and removed while
# the machine works, by two shells at once.  What the dead machine's memory holds is
# each channel's own events, whole.

. "$(dirname "$0")/../lib.sh"

guest <<'END'
lists() {
	epitaph channel | grep -qE "$1" || { epitaph channel; return 1; }
}
lacks() {
	! epitaph channel | grep -E "$1"
}
free() {
	epitaph channel | sed -n 's/^pool [0-9]* bytes, \([0-9]*\) free.*/\1/p'
}
# work N: events of all kinds.
work() {
	for i in $(seq "$1"); do cat /proc/uptime >/dev/null; done
}
load_recorder channels=2M
arm_kdump
check "there is a pool" lists '^pool 2097152 bytes, 2097152 free'
check "the others are there" lists '^channel user overwrite records'
check "a channel is added" epitaph channel add calls 256K 'raw_syscalls:sys_enter'
check "it records" lists '^channel calls overwrite records [0-9]+ bytes, events 1 on of 1'
check "so is one that stops" epitaph channel add first 128K stop 'sched:*' 'irq:*' '!sched:sched_stat_*'
check "a size that is none" wrong 2 "'lots' is no size" channel add x lots 'sched:*'
check "a size of 2^64 and 256 KiB" wrong 2 "or with K, M or G, below 2^64" channel add x 18014398509482240K 'sched:*'
check "a copy of as much" wrong 2 "'18014398509482240K' is no size" snapshot main 18014398509482240K
check "one that does not fit" wrong 3 'do not fit: of the pool' channel add x 100M 'sched:*'
check "one that is too small" wrong 2 'too few for' channel add x 4K 'sched:*'
check "a name that is taken" wrong 2 "a channel 'calls' already" channel add calls 64K 'sched:*'
check "main's name" wrong 2 "a channel 'main' already" channel add main 64K 'sched:*'
check "a name that is none" wrong 2 "'a/b' is no name" channel add a/b 64K 'sched:*'
check "nor is one with a letter that is not ASCII" wrong 2 "is no name" channel add "$(printf 'caf\351')" 64K 'sched:*'
check "a name that is too long" wrong 2 'too long for a name' channel add aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa 64K 'sched:*'
check "an event that is none" wrong 2 "the nearest is 'sched:sched_switch'" channel add x 128K sched:sched_swich
check "no event" wrong 2 'which events?' channel add x 128K stop
check "a channel that is none" wrong 2 'there are: main ras user calls first' channel stop nobody
check "ras stays" wrong 2 'always there' channel remove ras
check "what records is not removed" wrong 3 'stop it first' channel remove calls
check "a word that is none" wrong 2 "not understood: 'remoov'" channel remoov calls
check "nothing of it was done" sh -c '[ "$(epitaph-static channel | grep -c ^channel)" = 5 ]'
before=$(free)
for i in 1 2 3 4 5 6; do check "many at once: $i" epitaph channel add "c$i" 128K 'timer:*' ; done
check "sysfs has each" [ -r /sys/kernel/epitaph/channels/c6/cpu1 ]
check "status as well" sh -c 'epitaph-static status | grep -qE "^c6 +1 "'
check "and user's" sh -c 'epitaph-static status | grep -qE "^user +all "'
for i in 1 2 3 4 5 6; do epitaph channel stop "c$i" >/tmp/said; epitaph channel remove "c$i" >/tmp/said; done
check "and none, its room is free again" [ "$(free)" = "$before" ]
check "sysfs has them no more" [ ! -e /sys/kernel/epitaph/channels/c6 ]
(for i in $(seq 5); do epitaph channel add one 128K 'raw_syscalls:*'; epitaph channel stop one; epitaph channel remove one; done >/tmp/one 2>&1; epitaph channel add one 128K 'raw_syscalls:sys_exit' >/tmp/one) &
(for i in $(seq 5); do epitaph channel add two 128K 'timer:*'; epitaph channel stop two; epitaph channel remove two; done >/tmp/two 2>&1; epitaph channel add two 128K 'timer:*' >/tmp/two) &
wait
check "two shells both get theirs" lists '^channel one overwrite records .* 1 on of 1'
check "the other too" lists '^channel two overwrite records'
work 40
check "the one that stops is full" lists '^channel first stop full'
epitaph mark before the copy
check "a copy is made at full speed" sh -c 'while :; do cat /proc/uptime; done >/dev/null & pid=$!; epitaph-static snapshot calls; kill $pid'
check "of main as well" epitaph snapshot main 512K
check "they are two" lists '^channel main@2 copy kept'
check "and of marks" epitaph snapshot user
check "a copy of a copy is none" wrong 2 'a copy already' snapshot main@2
check "one of nobody is none" wrong 2 'there is no channel' snapshot nobody
check "nothing is recorded into a copy" wrong 2 'is a copy' channel start main@2
epitaph mark behind the copies
check "main stops alone" epitaph channel stop main
check "the others do not" lists '^channel calls overwrite records'
check "main does" lists '^channel main overwrite stopped'
epitaph mark main is stopped
work 20
epitaph channel start main >/tmp/said
check "all stop" epitaph stop
check "an added one too" lists '^channel calls overwrite stopped'
check "and all go on" epitaph start
epitaph channel stop two >/tmp/said
epitaph channel start two >/tmp/said
load_victim
check "events of a module that comes are taken" epitaph channel add own 128K 'victim:*' '?later:*'
sleep 1
bug panic
END
pack_guest "$top/extractor/epitaph-static"

# channel NAME JQ: what the region has of a channel's events.  A CPU that was stopped inside one
# left it uncommitted, without a name: one of each CPU at most.
# shellcheck disable=SC2317 # check calls it
channel() {
	jq -c "select(.channel == \"$1\")" "$out/region.json" >"$out/of-channel"
	{
		jq -se 'map(select(.event == null)) |
			all(.marks == ["uncommitted"]) and (group_by(.cpu) | all(length == 1))' "$out/of-channel" &&
			jq -se "map(select(.event != null)) | $2" "$out/of-channel"
	} >"$out/found" && return
	head -n 3 "$out/of-channel"
	return 1
}

# Who asks for a copy by name gets all of it; all together have it once.
# shellcheck disable=SC2317 # check calls it
copy_is_once() {
	recovers "$epitaph" export --to json --channel 'calls@1' -o "$out/copy.json" "$saved/region"
	jq -s 'map(select(.fields)) | length > 50' "$out/copy.json" | grep -qx true &&
		jq -c 'select(.channel == "calls" or .channel == "calls@1") | [.ts_ns, .cpu, .pid, .fields]' \
			"$out/region.json" | sort | uniq -d >"$out/twice" && [ ! -s "$out/twice" ]
}

# shellcheck disable=SC2317 # check calls it
redacts() {
	recovers "$epitaph" redact -o "$out/redacted" "$saved/region" &&
		recovers "$epitaph" export --to json -o "$out/redacted.json" "$out/redacted" &&
		[ "$(grep -c raw_syscalls:sys_enter "$out/redacted.json")" = "$(grep -c raw_syscalls:sys_enter "$out/region.json")" ]
}

crash_and_capture --allow 'panic - not syncing: victim: panic'
check "the region is saved" [ -s "$saved/region" ]
recovers "$epitaph" export --to json -o "$out/region.json" "$saved/region"
check "the engineer's channel has its event and no other" channel calls 'length > 100 and all(.event == "raw_syscalls:sys_enter")'
check "it says whose it is" channel calls 'map(select(.comm == "cat")) | length > 20'
check "another's has its own" channel one 'length > 10 and all(.event == "raw_syscalls:sys_exit")'
check "main has none of them" channel main 'length > 100 and all(.event | startswith("raw_syscalls") | not)'
check "the one that stopped has the beginning" channel first 'length > 100 and all(.event | test("^(sched|irq):"))'
check "and nothing lacks in it" channel first 'map(select(.marks | index("lost-before"))) | length == 0'
check "a module's events are in two channels" channel own 'length > 3'
check "user's are apart" channel user 'map(.fields.text) | index("main is stopped") != null'
check "the report says what it lost" sh -c "'$epitaph' report '$saved/region' 2>/dev/null | grep -E 'channel first, 2 CPUs: .* full: at least [0-9]+ later events dropped'"
check "it says who added what" sh -c "'$epitaph' report --all '$saved/region' 2>/dev/null | grep -q 'mark: channel on CPU .*channel two was stopped by epitaph'"
check "and of the copies" sh -c "'$epitaph' report --all '$saved/region' 2>/dev/null | grep -q 'mark: snapshot on CPU .*calls@1'"
check "a copy and its channel have each event once" copy_is_once
check "it can be redacted" redacts
check "check finds no damage" no_damage "$saved/region"
finish
