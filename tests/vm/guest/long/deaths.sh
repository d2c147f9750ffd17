#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A guest dies DEATHS times (default 10) in each of five ways, and its host, which watches, saves it:
# what is saved is what the victim did.  The guest boots once.  Its state is saved, and each death
# begins with that, as a machine with a name of its own.
#
# A line for each death says what came of it, so that a run that is cut has its figures.

# shellcheck disable=SC2154 # lib.sh sets them

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"
. "$here/lib-watch.sh"

deaths=${DEATHS:-10}
seed=${SEED:-24}
ways=${WAYS:-panic hang killed reset out-of-memory}
region_arg=epitaph.device=ivshmem
guest_modules="pvpanic-pci i6300esb"
cgroup=/sys/fs/cgroup/memory/epitaph-deaths

# A key says how it dies; its victim works on meanwhile.
guest <<'END'
load_modules /lib/modules
load_recorder
load_surviving_victim
rmmod i6300esb
insmod /lib/modules/i6300esb.ko heartbeat=3
busybox watchdog -t 1 -T 3 /dev/watchdog
(while usleep 200000; do echo "guest: works"; done) &
# A key is kept from now on, also before it is read.
exec 3</dev/ttyS0
busybox stty -icanon <&3
echo "guest: save me"
read -r -n 1 how <&3
case $how in
p) bug panic ;;
h)
	busybox taskset 1 sh -c 'echo lockup >/sys/kernel/debug/victim/bug' &
	busybox taskset 2 sh -c 'echo lockup >/sys/kernel/debug/victim/bug' &
	;;
esac
sleep 100
END
pack_guest
mv "$out/initrd.img" "$out/initrd"

# machine NAME [OPTION...]: the same each time but for its name; options are those of run, and then of QEMU.
machine() {
	name=$1
	shift
	rm -f "$out/ram" "$out/region"
	# shellcheck disable=SC2046 # words
	"$here/run" --kernel "$(boot_image)" --initrd "$out/initrd" --out "$out" --timeout 60 \
		--append "$basic_args panic=-1 oops=panic $region_arg tsc=reliable memmap=64K!$witness_addr" \
		"$@" $(memory_file ram 1G) $(memory_file region 4M) -machine memory-backend=ram \
		-device ivshmem-plain,memdev=region,master=on -device pvpanic-pci -device i6300esb \
		-action panic=none,watchdog=poweroff -pidfile "$out/pid" \
		-name "$name" -uuid "$(cat /proc/sys/kernel/random/uuid)" -qmp "unix:qmp-$name.sock,server=on,wait=off"
}

# random FIRST LAST: of this seed.
random() {
	awk -v seed="$seed-$nr-$way" -v first="$1" -v last="$2" 'BEGIN {
		for (i = 1; i <= length(seed); i++)
			sum = (sum * 31 + index("0123456789abcdefghijklmnopqrstuvwxyz-", substr(seed, i, 1))) % 1000003
		srand(sum); rand(); printf "%.3f", first + rand() * (last - first) }'
}

# await_journal REGEX: within a minute.
await_journal() {
	for _ in $(seq 600); do
		! grep -qE -- "$1" "$out/journal" || return 0
		sleep 0.1
	done
	return 1
}

# await_run: it is watched, and its state has come.
await_run() {
	await_journal "^$name: is watched" || return
	for _ in $(seq 600); do
		! grep -q '^guest: works' "$out/guest.log" || return 0
		sleep 0.1
	done
	return 1
}

kill_later() {
	await_run || return
	sleep "$1"
	kill -9 "$(cat "$out/pid")"
}

# The kernel of the host kills QEMU, because another process of its group wants more than there is.
eat_later() {
	await_run || return
	sleep "$1"
	qemu=$(cat "$out/pid")
	echo 1000 >"/proc/$qemu/oom_score_adj"
	echo "$qemu" >"$cgroup/cgroup.procs"
	sh -c "echo \$\$ >$cgroup/cgroup.procs; exec dd if=/dev/zero of=/dev/null bs=80M count=1" 2>/dev/null || true
}

kills_of_kernel() {
	sed -n 's/^oom_kill //p' "$cgroup/memory.oom_control"
}

# die_by: as $way says; true if run found that in order.
die_by() {
	when=$(random 0.1 1.5)
	# Its state has come by then: a key before that would be lost.
	runs="(?s)guest: works.*$name: is watched"
	set -- --resumed --log "$out/journal"
	case $way in
	panic | hang)
		machine "$name" "$@" --when "$runs=>sleep $when; !${way%"${way#?}"}" --when 'no such words=>quit' \
			--allow 'Kernel panic - not syncing: victim: panic' -- -incoming "exec:cat<machine" ;;
	killed)
		kill_later "$when" &
		later=$!
		machine "$name" "$@" --kill 'no such words' -- -incoming "exec:cat<machine" && wait "$later" ;;
	reset)
		machine "$name" "$@" --when "$runs=>sleep $when; system_reset" \
			--kill "$name: after RESET.*: " -- -incoming "exec:cat<machine" \
			-action reboot=reset ;;
	out-of-memory)
		before=$(kills_of_kernel)
		eat_later "$when" &
		later=$!
		machine "$name" "$@" --kill 'no such words' -- -incoming "exec:cat<machine" && wait "$later" &&
			[ "$(kills_of_kernel)" -gt "$before" ] ;;
	esac
}

# is_true: what was saved is what the victim did; its numbers are in $out/said.
is_true() {
	dd if="$out/ram" of="$out/witness" bs=4096 skip=$((witness_addr / 4096)) count=16 2>"$out/dd" &&
		recovers "$epitaph" export --to json -o "$out/$name.json" "$store/$name"-*/epitaph-*/region &&
		"$here/truth" --least 10 "$out/witness" "$out/$name.json"
}

# dies_well: the death is what it should be, it is saved, and true.
dies_well() {
	die_by || return
	await_journal "^$name: after .*: saved " || { tail -n 3 "$out/journal"; return 1; }
	case $way in
	panic) expected=GUEST_PANICKED ;;
	hang) expected=WATCHDOG ;;
	reset) expected=RESET ;;
	*) expected='QEMU ended' ;;
	esac
	grep -E "^$name: after .*: saved " "$out/journal" | grep -q "after $expected" || { tail -n 3 "$out/journal"; return 1; }
	is_true
}

echo "# seed $seed, $deaths deaths of each kind"
mkdir -p "$cgroup"
echo 64M >"$cgroup/memory.limit_in_bytes"
machine first --when 'guest: save me=>migrate "exec:cat >machine"; quit' -- >"$out/said" 2>&1 || { cat "$out/said"; exit 1; }
echo "# the guest's state: $(($(stat -c %s "$out/machine") >> 20)) MiB"
watch_guests RATE=64 COUNT=0 SIZE=0
for way in $ways; do
	true_ones=0
	for nr in $(seq "$deaths"); do
		name=$way-$nr
		begin=$(date +%s)
		if dies_well >"$out/said" 2>&1; then
			true_ones=$((true_ones + 1))
			rm -rf "${store:?}/$name"-*
			echo "# $name: $(grep -oE '[0-9]+ events.*' "$out/said" | tail -n 1), $(($(date +%s) - begin)) s"
		else
			echo "# $name: FAILED"
			sed 's/^/# /' "$out/said" | tail -n 20
		fi
		rm -f "$out/$name.json" "$out/qmp-$name.sock"
	done
	echo "# $way: saved, and true, $true_ones of $deaths"
	check "$way: saved by the host, nothing lost, nothing invented: $true_ones of $deaths" [ "$true_ones" = "$deaths" ]
done
check "the service ends when it should" end_watch
rm -f "$out/ram" "$out/machine"
rmdir "$cgroup"
finish
