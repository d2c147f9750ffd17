#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What epitaph explain says of crashes whose log lines are in tests/crashes/*.log: kind, strength and
# signature, and what it must not say.  tests/vm/lib-die.sh has guests that die so.
# shellcheck disable=SC2317
# shellcheck source=tests/lib/lib.sh
. "$(dirname "$0")/../../lib/lib.sh"

# timer_format ID NAME: an event of the system timer, which has a timer
timer_format() {
	cat <<-END
		batch
		system: timer
		name: $2
		ID: $1
		format:
			field:unsigned short common_type;	offset:0;	size:2;	signed:0;
			field:unsigned char common_flags;	offset:2;	size:1;	signed:0;
			field:unsigned char common_preempt_count;	offset:3;	size:1;	signed:0;
			field:int common_pid;	offset:4;	size:4;	signed:1;

			field:void * timer;	offset:8;	size:8;	signed:0;

		print fmt: "timer=%p", REC->timer
		end
	END
}

# region_of FILE: a region whose log has these lines, and a stamp of the last panic
region_of() {
	reason=$(sed -n 's/^#= reason //p' "$1")
	# As the recorder writes it of an oops.
	case $reason in
	*"Fatal exception"*) reason="$reason; Oops: error 0x0 at $(sed -n 's/^RIP: 0010://p; s/^pc : //p' "$1" | tail -n 1)" ;;
	# kdump, without a panic().
	-) reason="Oops: error 0x0 at $(sed -n 's/^RIP: 0010://p; s/^pc : //p' "$1" | tail -n 1)" ;;
	esac
	{
		cat <<-'END'
			header minor=3 number=1
			section channels
			entry 64
				u32 1 0
				text 32 "main"
			end
			section events
			event-size 20 0
			event-size 30 2
			event-size 31 2
			event-size 32 2
			section formats
			batch
			system: printk
			name: console
			ID: 20
			format:
				field:unsigned short common_type;	offset:0;	size:2;	signed:0;
				field:unsigned char common_flags;	offset:2;	size:1;	signed:0;
				field:unsigned char common_preempt_count;	offset:3;	size:1;	signed:0;
				field:int common_pid;	offset:4;	size:4;	signed:1;

				field:__data_loc char[] msg;	offset:8;	size:4;	signed:0;

			print fmt: "%s", __get_str(msg)
			end
		END
		timer_format 30 timer_start
		timer_format 31 timer_expire_entry
		timer_format 32 timer_expire_exit
		echo "include $top/tests/golden/clock.inc"
		echo 'section log'
		echo 'log log_ns=1000000000 mono_ns=5000000000'
		awk '!/^#(=| SPDX)/ { at += 0.000001; printf "<6>[    %.6f] %s\n", 1.5 + at, $0 }' "$1"
		echo end
		echo 'section marks'
		echo 'zero 128'
		if [ -n "$reason" ]; then
			echo 'section crash'
			echo 'entry 512'
			echo '	u64 1900008000 5900008000 1700000000900008000'
			echo '	u32 0 7'
			echo '	text 16 "shell"'
			echo "	text 456 \"$reason\""
			echo end
		fi
		cat <<-'END'
			section counters
			u64 0 0xffffffffffffffff 0 0xffffffffffffffff
			zero 32
			section ring cpu=0 channel=1 unit=4096 index=0
			sub seq=1 time=1500000000 pid=5
		END
		of "$1" event
	} >"$dir/text.region"
	(cd "$top/tests/golden" && ./mkregion "$dir/text.region" "$dir/region")
}

# of FILE KEY: what its head wants
of() {
	sed -n "s/^#= $2 //p" "$1"
}

is_explained() {
	region_of "$1" || return
	"$epitaph" explain --json "$dir/region" >"$dir/json" 2>"$dir/err"
	"$epitaph" explain "$dir/region" >"$dir/page" 2>/dev/null
	cat "$dir/page"
	"$top/tests/lib/json-schema" follows "$top/docs/explain.schema.json" <"$dir/json"
	status=$?
	for key in kind strength signature; do
		want=$(of "$1" "$key")
		jq -e --arg want "$want" ".$key == \$want" "$dir/json" >/dev/null || {
			echo "$key is $(jq -r ".$key" "$dir/json"), and not $want"
			status=1
		}
	done
	of "$1" says >"$dir/says"
	while read -r word; do
		jq -e --arg word "$word" '[.claim, .why_not_more // "", (.evidence[].text), .also[]] | any(contains($word))' "$dir/json" >/dev/null || {
			echo "it does not say \"$word\""
			status=1
		}
	done <"$dir/says"
	of "$1" silent >"$dir/silent"
	while read -r word; do
		! grep -F "$word" "$dir/page" || {
			echo "it says \"$word\""
			status=1
		}
	done <"$dir/silent"
	of "$1" never >"$dir/never"
	while read -r word; do
		! jq -e --arg word "$word" '.claim | contains($word)' "$dir/json" >/dev/null || {
			echo "it claims \"$word\""
			status=1
		}
	done <"$dir/never"
	return "$status"
}

# What died, why, how sure, evidence and what to do fit a terminal.
fits_a_screen() {
	sed '/^$/,$d' "$dir/page" >"$dir/screen"
	[ "$(wc -l <"$dir/screen")" -le 24 ] && ! sed '/^next$/,$d; /^signature /d' "$dir/page" | grep -E '^.{81}'
}

for case in "$top"/tests/crashes/*.log; do
	name=$(basename "$case" .log | tr - _)
	ok "$name" is_explained "$case"
	ok "${name}_fits_a_screen" fits_a_screen
done

every_golden_region_has_a_page() {
	for text in "$top"/tests/golden/*.region; do
		(cd "$top/tests/golden" && ./mkregion "$text" "$dir/region") || return
		"$epitaph" explain "$dir/region" >"$dir/page" 2>"$dir/err"
		case $? in
		0 | 1) grep -q '^signature ' "$dir/page" || { echo "$text"; return 1; } ;;
		4 | 5) [ -s "$dir/err" ] ;;
		*) echo "$text: $?"; return 1 ;;
		esac || return
	done
}
ok every_golden_region_has_a_page every_golden_region_has_a_page

the_page_has_a_row_for_each_key() {
	"$top/tests/lib/json-schema" row-for-each "$top/docs/explain.schema.json" "$top/docs/explain.md"
}
ok the_page_has_a_row_for_each_key the_page_has_a_row_for_each_key

a_file_that_is_none_is_told() {
	echo none >"$dir/none"
	! "$epitaph" explain "$dir/none" 2>"$dir/err" && grep -q '^epitaph explain: .*none' "$dir/err" || return
	! "$epitaph" explain 2>"$dir/err" && [ -s "$dir/err" ]
}
ok a_file_that_is_none_is_told a_file_that_is_none_is_told
finish
