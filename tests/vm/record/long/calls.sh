#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# "events +calls:GLOB": the functions of a guest in a channel of their own, the same as ftrace's
# function tracer has of the same moment, at half of its instructions or less.  One CPU and an
# instruction counter, so that both figures mean something; all functions of the kernel for a while,
# with others' events in main beside them.
# shellcheck disable=SC2317

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"
region_addr=0x10000000
region_is 16M

${CC:-cc} -std=gnu11 -O2 -Wall -Wextra -Werror -static -o "$out/asks" -x c - <<'EOC'
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Nanoseconds, which are instructions here, of 100 calls of getppid(2): the least of 20 times. */
int main(void)
{
	long least = 1L << 40;

	for (int i = 0; i < 20; i++) {
		struct timespec from, to;

		clock_gettime(CLOCK_MONOTONIC, &from);
		for (int k = 0; k < 100; k++)
			syscall(SYS_getppid);
		clock_gettime(CLOCK_MONOTONIC, &to);
		long took = (to.tv_sec - from.tv_sec) * 1000000000 + to.tv_nsec - from.tv_nsec;
		least = took < least ? took : least;
	}
	printf("%ld\n", least);
	return 0;
}
EOC

guest <<'END'
lists() {
	epitaph channel | grep -qE "$1" || { epitaph channel; return 1; }
}
epitaph() {
	epitaph-static "$@"
}
only_vfs_at_last() {
	rm -f /tmp/region; epitaph snapshot -o /tmp/region >/tmp/said
	epitaph report --all --channel calls /tmp/region | grep 'function: ' | tail -n 20 >/tmp/last
	cat /tmp/last
	[ "$(grep -c 'function: vfs_' /tmp/last)" = 20 ]
}
t=/sys/kernel/tracing
mount -t tracefs none $t 2>/dev/null || true
load_recorder channels=4M
echo "guest: cost off $(/test/asks)"
check "a function that is none" wrong 2 "no function that ftrace can trace is called 'no_such_*'" events '+calls:no_such_*'
check "a number is none either" wrong 2 "is called '7'" events '+calls:7'
check "a sign is none" wrong 2 "is called '!vfs_read'" events '+calls:!vfs_read'
check "other words beside them are refused" wrong 2 "words of calls stand alone" events '+sched:*' 'calls:*_sys_getppid'
check "main's are as they were" sh -c 'epitaph-static events | grep -q "sched:sched_switch on"'
check "a channel of that name with other events" epitaph channel add calls 64K sched:sched_switch
check "is not taken for ours" wrong 2 "the channel 'calls' has other events" events '+calls:vfs_*'
check "nor stopped" wrong 2 "the channel 'calls' has other events" events '!calls:*'
check "it records still" lists '^channel calls overwrite records'
# Nothing of ftrace's is freed twice by trying globs.
for i in 1 2 3 4 5; do epitaph events '+calls:no_such_*' 2>/tmp/said || true; done
epitaph channel stop calls
epitaph channel remove calls
check "nothing was begun" sh -c '! epitaph-static channel | grep -q "^channel calls"'
check "calls are recorded" epitaph events '+calls:*_sys_getppid'
check "in a channel of their own" lists '^channel calls overwrite records [0-9]+ bytes, events 1 on of 1'
check "main does not have them" sh -c 'epitaph-static events | grep -q "calls:function off"'
check "a filter is refused" wrong 2 "calls have no filter" filter calls calls:function 'ip == 1'
check "so is a trigger" wrong 2 "calls set off no trigger" trigger calls:function stop main
/test/asks >/tmp/first
echo "guest: cost calls $(/test/asks)"
check "they are stopped" epitaph events '!calls:*'
check "the channel stays" lists '^channel calls overwrite stopped'
echo '*_sys_getppid' >$t/set_ftrace_filter
echo function >$t/current_tracer
/test/asks >/tmp/first
echo "guest: cost ftrace $(/test/asks)"
echo nop >$t/current_tracer
echo mono >$t/trace_clock
# Both at once, the same functions.
echo 'vfs_*' >$t/set_ftrace_filter
check "a list without a sign begins anew" epitaph events 'calls:vfs_*'
echo >$t/trace
echo function >$t/current_tracer
for i in 1 2 3 4 5 6; do cat /proc/uptime >/tmp/uptime; ls /test >/tmp/ls; done
echo 0 >$t/tracing_on
epitaph events '!calls:*' >/tmp/said
grep -v '^#' $t/trace | sed 's/^.*: /truth: /'
rm -f /tmp/region; epitaph snapshot -o /tmp/region >/tmp/said
epitaph report --all --channel calls /tmp/region | sed -n 's/^.*: function: /ours: /p'
echo nop >$t/current_tracer
rmmod epitaph
load_recorder generations=1 channels=4M
epitaph events 'calls:ksys_*' >/tmp/said
epitaph events '!calls:*' >/tmp/said
check "after !calls:* a word begins anew" epitaph events '+calls:vfs_*'
for i in 1 2 3 4 5; do cat /proc/uptime >/tmp/uptime; done
epitaph channel stop calls
check "with its functions alone" only_vfs_at_last
epitaph channel remove calls
check "a channel of another name may have them" epitaph channel add mine 2M 'calls:*'
check "a word means that one" epitaph events 'calls:*'
check "none is added" sh -c '! epitaph-static channel | grep -q "^channel calls"'
check "it records" lists '^channel mine overwrite records'
# Of arm64's kernels these have no place for a hook.
spared=_raw_spin_
grep -q "^$spared" $t/available_filter_functions || spared=mutex_
echo "guest: spared $spared"
check "but those" epitaph events "!calls:$spared*"
check "a word that means events of all kinds means none of calls" epitaph events '+*'
check "main has none" sh -c 'epitaph-static events | grep -q "calls:function off"'
# What ran while the machine dies is what this is for.
sleep 1
# It stays there for the dump.
echo 0 >/proc/sys/kernel/panic
echo c >/proc/sysrq-trigger
END
pack_guest "$out/asks" "$top/extractor/epitaph-static"
# shellcheck disable=SC2086 # words
append="nokaslr ${append:-}" boot --memory 384M --cpus 1 --when "Kernel panic=>dump-guest-memory -z $out/core; quit" \
	--allow 'sysrq|Kernel panic|Oops|BUG' -- ${vmcoreinfo_device--device vmcoreinfo} -icount shift=0,sleep=off -rtc base=2026-01-01,clock=vm

cost() {
	sed -n "s/^guest: cost $1 \([0-9]*\).*/\1/p" "$out/guest.log" | tr -d '\r'
}

costs_half() {
	off=$(cost off)
	ours=$(($(cost calls) - off))
	theirs=$(($(cost ftrace) - off))
	echo "# instructions of 100 calls: $ours, ftrace's $theirs"
	[ "$off" -gt 0 ] && [ "$ours" -gt 0 ] && [ $((ours * 2)) -le "$theirs" ]
}
costs_half || true
check "a call costs half of ftrace's function tracer, or less" costs_half

# lines_of WORD: what the guest's log has behind it.
lines_of() {
	sed -n "s/^$1: //p" "$out/guest.log" | tr -d '\r'
}

# ftrace was on for a part of the time: what it has is one piece of ours.
same_as_ftrace() {
	lines_of truth >"$out/truth"
	lines_of ours >"$out/ours"
	awk 'NR == FNR { truth[++nr] = $0; next }
	{ ours[++all] = $0 }
	END {
		print "# ftrace has " nr ", we have " all
		for (from = 0; nr > 100 && from + nr <= all; from++) {
			for (i = 1; i <= nr && ours[from + i] == truth[i]; i++) { }
			if (i > nr) exit 0
			if (i > most) { most = i; where = from }
		}
		print "# at best " most - 1 " agree, then: " truth[most] " | " ours[where + most]
		exit 1
	}' "$out/truth" "$out/ours"
}
same_as_ftrace || true
check "the same calls as ftrace's function tracer has, in the same order" same_as_ftrace

# The dump has the kernel, so that each has a name; what is printed of the death drives out none.
has_last_calls() {
	recovers "$epitaph" report --all --channel mine "$out/core" >"$out/report" || return 1
	grep 'function: ' "$out/report" | tail -n 300 >"$out/last"
	tail -n 20 "$out/last"
	[ "$(wc -l <"$out/last")" -eq 300 ] && tail -n 20 "$out/last" | grep 'function: sysrq_handle_crash <-__handle_sysrq' &&
		! grep -E 'function: 0x|<-0x|function: [0-9a-f]{16}|<-[0-9a-f]{16}' "$out/last"
}
check "after the crash: what led to it, by name" has_last_calls
spared=$(sed -n 's/^guest: spared \([a-z_]*\).*/\1/p' "$out/guest.log")
left_out() {
	[ "$(wc -l <"$out/last")" -eq 300 ] && [ -n "$spared" ] && ! grep "function: $spared" "$out/last"
}
check "what is left out is not there" left_out
main_has_its_own() {
	"$epitaph" report --all --channel main "$out/core" >"$out/main" && grep -q sched_switch "$out/main"
}
check "main has its own events still" main_has_its_own
rm -f "$out/core"
finish
