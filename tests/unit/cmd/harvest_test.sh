#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# epitaph harvest on a device that is a file and a sysfs that is a directory.
# shellcheck disable=SC2317
here=$(cd "$(dirname "$0")" && pwd)
top=$here/../../..
epitaph=$top/extractor/epitaph
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
nr=0
failed=0
id=00010203-0405-0607-0809-0a0b0c0d0e0f
name=$id-20231114T221320Z

# skip CLAIM WHY
skip() {
	nr=$((nr + 1))
	echo "ok $nr - harvest__$1 # SKIP $2"
}

ok() {
	claim=$1
	shift
	nr=$((nr + 1))
	if ( fresh "$claim" && "$@" ) >"$dir/said" 2>&1; then
		echo "ok $nr - harvest__$claim"
	else
		echo "not ok $nr - harvest__$claim"
		sed 's/^/# /' "$dir/said"
		failed=$((failed + 1))
	fi
}

mode() { [ "$(stat -c %a "$1")" = "$2" ]; }

# generation N OFFSET SIZE STATE [START]: its files as the recorder's sysfs has them
generation() {
	mkdir -p "sys/generations/$1"
	echo "$2" >"sys/generations/$1/offset"
	echo "$3" >"sys/generations/$1/size"
	echo "${5:-1700000000}000000000" >"sys/generations/$1/start"
	echo "$4" >"sys/generations/$1/state"
	: >"sys/generations/$1/harvested"
}

# A machine that crashed in boot 3, ended boot 5 in order, and runs boot 6.
fresh() {
	rm -rf "${dir:?}/$1"
	mkdir "$dir/$1" && cd "$dir/$1" || return 1
	cp "$dir/image" device
	generations
}

generations() {
	rm -rf sys
	generation 3 0 20480 evidence
	generation 5 20480 20480 ended 1700000500
	echo "0 0" >sys/lost
}

harvest() { "$epitaph" harvest --device device --sysfs sys -o out "$@"; }

# exits STATUS ARGUMENT...
exits() {
	want=$1
	shift
	harvest "$@"
	[ $? -eq "$want" ] || { echo "harvest $*: not $want"; return 1; }
}

entries() { find out -mindepth 1 -maxdepth 1 | wc -l; }

marked() { cat "sys/generations/$1/harvested"; }

# is_content FILE: standard input is
is_content() {
	zstd -dcq "$1" >content && cmp - content
}

what_nobody_has_is_saved_and_then_marked() {
	exits 0 && head -c 20480 device | is_content "out/$name/region" &&
		tail -c +20481 device | is_content "out/$id-20231114T222140Z/region" &&
		[ "$(marked 3)" = "out/$name" ] && [ -n "$(marked 5)" ]
}

it_is_private() {
	exits 0 && mode out 700 && mode "out/$name" 700 && mode "out/$name/region" 400 &&
		mode "out/$name/summary.txt" 400
}

the_text_is_the_report_of_the_copy() {
	exits 0 && "$epitaph" report --events 40 "out/$name/region" | cmp - "out/$name/summary.txt" &&
		grep -q '^# died: Fatal exception' "out/$name/summary.txt" &&
		[ "$(cd "out/$name" && echo *)" = "region summary.txt" ]
}

nothing_to_do_is_0() {
	echo harvested >sys/generations/3/state && echo taken-by-pstore >sys/generations/5/state &&
		exits 0 && [ -z "$(ls out)" ] && [ -z "$(marked 3)$(marked 5)" ]
}

force_takes_what_somebody_has() {
	echo harvested >sys/generations/3/state && exits 0 --force &&
		[ -n "$(marked 3)" ] && [ -n "$(marked 5)" ]
}

a_name_that_is_taken_gets_a_number() {
	mkdir -p "out/$name" && echo mine >"out/$name/region" && : >"out/$name.1" && exits 0 &&
		[ "$(cat "out/$name/region")" = mine ] && [ "$(marked 3)" = "out/$name.2" ] &&
		head -c 20480 device | is_content "out/$name.2/region"
}

the_same_bytes_are_not_saved_twice() {
	exits 0 && : >sys/generations/3/harvested && : >sys/generations/5/harvested && exits 0 &&
		[ "$(entries)" = 2 ] && [ "$(marked 3)" = "out/$name" ] && [ -n "$(marked 5)" ]
}

# The capture is called after the newest of both.
what_kdump_has_captured_is_not_saved_twice() {
	"$epitaph" capture -o crash device && capture=crash/epitaph-$id-20231114T222140Z && [ -d "$capture" ] &&
		exits 0 --captures crash >said && cat said && [ "$(cd out && echo *)" = "$name" ] && [ "$(marked 5)" = "$capture" ] &&
		grep -x "generation 5 was already captured by kdump, in $capture: 20 KiB" said &&
		exits 0 --captures crash --json >said && [ "$(jq -c 'select(.generation == 5) | [.dir, .was_there, .marked]' said)" = '["crash",true,true]' ]
}

what_kdump_has_otherwise_is_saved() {
	cp device other && printf x | dd of=other bs=1 seek=40000 conv=notrunc status=none &&
		{ "$epitaph" capture -o crash other || [ $? = 1 ]; } && exits 0 --captures crash && [ "$(entries)" = 2 ]
}

# Who owns the directory of a capture may empty it, though the region is of root.
what_another_user_holds_is_saved() {
	[ "$(id -u)" = 0 ] || return 0
	"$epitaph" capture -o crash device && chown 65534 crash/epitaph-* && exits 0 --captures crash >said && cat said &&
		! grep 'already captured' said && [ "$(entries)" = 2 ]
}

what_is_forced_is_saved_twice() {
	"$epitaph" capture -o crash device && exits 0 --captures crash --force && [ "$(entries)" = 2 ]
}

# Those of both have one budget on one file system.
captures_count_as_well() {
	old=crash/epitaph-$id-20200101T000000Z
	mkdir -p "$old" crash/202001010000 && echo old >"$old/region" && touch -d 2020-01-01 "$old/region" || return 1
	exits 0 --captures crash --keep 2 >said && cat said && [ "$(entries)" = 2 ] && [ ! -e "$old" ] && [ -d crash/202001010000 ] &&
		grep -x "removed $old: [0-9.]* [KM]iB, the oldest of too many" said
}

# As where the unit may not write: each has its own then.
captures_that_are_read_only_do_not_count() {
	old=crash/epitaph-$id-20200101T000000Z
	mkdir -p "$old" && echo old >"$old/region" && touch -d 2020-01-01 "$old/region" || return 1
	# shellcheck disable=SC2016 # the inner shell expands it
	unshare -m sh -c 'mount --bind crash crash && mount -o remount,ro,bind crash && exec "$@"' sh \
		"$epitaph" harvest --device device --sysfs sys -o out --captures crash --keep 2 &&
		[ "$(entries)" = 2 ] && [ -d "$old" ]
}

a_full_disk_leaves_nothing_and_marks_nothing() {
	( ulimit -f 1; exits 3 ) && [ -z "$(ls -A out)" ] &&
		[ -z "$(marked 3)$(marked 5)" ]
}

a_device_that_ends_early_is_not_marked() {
	truncate -s 30000 device && exits 5 && [ -n "$(marked 3)" ] && [ -z "$(marked 5)" ] &&
		[ "$(ls -A out)" = "$name" ]
}

another_generation_than_told_is_not_marked() {
	echo 20480 >sys/generations/3/offset && exits 4 && [ -z "$(marked 3)" ] &&
		[ -n "$(marked 5)" ] && [ "$(entries)" = 1 ]
}

nonsense_of_the_recorder_is_told() {
	echo 0x5000 >sys/generations/3/offset && exits 5 && [ ! -e out ]
}

what_was_left_over_is_removed() {
	half=out/.harvest-$(uname -n | tr -c 'a-zA-Z0-9\n-' _).0123456789abcdef
	mkdir -p "$half" out/other && : >"$half/region" &&
		: >"$half/summary.txt" && exits 0 && [ ! -e "$half" ] && [ -d out/other ]
}

one_at_a_time() {
	mkdir out && flock out true &&
		flock out "$epitaph" harvest --device device --sysfs sys -o out 2>noise
	[ $? -eq 3 ] && grep -q "another harvest" noise && [ -z "$(marked 3)" ]
}

# The mark of what ended in order is a FIFO: the harvest blocks there until the test reads it.
the_manager_waits_for_what_crashed_alone() {
	rm sys/generations/5/harvested && mkfifo sys/generations/5/harvested &&
		/usr/bin/python3 - "$epitaph" <<'END'
import os, socket, subprocess, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind("manager")
s.settimeout(20)
p = subprocess.Popen([sys.argv[1], "harvest", "--notify", "--device", "device", "--sysfs", "sys", "-o", "out"],
                     env=dict(os.environ, NOTIFY_SOCKET=os.path.abspath("manager")))
assert s.recv(100) == b"READY=1"
assert open("sys/generations/3/harvested").read()
assert p.poll() is None
assert open("sys/generations/5/harvested").read()
assert p.wait(20) == 0
END
}

the_manager_hears_nothing_where_that_failed() {
	echo 20480 >sys/generations/3/offset
	/usr/bin/python3 - "$epitaph" <<'END' && [ -n "$(marked 5)" ]
import os, socket, subprocess, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind("manager")
s.settimeout(0.3)
p = subprocess.run([sys.argv[1], "harvest", "--notify", "--device", "device", "--sysfs", "sys", "-o", "out"],
                   env=dict(os.environ, NOTIFY_SOCKET=os.path.abspath("manager")))
assert p.returncode == 4
try:
    sys.exit(s.recv(100))
except TimeoutError:
    pass
END
}

without_a_manager_it_is_2_and_all_is_harvested() {
	exits 2 --notify 2>noise && grep -q NOTIFY_SOCKET noise && [ "$(entries)" = 2 ]
}

no_recorder_is_4() {
	rm -r sys && exits 4 && [ ! -e out ]
}

a_link_is_not_followed() {
	mkdir -p out elsewhere && ln -s ../elsewhere "out/$name" && exits 0 &&
		[ -z "$(ls elsewhere)" ] && [ "$(marked 3)" = "out/$name.1" ]
}

a_mark_that_fails_is_3() {
	rm sys/generations/3/harvested && exits 3 && [ -d "out/$name" ] && [ -n "$(marked 5)" ]
}

what_a_newer_format_has_is_saved_and_marked() {
	"$top/tests/golden/mkregion" "$top/tests/golden/future-major.region" newer &&
		size=$(stat -c %s newer) && mv newer device && rm -r sys/generations/5 &&
		generation 3 0 "$size" evidence && exits 0 &&
		is_content out/generation-3-20231114T221320Z/region <device &&
		[ "$(ls out/generation-3-20231114T221320Z)" = region ] && [ -n "$(marked 3)" ]
}

damage_is_1_and_marked() {
	printf '\1' | dd of=device bs=1 seek=100 conv=notrunc status=none && exits 1 && [ -n "$(marked 3)" ] &&
		grep -q '^# damage' "out/$name/summary.txt"
}

what_was_lost_is_told() {
	echo "2 4" >sys/lost && exits 0 2>noise && grep -q "2 generations were overwritten" noise
}

# As that region has it.
pstore_text() {
	printf '%s\n' "Panic#1 Part2" "<4>[    8.000000] Call Trace:"
	for i in $(seq 80); do
		printf '<4>[    8.%06d]  dying_function+0x%x/0x100\n' "$i" "$i"
	done
	printf '%s\n' "Panic#1 Part1" "<0>[    9.000000] Kernel panic - not syncing" "<0>[    9.100000] \\x5cx1b[31m"
}

what_pstore_stored_is_a_text() {
	"$top/tests/golden/mkregion" "$top/tests/golden/pstore-records.region" device &&
		rm -r sys/generations/5 sys/generations/3 &&
		generation 1 0 "$(stat -c %s device)" evidence && exits 1 &&
		grep -v '^#' "out/$name/dmesg.txt" >text && pstore_text | diff - text
}

machine_checks_are_a_text() {
	"$top/tests/golden/mkregion" "$top/tests/golden/mce-fatal.region" device &&
		rm -r sys/generations/5 sys/generations/3 &&
		generation 0 0 "$(stat -c %s device)" evidence && exits 0 &&
		"$epitaph" mce out/*/region | cmp - out/*/mce.txt && grep -q . out/*/mce.txt
}

# Three older ones, and what is saved now.
old_ones() {
	for i in 1 2 3; do
		mkdir -p "out/$id-2022010${i}T000000Z" && echo old >"out/$id-2022010${i}T000000Z/region" &&
			touch -d "2022-01-0$i" "out/$id-2022010${i}T000000Z/region" || return 1
	done
}

the_oldest_of_too_many_are_removed() {
	old_ones && exits 0 --etc etc --keep 3 >said && [ "$(entries)" = 3 ] && [ -d "out/$id-20220103T000000Z" ] &&
		[ -d "out/$name" ] && [ "$(grep -c '^removed out/.*: .*, the oldest of too many' said)" = 2 ]
}

what_is_configured_is_kept() {
	old_ones && mkdir etc && printf '# ours\nCOUNT = 1\n' >etc/retention.conf && exits 2 --etc etc 2>noise &&
		grep -q 'etc/retention.conf: line 2: no such setting' noise && [ "$(entries)" = 5 ] &&
		printf '# ours\nCOUNT=0\nSIZE="4K"\n' >etc/retention.conf && exits 0 --etc etc --json --force >said &&
		jq -e 'select(.removed) | .dir == "out" and .size > 0' said >/dev/null && [ "$(entries)" = 1 ] && [ -n "$(marked 5)" ]
}

a_quarter_of_a_small_disk_is_enough() {
	mkdir out && mount -t tmpfs -o size=800k tmpfs out || return 1
	old_ones && head -c 195000 /dev/zero >"out/$id-20220102T000000Z/summary.txt" && exits 0 --etc etc
	harvested=$? there=$(entries)
	umount out
	[ "$harvested" = 0 ] && [ "$there" = 3 ]
}

# full_disk ROOM SIZE: three older ones of SIZE bytes, and ROOM bytes free
full_disk() {
	mkdir out && mount -t tmpfs -o size=400k tmpfs out && old_ones || return 1
	for old in out/"$id"-2022*; do
		head -c "$2" /dev/zero >"$old/region" && touch -d "${old#out/"$id"-}" "$old/region"
	done
	head -c $((409600 - $1 - 3 * $2)) /dev/zero >out/of-others
}

# on_full_disk ROOM SIZE COMMAND...: what is there afterwards is in $dir/left
on_full_disk() {
	full_disk "$1" "$2"
	shift 2
	"$@" --keep-size 0 >said 2>noise
	met=$?
	ls out >left
	umount out
	cat said noise left
	return "$met"
}

older_traces_make_room() {
	on_full_disk 8192 122880 exits 0 --etc etc && {
		grep "^removed out/$id-20220101T000000Z: 120 KiB, the oldest, to make room" said &&
			[ "$(grep -c ^removed said)" = 1 ] && [ "$(grep -c "^$id" left)" = 4 ] && [ -n "$(marked 3)$(marked 5)" ]
	}
}

# What the old ones take on disk is less than what the new one needs there, compressed.
in_vain_none_is_removed() {
	on_full_disk 0 0 exits 3 --etc etc && {
		grep ' are needed in out and 0 bytes are free' noise && ! grep ^removed said &&
			[ "$(grep -c "^$id-2022" left)" = 3 ] && [ -z "$(marked 3)$(marked 5)" ]
	}
}

what_is_to_be_sent_makes_no_room() {
	mkdir etc && echo TO=dir:/nowhere >etc/send.conf && on_full_disk 0 122880 exits 3 --etc etc && {
		grep '2 old traces are kept on a full disk: not sent to dir:/nowhere yet' noise &&
			[ "$(grep -c "^$id-2022" left)" = 3 ]
	}
}

# whole_or_not_there: each file of out is as in all; a generation is marked if its region is there.
whole_or_not_there() {
	[ -z "$(find out -mindepth 1 -name '.*')" ] || return
	for file in $(cd out && find . -type f); do
		cmp "out/$file" "all/$file" || return
	done
	for at in 3:"$name" 5:"$id-20231114T222140Z"; do
		there=$([ -s "out/${at#*:}/region" ] && echo yes)
		[ "${there:-no}" = "$([ -n "$(marked "${at%%:*}")" ] && echo yes || echo no)" ] || { echo "${at%%:*}: there: $there"; return 1; }
	done
}

# There is room for so many KiB, so many inodes, so many half KiB in a file; with room, all of it is
# saved in the end.
at_whatever_step_the_disk_is_full() {
	exits 0 && mv out all && mkdir out || return
	failed_so_far=0
	for limit in $(seq -f size=%gk 4 4 32) $(seq -f nr_inodes=%g 1 12) $(seq 1 24); do
		generations
		mount -t tmpfs -o "size=1m,$(echo "$limit" | grep "=")" tmpfs out || return
		(
			case $limit in
			[0-9]*) ulimit -f "$limit" ;;
			esac
			exec "$epitaph" harvest --device device --sysfs sys -o out --keep-size 0 >said 2>&1
		)
		met=$?
		failed_so_far=$((failed_so_far + (met == 3 ? 1 : 0)))
		{ [ "$met" = 3 ] || [ "$met" = 0 ]; } && whole_or_not_there &&
			mount -o remount,size=1m,nr_inodes=100 out && exits 0 --keep-size 0 &&
			[ "$(cd out && ls)" = "$(cd all && ls)" ] && whole_or_not_there
		went=$?
		umount out
		[ "$went" = 0 ] || { echo "$limit: $met"; cat said; return 1; }
	done
	echo "$failed_so_far failed"
	[ "$failed_so_far" -ge 5 ]
}

what_is_to_be_sent_is_kept() {
	old_ones && mkdir etc && echo TO=dir:/nowhere >etc/send.conf && exits 0 --etc etc --keep 1 2>noise &&
		[ "$(entries)" = 5 ] && grep -q '4 old traces are kept beyond .* not sent to dir:/nowhere yet' noise
}

json_is_json() {
	exits 0 --json | jq -e .marked >/dev/null
}

"$top/tests/golden/mkregion" "$top/tests/golden/generations-numbered.region" "$dir/image" || exit 99
for claim in what_nobody_has_is_saved_and_then_marked it_is_private \
	the_text_is_the_report_of_the_copy nothing_to_do_is_0 force_takes_what_somebody_has \
	a_name_that_is_taken_gets_a_number the_same_bytes_are_not_saved_twice \
	what_kdump_has_captured_is_not_saved_twice what_kdump_has_otherwise_is_saved what_is_forced_is_saved_twice \
	what_another_user_holds_is_saved \
	captures_count_as_well \
	a_full_disk_leaves_nothing_and_marks_nothing a_device_that_ends_early_is_not_marked \
	another_generation_than_told_is_not_marked nonsense_of_the_recorder_is_told \
	what_was_left_over_is_removed one_at_a_time the_manager_waits_for_what_crashed_alone the_manager_hears_nothing_where_that_failed \
	without_a_manager_it_is_2_and_all_is_harvested no_recorder_is_4 a_link_is_not_followed \
	a_mark_that_fails_is_3 what_a_newer_format_has_is_saved_and_marked damage_is_1_and_marked \
	what_was_lost_is_told what_pstore_stored_is_a_text machine_checks_are_a_text json_is_json \
	the_oldest_of_too_many_are_removed what_is_configured_is_kept what_is_to_be_sent_is_kept; do
	ok $claim $claim
done
# Each has a file system of its own.
mkdir "$dir/mounted"
mount -t tmpfs tmpfs "$dir/mounted" 2>/dev/null && may_mount=yes && umount "$dir/mounted"
for claim in captures_that_are_read_only_do_not_count a_quarter_of_a_small_disk_is_enough \
	older_traces_make_room in_vain_none_is_removed what_is_to_be_sent_makes_no_room \
	at_whatever_step_the_disk_is_full; do
	if [ "${may_mount:-}" ]; then
		ok $claim $claim
	else
		skip $claim "this user may not mount"
	fi
done
echo "1..$nr"
exit $((failed != 0))
