#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What sysrq-w, sysrq-t and sysrq-l print on a console: explain says which tasks were blocked, and where.
# The text is of tests/vm/ftrace/long/console-text.sh: a machine that hangs by two mutexes.
# shellcheck disable=SC2317
# shellcheck source=tests/lib/lib.sh
. "$(dirname "$0")/../../lib/lib.sh"

cp "$here/blocked.text" "$dir/blocked"

# explained FILE
explained() {
	"$epitaph" explain --json "$1" >got.json || [ $? = 1 ] || return
	cat got.json
}

# is STRENGTH CLAIM
is() {
	jq -e --arg strength "$1" --arg claim "$2" '.strength == $strength and (.claim | test($claim))' got.json
}

# has KEY TEXT
has() {
	jq -e --arg key "$1" --arg text "$2" '[.[$key][] | .text? // .] | any(test($text))' got.json
}

# later SECONDS FILE: the same lines at another time.
later() {
	awk -v more="$1" '/^\[ / { t = substr($0, 2, 12) + more; printf "[%12.6f%s\n", t, substr($0, 14); next } { print }' "$2" | grep '^\['
}

of_sysrq() {
	sed -n "/sysrq: Show Blocked/,\$p" blocked
}

who_and_where() {
	explained blocked &&
		is possible '^3 tasks were blocked when sysrq-w was pressed, right before the end; the first is watcher-167, in __mutex_lock\(\), called by watcher\(\) of module two_mutexes\.$' &&
		has evidence 'configure-168 was blocked \(state D\) in __mutex_lock\(\), called by configure\(\) of module two_mutexes' &&
		has evidence 'hotplug-169 was blocked' && jq -e '.kind == "hung-task" and .signature == "hung-task:watcher<kthread"' got.json
}

is_of_its_time() {
	{ cat blocked; echo '[   65.400000] usb 1-1: new device'; } >minute && explained minute && is possible 'pressed, 60 s before the end' &&
		jq -e 'any(.evidence[]; (.text | test("watcher-167")) and .before_end_ns > 60000000000)' got.json
}

# Behind two minutes the kernel would have said it itself.
too_old() {
	{ cat blocked; echo '[  165.400000] usb 1-1: new device'; } >old && explained old && is 'not known' 'did not say how it ended' &&
		has also 'when sysrq-w was pressed, 160\.[0-9]* s before the end, 3 tasks were blocked: watcher-167 in __mutex_lock'
}

twice() {
	{ cat blocked; of_sysrq | later 12 /dev/stdin; } >twice && explained twice &&
		is likely 'right before the end, and at least 10 s before that' && has evidence 'watcher-167 was blocked .* as 12 s before'
}

# Twice within a second says no more than once.
twice_at_once() {
	{ cat blocked; of_sysrq | later 1 /dev/stdin; } >soon && explained soon && is possible 'right before the end;'
}

# One of them stands elsewhere: it moved.
one_moved() {
	{ cat blocked; of_sysrq | later 12 /dev/stdin | sed 's/configure+0x27/configure+0x17/'; } >moved && explained moved &&
		is possible '^3 tasks were blocked' && has evidence 'watcher-167 was blocked .* as 12 s before' &&
		! has evidence 'configure-168 .* as 12 s before'
}

# The second time none was.
gone() {
	{ cat blocked; echo '[   17.000000] sysrq: Show Blocked State'; } >gone && explained gone && is 'not known' 'did not say how it ended' &&
		! has also 'were blocked'
}

then_crashed() {
	{ cat blocked; echo '[    9.000000] sysrq: Trigger a crash'; echo '[    9.000300] Kernel panic - not syncing: sysrq triggered crash'; } >crashed &&
		explained crashed && is shown 'The crash was asked for' &&
		has also 'when sysrq-w was pressed, 3\.63[0-9] s before the end, 3 tasks were blocked: watcher-167 in .*; configure-168 in .*; hotplug-169 in '
}

# Of all tasks, those in D.
of_all_tasks() {
	sed 's/sysrq: Show Blocked State/sysrq: Show State/; s/task:watcher         state:D/task:watcher         state:S/' blocked >all &&
		explained all && is possible '^2 tasks were blocked when sysrq-t was pressed.*configure-168' && ! has evidence watcher-167
}

# The kernel's own report says more than a key.
reported_as_well() {
	{ cat blocked; echo '[  131.000000] INFO: task watcher:167 blocked for more than 120 seconds.'
		sed -n '/task:watcher/,/<.TASK>/p' blocked | later 125.7 /dev/stdin; } >reported && explained reported &&
		is possible 'The task watcher-167 waited too long' && has also '3 tasks were blocked: watcher-167'
}

cpus() {
	explained blocked && has evidence '^CPU 0 ran swapper/0-0, in trace_event_buffer_reserve' && ! has evidence '^CPU 1 ran'
}

an_idle_cpu() {
	sed '/NMI backtrace for cpu 0/,$d' blocked >idle && echo '[    5.373441] NMI backtrace for cpu 0 skipped: idling at native_safe_halt+0xb/0x10' >>idle &&
		explained idle && is possible '3 tasks' && ! has evidence '^CPU'
}

# Events of the recorder say that one was woken since.
woken_since() {
	{ cat blocked; printf '%s\n' '[    7.000000] epitaph: last events of 2 CPUs, newest last: 2 of 2 at hand' \
		'[    7.000001]           <idle>-0       [001]     6.900000: sched_waking: comm=watcher pid=167 prio=120 target_cpu=001' \
		'[    7.000002]           <idle>-0       [001]     6.950000: sched_wakeup: comm=watcher pid=167 prio=120 target_cpu=001'; } >woken &&
		explained woken && is possible '^2 tasks were blocked.*configure-168' && ! has evidence 'watcher-167 was blocked'
}

# Words of other kernels: 5.10 and 6.13.
other_kernels() {
	sed -E 's/stack:0     pid:([0-9]+)   ppid:2     /stack:    0 pid:  \1 ppid:     2/' blocked >older && explained older && is possible '^3 tasks.*watcher-167' &&
		sed -E 's/pid:([0-9]+)   ppid:2 /pid:\1   tgid:\1   ppid:2  task_flags:0x208040/' blocked >newer && explained newer && is possible '^3 tasks.*watcher-167'
}

names() {
	sed 's/task:watcher        /task:x state:S stack/' blocked >named && explained named && is possible 'the first is x state:S stack-167, in' &&
		sed 's/task:watcher        /task:a b-c          /' blocked >named && explained named && is possible 'the first is a b-c-167, in'
}

# Without the kernel's own first line it is any text.
not_the_kernel() {
	sed '/sysrq: Show/d' blocked >forged && explained forged && is 'not known' 'did not say how it ended' && ! has also 'were blocked'
}

cut_anywhere() {
	size=$(wc -c <blocked)
	for n in $(seq 300 211 "$size"); do
		head -c "$n" blocked >short
		"$epitaph" explain short >printed 2>&1
		[ $? -le 4 ] || { echo "cut at $n"; cat printed; return 1; }
	done
}

# A hundred thousand tasks in a thousand lists.
many() {
	{ cat blocked
		awk 'BEGIN { for (i = 0; i < 1000; i++) { printf "[    6.%06d] sysrq: Show Blocked State\n", i
			for (j = 0; j < 100; j++) printf "[    6.%06d] task:t%-14d state:D stack:0 pid:%d ppid:2\n[    6.%06d] Call Trace:\n[    6.%06d]  f+0x1/0x2\n", i, j, j, i, i } }'; } >many &&
		timeout 20 "$epitaph" explain --json many >got.json
	[ $? -le 1 ] && is possible '^100 tasks were blocked.*t0-0, in f\(\)'
}

# shellcheck disable=SC2154 # lib.sh has dir
cd "$dir" || exit
for name in who_and_where is_of_its_time too_old twice twice_at_once one_moved gone then_crashed of_all_tasks reported_as_well cpus \
	an_idle_cpu woken_since other_kernels names not_the_kernel cut_anywhere many; do
	ok $name $name
done
finish
