#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Four kernels with the recorder built in die while they boot, one after the other in the same memory:
# before the allocators, in the first initcall behind ours (no console has printed a line of either),
# in an early_initcall (one CPU runs), and in a core_initcall (all do).  The fifth boot harvests them.
# What each died of is held against the kernel's own words; those of the silent two come out of a
# second guest, which has an early console and dies in the same places.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"
. "$here/lib-built-in.sh"

region_is 32M

# die_and_come_back N WORD...: N of the five boots have a console.
die_and_come_back() {
	nr=$1
	shift
	built_in_guest
	append="epitaph.generations=6 epitaph.events=default,initcall:* $* die=setup,console,early,core" \
		warm_boots "$nr" --allow 'Kernel panic' --allow 'BUG: ' --allow 'Oops' --allow 'kernel BUG'
	check "the last boot came to its end" guest_ended_well
}

# shellcheck disable=SC2317 # check calls these
are_silent() {
	[ "$(grep -c 'Linux version [0-9]' "$out/silent.log")" = 3 ]
}

# says NR WAY BOOT CONSOLE: the NRth that died, against the BOOTth kernel of that console
says() {
	region=$(regions | sed -n "$1p")
	[ -f "$region" ] || { not_ok "$2: is harvested"; return; }
	says_args="--boot $3" check "$2: cause, place and frames are the kernel's own" says_the_same "$4" "$region"
	check "$2: nothing is damaged" no_damage "$region"
	recovers "$epitaph" report --all "$region" >"$out/report-$2" 2>"$out/errors-$2"
	recovers "$epitaph" export --to json -o "$out/$2.json" "$region"
	check "$2: the log begins with the kernel's first line" grep -q 'Linux version [0-9]' "$out/$2.json"
}

# shellcheck disable=SC2317 # check calls these
cpus_are() {
	n=$(grep -c 'smp: Brought up 1 node, 2 CPUs' "$out/$1.json")
	echo "$n lines"
	[ "$n" = "$2" ]
}

# The last initcall that began is the one that it died in.
# shellcheck disable=SC2317 # check calls these
died_in() {
	grep ': initcall_start: func=' "$out/report-$1" | tail -n 1 | tee "$out/last-initcall"
	grep -q "$2" "$out/last-initcall"
}

die_and_come_back 3
mv "$out/console.log" "$out/silent.log"
mv "$saved" "$out/saved-silent"
die_and_come_back 5 earlyprintk=serial,ttyS0,115200
mv "$out/console.log" "$out/early.log"
rm -rf "$saved"
mv "$out/saved-silent" "$saved"

check "the two that died before the console printed nothing" are_silent
check "each that died left a generation" [ "$(regions | wc -l)" = 4 ]
says 1 setup 1 "$out/early.log"
says 2 console 2 "$out/early.log"
says 3 early 1 "$out/silent.log"
says 4 core 2 "$out/silent.log"
check "console: one CPU had come" cpus_are console 0
check "early: one CPU had come" cpus_are early 0
check "core: both had" cpus_are core 1
check "console: the last initcall that began is where it died" died_in console die_in_console_initcall
check "early: the last initcall that began is where it died" died_in early die_in_early_initcall
check "core: the last initcall that began is where it died" died_in core die_in_core_initcall
finish
