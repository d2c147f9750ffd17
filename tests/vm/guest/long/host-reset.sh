#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A host is reset while it watches a guest whose memory is a file on the host's disk.  Part of that had been written
# back, page by page, while the guest lapped its rings.  After the boot the guest does not run, and the service saves
# what came to the disk: it is part of what the guest had recorded, and nothing else.
#
# The truth is what copies of the guest's memory have together, of which there was one in a second.

# shellcheck disable=SC2317,SC2154 # check calls what is defined here; lib-nest.sh sets them

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"
. "$here/lib-nest.sh"

uuid=6b0c0000-0000-4000-8000-000000000001

nested_guest web1 <<'END'
load_recorder device=ivshmem
load_victim
echo "guest: works"
while :; do sleep 1; done
END

guest <<'END'
. /test/lib-nest-guest.sh
with_disk
printf '%s\n' "QMP=/tmp/*.qmp" >/tmp/guests.conf

start_watch() {
	epitaph guest watch --conf /tmp/guests.conf --output /disk/store --state /tmp/state >>"/disk/journal-$boot" 2>&1 &
	watcher=$!
}

# watch_says TEXT: within two minutes.
watch_says() {
	for _ in $(seq 600); do
		! grep -q -- "$1" "/disk/journal-$boot" || return 0
		usleep 200000
	done
	cat "/disk/journal-$boot"
	return 1
}

if [ "$boot" = 2 ]; then
	start_watch
	check "after the boot its end is saved" watch_says '^web1: after .*: saved '
	sleep 2
	kill "$watcher"
	wait "$watcher"
	start_watch
	sleep 2
	cat "/disk/journal-$boot"
	check "once" [ "$(wc -l <"/disk/journal-$boot")" = 1 ]
	kill "$watcher"
	exit 0
fi
dd if=/dev/zero of=/disk/web1.region bs=1M count=4 2>/dev/null
sync
nested_memory="epitaph.device=ivshmem"
copies=0
check "a guest records" start_nested web1 "guest: works" -uuid 6b0c0000-0000-4000-8000-000000000001 \
	-object memory-backend-file,id=epitaph,mem-path=/disk/web1.region,size=4M,share=on \
	-device ivshmem-plain,memdev=epitaph -qmp unix:/tmp/web1.qmp,server=on,wait=off
start_watch
check "it is watched" watch_says '^web1: is watched: /disk/web1.region'
# Until the rings are full.
sleep 10
(
	while [ ! -e /tmp/enough ]; do
		cp /disk/web1.region "/tmp/copy-$((copies += 1))"
		sleep 1
	done
) &
copier=$!
# Pages are written back one by one for a while, and then no more.
echo 50 >/proc/sys/vm/dirty_writeback_centisecs
echo 100 >/proc/sys/vm/dirty_expire_centisecs
sleep 5
echo 360000 >/proc/sys/vm/dirty_expire_centisecs
echo 90 >/proc/sys/vm/dirty_background_ratio
sleep 3
tell_nested web1 stop
sleep 1
: >/tmp/enough
wait "$copier"
cp /tmp/copy-* /disk/
sync /disk/copy-* "/disk/journal-$boot"
check "the guest recorded until then" [ -n "$(ls /disk/store/*/.watched)" ]
echo "guest: the host is reset"
echo b >/proc/sysrq-trigger
sleep 60
END
guest_programs="/bin/epitaph $epitaph"
pack_nest
make_disk 256M
boot_nest --boots 2 --disk "$out/disk.img" --timeout 400 --allow 'Speculative Return Stack Overflow: WARNING'
take_all_of_disk

capture=$(echo "$saved/store/web1-$uuid"/epitaph-*)

says_what_is_certain() {
	cat "$saved/journal-2"
	grep '^web1: after the host was started anew: saved ' "$saved/journal-2" &&
		grep '^saved because of: the host was started anew$' "$capture/qmp.txt"
}

came_in_part() {
	! cmp -s "$saved/web1.region" "$(printf '%s\n' "$saved"/copy-* | sort -V | tail -n 1)"
}

claims_no_death() {
	head -n 12 "$capture/summary.txt"
	grep '^# died: the kernel did not say' "$capture/summary.txt"
}

# lines_of FILE: time, and what happened then.  A task that has just begun has the name of the one that began it, until
# an event says another, which may be missing: its number is held against the truth.
lines_of() {
	recovers "$epitaph" report --all --monotonic --source region "$1" >"$out/report" || return
	sed -n '/^#/d; s/^.*-\([0-9]* *\[[0-9]*\]\) ..... *\([0-9.]*\): \(.*\)$/\2 \1 \3/p' "$out/report"
}

# Where fewer anchors of the clock came to the disk, times may be off by what the report says of its clock.  Where the
# name of a function did not, its address is there: any name of it is the truth then.
is_part_of_the_truth() {
	lines_of "$1" >"$out/saved-lines" || return
	grep -E '^# .*(event|lost|damage)' "$out/report"
	awk '{ time = $1; sub(/^[0-9.]* /, ""); nameless = $0
		is_address = sub(/ function 0xffffffff[0-9a-f]*$/, " function ?", nameless) }
		!is_address { sub(/ function [A-Za-z_][A-Za-z0-9_.]*$/, " function ?", nameless) }
		NR == FNR { times[$0] = times[$0] " " time
			if (nameless != $0) times[nameless] = times[nameless] " " time
			next }
		is_address { $0 = nameless }
		{ n = split(times[$0], at, " "); found = 0
		for (i = 1; i <= n; i++) if (at[i] - time < 0.000002 && time - at[i] < 0.000002) found = 1
		here++; if (!found) { others++; if (others < 5) print time, $0 } }
		END { printf "%d events came to the disk; %d are others\n", here, others; exit !here || others }' \
		"$out/true-lines" "$out/saved-lines"
}

# Each page of a mixture is from any of the last copies.
mixtures_are_part_of_the_truth() {
	for seed in 1 2 3; do
		python3 - "$seed" "$out/mixture" "$saved" <<-'END' || return
			import glob, random, sys
			random.seed(int(sys.argv[1]))
			names = sorted(glob.glob(sys.argv[3] + "/copy-*"), key=lambda name: int(name.rpartition("-")[2]))
			copies = [open(name, "rb").read() for name in names[-4:]]
			with open(sys.argv[2], "wb") as mixture:
			    for at in range(0, len(copies[0]), 4096):
			        mixture.write(random.choice(copies)[at:at + 4096])
		END
		is_part_of_the_truth "$out/mixture" || return
	done
}

for copy in "$saved"/copy-*; do
	lines_of "$copy"
done | sort -u >"$out/true-lines"
check "there is one capture" [ -f "$capture/region" ]
check "the service says what is certain" says_what_is_certain
check "it does not say how the guest died" claims_no_death
check "the file came to the disk in part" came_in_part
check "what was saved is part of what the guest recorded" is_part_of_the_truth "$capture/region"
comment <"$out/said"
check "so is any mixture of pages" mixtures_are_part_of_the_truth
comment <"$out/said"
check "nothing is left of the guest's watch" [ -z "$(find "$saved/store" -name '.*watched*' -o -name '.guest-*')" ]
finish
