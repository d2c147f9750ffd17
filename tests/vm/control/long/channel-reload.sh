#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A module goes while its events are on in added channels, at full speed, filtered, with
# context, and while two shells change the same channels; and it comes again.  Each channel
# has what it had of the module that is gone, and goes on with the one that came.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"

guest <<'END'
epitaph() {
	epitaph-static "$@"
}
lists() {
	epitaph channel | grep -qE "$1" || { epitaph channel; return 1; }
}
# leave: a reader of a filter for an event of the module holds the module for that moment.
leave() {
	for i in $(seq 100); do
		! rmmod victim 2>/tmp/left || return 0
		usleep 10000
	done
	cat /tmp/left
	return 1
}
round() {
	load_victim full=1
	sleep 0.3
	epitaph mark "round $1 ends"
	leave
}
load_recorder channels=4M
check "a channel can wait for unknown events" epitaph channel add own 512K '?victim:*' sched:sched_switch
check "another, which stops" epitaph channel add keep 512K stop '?victim:*'
check "they have none" lists '^channel own overwrite records .* events 1 on of 1$'
load_victim full=1
check "they come with the module" lists '^channel own overwrite records .* events ([3-9]|[1-9][0-9]) on of \1$'
check "to the other too" lists '^channel keep stop [a-z]+ [0-9]+ bytes, events ([2-9]|[1-9][0-9]) on of \1$'
check "a filter of one channel" epitaph filter own victim:seq 'value & 1'
check "context in the other" epitaph context own 'victim:text' irq,preempt,task
sleep 0.3
epitaph mark round 0 ends
check "the module goes while its events are on" rmmod victim
check "so do they" lists '^channel own overwrite records .* events 1 on of 1$'
check "from the other too" lists '^channel keep stop [a-z]+ [0-9]+ bytes, events 0 on of 0$'
check "the filter waits" sh -c 'epitaph-static filter | grep -qx "filter own victim:seq waits value & 1"'
check "so does the context" sh -c 'epitaph-static context | grep -qx "context own victim:text waits irq,preempt,task"'
for n in 1 2 3; do round "$n"; done
check "three times more" lists '^channel own overwrite records'
(set +e; while [ ! -e /tmp/done ]; do epitaph channel stop own; epitaph channel start own; epitaph context own sched:sched_switch irq; epitaph context own sched:sched_switch 0; done >/tmp/one 2>&1) &
one=$!
(set +e; while [ ! -e /tmp/done ]; do epitaph channel add brief 256K '?victim:*' 'irq:*'; epitaph filter brief victim:seq 'value & 2'; epitaph context brief irq:softirq_entry irq; epitaph channel stop brief; epitaph channel remove brief; done >/tmp/two 2>&1) &
two=$!
for n in 4 5 6 7; do round "$n"; done
touch /tmp/done
wait $one $two || true
check "and with two shells that change them" lists '^channel own overwrite records'
check "of which one is gone" sh -c '! epitaph-static channel | grep "^channel brief "'
check "with all that was asked for it" sh -c '! epitaph-static filter | grep brief && ! epitaph-static context | grep brief'
check "it comes once more" load_victim
check "and is recorded" lists '^channel own overwrite records .* events ([3-9]|[1-9][0-9]) on of \1$'
check "filtered" sh -c 'epitaph-static filter | grep -qx "filter own victim:seq on value & 1"'
check "with context" sh -c 'epitaph-static context | grep -qx "context own victim:text on irq,preempt,task"'
arm_kdump
epitaph mark the last round
sleep 0.5
bug panic
END
pack_guest "$top/extractor/epitaph-static"

# channel NAME JQ: what the region has of a channel.
# shellcheck disable=SC2317 # check calls it
channel() {
	jq -c "select(.channel == \"$1\")" "$out/region.json" >"$out/of-channel"
	jq -se "$2" "$out/of-channel" || { head -c 600 "$out/of-channel"; return 1; }
}

# Of the last module, and in hex: jq has no numbers of 64 bits.
# shellcheck disable=SC2317 # check calls it
only_odd_ones() {
	recovers "$epitaph" report --all --channel own "$saved/region" | awk '
		/ seq: value=/ { n++; sub(/.*value=/, ""); if ($1 !~ /[13579bdf]$/) { even++; print } }
		END { print n " numbers"; exit n < 50 || even }'
}

append=panic_on_warn=1 crash_and_capture --allow 'panic - not syncing: victim: panic'
check "the region is saved" [ -s "$saved/region" ]
recovers "$epitaph" export --to json -o "$out/region.json" "$saved/region"
check "the one that stopped has the first module's" channel keep 'length > 1000 and all(.event == null or (.event | startswith("victim:")))'
check "with a format that is theirs" channel keep 'map(select(.event == "victim:seq")) | length > 100 and all(.fields | keys == ["value"])'
check "the other has the last one's" channel own 'map(select(.event == "victim:seq" and .ts_ns > 0)) | length > 50'
check "filtered" only_odd_ones
check "and with context" channel own 'map(select(.event == "victim:text")) | length > 5 and (.[-5:] | all(.fields.context_irq != null and .fields.text != null))'
check "all of them are known" sh -c "! grep -c '\"event\":\"unknown' '$out/region.json'"
check "check finds no damage" no_damage "$saved/region"
finish
