#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# epitaph list and epitaph report --latest, on captures of golden regions.
# shellcheck disable=SC2317
# shellcheck source=tests/lib/lib.sh
. "$(dirname "$0")/../../lib/lib.sh"

crashed="00010203-0405-0607-0809-0a0b0c0d0e0f-20231114T221320Z"
ended="00010203-0405-0607-0809-0a0b0c0d0e0f-20231114T222140Z"
kdump="epitaph-00010203-0405-0607-0809-0a0b0c0d0e0f-20231114T221400Z"

cd "$dir" || exit 99
# The first half of this one crashed, the second one ended in order.
"$top/tests/golden/mkregion" "$top/tests/golden/generations-numbered.region" "$dir/image" || exit 99

# capture head|tail DIR SAVED: that half, saved at SAVED
capture() {
	mkdir -p "$2" && "$1" -c 20480 "$dir/image" >"$2/region" && touch -d "$3" "$2/region"
}

# Harvested: a boot that crashed, and a later one that ended in order; captured by kdump: one between.
fresh() {
	rm -rf "$dir/h" "$dir/c" && capture head "$dir/h/$crashed" 2026-01-01T00:00:01Z &&
		capture tail "$dir/h/$ended" 2026-01-01T00:00:03Z &&
		capture head "$dir/c/$kdump" 2026-01-01T00:00:02Z && : >"$dir/send.conf"
}

list() { fresh && "$epitaph" list --conf send.conf "$@" h c; }

the_newest_is_first() {
	list >lines && [ "$(grep -o '[hc]/.*/region' lines)" = "h/$ended/region
c/$kdump/region
h/$crashed/region" ]
}

when_why_and_how_large() {
	list >lines && cat lines &&
		sed -n 3p lines | grep -xq '2023-11-14 22:13:[0-9.]* UTC, [0-9.]* KiB: Fatal exception' &&
		sed -n 1p lines | grep -q ': ended in order: ' && ! grep -q sent lines
}

json_has_the_same() {
	list --json >lines && [ "$(jq -rs 'map(.end) | join(" ")' lines)" = "ended crashed crashed" ] &&
		[ "$(jq -rs '.[1].cause' lines)" = "Fatal exception" ] &&
		[ "$(jq -s '.[1].saved_ns' lines)" = 1767225602000000000 ] &&
		jq -se '.[1] | .sent == null and .size > 0 and .wall_ns > 1700000000000000000' lines
}

what_was_sent_is_said() {
	fresh && mkdir -p away && echo "TO=dir:$dir/away" >send.conf &&
		"$epitaph" send --conf send.conf --same-filesystem "c/$kdump" && "$epitaph" list --conf send.conf h c >lines &&
		sed -n 3p lines | grep -q 'KiB, sent: ' && [ "$(grep -c 'KiB, not sent: ' lines)" = 2 ] &&
		[ "$("$epitaph" list --conf send.conf --json h c | jq -s 'map(.sent)' -c)" = "[false,true,false]" ]
}

a_setting_that_is_wrong_hides_no_capture() {
	for line in 'TOO=dir:/away' 'TO'; do
		fresh && list >right && printf 'TO=dir:/nowhere\n%s\n' "$line" >send.conf &&
			"$epitaph" list --conf send.conf h c >lines 2>noise
		[ $? = 2 ] && cat lines noise && cmp right lines && grep -q 'epitaph list: send.conf: line 2: ' noise || return
	done
	! "$epitaph" list --conf none.conf --json h c >lines 2>noise && [ "$(wc -l <lines)" = 3 ] && grep -q none.conf noise
}

one_that_cannot_be_read_hides_no_other() {
	fresh && head -c 4096 /dev/zero >"c/$kdump/region" && "$epitaph" list --conf send.conf h c >lines 2>noise
	[ $? = 4 ] && cat lines noise && [ "$(grep -c /region lines)" = 3 ] && grep -q ': cannot be read$' lines &&
		grep -q "^epitaph list: c/$kdump/region: " noise
}

what_is_no_capture_is_not_listed() {
	fresh && mkdir -p "c/202611250102" "h/.harvest-3.7" && cp "h/$ended/region" h/.harvest-3.7 &&
		: >c/202611250102/dump.202611250102 && "$epitaph" list --conf send.conf h c >lines && [ "$(grep -c /region lines)" = 3 ]
}

what_the_kernel_said_is_escaped() {
	fresh && "$top/tests/golden/mkregion" "$top/tests/golden/died-of-hostile-words.region" "c/$kdump/region" &&
		"$epitaph" list --conf send.conf c >lines && cat lines && [ "$(wc -l <lines)" = 2 ] &&
		! LC_ALL=C grep -q '[^ -~]' lines && grep -qF '\x' lines &&
		"$epitaph" list --conf send.conf --json c | jq -e .cause
}

# As the recorder's own line of it is in the region.
a_rehearsal_is_called_one() {
	fresh && "$top/tests/crashes/mkregion" "$top/tests/crashes/sysrq-rehearsal.log" "c/$kdump/region" &&
		"$epitaph" list --conf send.conf c >lines && cat lines &&
		grep -q ' KiB: a rehearsal, epitaph test-crash: .*sysrq triggered crash$' lines &&
		"$epitaph" list --conf send.conf --json c | jq -e ".rehearsal and (.cause | endswith(\"sysrq triggered crash\"))" &&
		"$top/tests/crashes/mkregion" "$top/tests/crashes/sysrq.log" "c/$kdump/region" &&
		"$epitaph" list --conf send.conf c >lines && ! grep rehearsal lines &&
		"$epitaph" list --conf send.conf --json c | jq -e '.rehearsal == false'
}

of_another_user_is_counted() {
	fresh && chown -R 65534 "c/$kdump" && "$epitaph" list --conf send.conf h c >lines 2>noise &&
		[ "$(grep -c /region lines)" = 2 ] && grep -q '^epitaph list: c: 1 capture is left out' noise
}

no_captures_is_an_answer() {
	mkdir -p "$dir/none" && : >"$dir/send.conf" && [ "$("$epitaph" list --conf "$dir/send.conf" "$dir/none")" = "no captures" ] &&
		[ -z "$("$epitaph" list --conf "$dir/send.conf" --json "$dir/none")" ]
}

the_latest_is_the_newest_crash() {
	fresh && "$epitaph" report --latest h c >lines 2>noise && [ "$(cat noise)" = "epitaph report: c/$kdump/region" ] &&
		"$epitaph" report "c/$kdump/region" | cmp - lines || return
	"$epitaph" explain --latest h c >lines 2>noise && [ "$(cat noise)" = "epitaph explain: c/$kdump/region" ] &&
		"$epitaph" explain "c/$kdump/region" | cmp - lines
}

# The clock of the capture kernel was not set; that of the boot that crashed was.
a_clock_in_the_past_hides_no_crash() {
	fresh && rm -r "h/$ended" && touch -d 1970-01-02 "c/$kdump/region" && touch -d 2023-11-14T22:13:50Z "h/$crashed/region" &&
		"$epitaph" report --latest h c 2>noise >/dev/null && [ "$(cat noise)" = "epitaph report: c/$kdump/region" ]
}

# with_etc FILE TEXT COMMAND...: with nothing else in /etc
with_etc() {
	export FILE="$1" TEXT="$2"
	shift 2
	# shellcheck disable=SC2016 # of the inner shell
	unshare -m sh -c 'mount -t tmpfs none /etc && mkdir -p "${FILE%/*}" && echo "$TEXT" >"$FILE" && exec "$@"' sh "$@"
}

# As Red Hat and SUSE say it.
where_kdump_saves_is_known() {
	unshare -m true 2>/dev/null || { echo "cannot mount here"; return 0; }
	fresh && for conf in "/etc/kdump.conf path $dir/c" "/etc/sysconfig/kdump KDUMP_SAVEDIR=\"file://$dir/c\""; do
		with_etc "${conf%% *}" "${conf#* }" "$epitaph" list >lines && cat lines && grep "$dir/c/$kdump/region" lines &&
			with_etc "${conf%% *}" "${conf#* }" "$epitaph" report --latest 2>noise >/dev/null && grep "$dir/c/$kdump/region" noise &&
			rm -rf away "c/$kdump/sent" && mkdir away &&
			with_etc "${conf%% *}" "${conf#* }" "$epitaph" send --to "dir:$dir/away" --same-filesystem >lines && grep "^sent $dir/c/$kdump " lines || return 1
	done
}

one_that_cannot_be_read_is_no_reason_to_pass_over_it() {
	fresh && touch -d 2026-01-01T00:00:09Z "h/$crashed/region" && head -c 4096 /dev/zero >"c/$kdump/region" &&
		touch -d 2026-01-01T00:00:10Z "c/$kdump/region" && "$epitaph" report --latest h c 2>noise
	[ $? = 4 ] && grep -q "^epitaph report: c/$kdump/region: " noise
}

without_a_crash_there_is_no_latest() {
	fresh && rm -r "h/$crashed" c && "$epitaph" report --latest h 2>noise
	[ $? = 4 ] && grep -q 'no capture of a boot that did not end in order' noise
}

for claim in the_newest_is_first when_why_and_how_large json_has_the_same what_was_sent_is_said a_setting_that_is_wrong_hides_no_capture \
	one_that_cannot_be_read_hides_no_other what_the_kernel_said_is_escaped what_is_no_capture_is_not_listed a_rehearsal_is_called_one of_another_user_is_counted \
	no_captures_is_an_answer the_latest_is_the_newest_crash a_clock_in_the_past_hides_no_crash where_kdump_saves_is_known \
	one_that_cannot_be_read_is_no_reason_to_pass_over_it without_a_crash_there_is_no_latest; do
	ok $claim $claim
done
finish
