#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# How long the hook of a capture boot holds up the vmcore: seconds, whatever the disk does.
# shellcheck disable=SC2317
# shellcheck source=tests/lib/lib.sh
. "$(dirname "$0")/../../lib/lib.sh"

mkdir "$dir/bin" "$dir/run"

# With 6 s in all instead of 50, and 2 of them for the console.
hook=$dir/capture
sed 's/^all=50$/all=6/; s/^for_console=10$/for_console=2/' "$top/kdump-hooks/capture" >"$hook"
chmod +x "$hook"

# played NAME: a program, from standard input
played() {
	{
		echo '#!/bin/sh'
		cat
	} >"$dir/bin/$1"
	chmod +x "$dir/bin/$1"
}

played_epitaph() {
	played epitaph <<-END
		echo "epitaph \$*" >>"$dir/done"
		$1
	END
}

# runs [DIR]: a hook of this boot; its status is in $is, its seconds in $took
runs() {
	rm -f "$dir/done"
	: >"$dir/done"
	began=$(date +%s)
	EPITAPH_RUN=$dir/run EPITAPH_PRINTK=$dir/printk PATH=$dir/bin:$PATH "$hook" "${1-$dir/crash}" >"$dir/console" 2>&1
	is=$?
	took=$(($(date +%s) - began))
	cat "$dir/console"
}

first_of_a_boot() {
	rm -f "$dir/run"/*
}

saved_is_said_with_its_status() {
	first_of_a_boot
	played_epitaph 'echo captured; exit 1'
	runs
	[ "$is" = 1 ] && grep -qx captured "$dir/console" && grep -q 'the trace is on disk, [0-9.]* s after' "$dir/console" &&
		grep -qx "epitaph capture -o $dir/crash" "$dir/done" && [ -e "$dir/run/epitaph-capture-ran" ]
}

no_recorder_is_no_error() {
	first_of_a_boot
	played_epitaph 'exit 4'
	runs
	[ "$is" = 4 ] && ! grep ERROR "$dir/console"
}

a_directory_may_lie_in_the_root() {
	first_of_a_boot
	played_epitaph 'exit 0'
	runs "/epitaph-no-such-$$"
	[ "$is" = 0 ] && grep -qx "epitaph capture -o /epitaph-no-such-$$" "$dir/done"
}

# mkdir's status 1 is that of a trace that is saved with damage, if it is the tool's.
a_directory_that_cannot_be_made_is_an_error() {
	first_of_a_boot
	# shellcheck disable=SC2016 # the played program expands it
	played_epitaph '[ "$1" != seal ] || echo never'
	: >"$dir/file"
	runs "$dir/file/there/crash"
	[ "$is" = 3 ] && ! grep 'the trace is on disk' "$dir/console" && grep -q 'ERROR not everything is saved in .* (status 3)' "$dir/console" &&
		! grep '^epitaph capture' "$dir/done"
}

# What is sent from here is this trace, and no older one that lies beside it.
saved_is() {
	first_of_a_boot
	played_epitaph "$1"
	runs
	[ "$(cat "$dir/run/epitaph-saved" 2>/dev/null)" = "${2-}" ]
}

the_name_of_what_is_saved_is_left() {
	saved_is "echo 'captured $dir/crash/epitaph-0f5c-20261120T234107Z.1: 8 MiB, crashed 2026-11-20 23:41:52 UTC: Oops: f\\x1b'; exit 1" "$dir/crash/epitaph-0f5c-20261120T234107Z.1" &&
		grep -qxF 'captured '"$dir/crash/epitaph-0f5c-20261120T234107Z.1: 8 MiB, crashed 2026-11-20 23:41:52 UTC: Oops: f\\x1b" "$dir/console" &&
		saved_is "printf 'captured before, in %s: 8 MiB, x: y' $dir/crash/epitaph-0f5c-20261120T234107Z; exit 0" "$dir/crash/epitaph-0f5c-20261120T234107Z" &&
		saved_is "echo 'epitaph capture: $dir/crash/epitaph-0f5c: no room' >&2; [ \$1 = report ] || exit 3" && saved_is 'exit 4'
}

# In the tool's own words, also when an earlier hook has saved it.
the_name_is_that_of_the_tool() {
	"$top/tests/golden/mkregion" "$top/tests/golden/whole.region" "$dir/vmcore" || return
	played epitaph <<-END
		exec "$epitaph" "\$@" "$dir/vmcore"
	END
	for said in captured 'captured before, in'; do
		first_of_a_boot
		runs
		saved=$(cat "$dir/run/epitaph-saved") && [ "$saved" = "$(echo "$dir/crash"/epitaph-*)" ] && [ -s "$saved/region" ] &&
			grep -q "^$said $dir/crash/epitaph-" "$dir/console" || return
	done
}

# What says to the unit that nothing is left to do for it.
marks_what_is_done() {
	for status in 0 1 2 3 4 5 124; do
		echo "status $status"
		first_of_a_boot
		played_epitaph "[ \$1 != seal ] || exec echo never; exit $status"
		runs
		case $status in
		0 | 1 | 4) [ -e "$dir/run/epitaph-captured" ] ;;
		*) [ ! -e "$dir/run/epitaph-captured" ] ;;
		esac || return
	done
}

a_failure_has_the_last_events() {
	first_of_a_boot
	# shellcheck disable=SC2016 # the played program expands it
	played_epitaph 'case $1 in report) echo the events ;; seal) echo encrypted ;; *) exit 3 ;; esac'
	runs
	[ "$is" = 3 ] && grep -q 'ERROR not everything is saved in .* (status 3)' "$dir/console" && grep -qx 'the events' "$dir/console"
}

a_driver_does_not_tear_the_last_events() {
	first_of_a_boot
	printf '7\t4\t1\t7\n' >"$dir/printk"
	played_epitaph "case \$1 in report) cut -c1 $dir/printk | sed 's/^/level /' ;; seal) echo never ;; *) exit 3 ;; esac"
	runs
	grep -qx 'level 1' "$dir/console" && [ "$(cut -f1 "$dir/printk")" = 7 ]
}

# when WORD: what the tool says of seal.conf; "": it fails
no_events_where_they_must_be_sealed() {
	for when in always '' encrypted never; do
		first_of_a_boot
		played_epitaph "case \$1 in report) echo the events ;; seal) echo $when; [ -n '$when' ] ;; *) exit 3 ;; esac"
		runs
		case $when in
		encrypted | never) grep -qx 'the events' "$dir/console" ;;
		*) [ "$is" = 3 ] && ! grep 'the events' "$dir/console" && grep -qE 'the trace is not sealed .status 3.|seal.conf could not be read' "$dir/console" ;;
		esac || return
	done
}

# The guard is what ends it: the limit of 4 s, and 4 more.
what_cannot_be_killed_is_left_behind() {
	first_of_a_boot
	played_epitaph "trap '' TERM; sleep 300"
	played timeout <<-'END'
		trap '' TERM
		exec sleep 300
	END
	runs
	rm "$dir/bin/timeout"
	pkill -KILL -f '^sleep 300$'
	[ "$is" = 124 ] && [ "$took" -lt 60 ] && grep -q 'ERROR not everything is saved in .* (it took longer than 4 s)' "$dir/console"
}

what_hangs_is_ended() {
	first_of_a_boot
	played_epitaph "trap '' TERM; while :; do sleep 1; done"
	runs
	[ "$is" = 124 ] && [ "$took" -lt 60 ] && ! pgrep -f "$dir/bin/epitaph"
}

# 50 s for each of several hooks are minutes.
later_hooks_have_what_is_left() {
	runs
	[ "$is" = 124 ] && [ ! -s "$dir/done" ] &&
		grep -q 'ERROR the trace is not saved .* which the vmcore waits at most.* The vmcore has it' "$dir/console"
}

a_quick_failure_leaves_time_for_the_next() {
	first_of_a_boot
	played_epitaph 'exit 3'
	runs
	played_epitaph 'exit 0'
	runs
	[ "$is" = 0 ] && [ "$(cat "$dir/run/epitaph-capture-left")" -le 6 ]
}

what_is_left_may_be_damaged() {
	first_of_a_boot
	echo x >"$dir/run/epitaph-capture-left"
	played_epitaph 'exit 0'
	runs
	[ "$is" = 0 ]
}

nothing_can_be_written() {
	first_of_a_boot
	rmdir "$dir/run"
	played_epitaph 'exit 0'
	runs
	mkdir "$dir/run"
	[ "$is" = 0 ] && ! grep -i 'no such file' "$dir/console"
}

for claim in a_directory_may_lie_in_the_root a_directory_that_cannot_be_made_is_an_error marks_what_is_done \
	the_name_of_what_is_saved_is_left the_name_is_that_of_the_tool \
	no_events_where_they_must_be_sealed saved_is_said_with_its_status no_recorder_is_no_error a_failure_has_the_last_events \
	a_driver_does_not_tear_the_last_events \
	what_cannot_be_killed_is_left_behind what_hangs_is_ended later_hooks_have_what_is_left \
	a_quick_failure_leaves_time_for_the_next what_is_left_may_be_damaged nothing_can_be_written; do
	ok $claim $claim
done
finish
