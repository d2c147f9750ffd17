#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Secrets of more than forty kinds, each where a kernel keeps such a thing, in a vmcore with all of the
# machine's memory: each of them is there, and none comes out of `redact --profile public`.  With
# $stranger, of canaries-stranger.sh, the machine has no recorder, and the copy has log and stacks alone.

# shellcheck disable=SC2317 # check calls them
VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"

# NUMBER WHERE KIND. "printed": in what is printed of the unredacted file, and in memory; "memory": there alone.
cat >"$out/kinds" <<'END'
01 printed task-name
02 memory argument-of-a-program
03 memory environment-variable
04 memory path-of-a-program
05 memory working-directory
06 memory name-of-an-open-file
07 memory content-of-a-file
08 memory target-of-a-link
09 memory extended-attribute
10 memory network-interface
11 memory alias-of-an-interface
12 memory host-name
13 memory domain-name
14 memory name-of-a-keyring
15 memory description-of-a-key
16 memory payload-of-a-key
17 printed line-in-kmsg
18 printed task-in-a-line-of-the-kernel
19 printed word-of-the-command-line
20 memory module-parameter
21 printed unknown-module-parameter
22 printed mark
23 memory trace-marker
24 memory name-of-a-kprobe
25 memory group-of-a-kprobe
26 memory instance-of-ftrace
27 memory filter-of-an-event
28 memory pattern-of-core-files
29 memory program-that-loads-modules
30 memory command-that-powers-off
31 memory cgroup
32 memory source-of-a-mount
33 memory name-of-a-device-node
34 memory path-of-a-socket
35 memory abstract-socket
36 memory name-of-a-message-queue
37 memory name-of-a-memfd
38 memory heap-of-a-program
39 memory bytes-in-a-pipe
40 memory name-of-a-bpf-map
41 memory name-of-a-bpf-program
42 printed name-of-a-thread
43 memory file-on-a-disk
44 memory place-of-a-mount
45 memory bytes-in-a-socket
46 memory input-of-a-terminal
47 memory message-in-a-queue
48 printed channel-of-the-recorder
END
# Nothing recorded is printed then: no mark, no channel, no switch of tasks.
[ -z "${stranger:-}" ] || sed -i -E '/^(22|48) /d; s/^(01|42) printed/\1 memory/' "$out/kinds"

guest <<'END'
w() {
	echo "Qz${1}Kw"
}
put() {
	echo "$1" >"$2"
}
say_mark() {
	printf '%s' "$(w 22)" >/dev/epitaph-mark
}
with_disk
[ ! -f /test/epitaph.ko ] || load_recorder
arm_kdump
mkdir -p /sys/fs/cgroup /dev/mqueue /dev/pts
mount -t cgroup2 cgroup2 /sys/fs/cgroup
mount -t mqueue mqueue /dev/mqueue
mount -t devpts devpts /dev/pts
mount -t tmpfs tmpfs /tmp
[ -d /sys/kernel/tracing/events ] || mount -t tracefs tracefs /sys/kernel/tracing
t=/sys/kernel/tracing
check "a path" mkdir "/tmp/$(w 04)"
cp /test/plant "/tmp/$(w 04)/plant"
env "SECRET=$(w 03)" "/tmp/$(w 04)/plant" Qz "$(w 02)" >/tmp/planted 2>&1 &
check "an unknown parameter" insmod /test/dummy.ko "$(w 21)=1"
check "an interface" ip link add "$(w 10)" type dummy
check "its alias" put "$(w 11)" "/sys/class/net/$(w 10)/ifalias"
check "it is up" ip link set "$(w 10)" up
check "a host name" put "$(w 12)" /proc/sys/kernel/hostname
check "a domain name" put "$(w 13)" /proc/sys/kernel/domainname
check "a line" put "$(w 17)" /dev/kmsg
check "a module parameter" put "/lib/$(w 20)" /sys/module/firmware_class/parameters/path
[ ! -f /test/epitaph.ko ] || check "a mark" say_mark
check "a trace marker" put "$(w 23)" $t/trace_marker
check "a kprobe" put "p:$(w 25)/$(w 24) do_sys_open" $t/kprobe_events
check "an instance" mkdir "$t/instances/$(w 26)"
check "a filter" put "comm == \"$(w 27)\"" $t/events/sched/sched_process_exit/filter
check "a pattern" put "/var/$(w 28).%p" /proc/sys/kernel/core_pattern
check "a loader" put "/sbin/$(w 29)" /proc/sys/kernel/modprobe
check "a command" put "/sbin/$(w 30)" /proc/sys/kernel/poweroff_cmd
check "a cgroup" mkdir "/sys/fs/cgroup/$(w 31)"
check "a place" mkdir "/tmp/$(w 44)"
check "a mount" mount -t tmpfs "$(w 32)" "/tmp/$(w 44)"
[ ! -f /test/epitaph.ko ] || check "a channel" put "channel add $(w 48) 64K sched:*" /dev/epitaph-control
sleep 2
cat /tmp/planted
check "all is planted" grep -qx planted /tmp/planted
sync
umount /disk
crash
END
${CC:-cc} -std=gnu11 -O2 -Wall -Wextra -Werror -static -pthread -o "$out/plant" "$here/plant.c"
[ -z "${stranger:-}" ] || recorder=none
pack_guest "$out/plant" "$(module dummy)"
victim=
# All of the memory that is not zero.
capture_args=capture.elf,capture.dump_level=1
disk_size=2G
append=guest.secret=Qz19Kw crash_and_capture --timeout 500 --allow 'panic - not syncing: sysrq triggered crash' \
	${stranger:+--allow "capture: ERROR no trace saved"}
check "the guest's script came to its death" grep -q 'sysrq triggered crash' "$out/console.log"

# print_all FILE: all that commands print of it
print_all() {
	{
		"$epitaph" report --all --source all "$1"
		"$epitaph" report --all "$1"
		"$epitaph" explain "$1"
		"$epitaph" explain --json "$1"
		"$epitaph" export --to json --all -o - "$1"
		"$epitaph" export --to html --all -o - "$1"
		"$epitaph" info "$1"
		"$epitaph" info --json "$1"
		"$epitaph" mce "$1"
	} 2>&1
	:
}

each_is_in_memory() {
	"$here/canary-words" all "$out/kinds" "$saved/vmcore.elf"
}

those_are_printed() {
	print_all "$saved/vmcore" >"$out/printed" && "$here/canary-words" printed "$out/kinds" "$out/printed"
}

redacts() {
	rm -f "$out/$1"
	recovers "$epitaph" redact --profile "$1" -o "$out/$1" "$saved/vmcore" && print_all "$out/$1" >"$out/$1.printed" &&
		ls -la "$saved/vmcore" "$out/$1"
}

none_is_in_public() {
	"$here/canary-words" none "$out/kinds" "$out/public" "$out/public.printed"
}

# So the search finds what is there.
those_are_in_full() {
	"$here/canary-words" printed "$out/kinds" "$out/full.printed" && ! "$here/canary-words" none "$out/kinds" "$out/full"
}

says_why_and_where() {
	grep -q '^# died: .*sysrq triggered crash' "$out/$1.printed" && "$epitaph" explain "$out/$1" >"$out/why" &&
		grep -q '^signature sysrq-crash:sysrq_handle_crash<__handle_sysrq<write_sysrq_trigger' "$out/why"
}

is_small() {
	[ "$(stat -c %s "$out/$1")" -lt $((40 << 20)) ]
}

check "each is in the unredacted vmcore" each_is_in_memory
check "and what is recorded of them is printed" those_are_printed
for profile in public vendor full; do
	check "the $profile copy is made" redacts "$profile"
	check "it has megabytes" is_small "$profile"
	check "it says why and where the kernel died" says_why_and_where "$profile"
done
check "the full copy has those that are printed" those_are_in_full
check "none of them is in the public copy, nor in what is printed of it" none_is_in_public
finish
