#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The command line: exit statuses, and what is written where.
# shellcheck disable=SC2317
# shellcheck source=tests/lib/lib.sh
. "$(dirname "$0")/../../lib/lib.sh"

mode() { [ "$(stat -c %a "$1")" = "$2" ]; }

misuse_is_2() {
	exits 2 && exits 2 frobnicate && exits 2 report && exits 2 report --last x "$dir/whole" &&
		exits 2 report --last 1 --all "$dir/whole" && exits 2 report --nonsense "$dir/whole" &&
		exits 2 report --cpu -1 "$dir/whole" && exits 2 export --to nonsense -o - "$dir/whole" &&
		exits 2 export --to json "$dir/whole" && exits 2 save "$dir/whole" &&
		exits 2 save --guest "" -o "$dir/no-guest" "$dir/whole" &&
		exits 2 check && exits 2 info --x "$dir/whole"
}

unusable_files_say_so() {
	: >"$dir/empty"
	exits 3 report "$dir/absent" && exits 4 report "$dir/empty" && exits 4 check "$dir" &&
		exits 4 info /bin/true && exits 4 report /dev/null
}

wrong_usage_is_told_once() {
	for words in '--color sometimes' '--last' '--nothing' '--cpu x'; do
		# shellcheck disable=SC2086
		exits 2 report $words "$dir/whole" 2>"$dir/told" || return 1
		[ "$(grep -c ^usage "$dir/told")" -le 1 ] || return 1
	done
}

# tells WORDS ARGUMENT...: on stderr
tells() {
	words=$1
	shift
	"$epitaph" "$@" 2>"$dir/told" >"$dir/out1"
	grep -qF -- "$words" "$dir/told" || { echo "$*: not told: $words"; cat "$dir/told"; return 1; }
}

a_wrong_value_is_told_what_is_possible() {
	tells '--last: seconds, like 0.25 or 10, and not "1e3"' report --last 1e3 "$dir/whole" &&
		tells '--events: a whole number, and not "5s"' report --events 5s "$dir/whole" &&
		tells '--cpu: the number of one CPU, from 0, and not "0-3"' report --cpu 0-3 "$dir/whole" &&
		tells '--pid: the number of one thread, from 0, and not "init"' export --to json -o - --pid init "$dir/whole"
}

what_fits_nothing_is_told() {
	tells 'no event fits --event sched_swich; did you mean sched_switch?' report --event sched_swich "$dir/whole" &&
		tells 'no event fits --event test:nmber; did you mean test:number?' report --json --event test:nmber "$dir/whole" &&
		tells 'no event fits --event irq:*; there are test:number, sched:sched_switch' report --event 'irq:*' "$dir/whole" &&
		tells 'no event fits --comm wroker; did you mean worker?' report --comm wroker "$dir/whole" &&
		tells 'no event fits --channel mian; did you mean main?' report --channel mian "$dir/whole" &&
		tells 'no event fits --cpu 9; there are CPUs 0 to 1' report --cpu 9 "$dir/whole" &&
		tells 'no event fits --pid 4711' export --to json -o - --pid 4711 "$dir/whole" &&
		tells 'each of the options fits events, and no event fits all of them' report --pid 9 --cpu 0 "$dir/whole" &&
		tells 'the last event that fits is at T-0.004999' report --last 0.001 --event far "$dir/whole" || return 1
	# Without a filter, or with --events 0, no message is printed.
	for image in "$dir"/golden/*; do
		"$epitaph" report --all "$image" >"$dir/out1" 2>"$dir/told"
		! grep fits "$dir/told" || return 1
	done
	exits 0 report --events 0 --event number "$dir/whole" 2>"$dir/told" >"$dir/out1" && [ ! -s "$dir/told" ]
}

of_several_the_worst_counts() {
	exits 4 check "$dir/whole" "$dir/empty" "$dir/whole"
}

help_is_0() {
	exits 0 --help && exits 0 --version && exits 0 -h && exits 0 -V && exits 0 report -h || return 1
	for cmd in report info check export save harvest mark; do
		exits 0 "$cmd" --help >"$dir/help" && grep -q "^usage: epitaph $cmd " "$dir/help" ||
			return 1
	done
}

help_that_cannot_be_written_is_3() {
	exits 3 --help >/dev/full && exits 3 --version >/dev/full && exits 3 report --help >/dev/full
}

standard_input_is_a_file() {
	"$epitaph" report --all - <"$dir/whole" >"$dir/one" &&
		dd if="$dir/whole" status=none | "$epitaph" report --all - >"$dir/two" &&
		"$epitaph" report --all "$dir/whole" >"$dir/three" &&
		cmp "$dir/one" "$dir/three" && cmp "$dir/two" "$dir/three"
}

save_is_identical_and_private() {
	exits 0 save -o "$dir/saved" "$dir/whole" && cmp "$dir/whole" "$dir/saved/region" &&
		mode "$dir/saved/region" 400 && mode "$dir/saved" 700 &&
		[ "$(ls -A "$dir/saved")" = region ]
}

save_says_what_is_missing() {
	head -c -1000 "$dir/whole" >"$dir/short" &&
		exits 1 save -o "$dir/part" "$dir/short" 2>"$dir/noise" >"$dir/out1" &&
		grep -q "not in the dump" "$dir/noise"
}

save_takes_no_place_that_is_taken() {
	mkdir "$dir/taken" && echo mine >"$dir/taken/region" &&
		exits 3 save -o "$dir/taken" "$dir/whole" &&
		[ "$(cat "$dir/taken/region")" = mine ] && [ "$(ls -A "$dir/taken")" = region ]
}

save_leaves_nothing_on_a_full_disk() {
	mkdir "$dir/full" || return 1
	( ulimit -f 8; exits 3 save -o "$dir/full" "$dir/whole" ) &&
		[ -z "$(ls -A "$dir/full")" ]
}

export_follows_no_link_and_overwrites_nothing() {
	ln -s "$dir/victim" "$dir/link" && exits 3 export --to json -o "$dir/link" "$dir/whole" &&
		[ ! -e "$dir/victim" ] && exits 0 export --to json -o "$dir/out" "$dir/whole" &&
		mode "$dir/out" 400 && exits 3 export --to json -o "$dir/out" "$dir/whole"
}

a_closed_pipe_is_quiet() {
	"$epitaph" export --to json -o - "$dir/whole" 2>"$dir/noise" | true
	[ ! -s "$dir/noise" ]
}

# It waits for a pipe, so that the process that reads is not there yet.
a_signal_removes_what_is_not_finished() {
	mkfifo "$dir/slow" && mkdir "$dir/interrupted" || return 1
	for to in "export --to json -o $dir/interrupted/out" "export --to ctf -o $dir/interrupted/out" \
		"redact -o $dir/interrupted/out" "save -o $dir/interrupted"; do
		# shellcheck disable=SC2086
		"$epitaph" $to "$dir/slow" &
		pid=$!
		exec 7>"$dir/slow"
		until [ -n "$(ls -A "$dir/interrupted")" ]; do sleep 0.05; done
		kill -TERM "$pid"
		wait "$pid"
		status=$?
		exec 7>&-
		if [ "$status" -ne 143 ] || [ -n "$(ls -A "$dir/interrupted")" ]; then
			echo "$to: $status"
			ls -A "$dir/interrupted"
			return 1
		fi
	done
}

# each_of IMAGE COMMAND...: what all of them print of it.
each_of() {
	image=$1
	shift
	for cmd; do
		# shellcheck disable=SC2086
		"$epitaph" $cmd "$image"
	done
}

json_is_json() {
	for image in "$dir"/golden/*; do
		each_of "$image" "report --json --all" "info --json" "check --json" "export --to json -o -" 2>"$dir/noise" |
			jq -e . >"$dir/jq" 2>&1 || [ ! -s "$dir/jq" ] ||
			! grep -q error "$dir/jq" || { echo "$image"; cat "$dir/jq"; return 1; }
	done
}

no_output_has_a_raw_control_byte() {
	for image in "$dir"/golden/*; do
		each_of "$image" "report --all --damaged" info check "report --json --all" 2>&1 |
			"$top/tests/lib/control-bytes" || { echo "$image"; return 1; }
	done
	return 0
}

filters_agree_with_the_whole() {
	"$epitaph" report --json --all "$dir/whole" | tail -n +2 >"$dir/all" || return 1
	"$epitaph" report --json --all --cpu 1 "$dir/whole" | tail -n +2 >"$dir/cpu" &&
		grep '"cpu":1,' "$dir/all" | cmp - "$dir/cpu" || return 1
	"$epitaph" report --json --all --pid 7 "$dir/whole" | tail -n +2 >"$dir/pid" &&
		grep '"pid":7,"comm"' "$dir/all" | cmp - "$dir/pid" || return 1
	"$epitaph" report --json --all --event 'sched:*' "$dir/whole" | tail -n +2 >"$dir/ev" &&
		grep '"event":"sched:' "$dir/all" | cmp - "$dir/ev" || return 1
	for n in 0 1 2 5 100; do
		"$epitaph" report --json --events "$n" "$dir/whole" | tail -n +2 >"$dir/n" &&
			tail -n "$n" "$dir/all" | cmp - "$dir/n" || return 1
	done
}

# Without a filter, events are counted by sub-buffers; with one, one after another, which
# also looks at formats before the head is printed.
both_ways_to_count_agree() {
	for image in "$dir"/golden/*; do
		for window in "--events 3" "--last 0.0000005"; do
			# shellcheck disable=SC2086
			"$epitaph" report $window "$image" 2>"$dir/noise" |
				sed '/^# damage: event formats/d' >"$dir/all"
			# shellcheck disable=SC2086
			"$epitaph" report $window --event '*' "$image" 2>"$dir/noise" |
				sed '/^# damage: event formats/d; s/ of those asked for, /, /' | cmp - "$dir/all" ||
				{ echo "$window $image"; return 1; }
		done
	done
}

# A region that was saved has no kernel around it.
all_sources_are_those_that_are_there() {
	"$epitaph" report --all "$dir/whole" >"$dir/best" &&
		"$epitaph" report --all --source all "$dir/whole" | cmp - "$dir/best" &&
		exits 4 report --source region,log "$dir/whole"
}

marked() {
	: >"$dir/device"
	exits 0 mark --device "$dir/device" "$@" && cat "$dir/device"
}

a_mark_is_its_words_and_one_write() {
	[ "$(marked deploy 17 begins)" = "deploy 17 begins" ] && [ "$(marked "$(printf '\303\244 \360\237\230\200')")" = "ä 😀" ] &&
		[ "$(marked --  -x)" = -x ] && exits 0 mark --device "$dir/device" "$(printf '%04096d' 1)"
}

a_mark_that_is_not_good_is_2_and_says_why() {
	for text in "$(printf 'ab\344')" "$(printf '\300\200')" "$(printf '\355\240\200')" "$(printf '\364\220\200\200')" \
		"$(printf '\342\202')" "$(printf '%04097d' 1)" ""; do
		exits 2 mark --device "$dir/device" "$text" || return 1
	done
	exits 2 mark && exits 3 mark --device "$dir/nowhere/device" x || return 1
	"$epitaph" mark --device "$dir/device" "$(printf 'ab\344')" 2>&1 | grep -q 'byte 3 of the text, 0xe4, is not UTF-8'
}

# A file is no recorder: what it would be asked for was right.
a_mark_with_fields_says_what_is_wrong() {
	: >"$dir/device"
	marks_wrong() {
		words=$1
		shift
		tells "$words" mark --device "$dir/device" --event "$@"
		[ ! -s "$dir/device" ]
	}
	marks_wrong 'takes no marks with fields' deploy && exits 3 mark --device "$dir/device" --event deploy &&
		exits 3 mark --device "$dir/device" --event deploy id=17 n=-3 m:s64=3 x=0xFf t:text=17 u= v=0.5 w=18446744073709551616 &&
		marks_wrong "'7up' is no name" 7up && marks_wrong "'a-b' is no name" a-b && marks_wrong "'' is no name" '' &&
		marks_wrong "'id': expected KEY=VALUE or KEY:TYPE=VALUE" deploy id &&
		marks_wrong "'=1': expected KEY=VALUE" deploy =1 && marks_wrong "'i d=1': expected KEY=VALUE" deploy 'i d=1' &&
		marks_wrong "at most 31 letters" deploy "$(printf %032d 1 | tr 01 ab)=1" &&
		marks_wrong "the type is u64, s64, x64 or text" deploy id:u32=1 && marks_wrong "the type is" deploy id:=1 &&
		marks_wrong "expected a whole number of 64 bits without a sign" deploy id:u64=-1 &&
		marks_wrong "expected a whole number of 64 bits" deploy id:s64=9223372036854775808 &&
		marks_wrong "as 0x1f" deploy id:x64=12 && marks_wrong "there are two fields 'id'" deploy id=1 id=2 &&
		marks_wrong "every mark has a field 'uid' already" deploy uid=1 &&
		marks_wrong "byte 3 of field 't', 0xe4, is not UTF-8" deploy "t=$(printf 'ab\344')" &&
		marks_wrong "the texts have more than 4096 bytes" deploy t=1x "u=$(printf %04095d 1)x" &&
		marks_wrong "there are more than 16 fields" deploy a=1 b=1 c=1 d=1 e=1 f=1 g=1 h=1 i=1 j=1 k=1 l=1 m=1 n=1 o=1 p=1 q=1 &&
		exits 2 mark --device "$dir/device" --event deploy id
}

"$top/tests/golden/mkregion" "$top/tests/golden/whole.region" "$dir/whole" || exit 99
mkdir "$dir/golden"
"$top/tests/golden/mkregion" "$top"/tests/golden/*.region "$dir/golden/" || exit 99
for claim in misuse_is_2 wrong_usage_is_told_once a_wrong_value_is_told_what_is_possible what_fits_nothing_is_told unusable_files_say_so of_several_the_worst_counts help_is_0 help_that_cannot_be_written_is_3 \
	standard_input_is_a_file save_is_identical_and_private save_says_what_is_missing save_takes_no_place_that_is_taken \
	save_leaves_nothing_on_a_full_disk export_follows_no_link_and_overwrites_nothing \
	a_closed_pipe_is_quiet a_signal_removes_what_is_not_finished json_is_json no_output_has_a_raw_control_byte \
	a_mark_is_its_words_and_one_write a_mark_that_is_not_good_is_2_and_says_why a_mark_with_fields_says_what_is_wrong filters_agree_with_the_whole both_ways_to_count_agree all_sources_are_those_that_are_there; do
	ok $claim $claim
done
finish
