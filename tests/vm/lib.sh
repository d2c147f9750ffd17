# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
#
# Words of the tests in this directory, one guest each.  A test says what runs
# in the guest (guest), boots it (boot, or crash_and_capture), and claims things
# about what is left (check).  Its lines are TAP.

set -eu
PATH=$PATH:/usr/sbin:/sbin

# Sourced from a script of a topic, or with VM_DIR from there to here.
here=$(cd "$(dirname "$0")" && cd "${VM_DIR:-..}" && pwd)
top=$(cd "$here/../.." && pwd)
test_name=$(basename "$0" .sh)
kernel=${KERNEL:-6.1}
build=$top/build/vm
out=${VM_OUT:-$build}/$test_name

epitaph=${EPITAPH:-$top/extractor/epitaph}
recorder=${RECORDER:-$top/kernel/epitaph.ko}
victim=${VICTIM:-$here/victim/victim.ko}

# A range with nothing of the kernel in it, 2 MiB aligned, in a guest of 1 GiB.
region_addr=0x20000000

# region_is SIZE: of the region there.
region_is() {
	region_size=$1
	region_arg="memmap=$region_size!$region_addr epitaph.addr=$region_addr epitaph.size=$region_size"
}

region_is 16M
crashkernel=128M
# Another, for the victim's witness in guests that are reset; lib-guest.sh has the same.
witness_addr=0x22000000

# A busy host delays the emulated timer's interrupts until the kernel gives up on them.  What the kernel
# tries of its own ciphers takes a sixth of a small guest's time.
basic_args="console=ttyS0,115200 no_timer_check cryptomgr.notests"

# What the host types for a guest that awaits it: --when "guest: WORDS=>$host_answers".
host_answers='!\n'

tests=0
failures=0

rm -rf "$out"
mkdir -p "$out"

ok() {
	tests=$((tests + 1))
	echo "ok $tests - $test_name: $1"
}

not_ok() {
	tests=$((tests + 1))
	failures=$((failures + 1))
	echo "not ok $tests - $test_name: $1"
}

# with_lines FILE COMMAND...: COMMAND with the lines of FILE as words at its end.
with_lines() {
	lines=$(cat "$1")
	shift
	old_ifs=$IFS
	IFS='
'
	set -f
	# shellcheck disable=SC2086 # lines
	set -- "$@" $lines
	set +f
	IFS=$old_ifs
	"$@"
}

# comment: lines as TAP's comments.  Each ends, or the claim behind the last would be part of it.
comment() {
	awk '{ print "# " $0 }'
}

# check NAME COMMAND...: a claim; what the command says is shown when it fails.
check() {
	claim=$1
	shift
	if "$@" >"$out/said" 2>&1; then
		ok "$claim"
	else
		head -n 30 "$out/said" | comment
		not_ok "$claim"
	fi
}

# finish: the last word of a test.  What a guest left is kept if a claim failed, or with KEEP=yes: all of them
# together would fill a small disk.
finish() {
	[ "$tests" -gt 0 ] || not_ok "claims something"
	echo "1..$tests"
	[ "$failures" -eq 0 ] || exit 1
	[ "${KEEP:-no}" = yes ] || find "${all_out:-$out}" -xdev -type f -size +4M -delete
	exit 0
}

# guest: the guest's script, from standard input.
guest() {
	cat >"$out/guest.sh"
}

# pack_guest [FILE...]: the initramfs of all guests, then this one's own files.  With
# $guest_modules, /lib/modules has these kernel modules instead of those of with_disk; of
# $guest_programs, words "PATH SOURCE", each is there with its libraries.
pack_guest() {
	stage=$out/stage
	: >"$out/modules.img"
	if [ -n "${guest_modules:-}${guest_programs:-}" ]; then
		{
			[ -z "${guest_modules:-}" ] || echo "modules $guest_modules"
			# shellcheck disable=SC2086 # words
			[ -z "${guest_programs:-}" ] || printf 'prog %s %s\n' $guest_programs
		} >"$out/modules"
		"$top/initramfs/pack" "$kernel" "$out/modules" "$out/modules.img"
	fi
	mkdir -p "$stage/test"
	cp "$out/guest.sh" "$here/lib-guest.sh" "$stage/test/"
	for file in "$recorder" "$victim" "$@"; do
		case $file in
		*/epitaph-static) cp "${guest_tool:-$file}" "$stage/test/" ;;
		*.ko) [ ! -f "$file" ] || without_debuginfo "$file" "$stage/test/${file##*/}" ;;
		*) [ ! -f "$file" ] || cp "$file" "$stage/test/" ;;
		esac
	done
	# shellcheck disable=SC2046 # a word, or none
	(cd "$stage" && find . | cpio -o -H newc -R 0:0 --quiet) |
		cat "$build/base-$kernel.img" $(capture_kernel) "$out/modules.img" - >"$out/initrd.img"
	rm -rf "$stage" "$out/modules.img"
}

# without_debuginfo MODULE COPY: of the recorder's 21 MB, 17 are that; each guest would unpack and
# load them.  Other machines' modules have none.  What is signed would lose its signature.
without_debuginfo() {
	if tail -c 28 "$1" | grep -q 'Module signature appended'; then
		cp "$1" "$2"
	else
		strip -g -o "$2" "$1" 2>/dev/null || cp "$1" "$2"
	fi
}

# capture_kernel: what the guest loads by kexec, if it does and names no other; 39 MB that others
# need not unpack.  Guests with less memory than most have no room for it.
capture_kernel() {
	[ ! -f "$build/unpacked-${kernel%-debug*}.cpio" ] ||
		grep -qE '^[^#]*capture_kernel=|record -s|arm_kdump -s' "$out/guest.sh" ||
		! grep -qE '^[[:space:]]*(record|arm_kdump)$' "$out/guest.sh" || grep -q -e '--memory' "$0" ||
		echo "$build/unpacked-${kernel%-debug*}.cpio"
}

# module NAME: a module of the guest's kernel as a plain file, for pack_guest.
module() {
	packed=$(find "$("$top/scripts/kernels" --modules "$kernel")" -name "$1.ko*")
	case $packed in
	*.xz) xz -dc "$packed" >"$out/$1.ko" ;;
	*) cp "$packed" "$out/$1.ko" ;;
	esac
	echo "$out/$1.ko"
}

# before_boot OPTION...: lib-on-machine.sh has more to do.
before_boot() {
	:
}

# boot [OPTION...]: run the guest; options are those of run.  The guest's own
# claims are taken over.  $append is more for its command line.
boot() {
	status=0
	before_boot "$@"
	# shellcheck disable=SC2086 # words
	VM_QEMU="${machine_args:-} ${VM_QEMU:-}" "$here/run" ${run_args:-} --kernel "$(boot_image)" --initrd "$out/initrd.img" --out "$out" \
		--append "$basic_args panic=-1 oops=panic ${crashkernel:+crashkernel=$crashkernel} $region_arg ${clock-tsc=reliable} ${append:-}" \
		"$@" || status=1
	rm -f "$out/initrd.img"
	take_guest_claims
	check "boots and ends as expected" [ "$status" = 0 ]
}

image() {
	"$top/scripts/kernels" --image "$kernel"
}

# boot_image: the same kernel without its decompression, if there is one.  That one is at one address
# until it is made again, its memory is not randomized, and it takes no five levels of page tables: a
# test that wants such sets $packed_kernel.  "nokaslr" needs the boot code that it forbids this to.
boot_image() {
	unpacked=$build/unpacked-$kernel.elf
	case " ${append:-} " in
	*" nokaslr "*) packed_kernel=yes ;;
	esac
	if [ -z "${packed_kernel:-}" ] && [ -f "$unpacked" ]; then
		echo "$unpacked"
	else
		image
	fi
}

take_guest_claims() {
	while read -r line; do
		case $line in
		"ok - "*) ok "${line#ok - }" ;;
		"not ok - "*) not_ok "${line#not ok - }" ;;
		"# "*) echo "$line" ;;
		*"ok - "*) not_ok "a claim behind something else on its line: $line" ;;
		esac
	done <"$out/guest.log"
}

# The guest script itself came to its end without an error.
guest_ended_well() {
	grep -q '^guest: ended with 0' "$out/guest.log" && return
	tail -n 5 "$out/guest.log"
	return 1
}

make_disk() {
	truncate -s "$1" "$out/disk.img"
	mke2fs -q -F -t ext4 -m 0 "$out/disk.img"
}

# take_disk: what the capture kernel left, in $saved; and the guest in /disk/truth.
take_disk() {
	saved=$out/saved
	rm -rf "$saved"
	mkdir -p "$saved"
	where=$(debugfs -R 'ls -p /' "$out/disk.img" 2>/dev/null |
		awk -F / '$6 ~ /^epitaph-/ { print $6 }')
	for dir in $where; do
		debugfs -R "ls -p /$dir" "$out/disk.img" 2>/dev/null >"$out/listing"
		debugfs -R "rdump /$dir $saved" "$out/disk.img" 2>/dev/null
		mv "$saved/$dir"/* "$saved/"
		rmdir "$saved/$dir"
	done
	debugfs -R "rdump /truth $saved" "$out/disk.img" 2>/dev/null
	rm -f "$out/disk.img"
}

# warm_boots N [OPTION...]: one guest that boots N times, with one memory and one
# disk.  Its script runs each time and begins with with_disk, which sets $boot;
# it lets the guest die in each but the last, where it comes to its end.  What it
# left on /disk is in $saved then.
#
# The witness of the victim lies in memory of the same kind as the region.  That
# is no circle: QEMU has no cache to lose at a reset, so both are what was stored.
warm_boots() {
	boots=$1
	shift
	make_disk "${disk_size:-512M}"
	append="${append:-} panic=1 panic_on_warn=1 memmap=64K!$witness_addr" \
		boot --boots "$boots" --disk "$out/disk.img" --timeout $((120 + 60 * boots)) "$@"
	take_all_of_disk
}

# take_all_of_disk: what a guest left at /disk, in $saved.  It may have died over it.
take_all_of_disk() {
	saved=$out/saved
	rm -rf "$saved"
	mkdir -p "$saved"
	e2fsck -fp "$out/disk.img" >"$out/e2fsck" 2>&1 || true
	debugfs -R "rdump / $saved" "$out/disk.img" >>"$out/e2fsck" 2>&1
	rm -f "$out/disk.img"
}

# crash_and_capture [OPTION...]: boot a guest that is to die, with a disk; take what was saved.
crash_and_capture() {
	make_disk "${disk_size:-512M}"
	append="${append:-} guest.capture=${capture_args:-}" \
		boot --disk "$out/disk.img" --expect 'capture: done' "$@"
	grep -q '^capture: done' "$out/console.log" || finish
	take_disk
	compare_with_kernel
}

# with_all_tasks: of $capture_args, where tasks are compared.  makedumpfile 1.7.2 takes slab pages of
# kernels from 6.12 on for those of programs, and leaves tasks out with them; of 7.2 also the second page of
# what kmalloc() has in whole pages, as the types of a module are.
with_all_tasks() {
	case $kernel in
	5.10 | 6.1 | 6.1-*) ;;
	*) echo capture.dump_level=17 ;;
	esac
}

# crash_whole [OPTION...]: crash, capture, and everything that must hold after any crash.
crash_whole() {
	crash_and_capture --witness "$out/witness" "$@"
	if [ -z "${dumps:-}" ]; then
		check "the region is saved, for root only" is_private region
		check "the vmcore is saved, for root only" is_private vmcore
		check "nothing is left under a temporary name" nothing_unfinished
	fi
	check "the vmcore can be exported" export_json vmcore
	check "every committed event came back, none was invented" \
		truth vmcore
	check "region and vmcore give the same trace" same_trace region vmcore
}

# compare_with_kernel: head and stacks of what was saved say what the kernel itself said when it
# died.  $says_args are options of kernel-says; $not_compared says why there is nothing to compare.
compare_with_kernel() {
	[ -f "$recorder" ] || not_compared="nothing records in this guest"
	if [ -n "${not_compared:-}" ]; then
		echo "# $test_name: not compared with the kernel's own words: $not_compared"
		return
	fi
	words=$(kernels_words)
	compared=
	for name in region vmcore; do
		[ -f "$saved/$name" ] || continue
		compared=$name
		check "$name: cause, place and frames are the kernel's own" \
			says_the_same "$words" "$saved/$name"
	done
	[ -n "$compared" ] || not_ok "something is saved to compare with the kernel's own words"
}

# compare_boot N FILE [OPTION...]: the same of what a guest's Nth boot left when it died, as
# `epitaph report OPTION... FILE` has it.  $boot_words: a file of the kernel's words, if not the console.
compare_boot() {
	died=$1
	shift
	says_args="${says_args:-} --boot $died" \
		check "boot $died, ${1##*/}: cause, place and frames are the kernel's own" \
		says_the_same "${boot_words:-$out/console.log}" "$@"
}

# says_the_same WORDS FILE [OPTION...]
says_the_same() {
	words=$1 file=$2
	shift 2
	recovers "$epitaph" report --events 1 "$@" "$file" >"$out/head-${file##*/}" || return
	# shellcheck disable=SC2086 # words
	"$here/kernel-says" ${says_args:-} "$words" "$out/head-${file##*/}"
}

# kernels_words: a file of them.  A kernel that dies in NMI has no time for its console; its log
# is in the vmcore then, where makedumpfile finds it.
kernels_words() {
	if ! "$here/kernel-says" --is-there "$out/console.log" && [ -f "$saved/vmcore" ]; then
		rm -f "$out/kernel.log"
		makedumpfile --dump-dmesg "$saved/vmcore" "$out/kernel.log" >"$out/dump-dmesg" 2>&1 ||
			cat "$out/dump-dmesg" >&2
		echo "$out/kernel.log"
	else
		echo "$out/console.log"
	fi
}

# recovers COMMAND...: status 1 is "recovered, with damage", as a crash may leave.
recovers() {
	result=0
	"$@" || result=$?
	[ "$result" -le 1 ]
}

# no_damage REGION: `epitaph check` names nothing but events that a full ring lost.
no_damage() {
	recovers "$epitaph" check "$1" >"$out/checked" 2>&1 || { cat "$out/checked"; return 1; }
	! grep -vE 'events? (was|were) lost' "$out/checked"
}

# marks_have_their_times REGION N: each of N marks by mark_of_now has the time in its text, which two
# processes read a moment before they wrote it; $mark_limit seconds, if they had to wait for each other.
marks_have_their_times() {
	recovers "$epitaph" export --to json -o - "$1" >"$out/marks.json" || return
	jq -r 'select(.event == "epitaph:mark") | "\(.ts_ns) \(.fields.text)"' "$out/marks.json" >"$out/marks"
	awk -v n="$2" -v limit="${mark_limit:-0.25}" '{ late = ($1 - $2) / 1e9; print; print late " s late" }
		late < 0 || late > limit { bad++ }
		END { print NR " marks"; exit bad || NR != n }' "$out/marks"
}

# truth NAME: what was exported of it against what the victim did.  A victim at
# its usual pace does not fill the rings; $truth_args says so if it does.
truth() {
	# shellcheck disable=SC2086 # words
	"$here/truth" ${truth_args:---from-start} "$out/witness" "$out/$1.json"
}

export_json() {
	[ -f "$saved/$1" ] && recovers "$epitaph" export --to json -o "$out/$1.json" "$saved/$1"
}

# same_trace FILE FILE: all but what they died of, which a vmcore has from its kernel's log.
same_trace() {
	for file; do
		recovers "$epitaph" report --all "$saved/$file" | without_death >"$out/report-$file"
	done
	[ -s "$out/report-$1" ] && cmp "$out/report-$1" "$out/report-$2"
}

# Of a report, what comes before and behind that.
without_death() {
	sed '/^# died: /,/^# clock: /d'
}

# report_says TEXT: the report of the vmcore has it.
report_says() {
	recovers "$epitaph" report --all "$saved/vmcore" | grep -F -- "$1"
}

# saved_mode NAME: as the capture kernel's file system has it.
saved_mode() {
	awk -F / -v name="$1" '$6 == name { print substr($3, 3) }' "$out/listing"
}

is_private() {
	mode=$(saved_mode "$1")
	[ "$mode" = 0400 ] || { echo "mode of $1 is '$mode'"; return 1; }
}

# Nothing was left under a temporary name.
nothing_unfinished() {
	! awk -F / '{ print $6 }' "$out/listing" | grep -E 'incomplete|tmp|^\.[^.]'
}

# has_names REGION: task names, and functions of kernel and victim by their names.
has_names() {
	recovers "$epitaph" report --all "$1" >"$out/report"
	# From 6.9 on, the tick has another function.  The recorded kernel need not be the one that runs.
	tick=tick_nohz_handler
	! grep -qE '^# kernel: (5|6\.[0-8])\.' "$out/report" || tick=tick_sched_timer
	for text in ' victim/0-[0-9]* .*: seq: ' 'function=worker_hrtimer \[victim\]' "function=$tick "; do
		grep -q -- "$text" "$out/report" || { echo "lacks: $text"; return 1; }
	done
}

# shellcheck source=tests/vm/lib-on-machine.sh
[ -z "${ON_MACHINE:-}" ] || . "$here/lib-on-machine.sh"
