#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A crash by sysrq-c; its trace out of every container is the same.

. "$(dirname "$0")/../lib.sh"

# shellcheck disable=SC2317
# Status 1 is damage, and a kernel may have some of its own.  From 6.12 on, makedumpfile 1.7.2 leaves
# pages of ftrace's out (docs/ftrace.md).  There is no other.
whole_but_for_own() {
	case $kernel in
	6.1-debug) own="the kernel.*(has no BTF|without its symbols and types|its types do not tell where)" ;;
	5.10 | 6.1 | 6.1-*) own= ;;
	# What lies behind such a page is found by its shape, without its CPU.
	*) own="(ftrace, .* was left out by makedumpfile|.* sub-buffers with .* were found by looking at every page)" ;;
	esac
	result=0
	"$@" || result=$?
	[ "$result" = 1 ] && [ -n "$own" ] || return "$result"
	recovers "$epitaph" report --source all --events 1 "$out/saved/vmcore" >"$out/damage" || return
	! grep '^# damage: ' "$out/damage" | grep -vE "^# damage: $own"
}

# shellcheck disable=SC2317
# The last events of the vmcore, from every source, as trace-cmd and babeltrace2 read them.
exports_agree() {
	whole_but_for_own "$epitaph" export --to json -o "$out/last.json" --source all --events 20000 \
		"$out/saved/vmcore" || return 1
	for to in ctf trace.dat; do
		rm -rf "$out/last"
		whole_but_for_own "$epitaph" export --to "$to" -o "$out/last" --source all --events 20000 \
			"$out/saved/vmcore" &&
			"$here/../unit/export/export_compare" "$to" "$out/last.json" "$out/last" || return 1
	done
}

# The region has no notes; those are of the vmcore, by the kernel.
# shellcheck disable=SC2317
registers_are_the_notes() {
	recovers "$epitaph" report --events 1 "$saved/region" >"$out/head" &&
		"$here/registers-same" "$saved/vmcore.elf" "$out/head"
}

guest <<'END'
# kexec's code compares the sums of the capture kernel: the one that died wrote nothing there.
kexec_args=
capture_kernel=/boot/vmlinuz
record
sleep 2
crash
END
pack_guest
capture_args=capture.elf
# Debian's image as it is, its tests of ciphers, and page tables of five levels.
packed_kernel=yes
append=cryptomgr.notests=0
crash_whole --cpu max,-erms,-fsrm --allow 'panic - not syncing: sysrq triggered crash'
check "the ELF vmcore is saved, for root only" is_private vmcore.elf
check "region and ELF vmcore give the same trace" same_trace region vmcore.elf
check "registers of a stopped CPU are those of the vmcore's notes" registers_are_the_notes
check "what other tools read of the vmcore is the same" exports_agree
finish
