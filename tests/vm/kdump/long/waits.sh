#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The checks are called by name.
# shellcheck disable=SC2317
#
# Tasks that wait in every kind of queue until the kernel's watchdog ends it: what they wait for,
# and whose it is, is what they said themselves before.

VM_DIR=../..
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/../../lib.sh"

guest <<'END'
record
echo 3 >/proc/sys/kernel/hung_task_timeout_secs
echo 1 >/proc/sys/kernel/hung_task_check_interval_secs
echo 1 >/proc/sys/kernel/hung_task_panic
bug bank-queue
await_end 90
END
pack_guest
not_compared="more tasks are blocked than the head of a report lists"
capture_args=$(with_all_tasks) crash_and_capture --allow 'task at-[a-z-]+:\d+ blocked for more than' --allow 'hung_task'

waits_are_told() {
	recovers "$epitaph" info --stacks "$saved/vmcore" >"$out/stacks" &&
		recovers "$epitaph" info --stacks --json "$saved/vmcore" >"$out/stacks.json" || return 1
	grep -B 1 '^ *waits ' "$out/stacks"
	sed -n 's/.*victim: \([a-z-]*\) waits for \([a-z_]*\) 0*\([0-9a-f]*\) of \([a-z-]*\).*/\1 \2 0x\3 \4/p' \
		"$out/console.log" | sort >"$out/said-by-them"
	python3 - "$out/stacks.json" <<-END | sort | diff "$out/said-by-them" - &&
	import json, sys
	for task in json.load(open(sys.argv[1]))["tasks"]:
	    wait = task["waits_for"]
	    if wait and task["comm"].startswith("at-"):
	        print(task["comm"], wait["kind"], hex(wait["address"]), (wait["owner"] or {"comm": "none"})["comm"])
	END
		[ "$(wc -l <"$out/said-by-them")" = 11 ]
}

static_locks_have_names() {
	for each in 'for mutex counter' 'to read rwsem ledger' 'to write rwsem board' 'for completion opening' 'for rtmutex express' \
		'in wait queue bell'; do
		grep -F "waits $each [victim]" "$out/stacks" || return 1
	done
	grep -F "waits for page flag PG_locked (page 0x" "$out/stacks"
}

# A reader may have left, and another one come: that is not said of a writer.
only_a_last_reader_is_unsure() {
	jq -r '.tasks[] | select(.waits_for.owner.sure == false) | .comm' "$out/stacks.json" >"$out/unsure"
	cat "$out/unsure"
	[ "$(cat "$out/unsure")" = at-board ]
}

check "each waits for what it said, held by whom it said" waits_are_told
# Debian's 6.1 of arm64 has names of functions alone.
case $kernel in
6.1-arm64) check "a page's flag is called by its name" grep -F "waits for page flag PG_locked (page 0x" "$out/stacks" ;;
*) check "static locks are called by their names" static_locks_have_names ;;
esac
check "an owner is sure, but a last reader" only_a_last_reader_is_unsure
check "nothing is called a deadlock" jq -e '.deadlocks == []' "$out/stacks.json"
finish
