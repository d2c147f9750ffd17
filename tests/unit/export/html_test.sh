#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The HTML export: rows are the report's lines, data are no part of the page, and
# a browser shows it and runs nothing else.
# shellcheck disable=SC2317
# shellcheck source=tests/lib/lib.sh
. "$(dirname "$0")/../../lib/lib.sh"
regions="whole hostile-texts markup-texts marks-and-crash kernel-log big-endian no-formats lost-events
	overwritten damaged-payload torn-in-the-middle two-not-summed mce-fatal mce-storm-gap
	mce-hostile-comm absurd-clock time-wrap slices"

# browse PAGE OPTION...: without a network, and with a profile of its own
browse() {
	page=$1
	shift
	timeout 600 chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
		--disable-background-networking --disable-component-update --disable-sync \
		--proxy-server=127.0.0.1:9 --user-data-dir="$dir/profile" --window-size=1200,700 \
		--virtual-time-budget=10000 "$@" "file://$dir/$page.html" 2>"$dir/browser"
}

dom() { browse "$1" --dump-dom >"$dir/$1.dom"; }

make_pages() {
	for region in $regions; do
		"$top/tests/golden/mkregion" "$top/tests/golden/$region.region" "$dir/$region" || return 1
		"$epitaph" export --damaged --to html -o "$dir/$region.html" "$dir/$region"
		[ $? -le 1 ] || return 1
		"$epitaph" report --all --damaged "$dir/$region" >"$dir/$region.txt"
		[ $? -le 1 ] || return 1
	done
}

rows_are_lines() {
	for region in $regions; do
		"$here/html_check" rows "$dir/$region.html" "$dir/$region.txt" || return 1
	done
}

# Whatever a dump has in it, the rest of the page is as it was built.
frames_are_one() {
	for region in $regions; do
		"$here/html_check" frame "$dir/$region.html" >"$dir/$region.frame"
		cmp "$dir/whole.frame" "$dir/$region.frame" || return 1
	done
}

an_output_stays() {
	cp "$dir/whole.html" "$dir/before"
	"$epitaph" export --to html -o "$dir/whole.html" "$dir/whole"
	[ $? -eq 3 ] && cmp "$dir/whole.html" "$dir/before"
}

has() { grep -qF -- "$2" "$dir/$1.dom" || { echo "no $2"; head -c 600 "$dir/$1.dom"; return 1; }; }

opens() {
	dom marks-and-crash && has marks-and-crash 'data-state="ready"' &&
		has marks-and-crash 'data-rows="7"' && has marks-and-crash 'CRASH on CPU 0: Oops:'
}

# Task, CPU and time of a line are in the page once: in its row.
lines_are_shown() {
	dom slices && "$here/html_check" shown "$dir/slices.html" "$dir/slices.dom" "$dir/slices.txt"
}

# WORDS of a line's head, and of its head and text
finds() {
	for words in "WEB-5 " "t-0.00000" "-5       [000] ..... " "T-0.000011: sys_enter"; do
		"$here/html_check" searched "$dir/slices.html" "$words" >"$dir/searched.html" && dom searched &&
			"$here/html_check" hits "$dir/searched.dom" "$words" "$dir/slices.txt" || return
	done
}

# Of the region of a crash whose timer is to blame: armed, run and died of.
says_why() {
	"$top/tests/crashes/mkregion" "$top/tests/crashes/timer-overwritten.log" "$dir/why" || return
	"$epitaph" export --to html -o "$dir/why.html" "$dir/why"
	[ $? -le 1 ] || return
	"$epitaph" explain --json "$dir/why" >"$dir/why.json"
	[ $? -le 1 ] && "$here/html_check" verdict "$dir/why.html" "$dir/why.json"
}

evidence_and_rows_lead_to_each_other() {
	"$here/html_check" clicked "$dir/why.html" >"$dir/clicked.html" && dom clicked &&
		"$here/html_check" clicks "$dir/clicked.dom"
}

# Visible as text, and no element of it.
markup_is_text() {
	dom markup-texts && has markup-texts 'data-state="ready"' &&
		has markup-texts '&lt;/title&gt;&lt;/style&gt;&lt;/script&gt;&lt;img src=x onerror=' &&
		has markup-texts '&lt;/script&gt;&lt;b&gt;-5' &&
		! grep -E '<(img|svg|b|textarea)[ >/]|data-pwned' "$dir/markup-texts.dom"
}

# A page with an injected script: it is not run; run where the policy is gone,
# so that it is the policy.
policy_holds() {
	inject='<script>document.documentElement.dataset.pwned=1<\/script><img src=x onerror="document.documentElement.dataset.pwned=2">'
	sed "s/<body>/&$inject/" "$dir/whole.html" >"$dir/injected.html"
	sed '/Content-Security-Policy/d' "$dir/injected.html" >"$dir/open.html"
	dom injected
	has injected 'data-state="ready"' || return 1
	! grep -q 'data-pwned' "$dir/injected.dom" || { echo "it ran"; return 1; }
	dom open && has open 'data-pwned'
}

# Tasks, system calls, interrupts in interrupts, softirqs; and nothing over a loss.
slices_are_right() {
	"$here/html_check" probed "$dir/slices.html" >"$dir/probed.html" && dom probed &&
		"$here/html_check" slices "$dir/probed.dom"
}

# The host's thread above, what its guest did below, and why it was not run between.
guests_have_lanes() {
	PAGES=$dir "$top/build/tests/unit/asan/export/joint_export_test" &&
		"$here/html_check" probed "$dir/page.html" >"$dir/guest.html" && dom guest &&
		"$here/html_check" lanes "$dir/guest.dom"
}

nothing_of_a_guest_is_lost() {
	"$here/html_check" probed "$dir/no-cpus.html" >"$dir/own.html" && dom own && "$here/html_check" own-lane "$dir/own.dom" 7
}

crash_is_at_the_right() {
	browse marks-and-crash --screenshot="$dir/crash.png" &&
		"$here/html_check" crash "$dir/crash.png"
}

ok a_page_is_written_of_every_region make_pages
ok rows_are_the_lines_of_the_report rows_are_lines
ok data_change_nothing_but_their_blocks frames_are_one
ok the_page_says_why_with_the_rows_of_the_evidence says_why
ok an_output_that_exists_stays an_output_stays
if command -v chromium >/dev/null; then
	ok a_browser_opens_it opens
	ok its_lines_are_those_of_the_report lines_are_shown
	ok a_search_finds_what_lines_begin_with finds
	ok evidence_and_rows_lead_to_each_other evidence_and_rows_lead_to_each_other
	ok markup_in_texts_is_text markup_is_text
	ok its_policy_lets_nothing_else_run policy_holds
	ok slices_are_what_events_say slices_are_right
	ok a_guest_has_its_lanes guests_have_lanes
	ok what_is_of_no_cpu_of_a_guest_is_in_its_own_lane nothing_of_a_guest_is_lost
	ok the_crash_is_at_the_right_edge crash_is_at_the_right
else
	for claim in a_browser_opens_it its_lines_are_those_of_the_report a_search_finds_what_lines_begin_with evidence_and_rows_lead_to_each_other markup_in_texts_is_text its_policy_lets_nothing_else_run \
		slices_are_what_events_say a_guest_has_its_lanes what_is_of_no_cpu_of_a_guest_is_in_its_own_lane the_crash_is_at_the_right_edge; do
		skip $claim "chromium is not installed"
	done
fi
finish
