#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A module comes and goes more often than there are ids.  Its events get the ids that they had, and
# what is recorded of the first module and of the last one has its names.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"

guest <<'END'
epitaph() {
	epitaph-static "$@"
}
# ids: of the module's events, in the formats that the recorder has.
ids() {
	awk '/^# / { name = $2 } /^ID: / && name ~ /^victim:/ { print name, $2 }' /sys/kernel/debug/epitaph/formats
}
load_recorder channels=4M
check "a channel keeps what comes first" epitaph channel add keep 256K stop '?victim:*'
load_victim full=1
sleep 0.3
epitaph channel stop keep
ids >/tmp/first
rmmod victim
n=0
while [ $n -lt 200 ] && load_victim && rmmod victim; do
	n=$((n + 1))
done
check "it comes and goes 200 times" [ $n = 200 ]
load_victim full=1
sleep 0.3
ids >/tmp/last
sed 's/^/# /' /tmp/last
check "it has events" grep -q '^victim:seq' /tmp/last
check "with the ids that they had" cmp /tmp/first /tmp/last
check "the kernel's log knows of no lack of room" refused kernel_says 'no room for its format'
epitaph context victim:text irq,preempt,task
epitaph context victim:text 0
for i in $(seq 300); do
	{ epitaph context victim:text irq,preempt,task && epitaph context victim:text 0; } >/tmp/answer || break
	! grep refused /tmp/answer || break
done
check "nor has its context, however often" [ "$i" = 300 ]
epitaph context victim:text irq,preempt,task
arm_kdump
epitaph mark the last round
sleep 0.5
bug panic
END
pack_guest "$top/extractor/epitaph-static"

# events CHANNEL: how many of each kind.
# shellcheck disable=SC2317 # check calls it
events() {
	jq -r "select(.channel == \"$1\" and .event != null) | .event" "$out/region.json" | sort | uniq -c >"$out/of-$1"
	sed 's/^/# /' "$out/of-$1"
}

append=panic_on_warn=1 crash_and_capture --allow 'panic - not syncing: victim: panic'
check "the region is saved" [ -s "$saved/region" ]
recovers "$epitaph" export --to json -o "$out/region.json" "$saved/region"
events keep
events main
check "the first module's events have their names" grep -q '[0-9]\{3,\} victim:seq$' "$out/of-keep"
check "and nothing else is there" sh -c "! grep -v ' victim:' '$out/of-keep'"
check "the last one's have them" grep -q '[0-9]\{3,\} victim:seq$' "$out/of-main"
check "its context is there" sh -c "jq -e 'select(.event == \"victim:text\" and .fields.context_irq != null)' '$out/region.json' | grep -q ."
check "all are known" sh -c "! grep -c '\"event\":\"unknown' '$out/region.json'"
check "check finds no damage" no_damage "$saved/region"
finish
