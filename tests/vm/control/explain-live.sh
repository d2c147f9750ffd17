#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The checks are called by name.
# shellcheck disable=SC2317
#
# A machine whose tasks hang, and that still runs: explain of its memory (/proc/kcore) and of a snapshot
# of the recorder says that they wait, and the memory who holds what.

. "$(dirname "$0")/../lib.sh"
# shellcheck source=tests/vm/lib-corpus.sh
. "$here/lib-corpus.sh"

guest <<'END_OF_GUEST'
# explained NAME FILE
explained() {
	result=0
	epitaph-installed explain --json "$2" >"/disk/$1.json" 2>"/disk/$1.err" || result=$?
	epitaph-installed explain "$2" >"/disk/$1.page" 2>/dev/null
	cat "/disk/$1.err"
	[ $result -le 1 ]
}
with_disk
load_recorder
check "while nothing hangs, it says so" explained idle /proc/kcore
echo 10 >/proc/sys/kernel/hung_task_timeout_secs
# Before the memory is looked at, the kernel has printed the ten reports that it prints at most: three times
# all three tasks, and then the first alone.
echo 2 >/proc/sys/kernel/hung_task_check_interval_secs
insmod /test/two-mutexes.ko
usleep 2000000
check "explain of its memory, before the kernel has noticed" explained early /proc/kcore
usleep 22000000
check "explain of its memory" explained memory /proc/kcore
check "a snapshot" epitaph snapshot -o /disk/snapshot
check "explain of that" explained snapshot /disk/snapshot
echo z >/proc/sysrq-trigger
END_OF_GUEST
# As it is installed, for that knows the kernel's types.
guest_programs="/bin/epitaph-installed $epitaph"
build_crashes two-mutexes
pack_guest "$top/extractor/epitaph-static" "$built/two-mutexes.ko"
warm_boots 1 --allow 'blocked for more than' --allow hung_task_timeout_secs
check "the guest's script came to its end" guest_ended_well
for file in idle early memory snapshot; do
	jq -r '"'$file': \(.strength): \(.claim)", (.evidence[].text | select(test("waits for mutex")))' "$saved/$file.json"
done | sed 's/^/# /'

says_deadlock() {
	jq -r '"\(.strength): \(.claim)"' "$saved/$1.json" |
		grep -E "^$2: A deadlock.*: (configure-[0-9]+, hotplug|hotplug-[0-9]+, configure)-[0-9]+\.$" || return
	for each in 'configure-[0-9]+ waits for mutex device_lock \[two_mutexes\], held by hotplug-' \
		'hotplug-[0-9]+ waits for mutex config_lock \[two_mutexes\], held by configure-'; do
		jq -e --arg each "$each" 'any(.evidence[].text; test($each))' "$saved/$1.json" >/dev/null || { echo "not: $each"; return 1; }
	done
}

# The circle that the memory shows, with its signature. Here it rests on the lines that name owners
# (docs/hung-owner.md), so it is not "shown".
names_deadlock() {
	jq -r '"\(.kind) \(.strength): \(.claim)"' "$1" |
		grep -E "^hung-task (likely|possible): A deadlock.*: (configure-[0-9]+, hotplug|hotplug-[0-9]+, configure)-[0-9]+\.$" &&
		[ "$(jq .signature "$1")" = "$(jq .signature "$saved/memory.json")" ]
}

# So does the text of the console, with what sysrq-z printed, as long as the machine hangs.
console_names_deadlock() {
	sed '/reboot: /,$d' "$out/console.log" >"$out/console.txt"
	"$epitaph" explain --json "$out/console.txt" >"$out/console.json"
	names_deadlock "$out/console.json"
}

check "while nothing hangs, nothing is said of a deadlock" jq -e '.kind == "reset" and .strength == "not known"' "$saved/idle.json"
check "its memory says who holds what, before the kernel has noticed" says_deadlock early likely
check "and when it has" says_deadlock memory shown
check "a snapshot names the deadlock, as the memory does" names_deadlock "$saved/snapshot.json"
check "and so does the text of the console" console_names_deadlock
finish
