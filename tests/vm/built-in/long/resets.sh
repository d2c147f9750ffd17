#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Kernels with the recorder built in are reset at random moments of their boot, one after the other in
# the same memory; the last one harvests.  Each left a generation that is whole, as far as it came, or
# none: then it had not begun.  Nothing in it is invented: what it recorded of the console are lines that
# stand on the console of that boot.  RESETS=N, SEED=N: others.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"
. "$here/lib-built-in.sh"

resets=${RESETS:-10} seed=${SEED:-1}
region_is 64M
built_in_guest
# Recording begins a quarter of a second behind the first line, and a second on a busy host.
awk -v n="$resets" -v seed="$seed" 'BEGIN { srand(seed); for (i = 0; i < n; i++) printf "%.3f\n", rand() * 2.5 }' >"$out/plan"
echo "# seed $seed, seconds behind the first line: $(tr '\n' ' ' <"$out/plan")"
set --
nr=0
while read -r seconds; do
	nr=$((nr + 1))
	set -- "$@" --when "(?s)(?:\\] Linux version [0-9].*?){$nr}=>sleep $seconds; system_reset"
done <"$out/plan"
append="epitaph.generations=12 epitaph.events=default,initcall:* earlyprintk=serial,ttyS0,115200 ignore_loglevel" \
	warm_boots $((resets + 1)) "$@"
check "the last boot came to its end" guest_ended_well
echo "# $(regions | wc -l) of $resets left a generation"

# Between the header and the first anchor lies some of the recorder's start.
# shellcheck disable=SC2317 # check calls these
is_whole() {
	recovers "$epitaph" check "$1" >"$out/checked" 2>&1 || { cat "$out/checked"; return 1; }
	! grep -v 'no clock anchor is good: times follow from the header alone' "$out/checked"
}

# A line may be one of several pieces of the console's.
# shellcheck disable=SC2317 # check calls these
stands_on_console() {
	rm -f "$out/reset.json"
	recovers "$epitaph" export --to json -o "$out/reset.json" "$1" || return
	jq -r 'select(.event == "printk:console") | .fields.msg' "$out/reset.json" | grep -vE '^epitaph: |\\x' >"$out/recorded" || true
	awk 'FNR == NR { printed = printed "\n" $0; next } !index(printed, $0)' "$out/console.log" \
		"$out/recorded" >"$out/invented"
	echo "$(wc -l <"$out/recorded") lines"
	# The last one may have been on its way to the console.
	[ "$(wc -l <"$out/invented")" -le 1 ] || { head -n 5 "$out/invented"; return 1; }
}

nr=0
for region in $(regions); do
	nr=$((nr + 1))
	check "generation $nr: nothing is damaged" is_whole "$region"
	check "generation $nr: its lines stood on the console" stands_on_console "$region"
done
check "some had begun" [ "$nr" -ge 1 ]
finish
