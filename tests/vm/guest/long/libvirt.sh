#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A guest of a real libvirt daemon panics, and is destroyed later: the service, which knows of it by
# epitaph-libvirt alone, saves it each time, and has it dumped.  That libvirt's daemon is started anew is no end
# of a guest.

# shellcheck disable=SC2317,SC2154 # check calls what is defined here; lib-watch.sh sets them

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"
. "$here/lib-watch.sh"
. "$here/lib-deps.sh"

need_deps libvirt
uri=qemu:///system
name=epitaph_test
guest_modules="pvpanic pvpanic-mmio"
memory=1024

guest <<'END'
load_modules /lib/modules
load_recorder device=ivshmem
load_surviving_victim
sleep 1
grep -q dies /proc/cmdline || { echo "guest: destroy me"; sleep 100; }
bug panic
END
pack_guest

# domain_of WORD: the guest, with this at the end of its command line.
domain_of() {
	cat <<-END
		<domain type='qemu'>
		<name>$name</name>
		<uuid>$uuid</uuid>
		<memory unit='MiB'>$memory</memory>
		<vcpu>2</vcpu>
		<os>
			<type arch='x86_64' machine='pc'>hvm</type>
			<kernel>$(image)</kernel>
			<initrd>$out/initrd.img</initrd>
			<cmdline>$basic_args panic=-1 oops=panic memmap=64K!$witness_addr $1</cmdline>
		</os>
		<features><acpi/></features>
		<cpu mode='maximum'/>
		<on_crash>preserve</on_crash>
		<on_reboot>destroy</on_reboot>
		<seclabel type='static' model='dac' relabel='no'><label>+0:+0</label></seclabel>
		<devices>
			<emulator>/usr/bin/qemu-system-x86_64</emulator>
			<serial type='file'><source path='$out/console.log'/></serial>
			<serial type='file'><source path='$out/guest.log'/></serial>
			<shmem name='$name'><model type='ivshmem-plain'/><size unit='M'>16</size></shmem>
			<panic model='isa'/>
			<memballoon model='none'/>
		</devices>
		</domain>
	END
}

# await FILE REGEX: within two minutes.
await() {
	for _ in $(seq 1200); do
		! grep -qE -- "$2" "$1" 2>/dev/null || return 0
		sleep 0.1
	done
	tail -n 5 "$1"
	return 1
}

ask() {
	virsh -q -c "$uri" "$@"
}

start_guest() {
	rm -f "$out/console.log" "$out/guest.log"
	domain_of "$1" >"$out/domain.xml"
	ask create "$out/domain.xml"
}

# The bytes of the victim, as libvirt's QEMU has them.
keep_witness_of_libvirt() {
	ask qemu-monitor-command "$name" --hmp "pmemsave $witness_addr 65536 \"$1\""
}

dump_is_read() {
	recovers "$epitaph" report --all --source log "$(capture_of GUEST_PANICKED)/dump" >"$out/dump.txt" || return
	grep 'Kernel panic - not syncing: victim: panic' "$out/dump.txt"
}

dump_is_for_root_alone() {
	[ "$(stat -c '%a %u' "$(capture_of GUEST_PANICKED)/dump")" = '400 0' ]
}

# A daemon of ours alone is started anew.
start_libvirt() {
	libvirtd -d -p "$out/libvirtd.pid"
	for _ in $(seq 100); do
		! ask list >"$out/said" 2>&1 || return 0
		sleep 0.1
	done
	return 1
}

restart_libvirt() {
	daemon=$(cat "$out/libvirtd.pid")
	kill "$daemon" && await "$out/bridge" 'ended the connection' || return
	for _ in $(seq 100); do
		kill -0 "$daemon" 2>/dev/null || break
		sleep 0.1
	done
	start_libvirt && await "$out/bridge" 'connected again'
}

no_end_is_seen() {
	! sed "1,$1d" "$out/journal" | grep -E 'QEMU (ended|closed)|after '
}

capture_of() {
	for dir in "$store/$name-$uuid"/epitaph-*; do
		[ ! -f "$dir/qmp.txt" ] || ! grep -q "$1" "$dir/qmp.txt" || echo "$dir"
	done
}

# true_of EVENT WITNESS
true_of() {
	dir=$(capture_of "$1")
	[ -n "$dir" ] || { ls -lR "$store"; return 1; }
	recovers "$epitaph" export --to json -o "$out/$1.json" "$dir/region" && "$here/truth" --least 10 "$2" "$out/$1.json"
}

nothing_is_left() {
	! find "$out/libvirt" -name '*.qmp' | grep .
}

has_own_libvirt=
ask list >"$out/said" 2>&1 || { virtlogd -d -p "$out/virtlogd.pid"; start_libvirt; has_own_libvirt=yes; }
"$top/extractor/epitaph-libvirt" "$uri" "$out/libvirt" >"$out/bridge" 2>&1 &
bridge=$!
# shellcheck disable=SC2034 # of lib-watch.sh
sockets="$out/libvirt/*.qmp"
watch_guests DUMP=yes SIZE=4G

# What is over by then has nothing to be ended.
clean_up() {
	set +e
	kill "$watcher" "$bridge"
	ask destroy "$name"
	rm -f "/dev/shm/$name"
	[ -z "$has_own_libvirt" ] || kill "$(cat "$out/libvirtd.pid")" "$(cat "$out/virtlogd.pid")"
}
trap 'clean_up 2>/dev/null' EXIT

check "libvirt starts a guest" start_guest dies
check "it is watched" await "$out/journal" "^$name: is watched: /dev/shm/$name"
check "its panic is saved" await "$out/journal" "^$name: after GUEST_PANICKED.*: saved .*victim: panic"
check "the victim's numbers are kept" keep_witness_of_libvirt "$out/witness-panic"
check "the panic: every event came back, none was invented" true_of GUEST_PANICKED "$out/witness-panic"
check "libvirt dumps it" await "$out/journal" "^$name: dumped: .*/dump"
check "the dump has the kernel's log" dump_is_read
check "it is root's alone" dump_is_for_root_alone
check "libvirt destroys what is left" ask destroy "$name"
check "its socket goes" await "$out/journal" "^$name: .*QEMU ended|^$name: QEMU closed"
check "libvirt starts it again" start_guest lives
check "it runs" await "$out/guest.log" 'guest: destroy me'
check "it is watched again" await "$out/journal" 'is watched: '
seen=$(wc -l <"$out/journal")
[ -z "$has_own_libvirt" ] || check "libvirt's daemon is started anew" restart_libvirt
sleep 6
check "that was no end of its guest" no_end_is_seen "$seen"
check "the victim's numbers are kept" keep_witness_of_libvirt "$out/witness-before"
check "it is destroyed" ask destroy "$name"
check "that is saved" await "$out/journal" "^$name: after .*QEMU ended: saved "
check "no socket is left" nothing_is_left
check "the service ends when it should" kill "$watcher"
finish
