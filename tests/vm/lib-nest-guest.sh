# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
#
# Words of the guest that is a host of guests.

# What is emulated byte by byte takes longest: such a guest says nothing on its console.  Without a tick, and with
# timers of high resolution, more guests hung at their start (is_stuck).
nested_words="console=ttyS0,115200 no_timer_check panic=-1 oops=panic tsc=reliable noxsave loglevel=1 nohz=off highres=off"

# Their kernel is moved, and ends at 0x10000000 at last (unpack-kernel): the memory of their recorder and of their
# victim's witness begins there.
nested_region=0x10000000
nested_witness=0x11000000

# start_nested NAME TEXT [OPTION...]: boots a guest until its script says TEXT; $nested_memory says on its command line
# where its recorder finds memory.  Its words come to /tmp/NAME.log, QEMU's monitor is /tmp/NAME.monitor.in.  One that
# is stuck is started again; $starts are its tries.
start_nested() {
	name=$1 text=$2
	shift 2
	mkfifo "/tmp/$name.monitor.in" "/tmp/$name.monitor.out"
	for start in ${starts:-1 2 3 4 5 6}; do
		cat "/tmp/$name.monitor.out" >"/tmp/$name.monitor.log" &
		run_nested "$@"
		if await_started "$name" "$text"; then
			echo "# $name: start $start"
			return
		fi
		kill -9 "$qemu"
		wait "$qemu" 2>/dev/null
		tail -n 3 "/tmp/$name.console" "/tmp/$name.log"
	done
	return 1
}

# await_started NAME TEXT: a line of the script's, within three minutes, unless the guest is stuck before.
await_started() {
	place='' same=0
	for _ in $(seq 150); do
		! grep -q -- "$2" "/tmp/$1.log" || return 0
		! is_stuck "$1" || return 1
		sleep 1
	done
	return 1
}

# is_stuck NAME: four times, a second apart, its processor ran at one place.  An interrupt that KVM injects is
# delivered twice by the emulation if it is kicked right behind that (boot_nest).  The second comes while the
# first has a lock of the timer, although interrupts are off: the one CPU waits in queued_spin_lock_slowpath()
# for a lock that is taken and awaited (0x101) by itself.
is_stuck() {
	tell_nested "$1" 'info registers'
	usleep 200000
	now=$(tr -d '\r' <"/tmp/$1.monitor.log" | grep -E '^(RAX|RIP)=' | tail -n 2 | tr '\n' ' ')
	case $now in
	RAX=0000000000000101*RIP=ffffffff*) [ "$now" = "$place" ] && same=$((same + 1)) || same=0 ;;
	*) same=0 ;;
	esac
	place=$now
	[ "$same" -ge 3 ] && echo "# $1 is stuck: $now"
}

run_nested() {
	khz=$(param tsc_early_khz)
	: >"/tmp/$name.log"
	# Its virtual CPU stays on one of ours.
	taskset 2 /bin/qemu -L /test -accel kvm -cpu host -smp 1 -machine pc -nodefaults -no-user-config -display none \
		-no-reboot -no-shutdown -action panic=pause -device pvpanic -m 512 \
		-name "guest=$name,debug-threads=on" -kernel /test/unpacked-6.1.elf -initrd /test/nest.img \
		-append "$nested_words ${khz:+tsc_early_khz=$khz lpj=$((khz * 4))} nest.name=$name ${nested_memory:-memmap=16M!$nested_region epitaph.addr=$nested_region epitaph.size=16M} memmap=64K!$nested_witness" \
		-serial "file:/tmp/$name.console" -serial "file:/tmp/$name.log" \
		-chardev "pipe,id=monitor,path=/tmp/$name.monitor" -mon monitor "$@" &
	qemu=$!
}

# nested_says NAME TEXT: a line of the script's, within a minute.
nested_says() {
	for _ in $(seq 300); do
		! grep -q -- "$2" "/tmp/$1.log" || return 0
		usleep 200000
	done
	return 1
}

# tell_nested NAME COMMAND: to its monitor.
tell_nested() {
	echo "$2" >"/tmp/$1.monitor.in"
}

# await_size FILE BYTES: QEMU writes it.
await_size() {
	for _ in $(seq 300); do
		[ "$(stat -c %s "$1" 2>/dev/null)" != "$2" ] || return 0
		usleep 200000
	done
	ls -l "$1"
	return 1
}

# await_unmounted: no QEMU writes to the disk any more.
await_unmounted() {
	for _ in $(seq 300); do
		! umount /disk 2>/dev/null || return 0
		usleep 200000
	done
	return 1
}
