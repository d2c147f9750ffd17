#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# epitaph doctor on machines made of a few files: each fault is named, with what
# to do about it.  tests/vm/doctor*.sh asks it in real guests.
# shellcheck disable=SC2317
here=$(cd "$(dirname "$0")" && pwd)
epitaph=$here/../../../extractor/epitaph
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
	[ -d "$root/${1%/*}" ] || mkdir -p "$root/${1%/*}"
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
	put proc/cmdline 'root=/dev/vda1 memmap=16M!0x20000000 crashkernel=128M panic=10'
	put proc/sys/kernel/panic 0
	put sys/kernel/kexec_crash_loaded 1
	put sys/kernel/kexec_crash_size 134217728
	put sys/module/pstore/parameters/backend epitaph
	mkdir -p "$root/var/lib"
}

# The same as it is installed on Debian.
installed() {
	put proc/sys/kernel/osrelease 6.1.0-9-amd64
	kernel 6.1.0-9-amd64
	initrd var/lib/kdump/initrd.img-6.1.0-9-amd64 init scripts/local-bottom/epitaph
	put usr/lib/epitaph/capture x
	put lib/systemd/system/epitaph-recover.service x
	put etc/systemd/system/sysinit.target.wants/epitaph-recover.service x
	put lib/systemd/system/epitaph-recover.timer x
	put etc/systemd/system/timers.target.wants/epitaph-recover.timer x
	put dev/epitaph x
	put proc/stat 'cpu 1
btime 1500000000'
	put var/crash/kexec_cmd 'kexec -p'
	touch -d '60 seconds' "$root/var/crash/kexec_cmd"
	put proc/meminfo 'MemTotal: 1000000 kB
MemFree: 900000 kB
Buffers: 0 kB
Cached: 50000 kB
AnonPages: 10000 kB'
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
	put proc/cmdline 'root=/dev/vda1 memmap=16M!0x20000000'
}

# initrd FILE NAME...: an initramfs with these files, as Debian has it: microcode, then zstd.
initrd() {
	img=$root/$1
	shift
	mkdir -p "${img%/*}" "$dir/tree/microcode"
	echo code >"$dir/tree/microcode/x.bin"
	(cd "$dir/tree" && echo microcode/x.bin | cpio -o -H newc --quiet && printf '%512s' '' | tr ' ' '\0') >"$img"
	for name; do
		mkdir -p "$dir/tree/$(dirname "$name")"
		echo text >"$dir/tree/$name"
	done
	(cd "$dir/tree" && printf '%s\n' "$@" | cpio -o -H newc --quiet | ${packer-zstd -q}) >>"$img"
	rm -r "$dir/tree"
}

# A kernel with the recorder of DKMS in it, and in its initramfs.
kernel() {
	put "boot/vmlinuz-$1" x
	put "lib/modules/$1/updates/dkms/epitaph.ko" 'code~Module signature appended~'
	put "lib/modules/$1/modules.dep" 'kernel/fs/autofs/autofs4.ko:
updates/dkms/epitaph.ko: kernel/x.ko
updates/dkms/epitaph_pstore.ko:'
	initrd "boot/initrd.img-$1" init "usr/lib/modules/$1/updates/dkms/epitaph.ko"
}

a_healthy_machine_passes() {
	says 0 'it records, into generation 7' 'every vmcore will have it' && ! grep -qv '^ok ' "$dir/out"
}

no_recorder() {
	rm -r "$root/sys/kernel/epitaph"
	put proc/iomem '00001000-3fffffff : System RAM'
	says 1 'the recorder is not loaded' 'modprobe epitaph' 'there is no region' \
		'whether earlier boots left anything is not known'
}

# By the first line that tells one to do something.
first_advice() {
	[ "$(grep -m 1 -- '->' "$dir/out" | sed 's/^ *-> //')" = "$1" ]
}

before_setup_the_first_step_is_setup() {
	rm -r "$root/sys/kernel/epitaph"
	put proc/iomem '00100000-1fffffff : System RAM'
	put proc/cmdline 'root=/dev/vda1 crashkernel=128M panic=10'
	says 1 'no memory is reserved for it' && first_advice 'epitaph setup --write, then reboot' &&
		proposed=$("$epitaph" setup --root "$root" | grep -o 'memmap=[^ :]*' | head -n 1) && [ -n "$proposed" ] &&
		grep -F "boot with $proposed" "$dir/out" && put etc/default/grub.d/epitaph.cfg x && says 1 'reboot: epitaph setup --write has reserved'
}

# As with systemd-boot on a machine that has a GRUB as well: another reboot would be in vain.
another_boot_loader_starts_it() {
	before_setup_the_first_step_is_setup && put proc/stat 'cpu 1
btime 1500000000' && touch -d '2010-01-01' "$root/etc/default/grub.d/epitaph.cfg" &&
		says 1 'though it is younger than what epitaph setup --write has written' 'the GRUB of /boot/grub does not start this machine' &&
		! grep 'reboot: epitaph setup' "$dir/out"
}

# One of them may be somebody's disk in memory.
the_recorder_takes_none_of_several() {
	rm -r "$root/sys/kernel/epitaph"
	put proc/cmdline 'memmap=4G!0x100000000 memmap=16M!0x20000000 crashkernel=128M panic=10'
	put proc/iomem '20000000-20ffffff : Persistent Memory (legacy)
100000000-1ffffffff : Persistent Memory (legacy)
  100000000-1ffffffff : namespace0.0'
	says 1 'the command line has 2 memmap=SIZE!ADDRESS, and it takes none of several' 'epitaph.addr=' || return
	put proc/cmdline 'memmap=4G!0x100000000 memmap=16M!0x20000000 crashkernel=128M panic=10 epitaph.addr=0x20000000 epitaph.size=16M'
	says 1 'modprobe epitaph' && ! grep -e 'none of several' -e 'persistent-memory driver' "$dir/out" || return
	put proc/cmdline 'epitaph.addr=0x20000000 epitaph.size=16M memmap=4G!0x100000000 memmap=16M!0x20000000 crashkernel=128M panic=10'
	says 1 'modprobe epitaph' && ! grep -e 'none of several' -e 'persistent-memory driver' "$dir/out"
}

lost_in_hibernation() {
	put sys/kernel/epitaph/recording lost-in-hibernation
	says 1 'the recorder is not recording: its region was lost in hibernation' 'modprobe -r epitaph_pstore epitaph'
}

device_removed() {
	put sys/kernel/epitaph/recording device-removed
	says 1 'the recorder is not recording: the device with its region was removed' 'modprobe -r epitaph_pstore epitaph'
}

reserved_without_a_recorder() {
	rm -r "$root/sys/kernel/epitaph"
	put proc/iomem '20000000-20ffffff : Persistent Memory (legacy)'
	says 1 'memory is reserved at 0x20000000, and no recorder' 'load epitaph.ko'
}

# firmware NUMBER START END TYPE
firmware() {
	put "sys/firmware/memmap/$1/start" "$2" && put "sys/firmware/memmap/$1/end" "$3" &&
		put "sys/firmware/memmap/$1/type" "$4"
}

the_firmware_has_memory_there() {
	firmware 0 0x0 0x9fbff 'System RAM' && firmware 1 0x20800000 0x3ffeffff 'System RAM' &&
		firmware 2 0x100000 0x207fffff 'System RAM' && says 0 && ! grep -q 'firmware has no' "$dir/out"
}

the_firmware_has_no_memory_there() {
	firmware 0 0x100000 0x207fffff 'System RAM' && firmware 1 0x20800000 0x3fffffff Reserved &&
		says 1 'no memory at 0x20800000, in the range 0x20000000-0x20ffffff' 'epitaph setup proposes'
}

the_region_is_at_the_end_of_memory() {
	firmware 0 0x100000 0x25ffffff 'System RAM' && firmware 1 0x26000000 0x3fffffff 'Persistent Memory' &&
		says 0 'last 128 MiB of memory, which ends at 0x26000000; it overwrites the region at 0x20000000' 'kexec -s'
}

a_hole_is_reserved() {
	rm -r "$root/sys/kernel/epitaph"
	put proc/iomem '80000000-80ffffff : Persistent Memory (legacy)'
	firmware 0 0x100000 0x3fffffff 'System RAM' &&
		says 1 'no memory at 0x80000000, in the range 0x80000000-0x80ffffff'
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
	says 1 'persistent-memory driver has the memory at 0x20000000' 'softdep nd_e820' \
		'-> modprobe -r nd_pmem && modprobe epitaph' 'if a file system of yours is there' 'epitaph.addr=' || return
	# A driver that is built in.
	put sys/bus/nd/drivers/nd_pmem/uevent x
	says 1 '-> echo namespace0.0 >/sys/bus/nd/drivers/nd_pmem/unbind && modprobe epitaph' || return
	put sys/module/nd_pmem/initstate live && says 1 '-> modprobe -r nd_pmem && modprobe epitaph'
}

pmem_elsewhere_does_not_matter() {
	printf '%s\n' '90000000-90ffffff : namespace1.0' >>"$root/proc/iomem" && says 0
}

pmem_that_is_not_reserved_does_not_matter() {
	pmem_has_it && put proc/cmdline quiet && says 1 'no recorder' && ! grep -q 'persistent-memory driver' "$dir/out"
}

a_region_on_an_nvdimm() {
	mkdir -p "$root/sys/firmware/memmap/0" "$root/sys/bus/nd/devices"
	put sys/firmware/memmap/0/start 0x0
	put sys/firmware/memmap/0/end 0x3fffffff
	put sys/firmware/memmap/0/type 'System RAM'
	put proc/cmdline 'memmap=16M!0x100000000 crashkernel=128M'
	put sys/kernel/epitaph/region '0x100000000 16777216 memmap'
	put proc/iomem '100000000-100ffffff : System RAM (epitaph)'
	says 1 'firmware has no memory at 0x100000000' || return 1
	put sys/devices/ndbus0/provider ACPI.NFIT
	put sys/devices/ndbus0/region0/resource 0x100000000
	put sys/devices/ndbus0/region0/size 16777216
	ln -s ../../../devices/ndbus0/region0 "$root/sys/bus/nd/devices/region0"
	says 0 'a device (nvdimm, virtio-pmem) has the region' || return 1
	put sys/devices/ndbus0/region0/size 8388608
	says 1 'firmware has no memory at 0x100000000'
}

reserve_mem_may_move() {
	put sys/kernel/epitaph/region '0x3d000000 16777216 reserve_mem'
	put proc/cmdline 'reserve_mem=16M:4096:epitaph crashkernel=128M'
	says 0 'may give another place in the next boot' 'reserves the memory again'
}

a_device_tree_reserves_the_same_place() {
	put proc/sys/kernel/arch aarch64
	put sys/kernel/epitaph/region '0x50000000 16777216 device_tree'
	says 0 'the device tree reserves the same place in every boot' || return 1
	rm -r "${root:?}/sys/kernel/epitaph"
	mkdir -p "$root/sys/firmware/devicetree/base/reserved-memory/epitaph@50000000"
	put proc/iomem '40000000-7fffffff : System RAM'
	put proc/cmdline 'root=/dev/vda1 crashkernel=128M panic=10'
	says 1 'the device tree reserves memory for the recorder (epitaph@50000000), and no recorder uses it' 'modprobe epitaph' &&
		! grep -e 'no memory is reserved' -e 'epitaph setup' "$dir/out"
}

# Without memmap=, which no other architecture has: nothing advises it.
elsewhere_memmap_is_no_advice() {
	put proc/sys/kernel/arch "$1"
	put proc/cmdline 'reserve_mem=16M:4096:epitaph crashkernel=128M'
	put sys/kernel/epitaph/region '0x3d000000 16777216 reserve_mem'
	says 0 'the vmcore has this one' && ! grep memmap "$dir/out" || return 1
	put sys/kernel/epitaph/region '0x3d000000 4194304 pages'
	says 0 'only a vmcore will have it' 'reserve_mem=16M:4096:epitaph' && ! grep memmap "$dir/out" && no_kdump &&
		says 1 'and no capture kernel is loaded' && ! grep memmap "$dir/out" || return 1
	put sys/kernel/epitaph/region '0x3d000000 16777216 reserve_mem'
	says 0 'which then does not find' 'load a capture kernel' && ! grep memmap "$dir/out"
}

on_arm64_memmap_is_no_advice() { elsewhere_memmap_is_no_advice aarch64; }
on_s390x_memmap_is_no_advice() { elsewhere_memmap_is_no_advice s390x; }

what_is_missing_there_is_said() {
	put sys/kernel/epitaph/missing 'machine checks, the address of a fault'
	says 0 'not recorded on this architecture: machine checks, the address of a fault' &&
		put sys/kernel/epitaph/missing '' && says 0 && ! grep 'this architecture' "$dir/out"
}

functions_that_are_not_followed_are_named() {
	put sys/kernel/epitaph/not-followed '__trace_puts vpanic'
	says 0 'not followed: __trace_puts vpanic' 'knows this kernel' &&
		put sys/kernel/epitaph/not-followed '' && says 0 && ! grep 'not followed' "$dir/out"
}

types_that_none_has_are_named() {
	put sys/kernel/epitaph/types none
	says 0 'no types (CONFIG_DEBUG_INFO_BTF)' 'install pahole (package dwarves)' || return 1
	for owner in kernel recorder; do
		put sys/kernel/epitaph/types $owner && says 0 && ! grep 'no types' "$dir/out" || return 1
	done
}

last_branches_are_named() {
	put sys/kernel/epitaph/last-branches 'AMD LBR v2, on 2 CPUs, 0 left to another one'
	says 0 'the last branches are kept: AMD LBR v2, on 2 CPUs' || return 1
	put sys/kernel/epitaph/last-branches 'AMD LBR v2, on 6 CPUs, 2 left to another one'
	says 0 'on 2 CPUs another one has the registers' 'perf record -b' || return 1
	put sys/kernel/epitaph/last-branches 'none: CPUID has no leaf 0x80000022'
	says 0 'no CPU keeps its last branches: CPUID has no leaf 0x80000022' 'without branches=1' || return 1
	put sys/kernel/epitaph/last-branches 'none: the CPUs have BRBE, but the firmware does not say whether the kernel may have the registers (MDCR_EL3.SBRBE): a kernel with CONFIG_ARM64_BRBE (from 6.17 on) would know'
	says 0 'MDCR_EL3.SBRBE): a kernel with CONFIG_ARM64_BRBE (from 6.17 on) would know' 'without branches=1' || return 1
	for text in 'none: not asked for: branches=1' ''; do
		put sys/kernel/epitaph/last-branches "$text"
		says 0 && ! grep 'last branches' "$dir/out" || return 1
	done
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

# Debian's kernel of s390x, and its region.
a_kernel_without_kexec_has_no_kdump() {
	put proc/sys/kernel/arch s390x
	put proc/cmdline 'reserve_mem=16M:4096:epitaph crashkernel=128M'
	put sys/kernel/epitaph/region '0x3d000000 16777216 reserve_mem'
	rm "$root/sys/kernel/kexec_crash_loaded" "$root/sys/kernel/kexec_crash_size"
	says 0 'this kernel has no kexec, so no kdump: a trace comes back by a warm reboot alone' &&
		says 0 'which then does not find' 'a kernel with kexec' && ! grep -e 'load a capture kernel' -e 'see crashkernel in dmesg' "$dir/out"
}

reboots_after_a_panic() {
	no_kdump && put proc/sys/kernel/panic -1 && says 0 'kernel.panic=-1'
}

# kernel.panic does nothing there.
on_s390x_on_panic_decides() {
	no_kdump && put proc/sys/kernel/panic 10 && put sys/firmware/shutdown_actions/on_panic stop &&
		says 0 'whatever kernel.panic is (on_panic is stop)' 'echo reipl >/sys/firmware/shutdown_actions/on_panic' &&
		! grep 'reboots after a panic' "$dir/out" && put sys/firmware/shutdown_actions/on_panic dump_reipl &&
		says 0 'is started again after a panic (on_panic is dump_reipl)' && ! grep 'stands until' "$dir/out"
}

# With Debian's defaults, and without our hook.
a_capture_kernel_stands_after_a_panic() {
	put proc/cmdline 'memmap=16M!0x20000000 crashkernel=128M oops_panic=1 panic=0' &&
		says 0 'a capture kernel that panics stops the machine' 'boot with panic=10' &&
		put usr/share/initramfs-tools/scripts/init-top/epitaph-capture x &&
		says 0 'panics before its initramfs runs stops the machine'
}

on_s390x_a_capture_kernel_stands_after_a_panic() {
	put proc/cmdline 'crashkernel=128M panic=10' && put sys/firmware/shutdown_actions/on_panic reipl &&
		says 0 'a capture kernel that panics stops the machine until somebody starts it: on_panic of a kernel that was just started is stop' &&
		! grep -e 'boot with panic=10' -e 'panics restarts' "$dir/out"
}

# watchdog NAME STATE TIMEOUT IDENTITY
watchdog() {
	put "sys/class/watchdog/$1/state" "$2" && put "sys/class/watchdog/$1/timeout" "$3" &&
		put "sys/class/watchdog/$1/identity" "$4"
}

a_watchdog_may_end_the_capture_kernel() {
	watchdog watchdog0 active 60 'Software Watchdog' && watchdog watchdog1 inactive 30 'iTCO_wdt' &&
		says 0 'a capture kernel is loaded' && ! grep watchdog "$dir/out" &&
		watchdog watchdog1 active 30 'iTCO_wdt' &&
		says 0 'watchdog (iTCO_wdt) restarts the machine 30 s after a crash' 'RuntimeWatchdogSec=3min' &&
		watchdog watchdog1 active 180 'iTCO_wdt' &&
		says 0 'watchdog (iTCO_wdt, 180 s) ends a capture kernel that hangs' &&
		put sys/kernel/kexec_crash_loaded 0 && put sys/kernel/kexec_crash_size 0 && put proc/cmdline 'memmap=16M!0x20000000' &&
		says 0 'no kdump' && ! grep watchdog "$dir/out"
}

what_the_capture_kernel_is_given_counts() {
	put proc/cmdline 'memmap=16M!0x20000000 crashkernel=128M' &&
		put etc/default/kdump-tools 'KDUMP_CMDLINE_APPEND="nr_cpus=1 panic=5"' &&
		says 0 'a capture kernel that panics restarts' &&
		put etc/default/kdump-tools 'KDUMP_CMDLINE="root=/dev/vda1 panic=0"' &&
		says 0 'a capture kernel that panics stops' && rm "$root/etc/default/kdump-tools" &&
		put etc/sysconfig/kdump 'KDUMP_COMMANDLINE_APPEND="irqpoll panic=10"' &&
		says 0 'a capture kernel that panics restarts'
}

# / on a logical volume on LUKS, and /home beside it.
encrypted() {
	put proc/self/mountinfo '22 1 0:21 / /proc rw - proc proc rw
25 1 254:1 / / rw,relatime shared:1 - ext4 /dev/mapper/vg-root rw
26 25 254:9 / /home rw - ext4 /dev/mapper/plain rw'
	put sys/dev/block/254:1/dm/uuid LVM-abcd
	put sys/dev/block/254:1/slaves/dm-0/dm/uuid CRYPT-LUKS2-0123-croot
	put sys/dev/block/254:9/dm/uuid LVM-efgh
}

an_encrypted_root_waits_for_ever() {
	encrypted && says 1 'the capture kernel waits for the passphrase for ever' 'install epitaph-kdump'
}

our_hook_does_not_wait() {
	encrypted && put usr/share/initramfs-tools/scripts/init-top/epitaph-capture x &&
		says 0 'a capture kernel restarts after 60 s without the passphrase'
}

an_encrypted_home_does_not_matter() {
	encrypted && rm -r "$root/sys/dev/block/254:1/slaves" && put sys/dev/block/254:9/dm/uuid CRYPT-LUKS1-x-home &&
		says 0 && ! grep encrypted "$dir/out"
}

# The same, with an unencrypted /boot and all that seals a trace there.
sealing() {
	encrypted && installed
	put proc/self/mountinfo "$(cat "$root/proc/self/mountinfo")
27 25 8:1 / /boot rw,relatime - ext4 /dev/sda1 rw"
	put sys/dev/block/8:1/uevent DEVNAME=sda1
	mkdir -p "$root/dev/disk/by-uuid" "$root/boot/epitaph" "$root/var/lib/epitaph/sealed"
	ln -s ../../sda1 "$root/dev/disk/by-uuid/0b00-7b00"
	put usr/share/initramfs-tools/scripts/init-top/epitaph-capture x
	put etc/epitaph/seal.conf RESERVE=0
	put etc/epitaph/recipients "# the safe's
$key"
	put usr/bin/age x
	digest=$(sha256sum <"$root/etc/epitaph/recipients" | cut -c1-64)
	put var/lib/epitaph/canary "$digest"
	sealing_image /epitaph
}

# sealing_image DIR [QUOTA]: as the hook builds it for that place and this machine
sealing_image() {
	plan=$(printf 'MOUNT=/boot\nUUID=0b00-7b00\nTYPE=ext4\nDIR=%s\nDIGEST=%s\nQUOTA=%s\nRESERVE=0\n' "$1" "$digest" "${2:-67108864}" | sha256sum | cut -c1-64)
	initrd var/lib/kdump/initrd.img-6.1.0-9-amd64 init scripts/local-bottom/epitaph bin/age "etc/epitaph/recipients-$digest" \
		"etc/epitaph/seal-plan-$plan"
}

# on_device [SLOT]: the same with a device for sealed traces, of two slots of SLOT bytes
on_device() {
	slot=${1:-67108864}
	sealing
	mkdir -p "$root/dev/disk/by-partuuid"
	device=dev/disk/by-partuuid/7c0e
	printf 'epitaph sealed traces 1\nslot-size %d\n' "$slot" >"$dir/head"
	printf 'head %s\n' "$(sha256sum <"$dir/head" | cut -d ' ' -f 1)" >>"$dir/head"
	rm -f "$root/$device"
	truncate -s $((2 * slot + 2097152)) "$root/$device"
	dd if="$dir/head" of="$root/$device" conv=notrunc status=none
	put etc/epitaph/seal.conf "PLACE=/$device"
	for unit in epitaph-recover epitaph-harvest epitaph-capture; do
		put "etc/systemd/system/$unit.service.d/seal-place.conf" "# Written by epitaph setup: where sealed traces go.
[Unit]
Wants=epitaph-place.service
After=epitaph-place.service

[Service]
PrivateDevices=no
DeviceAllow=/$device rw"
	done
	plan=$(printf 'DEVICE=/%s\nDIGEST=%s\nQUOTA=%s\nRESERVE=0\n' "$device" "$digest" $((slot - 4096)) | sha256sum | cut -c1-64)
	initrd var/lib/kdump/initrd.img-6.1.0-9-amd64 init scripts/local-bottom/epitaph bin/age "etc/epitaph/recipients-$digest" \
		"etc/epitaph/seal-plan-$plan"
}

a_device_for_sealed_traces_passes() {
	on_device && says 0 'traces are sealed for 1 recipient, in /dev/disk/by-partuuid/7c0e' && ! grep -E '^(warning|failure)' "$dir/out"
}

a_device_that_is_not_prepared() {
	on_device && truncate -s 0 "$root/$device" && truncate -s 64M "$root/$device" &&
		says 1 'by-partuuid/7c0e: it is not prepared for sealed traces; epitaph setup --write prepares it' || return
	printf '\123\357' | dd of="$root/$device" bs=1 seek=1080 conv=notrunc status=none
	says 1 'it is not prepared for sealed traces: it has an ext file system' || return
	rm "$root/$device" && says 1 'by-partuuid/7c0e: cannot be opened: No such file'
}

a_device_whose_name_changes() {
	on_device && put etc/epitaph/seal.conf PLACE=/dev/sda3 && says 1 '/dev/sda3: by this name another disk may be found after a restart' || return
	put etc/epitaph/seal.conf 'PLACE=/dev/disk/by-partlabel/a\x20b' && says 1 'has other characters than'
}

# on_volume NAME [LINE]: the device for sealed traces is a logical volume that is not encrypted.
on_volume() {
	[ -e "$root/dev/dm-7" ] || on_device
	mkdir -p "$root/dev/mapper" "$root/dev/vg" "$root/dev/disk/by-id"
	[ -e "$root/dev/dm-7" ] || mv "$root/$device" "$root/dev/dm-7"
	ln -sf ../dm-7 "$root/dev/mapper/vg-seal" && ln -sf ../dm-7 "$root/dev/vg/seal" &&
		ln -sf ../../dm-7 "$root/dev/disk/by-id/dm-name-vg-seal"
	put sys/class/block/dm-7/dev 254:7
	put sys/dev/block/254:7/dm/uuid LVM-ijkl
	put etc/epitaph/seal.conf "${2-}
PLACE=/$1"
	for unit in epitaph-recover epitaph-harvest epitaph-capture; do
		put "etc/systemd/system/$unit.service.d/seal-place.conf" "# Written by epitaph setup: where sealed traces go.
[Unit]
Wants=epitaph-place.service
After=epitaph-place.service

[Service]
PrivateDevices=no
DeviceAllow=/$1 rw"
	done
}

# No one activates it before the passphrase is asked for.
a_logical_volume_will_not_do() {
	for volume in dev/vg/seal dev/mapper/vg-seal dev/disk/by-id/dm-name-vg-seal; do
		on_volume $volume && says 1 "/$volume: it is a logical volume, which a capture kernel does not activate" \
			'name a partition or a disk by PLACE= in /etc/epitaph/seal.conf, then epitaph setup --write' || return
	done
}

a_logical_volume_will_do_for_a_root_that_is_not_encrypted() {
	on_volume dev/disk/by-id/dm-name-vg-seal WHEN=always && rm -r "$root/sys/dev/block/254:1/slaves" &&
		says 0 'traces are sealed for 1 recipient, in /dev/disk/by-id/dm-name-vg-seal' || return
	on_volume dev/vg/seal WHEN=always && rm -rf "$root/sys/dev/block/254:1/slaves" &&
		says 1 '/dev/vg/seal: by this name another disk may be found after a restart; name a link below /dev/disk, as in by-partuuid or by-id'
}

# The ESP is left, which is none.
of_boot_and_esp_the_one_that_will_do() {
	sealing && put sys/dev/block/8:1/dm/uuid LVM-boot && says 1 '/boot/epitaph: it is on a logical volume, which a capture kernel does not activate' \
		'name another directory, or a partition of its own, by PLACE=' || return
	put proc/self/mountinfo "$(cat "$root/proc/self/mountinfo")
28 27 8:2 / /boot/efi rw,relatime - vfat /dev/sda2 rw"
	put sys/dev/block/8:2/uevent DEVNAME=sda2
	ln -s ../../sda2 "$root/dev/disk/by-uuid/E5F0-7b00"
	says 1 'there is no /boot/efi/epitaph, where sealed traces go'
}

a_device_that_the_units_may_not_write_to() {
	on_device && rm "$root/etc/systemd/system/epitaph-recover.service.d/seal-place.conf" && says 1 'the units may not write to /dev/disk/by-partuuid/7c0e'
}

a_device_that_is_small_for_the_region() {
	on_device 1048576 && says 0 'has room for traces of 1020 KiB, and the region has' 'name a larger partition'
}

an_initramfs_with_another_place() {
	sealing && sealing_image /other && says 1 'has another place or other settings than /etc/epitaph/seal.conf' 'rebuild-kdump' &&
		sealing && put etc/epitaph/seal.conf 'RESERVE=0
QUOTA=1M' && says 1 'has another place or other settings'
}

an_initramfs_that_still_seals() {
	sealing && rm "$root/etc/epitaph/recipients" && says 1 'still seals traces, and this machine' 'rebuild-kdump' &&
		sealing && put etc/epitaph/seal.conf WHEN=never && says 1 'still seals traces'
}

without_kdump_nothing_seals() {
	sealing && no_kdump && says 0 'nothing seals here: there is no capture kernel' && ! grep 'traces are sealed' "$dir/out"
}

# Of age's own documentation.
key=age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p

a_machine_that_seals_passes() {
	sealing && says 0 'traces are sealed for 1 recipient, in /boot/epitaph' && ! grep -E '^(warning|failure)' "$dir/out"
}

# Its timer runs it with every mount read-only.
a_unit_that_is_confined_sees_the_same() {
	sealing && sed -i 's/ rw,relatime / ro,relatime /' "$root/proc/self/mountinfo" && says 0 'traces are sealed for 1 recipient, in /boot/epitaph'
}

a_typo_in_the_recipients_has_its_line() {
	sealing && put etc/epitaph/recipients "# ours
age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8q" && says 1 'recipients: line 2 (age1ql3z7hjy...): a typo in this key' &&
		put etc/epitaph/recipients '' && says 1 'no key in it' 'rebuild-kdump'
}

recipients_that_others_may_change() {
	sealing && chmod 666 "$root/etc/epitaph/recipients" && says 1 'may be changed by others than root' 'chmod 644'
}

no_age() {
	sealing && rm "$root/usr/bin/age" && says 1 'age is not installed' 'install age' &&
		put usr/local/bin/age x && says 0
}

an_initramfs_that_cannot_seal() {
	sealing && initrd var/lib/kdump/initrd.img-6.1.0-9-amd64 init scripts/local-bottom/epitaph &&
		says 1 'has not what seals a trace' 'rebuild-kdump'
}

an_initramfs_with_older_recipients() {
	sealing && put etc/epitaph/recipients "$key" && put var/lib/epitaph/canary x && says 1 'has other recipients than /etc/epitaph/recipients' 'rebuild-kdump'
}

a_place_that_will_not_do() {
	sealing && put proc/self/mountinfo "$(grep -v /boot "$root/proc/self/mountinfo")" && says 1 'sealed traces have no place: neither /boot nor an ESP' &&
		put etc/epitaph/seal.conf PLACE=/home/x && says 1 'it is on a logical volume' &&
		put etc/epitaph/seal.conf PLACE=/x && says 1 'it is on an encrypted disk itself' 'PLACE=' &&
		sealing && rm -r "$root/dev/disk" && says 1 '/boot/epitaph: its file system has no UUID' &&
		sealing && put proc/self/mountinfo "$(sed 's/8:1 .*/8:1 \/ \/boot ro - ext4 \/dev\/sda1 ro/' "$root/proc/self/mountinfo")" &&
		put etc/epitaph/seal.conf PLACE=/boot/epitaph && says 1 'it is mounted read-only'
}

# What is written below a mount point before its mount is hidden by it.
a_place_that_is_not_mounted_yet() {
	sealing && put etc/epitaph/seal.conf 'PLACE=/boot/epitaph
RESERVE=0' && put etc/fstab '# /srv
UUID=1 / ext4 defaults
UUID=0b00-7b00	/boot	ext4 defaults' && says 0 'traces are sealed' &&
		put proc/self/mountinfo "$(sed 's/254:1/8:1/; / \/boot /d' "$root/proc/self/mountinfo")" && put etc/epitaph/seal.conf 'WHEN=always
PLACE=/boot/epitaph' && says 1 '/boot/epitaph: it is below /boot, which fstab names and which is not mounted'
}

# An anonymous device, as btrfs has one: what is below it is behind its source.
btrfs_lies_on_what_its_source_is() {
	sealing && put etc/epitaph/seal.conf PLACE=/x && put proc/self/mountinfo '25 1 0:30 /@ / rw - btrfs /dev/nowhere rw' &&
		says 1 'what / lies on is not known' && put etc/epitaph/seal.conf 'WHEN=always
PLACE=/x' && says 1 'what it lies on is not known' && put etc/epitaph/seal.conf PLACE=/x &&
		put proc/self/mountinfo '25 1 0:30 /@ / rw - btrfs /dev/dm-0 rw' && put sys/class/block/dm-0/dev 254:1 &&
		says 1 'it is on an encrypted disk itself'
}

a_place_that_units_cannot_write_to() {
	sealing && rmdir "$root/boot/epitaph" && says 1 'there is no /boot/epitaph, where sealed traces go' 'epitaph setup --write' &&
		mkdir "$root/boot/sealed traces" && put etc/epitaph/seal.conf 'PLACE="/boot/sealed traces"
RESERVE=0' && says 1 'the units may not write to /boot/sealed traces' 'systemctl daemon-reload' || return
	for unit in recover harvest capture; do
		put etc/systemd/system/epitaph-$unit.service.d/seal-place.conf '# Written by epitaph setup: where sealed traces go.
[Service]
ReadWritePaths="-/boot/sealed traces"'
	done
	sealing_image '/sealed traces'
	says 0 'traces are sealed for 1 recipient, in /boot/sealed traces'
}

# The initramfs mounts the file system and nothing of it.
a_place_on_a_part_of_a_file_system() {
	sealing && put etc/epitaph/seal.conf PLACE=/boot/epitaph &&
		put proc/self/mountinfo "$(sed 's/8:1 \/ /8:1 \/@boot /' "$root/proc/self/mountinfo")" && says 1 'it is mounted from a part of its file system'
}

# What the hook is answered where something is wrong: 4 is silence.
a_plan_that_fails_is_no_silence() {
	sealing && put etc/epitaph/seal.conf PLACE=/x && plan_is 3 && rm "$root/etc/epitaph/recipients" && plan_is 4 &&
		sealing && put etc/epitaph/seal.conf WHEN=never && plan_is 4
}

plan_is() {
	"$epitaph" seal --plan --root "$root" --recipients "$root/etc/epitaph/recipients"
	[ $? = "$1" ]
}

a_boot_without_room() {
	sealing && put etc/epitaph/seal.conf RESERVE=900T && says 0 'a sealed trace may not fit' 'RESERVE='
}

a_quota_below_the_region() {
	sealing && sealing_image /epitaph 4194304 && put etc/epitaph/seal.conf 'RESERVE=0
QUOTA=4M' && says 0 'QUOTA= allows 4096 KiB, and the region has 16384 KiB: a trace that compresses badly is not sealed' 'QUOTA= in' &&
		! grep 'traces are sealed' "$dir/out"
}

a_key_that_was_never_tried() {
	sealing && rm "$root/var/lib/epitaph/canary" && says 0 'without their private key nothing can be read' 'epitaph seal --canary'
}

wrong_settings_of_sealing() {
	sealing && put etc/epitaph/seal.conf WHEN=now && says 1 'seal.conf: line 1: expected encrypted, always or never'
}

sealing_is_forbidden() {
	sealing && put etc/epitaph/seal.conf WHEN=never && says 1 'a capture kernel restarts after 60 s' && rm "$root/etc/epitaph/recipients" &&
		says 1 'a capture kernel restarts after 60 s' 'still seals traces'
}

a_policy_without_recipients() {
	installed && put proc/self/mountinfo '25 1 254:1 / / rw - ext4 /dev/vda rw' && put etc/epitaph/seal.conf WHEN=always &&
		says 1 'etc/epitaph/recipients: No such file or directory; no trace is sealed'
}

a_policy_does_not_seal_the_vmcore() {
	sealing && put proc/self/mountinfo '25 1 254:9 / / rw - ext4 /dev/vda rw' && put etc/epitaph/seal.conf 'WHEN=always
RESERVE=0' && says 0 'traces are sealed for 1 recipient, in /var/lib/epitaph/sealed' 'kdump saves its vmcore in the clear'
}

# kdump-utils' and SUSE's.
a_policy_where_the_hook_cannot_seal() {
	a_policy_does_not_seal_the_vmcore >"$dir/ignored" && mv "$root/var/lib/kdump/initrd.img-6.1.0-9-amd64" "$root/boot/of-capture" || return
	at=boot/of-capture
	for image in boot/initramfs-6.1.0-9-amd64kdump.img boot/initrd-6.1.0-9-amd64-kdump var/lib/kdump/initrd; do
		mv "$root/$at" "$root/$image" && at=$image &&
			says 1 'WHEN=always, and this capture kernel cannot seal: it saves no trace' && ! grep 'traces are sealed' "$dir/out" || return
	done
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
		put proc/cmdline 'x.memmap=1 price=$5' && says 1 'the command line has a $' &&
		no_kdump && put proc/cmdline 'price=`id`' && says 0 'the command line has a `'
}

confidential() {
	put sys/kernel/security/lockdown 'none integrity [confidentiality]' && says 0 'only from a dump'
}

pstore_of_others() {
	put sys/module/pstore/parameters/backend ramoops && says 0 'belongs to ramoops' &&
		put sys/module/pstore/parameters/backend '(null)' && says 0 'pstore has no backend'
}

evidence_waits() {
	put sys/kernel/epitaph/generations/5/state evidence && put sys/kernel/epitaph/generations/5/size 8388608 &&
		says 1 'the only copy of what 1 earlier boot left is in memory, 8192 KiB; there is room for it in /var/lib/epitaph' \
			'journalctl -b -u epitaph-recover' &&
		put sys/kernel/epitaph/generations/4/state evidence && says 1 'what 2 earlier boots left'
}

evidence_was_lost() {
	put sys/kernel/epitaph/lost '3 6' && says 0 '3 generations were overwritten' &&
		put sys/kernel/epitaph/lost '1 6' && says 0 '1 generation was overwritten'
}

no_space() {
	put sys/kernel/epitaph/region '0x20000000 9000000000000000000 memmap' && says 1 'and the region has 8789062500000000 KiB: it could not be saved'
}

an_installed_machine_passes() {
	installed && says 0 'initrd.img-6.1.0-9-amd64 has what saves the trace first' \
		'installed for kernel 6.1.0-9-amd64' '/boot/initrd.img-6.1.0-9-amd64 has the recorder' \
		'kdump was loaded after the recorder' 'MiB are free for /var/crash' && ! grep -qv '^ok ' "$dir/out"
}

# module NAME CORRECTED UNCORRECTED LABEL: of the memory controller, which counts since 10 days.
module() {
	mc=sys/devices/system/edac/mc/mc0
	put "$mc/seconds_since_reset" 864000 && put "$mc/$1/dimm_ce_count" "$2" &&
		put "$mc/$1/dimm_ue_count" "$3" && put "$mc/$1/dimm_label" "$4" &&
		put "$mc/$1/dimm_location" 'channel 0 slot 1'
}

memory_modules_are_good() {
	module dimm0 100 0 A1 && module dimm1 9 0 A2 && says 0 'ok       dimm' \
		'more than 10 corrected errors a day on average of up to 10 days (modules: 2, errors: 109)' &&
		module dimm0 0 0 A1 && module dimm1 0 0 A2 && says 0 'no memory module had an error (modules: 2)' &&
		module dimm0 9 0 A1 && put "$mc/seconds_since_reset" 600 &&
		says 0 'no memory module had more than 10 corrected errors (modules: 2, errors: 9)'
}

a_module_has_many_errors() {
	module dimm0 3 0 A1 && module dimm1 110 0 '' && says 0 'warning  dimm' 'replace it before' \
		'mc0/dimm1 (channel 0 slot 1) had 110 corrected errors in 10 days, on average 11 a day, more than 10' &&
		put "$mc/seconds_since_reset" 600 && says 0 'had 110 corrected errors in 600 s, more than 10 within a day'
}

# Without the time there is no rate.
errors_since_an_unknown_time() {
	module dimm0 110 0 A1 && put "$mc/seconds_since_reset" 0 &&
		says 0 'warning  dimm' '(A1) has 110 corrected errors, since when is not known' && ! grep 'a day' "$dir/out"
}

a_module_had_an_uncorrected_error() {
	module dimm0 300 1 'DIMM B2' &&
		says 0 'the memory module mc0/dimm0 (DIMM B2) had an error that was not corrected'
}

asked_for_and_not_reserved() {
	put sys/kernel/kexec_crash_loaded 0 && put sys/kernel/kexec_crash_size 0 &&
		says 1 'asked for crashkernel= and reserved nothing'
}

# Debian's kdump-tools asks for nothing below 384M.
a_machine_that_is_too_small_for_kdump() {
	no_kdump && put proc/cmdline 'memmap=16M!0x4000000 crashkernel=384M-:128M panic=10' && put proc/iomem '00100000-0fffffff : System RAM
20000000-20ffffff : System RAM (epitaph)' && says 0 'warning  kdump        there is no kdump: crashkernel= asks for memory from 384 MiB of RAM on, and this machine has 255 MiB' &&
		! grep 'see crashkernel in dmesg' "$dir/out" && put proc/cmdline 'crashkernel=2G-4G:320M,192M-2G:64M' && says 1 'asked for crashkernel= and reserved nothing' &&
		put proc/cmdline 'crashkernel=384M-:128M crashkernel=64M' && says 1 'asked for crashkernel= and reserved nothing' &&
		put proc/iomem '00100000-17fdffff : System RAM
20000000-20ffffff : System RAM (epitaph)' && put proc/cmdline 'crashkernel=384M-:128M' && says 1 'asked for crashkernel= and reserved nothing'
}

no_crashkernel_with_kdump_tools() {
	no_kdump && put usr/sbin/kdump-config x && says 0 'no memory is reserved for a capture kernel'
}

nothing_can_be_loaded_any_more() {
	put sys/kernel/kexec_crash_loaded 0 && put proc/sys/kernel/kexec_load_disabled 1 &&
		says 1 'none can be any more'
}

overlaps_the_crash_kernel() {
	put proc/iomem '00100000-3fffffff : System RAM
  20800000-287fffff : Crash kernel
20000000-20ffffff : System RAM (epitaph)' &&
		says 1 "capture kernel's memory (0x20800000-0x287fffff) overlaps" 'epitaph setup proposes one' &&
		put proc/iomem '1f000000-21ffffff : Crash kernel
20000000-20ffffff : System RAM (epitaph)' && says 1 'overlaps' &&
		put proc/iomem '21000000-22ffffff : Crash kernel
20000000-20ffffff : System RAM (epitaph)' && says 0
}

addresses_are_hidden() {
	put proc/iomem '00000000-00000000 : System RAM' && says 1 'only root sees them'
}

hook_is_missing() {
	installed && initrd var/lib/kdump/initrd.img-6.1.0-9-amd64 init scripts/local-bottom/kdump-sysctl &&
		says 1 'it was made before epitaph-kdump was installed' '/usr/lib/epitaph/rebuild-kdump' &&
		rm "$root/usr/lib/epitaph/capture" && says 0 'install epitaph-kdump'
}

# initramfs-tools copies what is in every initramfs into this one, too.
what_else_has_our_name_is_no_hook() {
	for other in scripts/init-top/epitaph scripts/init-bottom/epitaph scripts/init-top/epitaph-capture etc/modprobe.d/epitaph.conf \
		scripts/local-bottom/epitaph-of-another x/scripts/local-bottom/epitaph usr/lib/epitaph/capture; do
		echo "$other"
		installed && initrd var/lib/kdump/initrd.img-6.1.0-9-amd64 init "$other" && says 1 'it was made before epitaph-kdump was installed' || return
	done
}

# initramfs-tools and dracut have these.
initrds_are_read_however_packed() {
	for packer in 'gzip' 'xz --check=crc32' 'zstd -q' 'lz4 -l' 'bzip2' 'cat'; do
		command -v "${packer%% *}" >/dev/null || continue
		echo "packed with $packer"
		installed && initrd var/lib/kdump/initrd.img-6.1.0-9-amd64 init scripts/local-bottom/epitaph
		says 0 'has what saves the trace first' || return 1
	done
	unset packer
}

a_broken_initrd_is_not_known() {
	installed && for size in 50 1030 1060; do
		initrd var/lib/kdump/initrd.img-6.1.0-9-amd64 init scripts/local-bottom/epitaph
		truncate -s $size "$root/var/lib/kdump/initrd.img-6.1.0-9-amd64"
		says 0 'is not known: ' || return 1
	done
	head -c 100000 /dev/urandom >"$root/var/lib/kdump/initrd.img-6.1.0-9-amd64" && says 0 'is not known: '
}

without_libarchive_it_is_not_known() {
	cp "$epitaph" "$dir/alone" && installed &&
		"$dir/alone" doctor --root "$root" | grep 'is not known: cannot look into an archive: '
}

# hook_of IMAGE NAME...: each of these names must be in it
hook_of() {
	image=$1
	shift
	installed && rm -r "$root/var/lib/kdump" && initrd "$image" init "$@" && says 0 "$image has what saves the trace first" || return
	for lacks; do
		set --
		[ "$lacks" = usr/lib/epitaph/capture ] || set -- usr/lib/epitaph/capture
		initrd "$image" init etc/modprobe.d/epitaph.conf "$@" && says 1 "$image does not save the trace" || return
	done
}

hook_of_red_hat() {
	hook_of boot/initramfs-6.1.0-9-amd64kdump.img etc/kdump/pre.d/50-epitaph.sh usr/lib/epitaph/capture && rm "$root/boot/initramfs-6.1.0-9-amd64kdump.img" &&
		hook_of var/lib/kdump/initramfs-6.1.0-9-amd64kdump.img etc/kdump/pre.d/50-epitaph.sh usr/lib/epitaph/capture
}

hook_of_suse() {
	hook_of boot/initrd-6.1.0-9-amd64-kdump kdump/epitaph-save usr/lib/epitaph/capture && rm "$root/boot/initrd-6.1.0-9-amd64-kdump" &&
		hook_of var/lib/kdump/initrd kdump/epitaph-save usr/lib/epitaph/capture
}

kdump_was_first() {
	installed && touch -d '-60 seconds' "$root/var/crash/kexec_cmd" &&
		says 1 's before the recorder: its vmcore will not have the region' 'kdump-config reload'
}

kdump_may_have_been_first() {
	installed && rm "$root/var/crash/kexec_cmd" && put run/systemd/units/invocation:kdump.service x &&
		touch -d '-60 seconds' "$root/run/systemd/units/invocation:kdump.service" &&
		says 0 's before the recorder: ' 'kdumpctl reload'
}

# What a person has mounted is not there in a capture boot.
the_dump_directory_is_mounted_by_hand() {
	for mount in /var /var/crash '/srv/my\040large-disk'; do
		installed && put etc/default/kdump-tools "KDUMP_COREDIR=\"$([ "$mount" = "${mount#/srv}" ] && echo /var/crash || echo '/srv/my large-disk/dumps')\"" &&
			put proc/self/mountinfo "22 1 8:1 / / rw - ext4 /dev/sda1 rw
23 22 8:2 / $mount rw - ext4 /dev/sda2 rw" && put etc/fstab 'UUID=1 / ext4 defaults' &&
			says 0 "by neither /etc/fstab nor a unit of systemd" 'add it to /etc/fstab' &&
			printf 'UUID=1 / ext4 defaults\nUUID=2 %s ext4 defaults' "$mount" >"$root/etc/fstab" && says 0 && ! grep 'by neither' "$dir/out" || return
		rm "$root/etc/fstab"
		name=$(systemd-escape -p --suffix=mount "$(printf '%b' "$(echo "$mount" | sed 's/\\040/\\0040/')")")
		put "etc/systemd/system/$name" x && says 0 && ! grep 'by neither' "$dir/out" || return
		rm "$root/etc/systemd/system/$name"
	done
}

# A link as well, to what lies there.
a_link_to_a_dump_directory_that_is_mounted_by_hand() {
	installed && put etc/default/kdump-tools USE_KDUMP=1 && mkdir -p "$root/srv/dumps" && rm -r "$root/var/crash" && ln -s ../srv/dumps "$root/var/crash" &&
		put proc/self/mountinfo '22 1 8:1 / / rw - ext4 /dev/sda1 rw
23 22 8:2 / /srv rw - ext4 /dev/sda2 rw' && put etc/fstab 'UUID=1 / ext4 defaults' &&
		says 0 '/var/crash is on what is mounted at /srv now, by neither /etc/fstab nor a unit'
}

what_is_saved_in_memory_is_lost() {
	installed && put proc/self/mountinfo '22 1 8:1 / / rw - ext4 /dev/sda1 rw
23 22 0:30 / /var rw - tmpfs tmpfs rw' && says 1 'failure  space        /var/lib/epitaph is in memory (tmpfs): what is saved there is gone after the next restart' \
		'failure  crash-dir    /var/crash is in memory (tmpfs)' 'send.conf' && share=$(mktemp -d /dev/shm/epitaph.XXXXXX) && put etc/epitaph/send.conf "TO=dir:$share" &&
		says 0 'warning  space        /var/lib/epitaph is in memory (tmpfs)'
	went=$?
	rmdir "$share" && return "$went"
}

# As where the disk that it leads to is not mounted.
a_link_that_leads_nowhere() {
	installed && ln -s ../../srv/epitaph "$root/var/lib/epitaph" && rm -r "$root/var/crash" && ln -s ../srv/crash "$root/var/crash" &&
		says 1 '/var/lib/epitaph is a link to what is not there: nothing can be saved' '/var/crash is a link to what is not there' &&
		mkdir -p "$root/srv/epitaph" "$root/srv/crash" && says 0 && ! grep 'a link to' "$dir/out"
}

# Of a host of many containers, with what comes later behind 64 KiB; and of a machine with many CPUs.
long_files_are_read_to_their_end() {
	many=$(seq 3000 | sed 's,.*,& 22 0:9 / /run/& rw - overlay overlay rw,')
	installed && put proc/self/mountinfo "22 1 8:1 / / rw - ext4 /dev/sda1 rw
$many
23 22 0:30 / /var rw - tmpfs tmpfs rw" && says 1 '/var/lib/epitaph is in memory (tmpfs)' || return
	put proc/self/mountinfo '22 1 8:1 / / rw - ext4 /dev/sda1 rw' && put proc/stat "cpu 1
intr $(seq 30000 | tr '\n' ' ')
btime 1500000000" && touch -d @1400000000 "$root/var/crash/kexec_cmd" && says 0 && ! grep ' order ' "$dir/out"
}

settings_are_newer_than_the_image() {
	for image in initramfs-6.1.0-9-amd64kdump.img initrd-6.1.0-9-amd64-kdump; do
		installed && rm -rf "$root/var/lib/kdump" && initrd "boot/$image" init etc/kdump/pre.d/50-epitaph.sh kdump/epitaph-save usr/lib/epitaph/capture &&
			put etc/epitaph/retention.conf COUNT=0 && touch -d '-60 seconds' "$root/etc/epitaph/retention.conf" &&
			says 0 && ! grep 'was made before' "$dir/out" && touch -d '60 seconds' "$root/etc/epitaph/retention.conf" &&
			says 0 "$image was made before /etc/epitaph/retention.conf was changed, of which it has a copy" || return
		rm "$root/boot/$image" "$root/etc/epitaph/retention.conf"
	done
	installed && put etc/epitaph/retention.conf COUNT=0 && touch -d '60 seconds' "$root/etc/epitaph/retention.conf" &&
		says 0 && ! grep 'was made before' "$dir/out"
}

# What udev does to the time of a device, and what an earlier boot left, is no evidence.
times_that_say_nothing_are_not_taken() {
	installed && touch -d '10 days' "$root/dev/epitaph" && says 0 'loaded after' &&
		touch -d @1400000000 "$root/var/crash/kexec_cmd" && says 0 && ! grep ' order ' "$dir/out"
}

# By two hours, backwards: the device seems to come from the future.
a_clock_that_was_set_is_seen() {
	installed && put dev/null x && put proc/stat "cpu 1
btime $(($(date +%s) - 7200))" && touch -d '-7180 seconds' "$root/var/crash/kexec_cmd" && says 0 'loaded after' &&
		touch -d '-7300 seconds' "$root/var/crash/kexec_cmd" && says 0 && ! grep ' order ' "$dir/out"
}

dkms_failed_for_this_kernel() {
	installed && kernel 6.1.0-8-amd64 && put lib/modules/6.1.0-9-amd64/modules.dep 'kernel/epitaph.ko.notes' &&
		says 1 'epitaph.ko is not there for kernel 6.1.0-9-amd64, which runs' \
			'install linux-headers-6.1.0-9-amd64 and run: dkms autoinstall -k 6.1.0-9-amd64'
}

dkms_failed_for_the_next_kernel() {
	installed && put boot/vmlinuz-6.1.0-10-amd64 x && put lib/modules/6.1.0-10-amd64/modules.dep '' &&
		says 1 'not there for kernel 6.1.0-10-amd64, the newest: after a reboot into it nothing records' &&
		rm "$root/boot/vmlinuz-6.1.0-10-amd64" && says 0
}

installed_nowhere() {
	installed && put lib/modules/6.1.0-9-amd64/modules.dep '' && says 0 'loaded by hand' 'install epitaph-dkms'
}

# CONFIG_EPITAPH=y
built_into_the_kernel() {
	installed && put lib/modules/6.1.0-9-amd64/modules.dep '' && put lib/modules/6.1.0-9-amd64/modules.builtin 'kernel/kernel/configs.ko
kernel/drivers/epitaph/epitaph.ko' && initrd boot/initrd.img-6.1.0-9-amd64 init && put sys/kernel/security/lockdown 'none [integrity] confidentiality' &&
		says 0 'ok       module       built into kernel 6.1.0-9-amd64' && ! grep -qv '^ok ' "$dir/out" || return
	put boot/vmlinuz-6.1.0-10-amd64 x && put lib/modules/6.1.0-10-amd64/modules.dep '' && says 1 'not there for kernel 6.1.0-10-amd64, the newest'
}

not_in_the_initramfs_of_the_next_kernel() {
	installed && kernel 6.1.0-10-amd64 && initrd boot/initrd.img-6.1.0-10-amd64 init &&
		says 0 '/boot/initrd.img-6.1.0-10-amd64 does not have the recorder' 'or dracut --force --kver 6.1.0-10-amd64'
}

not_in_the_initramfs() {
	installed && initrd boot/initrd.img-6.1.0-9-amd64 init && says 0 'it is loaded late, and the NVDIMM driver nd_pmem' 'update-initramfs -u'
}

unsigned_under_lockdown() {
	installed && put sys/kernel/security/lockdown 'none [integrity] confidentiality' &&
		says 0 'the module is signed' &&
		put lib/modules/6.1.0-9-amd64/updates/dkms/epitaph.ko 'code without a signature, which is long enough' &&
		says 1 'is not signed' 'mokutil --import /var/lib/dkms/mok.pub'
}

# secure TEXT: of the module, where the recorder is not loaded and the firmware has Secure Boot
secure() {
	installed && put sys/kernel/security/lockdown 'none [integrity] confidentiality' && rm -r "$root/sys/kernel/epitaph" &&
		put "sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c" x &&
		put lib/modules/6.1.0-9-amd64/updates/dkms/epitaph.ko "$1"
}

# shim's list as EFI shows it: attributes, heads, certificates
moks() {
	put "sys/firmware/efi/efivars/$1-605dab50-e046-4300-abb6-3dd810dd8b23" "attr-$2-behind"
}

each_step_of_the_key_is_named() {
	secure 'code~Module signature appended~' && says 1 'the module is signed' 'mokutil --test-key' &&
		put var/lib/dkms/mok.pub 'the-certificate' &&
		says 1 'the key of DKMS is not enrolled, and what it has signed is refused' 'mokutil --import /var/lib/dkms/mok.pub' &&
		moks MokListRT another && says 1 'the key of DKMS is not enrolled' && moks MokNew the-certificate &&
		says 1 'its key waits to be enrolled' 'reboot, and confirm the key at the console' &&
		moks MokListRT another-the-certificate && says 1 'the module is signed, as it must be here' &&
		! grep -E 'waits|mokutil' "$dir/out"
}

# Of a package that scripts/deb-modules has made and signed.
each_step_of_the_packages_key_is_named() {
	secure 'code~Module signature appended~' && put var/lib/dkms/mok.pub another &&
		put usr/share/epitaph/module-key-6.1.0-9-amd64.der 'our-certificate' &&
		says 1 'the key of the package is not enrolled' 'mokutil --import /usr/share/epitaph/module-key-6.1.0-9-amd64.der, and reboot' &&
		moks MokNew our-certificate && says 1 'if the key of the package has signed it' 'confirm the key at the console' &&
		put sys/firmware/efi/efivars/db-d719b2cb-3d3a-4596-a3bc-dad00e67656f 'attr-our-certificate' &&
		says 1 "the firmware's db has the key of the package, which Debian's kernels trust" 'if this kernel refuses it' &&
		moks MokListRT another-our-certificate && says 1 'the module is signed, as it must be here' && ! grep -E 'waits|mokutil' "$dir/out" &&
		put lib/modules/6.1.0-9-amd64/modules.dep 'updates/epitaph/epitaph.ko:' &&
		put lib/modules/6.1.0-9-amd64/updates/epitaph/epitaph.ko 'code without a signature, which is long enough' &&
		says 1 'is not signed' 'scripts/deb-modules --key KEY --cert CERT'
}

each_step_of_a_key_for_an_unsigned_module() {
	secure 'code without a signature, which is long enough' && says 1 'is not signed' 'dkms build --force makes the key' &&
		put var/lib/dkms/mok.pub 'the-certificate' && says 1 'have DKMS sign it: mokutil --import' &&
		moks MokNew the-certificate && says 1 'confirm the key at the console, where shim asks for it; then dkms install' &&
		moks MokListRT the-certificate && says 1 'the key of DKMS is enrolled: dkms build --force signs by it'
}

# Its signature is trusted, by whatever key.
a_loaded_module_needs_no_key() {
	installed && put sys/kernel/security/lockdown 'none [integrity] confidentiality' &&
		put "sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c" x && put var/lib/dkms/mok.pub x-certificate &&
		says 0 'the module is signed, as it must be here' && ! grep mokutil "$dir/out"
}

unsigned_and_enforced() {
	installed && put sys/module/module/parameters/sig_enforce Y && says 0 'the module is signed' &&
		rm "$root/lib/modules/6.1.0-9-amd64/updates/dkms/epitaph.ko" &&
		put lib/modules/6.1.0-9-amd64/modules.dep 'updates/dkms/epitaph.ko.xz:' &&
		printf 'code~Module signature appended~\n' | xz >"$root/lib/modules/6.1.0-9-amd64/updates/dkms/epitaph.ko.xz" &&
		says 0 'the module is signed' &&
		echo 'code without a signature, which is long enough' | xz >"$root/lib/modules/6.1.0-9-amd64/updates/dkms/epitaph.ko.xz" &&
		says 1 'epitaph.ko.xz is not signed'
}

unit_is_masked() {
	installed && ln -s /dev/null "$root/etc/systemd/system/epitaph-recover.service" &&
		says 0 'epitaph-recover.service is masked: nothing starts it' 'systemctl unmask epitaph-recover.service' && ! grep 'not started at boot' "$dir/out" &&
		rm "$root/etc/systemd/system/epitaph-recover.service" && put lib/systemd/system/epitaph-capture.service x && says 0 && ! grep ' units ' "$dir/out" &&
		: >"$root/etc/systemd/system/epitaph-capture.service" && says 0 'epitaph-capture.service is masked' &&
		rm "$root/etc/systemd/system/epitaph-capture.service" && ln -s ../../../lib/systemd/system/epitaph-capture.service "$root/etc/systemd/system/" &&
		says 0 && ! grep ' units ' "$dir/out"
}

unit_is_not_enabled() {
	installed && rm -r "$root/etc/systemd" && says 0 'epitaph-recover.service is not started at boot' \
		'systemctl enable epitaph-recover.service'
}

# As in an image whose /etc is empty, or with RequiredBy=.
a_unit_is_enabled_elsewhere() {
	installed && rm -r "$root/etc/systemd" && for unit in service timer; do
		put "usr/lib/systemd/system/timers.target.wants/epitaph-recover.$unit" x
	done && says 0 && ! grep ' units ' "$dir/out" && rm -r "$root/usr/lib/systemd" && for unit in service timer; do
		put "etc/systemd/system/sysinit.target.requires/epitaph-recover.$unit" x
	done && says 0 && ! grep ' units ' "$dir/out"
}

# Its packages enable units all the same.
another_init_starts_no_units() {
	installed && put proc/1/comm init && says 0 'systemd does not run this machine' 'modprobe epitaph; epitaph harvest' &&
		[ "$(grep -c ' units ' "$dir/out")" = 1 ] && mkdir -p "$root/run/systemd/system" && says 0 && ! grep ' units ' "$dir/out"
}

a_vmcore_may_not_fit() {
	installed && put proc/meminfo 'MemTotal: 999000000000 kB
MemFree: 0 kB' && says 0 'enough for the trace, and a vmcore may need' &&
		put etc/default/kdump-tools 'SSH="root@elsewhere"' && says 0 'MiB are free for /var/crash'
}

coredir_of_kdump_tools() {
	installed && put etc/default/kdump-tools '# KDUMP_COREDIR="/no"
KDUMP_COREDIR="/srv/dumps" ' && says 0 'free for /srv/dumps' || return 1
	for value in '"/srv/dumps" # the large disk' "'/srv/dumps'	# the large disk" '/srv/dumps # the large disk' '/srv/dumps  '; do
		put etc/default/kdump-tools "KDUMP_COREDIR=$value" && says 0 'free for /srv/dumps' && ! grep 'large disk' "$dir/out" || return 1
	done
}

settings_of_kdump_are_printed() {
	installed && says 0 && ! grep '^ok  *settings' "$dir/out" &&
		put etc/default/kdump-tools '# FTP="no"
MAKEDUMP_ARGS="-c -d 31"
KDUMP_NUM_DUMPS=3
SSH=""' && says 0 "kdump's own, of /etc/default/kdump-tools: MAKEDUMP_ARGS=-c -d 31, KDUMP_NUM_DUMPS=3" &&
		! grep 'SSH=\|FTP=' "$dir/out" &&
		put etc/default/kdump-tools 'USE_KDUMP=1' && says 0 "kdump's own, of /etc/default/kdump-tools: as they come" &&
		rm "$root/etc/default/kdump-tools" &&
		put etc/kdump.conf 'path /var/crash
core_collector makedumpfile -l --message-level 7 -d 31' &&
		says 0 "kdump's own, of /etc/kdump.conf: core_collector makedumpfile -l --message-level 7 -d 31, path /var/crash" &&
		no_kdump && says 0 && ! grep '^ok  *settings' "$dir/out"
}

where_kdump_saves_may_be_unknown() {
	installed && rm -f "$root/etc/default/kdump-tools" && put etc/kdump.conf 'ext4 UUID=77' &&
		says 0 'kdump saves to UUID=77, which is not mounted' 'mount it' &&
		put etc/kdump.conf 'nfs nas:/export' && says 0 'kdump saves to nfs nas:/export, and not in a directory here' &&
		put etc/kdump.conf 'ssh kdump@host' && says 0 'kdump saves to ssh kdump@host, and not in a directory here'
}

# in_mount OPTIONS SCRIPT: where /var of the machine is another file system
in_mount() {
	unshare -m true 2>/dev/null || { echo "cannot mount here"; return 0; }
	installed && export epitaph dir root && unshare -m sh -c "
		mount -t tmpfs -o $1 none \$root/var && $2; \$epitaph doctor --root \$root >\$dir/out 2>&1
		cat \$dir/out; true" && grep -qF "$3" "$dir/out" && grep -qF "$4" "$dir/out"
}

read_only_root() {
	in_mount ro true 'the file system of /var/lib/epitaph cannot be written to' \
		'the file system of /var/crash cannot be written to'
}

full_var() {
	# shellcheck disable=SC2016 # the inner shell expands it
	in_mount size=64M 'head -c 56M /dev/zero >$root/var/x' \
		'8192 KiB are free for /var/lib/epitaph, and the region has 16384 KiB: it could not be saved' \
		'8192 KiB are free for /var/crash, and the region'
}

# What fills it is kdump's own, of which kdump-tools removes none by itself; ours are not counted.
full_of_kdumps() {
	# shellcheck disable=SC2016 # the inner shell expands it
	in_mount size=64M 'mkdir -p $root/etc/default && echo USE_KDUMP=1 >$root/etc/default/kdump-tools && cd $root/var && mkdir -p crash/202611280501 crash/202611280502 crash/epitaph-1 &&
		head -c 40M /dev/zero >crash/202611280501/dump.202611280501 &&
		head -c 12M /dev/zero >crash/202611280502/dump.202611280502 &&
		head -c 4M /dev/zero >crash/epitaph-1/vmcore' \
		"8192 KiB are free for /var/crash, and the region has 16384 KiB: it could not be saved; 2 dumps of kdump's there: 52 MiB" \
		'remove old dumps there; KDUMP_NUM_DUMPS=3 in /etc/default/kdump-tools keeps the newest three'
}

evidence_has_no_room() {
	# shellcheck disable=SC2016 # the inner shell expands it
	put sys/kernel/epitaph/generations/5/state evidence && put sys/kernel/epitaph/generations/5/size 8388608 &&
		in_mount size=64M 'head -c 60M /dev/zero >$root/var/x' \
			'left is in memory: it has 8192 KiB, and 4096 KiB are free for /var/lib/epitaph' 'make 8192 KiB of room there'
}

no_inodes() {
	in_mount size=64M,nr_inodes=1 true 'the file system of /var/lib/epitaph has no inode left' 'remove files there'
}

a_target_that_takes_captures() {
	share=$(mktemp -d /dev/shm/epitaph.XXXXXX) && put etc/epitaph/send.conf "TO=dir:$share
HOST=web1" && says 0 "dir:$share answers web1; nothing was stored"
	went=$?
	rmdir "$share" && return "$went"
}

a_target_that_is_not_reached() {
	mkdir -p "$dir/share" && put etc/epitaph/send.conf "TO=dir:$dir/share" && if [ "$(stat -c %d "$dir")" = "$(stat -c %d /)" ]; then
		says 0 'a capture could not be sent now: ' 'it is on the file system of the root; expected a mounted share' || return
	fi
	put etc/epitaph/send.conf 'TO=http://127.0.0.1:9' &&
		says 0 'a capture could not be sent now: http://127.0.0.1:9: ' 'epitaph send --check' &&
		put etc/epitaph/send.conf 'TO=tcp://127.0.0.1:9' && says 0 'this protocol and epitaph collect are gone' &&
		put etc/epitaph/send.conf 'TO=nowhere' && says 0 'a capture could not be sent now: '
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
		jq -e '.[] | select(.check == "kdump" and .verdict == "failure" and (.advice | length > 0))' "$dir/json" &&
		"$here/../../lib/json-schema" follows "$here/../../../docs/doctor.schema.json" <"$dir/json"
}

brief_is_a_line() {
	[ "$("$epitaph" doctor --brief --root "$root" 2>&1)" = "a crash would leave a trace: 12 checks, all well" ] &&
		no_kdump && "$epitaph" doctor --brief --root "$root" >"$dir/out" &&
		grep '^a crash would leave a trace; warnings: kdump, panic ' "$dir/out" &&
		rm -r "$root/sys/kernel/epitaph" && ! "$epitaph" doctor --brief --root "$root" >"$dir/out" 2>&1 &&
		grep '^a crash would not leave what it should; failed: recorder, region; warnings: kdump, panic, harvest ' "$dir/out"
}

brief_has_its_priority_in_the_journal() {
	JOURNAL_STREAM=1:2 "$epitaph" doctor --brief --root "$root" | grep '^<5>' && no_kdump &&
		JOURNAL_STREAM=1:2 "$epitaph" doctor --brief --root "$root" | grep '^<4>' && rm -r "$root/sys/kernel" &&
		JOURNAL_STREAM=1:2 "$epitaph" doctor --brief --root "$root" | grep '^<3>'
}

misuse_is_2() {
	for args in --nonsense 'a-file' '--root'; do
		# shellcheck disable=SC2086
		"$epitaph" doctor $args
		[ $? = 2 ] || return 1
	done
}

for claim in a_healthy_machine_passes no_recorder the_recorder_takes_none_of_several lost_in_hibernation device_removed before_setup_the_first_step_is_setup another_boot_loader_starts_it reserved_without_a_recorder the_firmware_has_memory_there \
	the_firmware_has_no_memory_there the_region_is_at_the_end_of_memory a_hole_is_reserved another_recorder not_in_iomem elsewhere_in_iomem pmem_has_it \
	pmem_elsewhere_does_not_matter pmem_that_is_not_reserved_does_not_matter a_region_on_an_nvdimm reserve_mem_may_move a_device_tree_reserves_the_same_place on_arm64_memmap_is_no_advice on_s390x_memmap_is_no_advice what_is_missing_there_is_said functions_that_are_not_followed_are_named types_that_none_has_are_named last_branches_are_named pages_with_kdump_is_a_warning \
	pages_without_kdump_is_a_failure overwrite overwrite_not_asked_for overwrite_not_offered \
	overwrite_not_known no_kdump_is_a_warning a_kernel_without_kexec_has_no_kdump reboots_after_a_panic on_s390x_on_panic_decides a_capture_kernel_stands_after_a_panic on_s390x_a_capture_kernel_stands_after_a_panic a_watchdog_may_end_the_capture_kernel \
	what_the_capture_kernel_is_given_counts an_encrypted_root_waits_for_ever our_hook_does_not_wait \
	an_encrypted_home_does_not_matter a_machine_that_seals_passes a_device_for_sealed_traces_passes a_device_that_is_not_prepared \
	a_device_whose_name_changes a_logical_volume_will_not_do a_logical_volume_will_do_for_a_root_that_is_not_encrypted \
	of_boot_and_esp_the_one_that_will_do a_device_that_the_units_may_not_write_to a_device_that_is_small_for_the_region a_unit_that_is_confined_sees_the_same a_typo_in_the_recipients_has_its_line \
	recipients_that_others_may_change no_age an_initramfs_that_cannot_seal an_initramfs_with_another_place an_initramfs_that_still_seals without_kdump_nothing_seals an_initramfs_with_older_recipients \
	a_place_that_will_not_do a_place_that_is_not_mounted_yet btrfs_lies_on_what_its_source_is a_place_that_units_cannot_write_to a_place_on_a_part_of_a_file_system \
	a_plan_that_fails_is_no_silence a_boot_without_room a_quota_below_the_region a_key_that_was_never_tried wrong_settings_of_sealing \
	sealing_is_forbidden a_policy_without_recipients a_policy_does_not_seal_the_vmcore a_policy_where_the_hook_cannot_seal reserved_but_not_loaded \
	crashkernel_too_small dollar confidential pstore_of_others evidence_waits \
	memory_modules_are_good a_module_has_many_errors errors_since_an_unknown_time a_module_had_an_uncorrected_error \
	evidence_was_lost no_space an_installed_machine_passes asked_for_and_not_reserved \
	a_machine_that_is_too_small_for_kdump no_crashkernel_with_kdump_tools nothing_can_be_loaded_any_more overlaps_the_crash_kernel \
	addresses_are_hidden hook_is_missing initrds_are_read_however_packed a_broken_initrd_is_not_known \
	without_libarchive_it_is_not_known \
	hook_of_red_hat hook_of_suse settings_are_newer_than_the_image what_else_has_our_name_is_no_hook unit_is_masked the_dump_directory_is_mounted_by_hand a_link_to_a_dump_directory_that_is_mounted_by_hand what_is_saved_in_memory_is_lost a_link_that_leads_nowhere \
	long_files_are_read_to_their_end kdump_was_first kdump_may_have_been_first \
	times_that_say_nothing_are_not_taken a_clock_that_was_set_is_seen dkms_failed_for_this_kernel \
	dkms_failed_for_the_next_kernel installed_nowhere built_into_the_kernel not_in_the_initramfs_of_the_next_kernel not_in_the_initramfs unsigned_under_lockdown \
	unsigned_and_enforced each_step_of_the_key_is_named each_step_of_the_packages_key_is_named each_step_of_a_key_for_an_unsigned_module \
	a_loaded_module_needs_no_key a_unit_is_enabled_elsewhere another_init_starts_no_units unit_is_not_enabled a_vmcore_may_not_fit coredir_of_kdump_tools settings_of_kdump_are_printed \
	where_kdump_saves_may_be_unknown \
	read_only_root full_var full_of_kdumps evidence_has_no_room no_inodes \
	a_target_that_takes_captures a_target_that_is_not_reached rubbish_is_survived json_has_the_same \
	brief_is_a_line brief_has_its_priority_in_the_journal misuse_is_2; do
	ok "$claim" "$claim"
done
echo "1..$nr"
[ "$failed" -eq 0 ]
