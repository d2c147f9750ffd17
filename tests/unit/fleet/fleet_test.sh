#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A fleet's traces in SQLite: each query of fleet/queries says what is in the golden regions.
# shellcheck disable=SC2317
# shellcheck source=tests/lib/lib.sh
. "$(dirname "$0")/../../lib/lib.sh"
golden=$top/tests/golden
fleet=$top/fleet
db=$dir/fleet.db

# host HOST NAME REGION: as the collector stores it
host() {
	mkdir -p "$dir/srv/$1/$2" && "$golden/mkregion" "$golden/$3.region" "$dir/srv/$1/$2/region"
}

# Some are damaged, and told.
load() { EPITAPH=$epitaph "$fleet/load" "$db" "$@"; }
query() { sqlite3 -list -separator '|' "$db" <"$fleet/queries/$1.sql"; }
count() { [ "$(sqlite3 "$db" "SELECT count(*) FROM $1")" = "$2" ]; }

every_trace_is_there_with_all_of_its_events() {
	load "$dir/srv" && count trace 9 || return 1
	for region in "$dir"/srv/*/*/region; do
		lines=$("$epitaph" export --to json -o - "$region" 2>/dev/null | tail -n +2 | wc -l)
		at=${region%/region}
		count "event JOIN trace ON trace.id = trace WHERE name = '${at##*/}' AND host = '$(basename "${at%/*}")'" "$lines" ||
			{ echo "$region: not $lines"; return 1; }
	done
}

nothing_is_loaded_twice() {
	before=$(sqlite3 "$db" 'SELECT count(*), max(trace) FROM event') && load "$dir/srv" &&
		[ "$(sqlite3 "$db" 'SELECT count(*), max(trace) FROM event')" = "$before" ]
}

values_are_those_of_the_lines() {
	"$epitaph" export --to json -o - "$dir/srv/web1/a/region" | tail -n +2 |
		jq -r '[.ts_ns, .cpu, .event, .pid, (.fields | tojson)] | map(tostring) | join("|")' >"$dir/wanted"
	sqlite3 -list -nullvalue null "$db" "SELECT ts_ns, cpu, event, pid, fields FROM event JOIN trace ON trace.id = trace
		WHERE host = 'web1' AND name = 'a' ORDER BY nr" | diff "$dir/wanted" -
}

registers_of_64_bits_are_exact() {
	sqlite3 "$db" "SELECT status FROM machine_check WHERE host = 'web3' AND bank = 5" | grep -qx 13690942867214697472
}

# Two hosts by the same Oops, whatever its numbers; two by a machine check.
died_alike() {
	query died-alike >"$dir/answer"
	cat "$dir/answer"
	grep -q '^2|2|Fatal machine check|stress|6.1.0-golden|2023-11-14 22:13:21|2023-11-14 22:13:21|web3,web4$' "$dir/answer" &&
		grep -q '^2|2|Oops: .*|web1,web2$' "$dir/answer"
}

the_same_last_events() {
	query same-last-events >"$dir/answer"
	cat "$dir/answer"
	grep -q '^2|2|test:number test:number|1|web1,web2$' "$dir/answer"
}

machine_checks_by_bank_and_page() {
	query machine-checks >"$dir/answer"
	cat "$dir/answer"
	grep -q '^web3|5|0|fatal|internal timer error (model-specific code 0x0080)|0x1234000|1|1|2$' "$dir/answer"
}

the_last_of_the_dead() {
	query last-of-the-dead >"$dir/answer"
	cat "$dir/answer"
	grep -q '^web1|a|-0.000000|test:number|' "$dir/answer" && ! LC_ALL=C grep -q "$(printf '\033')" "$dir/answer"
}

what_is_not_whole() {
	query not-whole >"$dir/answer"
	cat "$dir/answer"
	grep -q '^web6|.*|no crash stamp$' "$dir/answer" && grep -q '^web7|' "$dir/answer"
}

what_cannot_be_read_is_told_and_the_rest_loaded() {
	mkdir -p "$dir/more/web9/x" "$dir/more/we'b/x" && echo nonsense >"$dir/more/web9/x/region" && cp "$dir/srv/web1/a/region" "$dir/more/we'b/x" &&
		mkdir -p "$dir/more/zzz/y" && cp "$dir/srv/web1/a/region" "$dir/more/zzz/y/" || return 1
	! load "$dir/more" 2>"$dir/noise" && grep -q 'web9/x' "$dir/noise" && grep -q "we'b/x" "$dir/noise" &&
		count "trace WHERE host = 'zzz'" 1 && count "trace WHERE host = 'web9'" 0
}

host web1 a marks-and-crash && host web2 b marks-and-crash && host web3 c mce-fatal && host web4 d mce-fatal &&
	host web5 e mce-corrected && host web6 f whole && host web7 g damaged-payload && host web7 h lost-events &&
	host web8 i kernel-log || exit 1
for claim in every_trace_is_there_with_all_of_its_events nothing_is_loaded_twice values_are_those_of_the_lines \
	registers_of_64_bits_are_exact died_alike the_same_last_events machine_checks_by_bank_and_page \
	the_last_of_the_dead what_is_not_whole what_cannot_be_read_is_told_and_the_rest_loaded; do
	ok $claim $claim
done
finish
