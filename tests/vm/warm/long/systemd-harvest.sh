#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A Debian that boots with our units, six times: it panics, restarts in order, panics
# with /var full, panics with a spool that hangs, and boots at last without the modules.  What is
# harvested, when, and that a boot is never held up by it; and what the recorder's service shows
# meanwhile.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"
. "$(dirname "$0")/../../lib-pstore.sh"
. "$(dirname "$0")/../../lib-systemd.sh"

bootstrapped=$top/.cache/debian-systemd

bootstrap() {
	# shellcheck disable=SC2016 # apt expands these
	mirror=$(apt-get indextargets --format '$(REPO_URI) $(LABEL)' 'Created-By: Packages' |
		awk '$2 == "Debian" { print $1; exit }')
	rm -rf "$bootstrapped"
	debootstrap --variant=minbase --include=systemd,systemd-sysv,kmod \
		bookworm "$bootstrapped" "$mirror" >"$out/debootstrap" 2>&1
	: >"$bootstrapped/.whole"
}

# install_modules ROOT: ours, and what systemd asks for, as a package would.
install_modules() {
	from=$("$top/scripts/kernels" --modules "$kernel")
	to=$1/lib/modules/${from##*/}
	mkdir -p "$to/extra" "$to/kernel/fs"
	cp -r "$from/kernel/fs/autofs" "$to/kernel/fs/"
	install -D "$from/kernel/drivers/block/loop.ko" "$to/kernel/drivers/block/loop.ko"
	cp "$from"/modules.builtin* "$from/modules.order" "$to/"
	cp "$recorder" "$backend" "$to/extra/"
	strip -g "$to"/extra/*.ko
	depmod -b "$1" "${from##*/}"
}

# install_units ROOT: where a package puts them, and as harvest.md and pstore.md say.
install_units() {
	install -D -m 644 "$top/systemd/epitaph-recover.service" \
		"$1/lib/systemd/system/epitaph-recover.service"
	install -D -m 644 "$top/systemd/epitaph-harvest.service" \
		"$1/lib/systemd/system/epitaph-harvest.service"
	install -D -m 644 "$top/systemd/modprobe-recorder.conf" \
		"$1/lib/systemd/system/modprobe@epitaph.service.d/epitaph.conf"
	install -D -m 644 "$top/systemd/epitaph-pstore.service" \
		"$1/lib/systemd/system/epitaph-pstore.service"
	install -D -m 644 "$top/systemd/modprobe.conf" "$1/etc/modprobe.d/epitaph.conf"
	install -D -m 644 "$top/systemd/epitaph.service" "$1/lib/systemd/system/epitaph.service"
	install -D -m 644 "$top/systemd/epitaph-guests.service" "$1/lib/systemd/system/epitaph-guests.service"
	# A host of guests, of which none runs; the static tool knows none.
	mkdir -p "$1/etc/epitaph"
	echo 'QMP=/run/no-guests/*.sock' >"$1/etc/epitaph/guests.conf"
	install -D -m 755 "$epitaph" "$1/usr/lib/epitaph/epitaph"
	ldd "$epitaph" | awk '$2 == "=>" { print $3 }' | while read -r library; do
		[ -e "$1$library" ] || cp -L "$library" "$1/usr$library"
	done
	mkdir "$1/etc/systemd/system/epitaph-guests.service.d"
	printf '[Service]\nExecStart=\nExecStart=/usr/lib/epitaph/epitaph guest watch\n' >"$1/etc/systemd/system/epitaph-guests.service.d/tool.conf"
	mkdir -p "$1/usr/lib/epitaph"
	install -m 755 "$top/systemd/memory-is-reserved" "$top/systemd/recover" "$top/systemd/when-saved" "$1/usr/lib/epitaph/"
	install -m 755 "$top/extractor/epitaph-static" "$1/usr/bin/epitaph"
	# A disk that takes 5 s more, and one that hangs where /hang says so.
	mkdir "$1/etc/systemd/system/epitaph-recover.service.d"
	printf '[Service]\nExecStartPre=/bin/sleep 5\n' >"$1/etc/systemd/system/epitaph-recover.service.d/slow.conf"
	cat >"$1/etc/systemd/system/hang.service" <<-'UNIT'
		[Unit]
		DefaultDependencies=no
		ConditionPathExists=/hang
		After=local-fs.target
		Before=epitaph-recover.service
		[Service]
		Type=oneshot
		ExecStart=/bin/sh -c 'modprobe loop && mount -o loop /hang /var/lib/epitaph && fsfreeze -f /var/lib/epitaph'
		[Install]
		WantedBy=sysinit.target
	UNIT
	systemctl --root="$1" enable epitaph.service epitaph-recover.service epitaph-harvest.service \
		epitaph-pstore.service epitaph-guests.service hang.service
}

install_guest() {
	script_unit "$1" After=epitaph.service
	cp "$here/lib-guest.sh" "$out/boots.sh" "$1/test/"
}

make_root() {
	[ -f "$bootstrapped/.whole" ] || bootstrap
	root=$out/root
	cp -a "$bootstrapped" "$root"
	rm -rf "$root/var/cache/apt" "$root/usr/share/doc" "$root/usr/share/locale"
	install_guest "$root"
	install_modules "$root"
	install_units "$root" 2>"$out/enabled"
	truncate -s 640M "$out/disk.img"
	mke2fs -q -F -t ext4 -m 0 -d "$root" "$out/disk.img"
	rm -rf "$root"
}

if [ "$(id -u)" != 0 ] || ! command -v debootstrap >/dev/null; then
	echo "ok 1 - $test_name # SKIP a Debian root needs debootstrap, and to be root"
	echo "1..1"
	exit
fi

guest <<'END'
with_disk
enter_root
END

cat >"$out/boots.sh" <<'END'
exec >/dev/ttyS1 2>&1
. /test/lib-guest.sh
boot=$(cat /boots)
gens=/sys/kernel/epitaph/generations
kept=/var/lib/epitaph
echo "guest: boot $boot is up after $(cut -d ' ' -f 1 /proc/uptime) s"

prop() {
	systemctl show -P "$2" "$1"
}
is() {
	[ "$(prop "$1" "$2")" = "$3" ] && return
	systemctl status --no-pager -l "$1"
	return 1
}
journal_says() {
	journalctl -b -o cat --no-pager -u epitaph-recover -u epitaph-harvest | tee /tmp/journal
	grep -q -- "$1" /tmp/journal
}
# For the log of the test: what its user sees.
show_journal() {
	journalctl -b -o cat --no-pager -u epitaph-recover -u epitaph-harvest | sed "s/^/# boot $boot: /"
	systemctl --failed --no-legend --plain | sed "s/^/# boot $boot failed: /"
}
green() {
	is "$1" Result success && is "$1" ActiveState active
}
skipped() {
	is "$1" ConditionResult no && is "$1" ActiveState inactive
}
modes() {
	find $kept -printf '%m %u %y %p\n' | sort -k 4
	[ -z "$(find $kept -type d ! -perm 700 -o -type f ! -perm 400 -o ! -user root)" ]
}
whole() {
	epitaph report --events 40 "$(found $1)/region" | cmp - "$(found $1)/summary.txt"
}
found() {
	ls -d $kept/"$(cat $gens/$1/boot_id)"-*
}
# What ended in order is saved behind the boot's back.
await_harvest() {
	for _ in $(seq 600); do
		[ -n "$(systemctl list-jobs --no-legend 'epitaph-*')" ] ||
			[ "$(prop epitaph-recover SubState)" = running ] ||
			[ "$(prop epitaph-harvest SubState)" = running ] || return 0
		sleep 0.2
	done
	return 1
}
# When targets were reached, in the guest's time; with VM_QEMU="-icount shift=0,sleep=on -rtc clock=vm"
# these are numbers of instructions, and can be compared.
show_times() {
	began=$(systemctl show -P UserspaceTimestampMonotonic)
	for target in sysinit basic; do
		echo "# boot $boot: $target.target $((($(prop $target.target ActiveEnterTimestampMonotonic) - began) / 1000)) ms behind the first process" >/dev/ttyS1
	done
}
quick() {
	took=$((($(prop epitaph-recover ExecMainExitTimestampMonotonic) - \
		$(prop epitaph-recover ExecMainStartTimestampMonotonic)) / 1000))
	echo "# boot $boot: harvest took $took ms" >/dev/ttyS1
	[ $took -lt 60000 ]
}
# The slow disk's 5 s are not the boot's.
boot_did_not_wait() {
	up=$(prop sysinit.target ActiveEnterTimestampMonotonic)
	saved=$(prop epitaph-recover ExecMainExitTimestampMonotonic)
	echo "sysinit.target at $up us, saved at $saved us"
	[ "$up" -gt 0 ] && [ "$up" -lt "$saved" ]
}
backend_second() {
	soon is epitaph-pstore SubState exited
	dmesg | grep -oE 'epitaph: generation [0-9]+ is harvested|pstore: Registered epitaph' | tee /tmp/order
	[ "$(tail -n 1 /tmp/order)" = 'pstore: Registered epitaph' ] && [ "$(wc -l </tmp/order)" -gt 1 ]
}
# It would move what is to be saved.
systemd_pstore_before() {
	looked=$(prop systemd-pstore ConditionTimestampMonotonic)
	began=$(prop epitaph-pstore ExecMainStartTimestampMonotonic)
	echo "systemd-pstore looked at $looked us, backend not before $began us"
	[ "$looked" -gt 0 ] && [ "$looked" -lt "$began" ]
}
in_pstore() {
	ls -A /sys/fs/pstore /var/lib/systemd/pstore
	[ -n "$(find /sys/fs/pstore /var/lib/systemd/pstore -type f)" ]
}
# hangs UNIT: a process of it waits for the disk.
hangs() {
	for pid in $(cat "/sys/fs/cgroup/system.slice/$1.service/cgroup.procs"); do
		cat "/proc/$pid/stat"
		grep -q ') D ' "/proc/$pid/stat" && [ "$(prop "$1" SubState)" = running ] && return
	done
	return 1
}
watches_guests() {
	prop epitaph-guests StatusText
	[ "$(prop epitaph-guests StatusText)" = 'Watching 0 of 0 guests' ] &&
		is epitaph-guests SubState running && [ "$(stat -c %a:%u $kept/guests)" = 700:0 ]
}
no_target_waits() {
	systemctl show -P After sysinit.target basic.target multi-user.target | tee /tmp/after
	grep -q systemd-tmpfiles-setup.service /tmp/after && ! grep -E 'epitaph-(recover|harvest|after-crash|pstore|guests)' /tmp/after
}
no_job_of_ours() {
	systemctl list-jobs --no-legend
	[ -z "$(systemctl list-jobs --no-legend 'epitaph*')" ]
}
soon() {
	for _ in $(seq 60); do
		! "$@" || return 0
		sleep 1
	done
	return 1
}
# The recorder's service: what it loaded, what it may do, what it reports.
shows() {
	prop epitaph StatusText | tee /tmp/shown
	grep -Eq "$1" /tmp/shown
}
shows_soon() {
	for _ in $(seq 30); do
		shows "$1" && return
		sleep 1
	done
	return 1
}
may_nothing() {
	pid=$(prop epitaph MainPID)
	grep -E '^(Cap(Eff|Bnd|Prm)|NoNewPrivs|Seccomp):' "/proc/$pid/status"
	grep -qx 'CapBnd:	0000000000000000' "/proc/$pid/status" &&
		grep -qx 'NoNewPrivs:	1' "/proc/$pid/status" && grep -qx 'Seccomp:	2' "/proc/$pid/status"
}
# ns of CPU of our process and of systemd, and how often it spoke, in 41 s
cost() {
	pid=$(prop epitaph MainPID)
	ours=$(cut -d ' ' -f 1 "/proc/$pid/schedstat") manager=$(cut -d ' ' -f 1 /proc/1/schedstat)
	sleep 41
	ours=$(($(cut -d ' ' -f 1 "/proc/$pid/schedstat") - ours))
	manager=$(($(cut -d ' ' -f 1 /proc/1/schedstat) - manager))
	echo "# in 41 s, four looks: $ours ns of CPU of epitaph status, $manager ns of systemd" >/dev/ttyS1
}
boot_went_on() {
	systemctl is-active sysinit.target basic.target
}
all_green() {
	! systemctl --failed --no-legend --plain | grep .
}
crash() {
	sync
	echo "guest: boot $boot panics"
	echo c >/proc/sysrq-trigger
	sleep 60
}
ends() {
	trap - EXIT
	sync
	echo "guest: ended with $1"
	systemctl poweroff --force
}
trap 'ends $?' EXIT
set -eu
[ -e /hang ] || await_harvest
show_journal
show_times

case $boot in
1)
	check "first boot: nothing crashed, and the boot waits for nothing" skipped epitaph-recover
	check "first boot: nothing to harvest" skipped epitaph-harvest
	check "the recorder runs" [ "$(cat /sys/kernel/epitaph/current)" = 1 ]
	check "its service is green" is epitaph ActiveState active
	check "guests are watched, and their directory is root's" soon watches_guests
	check "it shows what is recorded" shows '^Recording [0-9]+ events/s, the last [0-9].* kept, 0 dropped; 16 MiB at 0x20000000, generation 1, 0 earlier'
	check "what goes on running may do nothing" may_nothing
	cost
	check "it goes on showing" shows '^Recording [1-9]'
	systemctl status --no-pager epitaph | sed 's/^/# /'
	epitaph status | sed 's/^/# /'
	check "it is stopped" systemctl stop epitaph
	check "and the recording is not" epitaph status
	check "it is started again" systemctl start epitaph
	check "and nothing was begun anew" [ "$(cat /sys/kernel/epitaph/current)" = 1 ]
	pid=$(prop epitaph MainPID)
	kill -SEGV "$pid"
	sleep 2
	check "it comes back when it died" soon is epitaph ActiveState active
	check "as another process" [ "$(prop epitaph MainPID)" != "$pid" ]
	crash
	;;
2)
	check "after a panic: the unit is green" green epitaph-recover
	check "after a panic: it does all that is to be done" skipped epitaph-harvest
	check "after a panic: the journal has the line" journal_says '^harvested generation 1 to /var/lib/epitaph/.*crash'
	check "the sandbox lets it mark" grep -qx harvested $gens/1/state
	check "region and summary.txt are there" [ -s "$(found 1)/region" -a -s "$(found 1)/summary.txt" ]
	check "for root alone" modes
	check "the copy gives the trace that lies beside it" whole 1
	check "the boot did not wait for it" boot_did_not_wait
	check "the backend is loaded behind it" backend_second
	check "and behind systemd-pstore" systemd_pstore_before
	check "and shows nothing that is saved" sh -c '[ -d /sys/module/epitaph_pstore ] && ! find /sys/fs/pstore /var/lib/systemd/pstore -type f | grep .'
	check "the harvest took seconds" quick
	check "no unit failed" all_green
	sync
	echo "guest: boot 2 restarts in order"
	systemctl --no-block reboot
	trap - EXIT
	;;
3)
	check "after a restart: the boot waits for nothing" skipped epitaph-recover
	check "after a restart: the unit is green" green epitaph-harvest
	check "after a restart: it is reported as an end, not as a crash" journal_says 'harvested generation 2 .*ended'
	check "and so does the trace" grep '^# ended in order: restart' "$(found 2)/summary.txt"
	# Less than a region has in it, and enough to count boots.
	dd if=/dev/zero of=/var/filler bs=1M 2>/dev/null || true
	truncate -s -64K /var/filler
	df -k /var | sed 's/^/# /'
	crash
	;;
4)
	df -k /var | sed 's/^/# /'
	check "/var full: the unit failed" is epitaph-recover Result exit-code
	check "/var full: with status 3" is epitaph-recover ExecMainStatus 3
	check "/var full: the journal says why" journal_says 'No space left'
	check "/var full: not marked" grep -qx evidence $gens/3/state
	check "/var full: nothing half is left" sh -c "! ls -A $kept | grep '^.harvest'"
	check "/var full: the boot went on" boot_went_on
	check "/var full: pstore shows what is not saved" soon in_pstore
	check "/var full: a login would say so" grep -q 'not saved yet' /run/motd.d/epitaph-unsaved
	rm /var/filler
	sync
	systemctl restart epitaph-recover
	check "with room, it is harvested by hand" soon is epitaph-recover SubState exited
	check "and marked" grep -qx harvested $gens/3/state
	show_journal
	check "a login does not say so any more" [ ! -e /run/motd.d/epitaph-unsaved ]
	truncate -s 64M /hang
	mkfs.ext4 -q -F /hang
	crash
	;;
5)
	check "a spool that hangs: the harvest hangs" soon hangs epitaph-recover
	check "a spool that hangs: so does what watches guests" soon hangs epitaph-guests
	check "a spool that hangs: the boot went on" boot_went_on
	check "a spool that hangs: no job of ours is left, for which a login on the console would wait" soon no_job_of_ours
	check "a spool that hangs: the evidence is kept" grep -qx evidence $gens/4/state
	check "a spool that hangs: it is recorded meanwhile" [ "$(cat /sys/kernel/epitaph/current)" = 5 ]
	check "a spool that hangs: no target waits for it" no_target_waits
	fsfreeze -u /var/lib/epitaph
	await_harvest
	check "when it goes on, the trace is saved" grep -qx harvested $gens/4/state
	check "and guests are watched" soon watches_guests
	check "and the backend is loaded" soon is epitaph-pstore ActiveState active
	rm /hang
	modprobe -r epitaph_pstore epitaph
	check "unloaded: its service says so" shows_soon '^Nothing is recorded'
	check "and is failed, and stays it" is epitaph ActiveState failed
	check "and it was not loaded again" [ ! -e /sys/kernel/epitaph ]
	mkdir /modules
	mv /lib/modules/*/extra/* /modules/
	depmod
	sync
	echo "guest: boot 5 restarts in order"
	systemctl --no-block reboot
	trap - EXIT
	;;
6)
	check "no recorder: skipped, and not a failure" skipped epitaph-recover
	check "no recorder: nor is the other" skipped epitaph-harvest
	check "no recorder: the boot goes on" boot_went_on
	check "no recorder: its service failed, and that alone" [ "$(systemctl --failed --no-legend --plain | awk '/epitaph/ { print $1 }')" = epitaph.service ]
	check "no recorder: the journal says why" sh -c 'journalctl -b -o cat --no-pager -u epitaph | grep -i "modprobe: FATAL: Module epitaph not found"'
	;;
esac
END

make_root
pack_guest
append="panic=1 panic_on_warn=1 systemd.show_status=0" \
	boot --boots 6 --disk "$out/disk.img" --timeout 900 \
	--allow 'Kernel panic - not syncing: sysrq triggered crash'
check "the guest ended well" guest_ended_well
take_all_of_disk
rm -rf "${saved:?}/usr"
check "three directories are kept" [ "$(find "$saved/var/lib/epitaph" -name region | wc -l)" = 3 ]
for dir in "$saved"/var/lib/epitaph/*-*; do
	check "what is kept can be read elsewhere" recovers "$epitaph" check "$dir/region"
done
finish
