#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What is on in ftrace's instance "epitaph" is in the region: kprobes, a uprobe, a synthetic
# event, a module's events, markers, functions and trace_printk(), before an oops and
# after it, each once though the top instance has the same on.

. "$(dirname "$0")/../lib.sh"
. "$here/lib-bridge.sh"

guest_modules="ahci virtio_pci virtio_blk ext4"
guest_programs="/bin/trace-cmd trace-cmd"
guest <<'END'
t=/sys/kernel/tracing
i=$t/instances/epitaph
# work NAME: something of each kind.
work() {
	for n in 1 2 3 4 5 6 7 8 9 10; do
		marker 7 1 20 65 >/dev/null
		echo "$1 $n" >$i/trace_marker
		echo "not for us $n" >$t/trace_marker || true
		mkdir "/disk/$1-$n"
	done
	sync
}
load_recorder bridge=1
arm_kdump
load_modules /lib/modules
await_file /dev/vda
mount -t tracefs none $t || true
mount -t ext4 /dev/vda /disk
mkdir -p /disk/truth
check "the recorder made the instance" [ -d $i ]
check "it says so" sh -c 'epitaph-static bridge | grep -x "bridge on, 0 events, 0 refused"'
check "the instance cannot be removed meanwhile" refused rmdir $i
check "another word is refused" refused epitaph bridge maybe
# 7.0 has another name for it.
mkdirat=do_mkdirat
grep -q ' do_mkdirat$' /proc/kallsyms || mkdirat=filename_mkdirat
echo "p:made $mkdirat dfd=\$arg1:s32 mode=\$arg3:x16" >$t/kprobe_events
echo "r:made_ret $mkdirat ret=\$retval:s32" >>$t/kprobe_events
echo "p:marked /test/marker:$(cat /test/main)" >$t/uprobe_events
# Debian's 5.10 has none of them.
synthetic=
if [ -e $t/synthetic_events ]; then
	synthetic="-e synthetic"
	echo 'woken u64 lat; char[] what; pid_t pid' >$t/synthetic_events
	echo 'hist:keys=pid:ts0=common_timestamp.usecs' >$t/events/sched/sched_waking/trigger
	echo 'hist:keys=next_pid:lat=common_timestamp.usecs-$ts0:onmatch(sched.sched_waking).woken($lat,next_comm,next_pid)' \
		>$t/events/sched/sched_switch/trigger
fi
check "main is stopped" epitaph channel stop main
check "trace-cmd turns events on" trace-cmd start -B epitaph -p function -l vfs_mkdir \
	-e kprobes:made -e uprobes $synthetic -e ext4:ext4_request_inode -e sched:sched_switch
check "a file of the instance does" sh -c "echo 1 >$i/events/kprobes/made_ret/enable"
# A filter on an event that the recorder has a use for, and that does not come any more.
echo 'common_pid != 1' >$i/events/initcall/filter
# The same for others, and something that is not for us.
echo 1 >$t/events/kprobes/enable
echo 1 >$t/events/ext4/enable
echo vfs_mkdir >$t/set_ftrace_filter
echo function >$t/current_tracer
work while_stopped
insmod /test/printer.ko
rmmod printer
rm -r /disk/while_stopped-*
# What comes from here on, both have.
echo 0 >$i/tracing_on
echo >$i/trace
check "and goes on" epitaph channel start main
echo 1 >$i/tracing_on
work before
# Deleting a probe empties the buffer; till then nothing happens that only one of the two has.
echo 0 >$i/tracing_on
cat $i/trace >/disk/truth/trace
check "a probe is deleted" sh -c "echo 0 >$i/events/kprobes/made_ret/enable; echo 0 >$t/events/kprobes/made_ret/enable; echo -:made_ret >>$t/kprobe_events"
echo 1 >$i/tracing_on
# It gets the number of the one that went.
echo 'p:synced ksys_sync what=%di:u8' >>$t/kprobe_events
echo 1 >$i/events/kprobes/synced/enable
sync
insmod /test/printer.ko
echo 0 >/proc/sys/kernel/panic_on_oops
load_victim
(bug process) || true
check "the kernel stops its own trace at the oops" sh -c "grep -x 0 $t/tracing_on"
work after
rmmod printer
insmod /test/printer.ko
[ -n "$synthetic" ] && least=6 || least=4
check "all formats came" sh -c "epitaph-static bridge | grep -E 'bridge on, [$least-9] events, 0 refused'"
# A filter alone turns nothing on.
echo 'dev == 1' >$i/events/ext4/ext4_free_inode/filter
rmdir /disk/before-1
sync
echo 0 >$i/tracing_on
cat $i/trace >>/disk/truth/trace
sync
umount /disk
bug panic
END
${CC:-cc} -std=gnu11 -O2 -Wall -Wextra -Werror -static -no-pie -I "$top/api" -I "$top/include" -o "$out/marker" "$here/marker.c"
objdump -dF "$out/marker" | sed -n 's/.*<main> (File Offset: \(0x[0-9a-f]*\)):/\1/p' >"$out/main"
pack_guest "$out/marker" "$out/main" "$top/extractor/epitaph-static" "$(dirname "$victim")/printer.ko"
crash_whole --allow 'panic - not syncing: victim: panic' --allow 'BUG: kernel NULL pointer dereference' --allow 'Oops: 0' \
	--allow 'BUG: KASAN: null-ptr-deref in dereference_null'
# Debian's 5.10 has no synthetic events, and ftrace exports no uprobes there.
[ "$kernel" = 5.10 ] && synthetic="" uprobe="" || synthetic=synthetic:woken uprobe=uprobes:marked

# A CPU that went from one task to another has another one to go from.
# shellcheck disable=SC2317 # check calls it
switches_are_there_once() {
	for cpu in 0 1; do
		# Two that are alike may be beside each other where main was stopped between them.
		grep -F -e "[00$cpu]" -e ': mark: channel ' "$out/report" |
			sed -n 's/.*: sched_switch: //p; s/.*\(: mark: channel .*\)/\1/p' | uniq -d >"$out/twice"
		[ ! -s "$out/twice" ] || { head -n 3 "$out/twice"; return 1; }
	done
	grep -q ': sched_switch: ' "$out/report"
}

# shellcheck disable=SC2317 # check calls it
trace_cmd_says() {
	recovers "$epitaph" export --to trace.dat -o "$out/trace.dat" "$saved/region"
	trace-cmd report -i "$out/trace.dat" >"$out/trace-cmd" 2>&1
	for text in ' made: ' "${synthetic:+ woken: }" 'after 10' 'vfs_mkdir' 'only a text'; do
		grep -F -- "$text" "$out/trace-cmd" >"$out/found" || { echo "lacks $text"; return 1; }
	done
}

# As many of each as the report has.
# shellcheck disable=SC2317 # check calls it
babeltrace_says() {
	recovers "$epitaph" export --to ctf -o "$out/ctf" "$saved/region"
	babeltrace2 "$out/ctf" >"$out/babeltrace"
	for event in kprobes:made $synthetic ext4:ext4_request_inode $uprobe; do
		[ "$(grep -cF " $event: " "$out/babeltrace")" = "$(grep -cF " ${event#*:}: " "$out/report")" ] ||
			{ grep -cF " $event: " "$out/babeltrace"; echo "of $event"; return 1; }
	done
	[ -z "$synthetic" ] || grep -F " $synthetic: " "$out/babeltrace" | grep -q 'what = "[^"]' || return 1
	grep -F 'ftrace:function:' "$out/babeltrace" | grep -q 'parent_ip = ' &&
		grep -F 'ftrace:print:' "$out/babeltrace" | grep -q 'buf = "after 10"'
}

# shellcheck disable=SC2317 # check calls it
field() {
	jq -c "select($1) | .fields" "$out/region.json" >"$out/found"
	[ "$(wc -l <"$out/found")" = "$2" ] || { wc -l "$out/found"; head -n 3 "$out/found"; return 1; }
}

check "the region can be exported" export_json region
recovers "$epitaph" report --all --monotonic "$saved/region" >"$out/report"
check "kprobes are there once, with functions and fields" both_have ' made: '
check "so is one that returns" both_have ' made_ret: '
check "so is one with the number of one that was deleted" both_have ' synced: '
[ -z "$uprobe" ] || check "so is a uprobe" both_have ' marked: '
[ -z "$synthetic" ] || check "so is a synthetic event" both_have ' woken: '
check "so is an event of a module with its own header" both_have ' ext4_request_inode: '
check "so are functions" both_have ' vfs_mkdir <-'
check "so are markers" both_have ' (before|after) [0-9]+$'
check "there are as many before the oops as after it" field \
	'.event == "kprobes:made"' 20
check "markers for others are not there" sh -c "! grep -F 'not for us' '$out/report'"
check "trace_printk() is there, also after the oops" field \
	'.event == "ftrace:print" and .fields.buf == "long -1 2 ffff0000ffff ffffffffffffffff 4"' 2
check "an event that a probe of ours records is there once" switches_are_there_once
check "texts that are put are there, whatever is in the third register" field \
	'.event == "ftrace:print" and (.fields.buf | test("^put with [0-5]$"))' 12
check "nothing came while main was stopped" sh -c "! grep -F while_stopped '$out/report'"
check "nothing is without its format" sh -c "! grep -E ': early: |unknown:|format lost' '$out/report'"
check "a filter alone turned nothing on" sh -c "! grep -F ext4_free_inode '$out/report'"
check "trace-cmd reads it" trace_cmd_says
check "so does babeltrace2, as CTF" babeltrace_says
finish
