#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# How much later a Debian is up because of the recorder: the same disk boots BOOT_ROUNDS times (5)
# with us and without by turns.  Each is restarted in order once, as that leaves something to harvest,
# for which no boot may wait; then it crashes, and boots with a spool on a disk that answers no more.
# A login on the console, which systemd delays for units that are still being started, may not wait either.
#
# QEMU counts instructions: one takes a nanosecond, and there is one CPU.  So what is seen is
# what 1000 million instructions a second would take, with nothing done at the same time.  The disks are
# memory (nvdimm), and a CPU that waits for a timer has no time to wait for (sleep=off): nothing is
# waited for in the host's time, and a busy host makes no difference.  How much faster a CPU of the
# host is, a program says that runs on both; what is claimed is what a boot would be later there.

# shellcheck disable=SC2034,SC2317 # lib-debian.sh's; called by name
VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"
. "$(dirname "$0")/../../lib-debian.sh"

rounds=${BOOT_ROUNDS:-5}
most=100 # ms
most_hanging=1000
more_packages=dmsetup

# Of lib-debian.sh.  QEMU names the last nvdimm first.  The script is no job that systemd waits for, as a login's would wait for it.
configure() {
	echo '/dev/pmem1 / ext4 errors=remount-ro 0 1' >"$1/etc/fstab"
	printf '%s\n' nfit nd_pmem >>"$1/etc/initramfs-tools/modules"
	in_root "$1" update-initramfs -u
	script_unit "$1"
	mkdir "$1/etc/systemd/system/guest.service.d"
	printf '[Service]\nType=exec\n' >"$1/etc/systemd/system/guest.service.d/exec.conf"
	# As getty's.
	cat >"$1/etc/systemd/system/login.service" <<-'UNIT'
		[Service]
		Type=idle
		ExecStart=/bin/sh -c 'read up idle </proc/uptime; echo $$up >/run/login.new; mv /run/login.new /run/login'
		[Install]
		WantedBy=multi-user.target
	UNIT
	# From now on nothing that is read or written there is answered.
	cat >"$1/etc/systemd/system/hang.service" <<-'UNIT'
		[Unit]
		DefaultDependencies=no
		ConditionPathExists=/hang
		After=local-fs.target
		Before=epitaph-recover.service
		[Service]
		Type=oneshot
		ExecStart=/bin/sh -c 'modprobe dm_mod && dmsetup create --noudevsync spool --table "0 131072 linear /dev/pmem0 0" && dmsetup mknodes && mkdir -p /var/lib/epitaph && mount /dev/mapper/spool /var/lib/epitaph && dmsetup suspend --noflush --nolockfs spool'
		[Install]
		WantedBy=sysinit.target
	UNIT
	systemctl --root="$1" enable login.service hang.service
}

cat >"$out/boots.sh" <<'BOOTS'
. /test/lib-debian-guest.sh

us() {
	systemctl show -P "$2" "$1"
}

# tell WHAT US: for the host.
tell() {
	echo "time: $way $nth $1 $2"
}

# since_start WHAT UNIT: when it was active.
since_start() {
	tell "$1" "$(us "$2" ActiveEnterTimestampMonotonic)"
}

# How long its start was waited for.
start_of() {
	tell "$1" $(($(us "$1" ActiveEnterTimestampMonotonic) - $(us "$1" InactiveExitTimestampMonotonic)))
}

# What its processes took, and what was done for them before they were it.
cpu_of() {
	ns=$(us "$1" CPUUsageNSec)
	case $ns in
	*[!0-9]* | ?????????????*) ns=0 ;;
	esac
	tell "cpu-of-$1" $((ns / 1000))
}

# 300 processes, for which the host takes less.
rate() {
	began=$(date +%s%N)
	sh -c 'for i in $(seq 300); do /usr/bin/env true; done'
	tell rate $((($(date +%s%N) - began) / 1000))
}

# Of loading the module, the part that is ours.
init_function() {
	tell init "$(dmesg | sed -n 's/.*initcall recorder_init.* after \([0-9]*\) usecs/\1/p' | head -n 1)"
}

login_came() {
	for _ in $(seq 300); do
		[ ! -e /run/login ] || return 0
		sleep 0.1
	done
	return 1
}

# A process of the unit waits for the disk, and what died is kept.
saving_hangs() {
	for pid in $(cat /sys/fs/cgroup/system.slice/epitaph-recover.service/cgroup.procs); do
		cat "/proc/$pid/stat"
		grep -q ') D ' "/proc/$pid/stat" && grep -qx evidence /sys/kernel/epitaph/generations/*/state && return
	done
	return 1
}

spool_hangs() {
	dmsetup info spool
	dmsetup info spool | grep -q '^State: *SUSPENDED'
}

it_is_saved() {
	dmsetup resume spool
	harvest_is_over && epitaph list | grep 'sysrq triggered crash'
}

way=with
[ -d /sys/kernel/epitaph ] || way=without
case $(cat /var/lib/restarted 2>/dev/null) in
'') nth=first ;;
1) nth=second ;;
2) nth=hanging ;;
esac
check "a login comes" login_came
tell login $(($(tr -d . </run/login) * 10000))
tell userspace "$(systemctl show -P UserspaceTimestampMonotonic)"
since_start sysinit sysinit.target
since_start basic basic.target
tell service "$(us guest ExecMainStartTimestampMonotonic)"
# Not idle, and not waiting for the disk.
tell busy "$(awk '$1 == "cpu" { print ($2 + $3 + $4 + $7 + $8) * 10000 }' /proc/stat)"
if [ $nth = hanging ]; then
	check "the disk of the spool answers no more" spool_hangs
	if [ $way = with ]; then
		check "what died is being saved meanwhile" saving_hangs
		check "when the disk answers, it is saved" it_is_saved
	fi
elif [ $way = with ]; then
	init_function
	check "nothing is left to harvest" harvest_is_over
	start_of epitaph
	start_of epitaph-recover
	for unit in epitaph epitaph-recover epitaph-harvest modprobe@epitaph modprobe@epitaph_pstore; do
		cpu_of "$unit"
	done
	journalctl -b -o cat --no-pager -u epitaph-recover -u epitaph-harvest | grep '^\(harvested\|nothing\)' | sed 's/^/# /' || :
	check "no unit failed" no_unit_of_ours_failed
fi
rate
if [ $nth = first ]; then
	echo 1 >/var/lib/restarted
	trap - EXIT
	sync
	systemctl --force reboot
	sleep 600
elif [ $nth = second ]; then
	echo 2 >/var/lib/restarted
	touch /hang
	panic
fi
rm /var/lib/restarted /hang
! dmsetup info spool | grep -q SUSPENDED || dmsetup resume spool
BOOTS

# boot_by WAY [WORD...]: three boots; what they took goes to $out/times.
boot_by() {
	way=$1
	shift
	append="root=/dev/pmem1 initcall_debug systemd.mask=kdump-tools.service $*" disk='' debian_boots 3 --timeout 900 \
		--cpus 1 --memory 1G,slots=2,maxmem=16G -- -icount shift=0,sleep=off -rtc clock=vm -machine nvdimm=on \
		-object "memory-backend-file,id=root,mem-path=$out/disk.img,size=$(stat -c %s "$out/disk.img"),share=on" \
		-device nvdimm,memdev=root \
		-object "memory-backend-file,id=spool,mem-path=$out/spool.img,size=$(stat -c %s "$out/spool.img"),share=on" \
		-device nvdimm,memdev=spool
	check "the guest ended well" guest_ended_well
	sed -n 's/^time: //p' "$out/guest.log" >>"$out/times"
}

with_us() {
	initrd=initrd.img boot_by with
}

without_us() {
	masks=
	for unit in "$top"/systemd/*.service "$top"/systemd/*.timer; do
		masks="$masks systemd.mask=${unit##*/}"
	done
	# shellcheck disable=SC2086 # words
	reservation='' initrd=initrd-plain.img boot_by without $masks
}

# median WAY NTH WHAT: in us.
median() {
	awk -v what="$1 $2 $3" '$1 " " $2 " " $3 == what { print $4 }' "$out/times" | sort -n |
		awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : int((v[NR / 2] + v[NR / 2 + 1]) / 2) }'
}

# later NTH WHAT: how much, in us.
later() {
	with=$(median with "$1" "$2")
	without=$(median without "$1" "$2")
	echo $((with - without))
}

show() {
	for nth in first second hanging; do
		for what in userspace sysinit basic service login busy; do
			echo "# $nth boot, $what: $(median with $nth $what) us with the recorder, $(median without $nth $what) without, $(later $nth $what) more"
		done
		[ $nth != hanging ] || continue
		for what in epitaph epitaph-recover init cpu-of-epitaph cpu-of-epitaph-recover cpu-of-epitaph-harvest \
			cpu-of-modprobe@epitaph cpu-of-modprobe@epitaph_pstore rate; do
			echo "# $nth boot, $what: $(median with $nth $what) us"
		done
	done
}

# since_root WAY NTH WHAT: since the first process of the real root began; before, in the initramfs, the
# module is loaded, and nothing else of ours is done.
since_root() {
	at=$(median "$1" "$2" "$3")
	began=$(median "$1" "$2" userspace)
	echo $((at - began))
}

# us of CPU that the host takes for what the guest's "rate" is.
# shellcheck disable=SC2016 # the shell that it starts expands it
host_rate() {
	/usr/bin/python3 -c '
import resource, subprocess
subprocess.run(["sh", "-c", "for i in $(seq 300); do /usr/bin/env true; done"])
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(int((used.ru_utime + used.ru_stime) * 1e6))'
}

# hardly_later NTH WHAT: than without us, on a CPU of the host.
hardly_later() {
	later_us=$(($(since_root with "$1" "$2") - $(since_root without "$1" "$2")))
	guest_us=$(median with "$1" rate)
	later_ms=$((later_us * host_us / guest_us / 1000))
	echo "$((later_us / 1000)) million instructions more; for what the guest takes $((guest_us / 1000)) million, the host takes $((host_us / 1000)) ms: $later_ms ms"
	[ "$later_ms" -le "$most" ]
}

# A wait takes as long on any CPU.
soon_enough() {
	later_ms=$((($(since_root with hanging "$1") - $(since_root without hanging "$1")) / 1000))
	echo "$later_ms ms later"
	[ "$later_ms" -le "$most_hanging" ]
}

# as_soon WHAT: although something is harvested.
as_soon() {
	first=$(since_root with first "$1")
	second=$(since_root with second "$1")
	echo "$(((second - first) / 1000)) ms later"
	[ $(((second - first) / 1000)) -le "$most" ]
}

need_bare_debian
check "apt installs the packages" install_built
put_script
truncate -s 64M "$out/spool.img"
mke2fs -q -F -t ext4 -m 0 "$out/spool.img"
round=0
while [ $round -lt "$rounds" ]; do
	with_us
	without_us
	round=$((round + 1))
done
host_us=$(host_rate)
show
for nth in first second; do
	for what in sysinit basic service; do
		check "the $nth boot has $what at most $most ms later than without us" hardly_later $nth $what
		sed 's/^/# /' "$out/said"
	done
done
for what in sysinit basic service login; do
	check "with a spool that hangs, $what is at most $most_hanging ms later than without us" soon_enough $what
	sed 's/^/# /' "$out/said"
done
for what in sysinit basic service; do
	check "a boot that harvests an earlier one has $what at most $most ms later" as_soon $what
	sed 's/^/# /' "$out/said"
done
clean_up
finish
