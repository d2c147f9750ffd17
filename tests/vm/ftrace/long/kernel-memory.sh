#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The checks are called by name.
# shellcheck disable=SC2317
#
# What is read out of the dumped kernel's own structures, against what the same
# kernel said of itself before it died: symbols, modules, log, clocks.

VM_DIR=../..
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/../../lib.sh"
truth=$out/saved/truth

guest <<'END'
with_disk
[ ! -f /test/epitaph.ko ] || load_recorder
arm_kdump
mkdir /disk/truth
i=0
while [ $i -lt 300 ]; do
	echo "<$((8 + i % 8))>line $i of those that a program wrote$(printf '%*s' $((i % 90)) '' | tr ' ' .)"
	i=$((i + 1))
done >/tmp/lines
while read -r line; do
	echo "$line" >/dev/kmsg
done </tmp/lines
printf '<4>two\nlines, a tab\t and \033[1m\n' >/dev/kmsg
cat /proc/kallsyms >/disk/truth/kallsyms
cat /proc/modules >/disk/truth/modules
cat /sys/kernel/debug/sched/debug >/disk/truth/clocks
uname -r >/disk/truth/release
timeout 2 cat /dev/kmsg >/disk/truth/kmsg || true
umount /disk
crash
END

# says WHAT: of the vmcore.
says() {
	"$out/kernel_says" "$1" "$saved/vmcore" 2>"$out/notes"
}

same_symbols() {
	grep -v '\[' "$truth/kallsyms" >"$out/kallsyms-live"
	says kallsyms | cmp - "$out/kallsyms-live" && [ -s "$out/kallsyms-live" ]
}

# Not compared: labels within a function's data (.L...).  /proc/kallsyms has what is
# exported in capitals, and as modules what ftrace and bpf made.
same_module_symbols() {
	grep '\[' "$truth/kallsyms" | grep -v -e ' \.L' -e '\[__builtin__' -e '\[bpf\]' |
		lower_types | sort >"$out/module-symbols-live"
	says module-symbols | lower_types | sort | cmp - "$out/module-symbols-live"
}

lower_types() {
	sed 's/^\([^ ]* \)\(.\)/\1\L\2/'
}

same_modules() {
	awk '{ print $1, $2, $6 }' "$truth/modules" >"$out/modules-live"
	says modules | awk '{ print $1 }' >"$out/modules"
	awk '{ print $1 }' "$out/modules-live" | cmp - "$out/modules"
}

# Every line up to the moment it was read; without the flags, and what follows a line.
same_log() {
	grep -v '^ ' "$truth/kmsg" | sed 's/^\([0-9]*,[0-9]*,[0-9]*\)[^;]*;/\1;/' >"$out/kmsg-live"
	says kmsg | head -n "$(wc -l <"$out/kmsg-live")" | cmp - "$out/kmsg-live" &&
		[ "$(wc -l <"$out/kmsg-live")" -gt 300 ]
}

# The kernel reads them one after the other, on an emulated CPU that may be stopped in between.
same_clocks() {
	awk '$1 == "ktime" { mono = $3 } $1 == "cpu_clk" { print $3, mono }' "$truth/clocks" |
		tr -d . >"$out/clocks-live"
	says clock <"$out/clocks-live" >"$out/clocks"
	cat "$out/clocks"
	awk '{ off = $1 < 0 ? -$1 : $1; bad += off > 200000 } END { exit bad || NR != 1 }' "$out/clocks"
}

same_end() {
	says crash >"$out/crash"
	cat "$out/crash"
	grep -qx "release $(cat "$truth/release")" "$out/crash" &&
		grep -qx 'cpu [01] of 2' "$out/crash" &&
		grep -qx 'panic sysrq triggered crash' "$out/crash"
}

# Some went to the consoles, which the recorder saw, and some are in the log only.
each_line_once() {
	recovers "$epitaph" report --source all --all "$saved/vmcore" >"$out/report"
	grep -o 'line [0-9]* of those that' "$out/report" | sort | uniq -c >"$out/told"
	[ "$(wc -l <"$out/told")" = 300 ] || { wc -l "$out/told"; return 1; }
	! grep -v '^ *1 ' "$out/told" || return 1
	grep -q 'log: <15>line' "$out/report" || return 1
	[ ! -f "$saved/region" ] || grep -q 'console: .*line 1 of those' "$out/report"
}

nothing_lacks() {
	cat "$out/notes"
	[ ! -s "$out/notes" ]
}

make -s -C "$top/extractor" lib
cc -O2 -D_GNU_SOURCE -I "$top/extractor" -I "$top/include" -I "$top/kernel/include" -o "$out/kernel_says" \
	"$here/kernel_says.c" "$top/build/extractor/libepitaph.a" \
	-lbpf -ldw -lelf -lzstd -llzo2 -lz -lsnappy
pack_guest
# Debian's image as it is, memory at random addresses, and page tables of five levels.
packed_kernel=yes
append="printk.devkmsg=on log_buf_len=1M" crash_and_capture --cpu max,-erms,-fsrm \
	--allow 'panic - not syncing: sysrq triggered crash' ${allow:+--allow "$allow"}
check "every symbol is where /proc/kallsyms had it, by the same name" same_symbols
check "every module is there, in the same order" same_modules
check "so is every symbol of theirs" same_module_symbols
check "every line of the log is what /dev/kmsg gave" same_log
check "the local clock is converted as the kernel itself did" same_clocks
check "each line stands once on the timeline, with any recorder" each_line_once
check "who died of what is known" same_end
check "and nothing lacks" nothing_lacks
finish
