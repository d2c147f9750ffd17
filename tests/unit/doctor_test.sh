#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# epitaph doctor on machines made of a few files: each fault is named, with what
# to do about it.  tests/vm/doctor*.sh asks it in real guests.
# shellcheck disable=SC2317
here=$(cd "$(dirname "$0")" && pwd)
epitaph=$here/../../extractor/epitaph
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
root=$dir/root
mor=sys/firmware/efi/efivars/MemoryOverwriteRequestControl-e20939be-32d4-41be-a150-897f85d49829
boot_order=sys/firmware/efi/efivars/BootOrder-8be4df61-93ca-11d2-aa0d-00e098032b8c
nr=0
failed=0

ok() {
	claim=$1
	shift
	nr=$((nr + 1))
	if healthy && "$@" >"$dir/said" 2>&1; then
		echo "ok $nr - doctor__$claim"
	else
		echo "not ok $nr - doctor__$claim"
		sed 's/^/# /' "$dir/said"
		failed=$((failed + 1))
	fi
}

# put FILE TEXT: a file of the machine.
put() {
	mkdir -p "$root/$(dirname "$1")"
	printf '%s\n' "$2" >"$root/$1"
}

# A machine without a fault.
healthy() {
	rm -rf "$root"
	put sys/kernel/epitaph/current 7
	put sys/kernel/epitaph/region '0x20000000 16777216 memmap'
	put sys/kernel/epitaph/lost '0 0'
	put sys/kernel/epitaph/generations/6/state harvested
	put proc/iomem '20000000-20ffffff : System RAM (epitaph)'
	put proc/cmdline 'root=/dev/vda1 memmap=16M!0x20000000 crashkernel=128M'
	put proc/sys/kernel/panic 0
	put sys/kernel/kexec_crash_loaded 1
	put sys/kernel/kexec_crash_size 134217728
	put sys/module/pstore/parameters/backend epitaph
	mkdir -p "$root/var/lib"
}

# says STATUS TEXT...: the exit status, and each text is said.
says() {
	status=$1
	shift
	"$epitaph" doctor --root "$root" >"$dir/out" 2>"$dir/err"
	got=$?
	cat "$dir/out" "$dir/err"
	[ "$got" = "$status" ] || { echo "status $got, not $status"; return 1; }
	for text; do
		grep -qF -- "$text" "$dir/out" || { echo "lacks: $text"; return 1; }
	done
}

no_kdump() {
	put sys/kernel/kexec_crash_loaded 0
	put sys/kernel/kexec_crash_size 0
}

a_healthy_machine_passes() {
	says 0 'writes generation 7' 'every vmcore will have it' && ! grep -qv '^ok ' "$dir/out"
}

no_recorder() {
	rm -r "$root/sys/kernel/epitaph"
	put proc/iomem '00001000-3fffffff : System RAM'
	says 1 'the recorder is not loaded' 'modprobe epitaph' 'there is no region' \
		'whether earlier boots left anything is not known'
}

reserved_for_nobody() {
	rm -r "$root/sys/kernel/epitaph"
	put proc/iomem '20000000-20ffffff : Persistent Memory (legacy)'
	says 1 'memory is reserved at 0x20000000, and nobody' 'load epitaph.ko'
}

another_recorder() {
	rm -r "$root/sys/kernel/epitaph" && mkdir -p "$root/sys/module/epitaph" &&
		says 1 'the module epitaph is loaded, and'
}

not_in_iomem() {
	put proc/iomem '00001000-3fffffff : System RAM' && says 1 'does not have the region at 0x20000000'
}

elsewhere_in_iomem() {
	put proc/iomem '21000000-21ffffff : System RAM (epitaph)' && says 1 'does not have the region at 0x20000000'
}

pmem_has_it() {
	rm -r "$root/sys/kernel/epitaph"
	put proc/iomem '20000000-20ffffff : Persistent Memory (legacy)
  20000000-20ffffff : namespace0.0'
	says 1 'persistent-memory driver has the memory at 0x20000000' 'softdep nd_e820'
}

pmem_elsewhere_is_nobodys_business() {
	printf '%s\n' '90000000-90ffffff : namespace1.0' >>"$root/proc/iomem" && says 0
}

reserve_mem_may_move() {
	put sys/kernel/epitaph/region '0x3d000000 16777216 reserve_mem'
	put proc/cmdline 'reserve_mem=16M:4096:epitaph crashkernel=128M'
	says 0 'may give another place in the next boot' 'reserves the memory again'
}

pages_with_kdump_is_a_warning() {
	put sys/kernel/epitaph/region '0x3d000000 4194304 pages' && says 0 'only a vmcore will have it'
}

pages_without_kdump_is_a_failure() {
	put sys/kernel/epitaph/region '0x3d000000 4194304 pages' && no_kdump &&
		says 1 'nothing will be left'
}

overwrite() {
	mkdir -p "$root/${mor%/*}" && printf '\007\0\0\0\001' >"$root/$mor"
	says 0 'asked to clear all memory' && no_kdump && says 1 'asked to clear all memory'
}

overwrite_not_asked_for() {
	mkdir -p "$root/${mor%/*}" && printf '\007\0\0\0\020' >"$root/$mor" && says 0 'is not asked to clear'
}

overwrite_not_offered() {
	put "$boot_order" x && says 0 'does not offer to clear'
}

overwrite_not_known() {
	mkdir -p "$root/sys/firmware/efi/efivars" && says 0 'is not known' 'mount -t efivarfs'
}

no_kdump_is_a_warning() {
	no_kdump && says 0 'by a warm reboot alone' 'sysctl kernel.panic=10'
}

reboots_after_a_panic() {
	no_kdump && put proc/sys/kernel/panic -1 && says 0 'kernel.panic=-1'
}

reserved_but_not_loaded() {
	put sys/kernel/kexec_crash_loaded 0 && says 1 'reserves 128 MiB, and no capture kernel is loaded'
}

crashkernel_too_small() {
	put sys/kernel/kexec_crash_size 71303168 && says 1 '68 MiB' 'crashkernel=128M' &&
		put sys/kernel/kexec_crash_size 104857600 && says 0 '100 MiB'
}

dollar() {
	# shellcheck disable=SC2016
	put proc/cmdline 'quiet memmap=16M$0x20000000' && says 1 'write memmap=SIZE!ADDRESS' &&
		put proc/cmdline 'x.memmap=1 price=$5' && says 0
}

confidential() {
	put sys/kernel/security/lockdown 'none integrity [confidentiality]' && says 0 'only from a dump'
}

pstore_of_others() {
	put sys/module/pstore/parameters/backend ramoops && says 0 'belongs to ramoops' &&
		put sys/module/pstore/parameters/backend '(null)' && says 0 'nobody has pstore'
}

evidence_waits() {
	put sys/kernel/epitaph/generations/5/state evidence && says 0 'what 1 earlier boot left' &&
		put sys/kernel/epitaph/generations/4/state evidence && says 0 'what 2 earlier boots left'
}

evidence_was_lost() {
	put sys/kernel/epitaph/lost '3 6' && says 0 '3 generations were overwritten' &&
		put sys/kernel/epitaph/lost '1 6' && says 0 '1 generation was overwritten'
}

no_space() {
	put sys/kernel/epitaph/region '0x20000000 9000000000000000000 memmap' && says 1 'a harvest may need'
}

rubbish_is_survived() {
	put sys/kernel/epitaph/region '????' && put sys/kernel/kexec_crash_size 'many' &&
		put sys/kernel/epitaph/current '' &&
		printf '\033]0;x\007\377' >"$root/sys/module/pstore/parameters/backend" &&
		says 1 'there is no region' 'belongs to \x1b]0;x\x07\xff' &&
		! LC_ALL=C grep -q "$(printf '[\001-\011\013-\037\177-\377]')" "$dir/out"
}

json_has_the_same() {
	put sys/kernel/kexec_crash_loaded 0
	"$epitaph" doctor --json --root "$root" 2>/dev/null >"$dir/json"
	[ $? = 1 ] && "$epitaph" doctor --root "$root" 2>/dev/null | grep -c '^[a-z]' >"$dir/lines"
	[ "$(jq length "$dir/json")" = "$(cat "$dir/lines")" ] &&
		jq -e '.[] | select(.check == "kdump" and .verdict == "failure" and (.advice | length > 0))' "$dir/json"
}

misuse_is_2() {
	for args in --nonsense 'a-file' '--root'; do
		# shellcheck disable=SC2086
		"$epitaph" doctor $args
		[ $? = 2 ] || return 1
	done
}

for claim in a_healthy_machine_passes no_recorder reserved_for_nobody another_recorder not_in_iomem elsewhere_in_iomem pmem_has_it \
	pmem_elsewhere_is_nobodys_business reserve_mem_may_move pages_with_kdump_is_a_warning \
	pages_without_kdump_is_a_failure overwrite overwrite_not_asked_for overwrite_not_offered \
	overwrite_not_known no_kdump_is_a_warning reboots_after_a_panic reserved_but_not_loaded \
	crashkernel_too_small dollar confidential pstore_of_others evidence_waits \
	evidence_was_lost no_space rubbish_is_survived json_has_the_same misuse_is_2; do
	ok "$claim" "$claim"
done
echo "1..$nr"
[ "$failed" -eq 0 ]
