#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# epitaph setup on machines made of a few files.  GRUB's script is one of ours here, which
# reads drop-ins as GRUB's does; docs/setup.md has what the real one does.
# shellcheck disable=SC2317 # ok calls the claims
. "$(dirname "$0")/../../lib/lib.sh"
root=$dir/root
drop_in=$root/etc/default/grub.d/epitaph.cfg

# put FILE TEXT: a file of the machine.
put() {
	[ -d "$root/${1%/*}" ] || mkdir -p "$root/${1%/*}"
	printf '%s\n' "$2" >"$root/$1"
}

# claim NAME: on a machine of 1 GiB.
claim() {
	rm -rf "$root"
	put proc/sys/kernel/osrelease 6.1.0-9-amd64
	put proc/cmdline 'BOOT_IMAGE=/boot/vmlinuz root=/dev/vda1 ro quiet'
	put sys/devices/system/cpu/possible 0-3
	put proc/iomem '00000000-00000fff : Reserved
00001000-0009fbff : System RAM
000a0000-000bffff : PCI Bus 0000:00
00100000-3ffdffff : System RAM
  08000000-08e02fc0 : Kernel code
  09000000-09a5bfff : Kernel rodata
  3d000000-3effffff : Crash kernel
3ffe0000-3fffffff : Reserved'
	ok "$1" "$1"
}

# A Debian with GRUB; it runs nothing but what is in it.
grub() {
	[ "$(id -u)" = 0 ] || return 0
	mkdir -p "$root/bin" "$root/usr/sbin" "$root/boot/grub" "$root/etc/default/grub.d"
	cp "$(command -v busybox)" "$root/bin/sh"
	put etc/default/grub 'GRUB_CMDLINE_LINUX_DEFAULT="quiet"
GRUB_CMDLINE_LINUX=""'
	# shellcheck disable=SC2016 # it is a script
	put usr/sbin/update-grub '#!/bin/sh
. /etc/default/grub
for file in /etc/default/grub.d/*.cfg; do
	[ ! -e "$file" ] || . "$file"
done
echo "menuentry {
	linux	/boot/vmlinuz-9 root=/dev/vda1 ro $GRUB_CMDLINE_LINUX $GRUB_CMDLINE_LINUX_DEFAULT
	initrd	/boot/initrd.img-9
}
	linux	/boot/vmlinuz-9 root=/dev/vda1 ro single $GRUB_CMDLINE_LINUX
	linux16	/boot/memtest" >/boot/grub/grub.cfg
echo "Generating grub configuration file ..."
echo ran >>/ran'
	chmod 755 "$root/usr/sbin/update-grub"
	: >"$root/boot/grub/grub.cfg"
}

# says STATUS "OPTION..." TEXT...: the exit status, and each text is said.
says() {
	want=$1
	options=$2
	shift 2
	# shellcheck disable=SC2086 # words
	"$epitaph" setup --root "$root" $options >"$dir/out" 2>&1
	got=$?
	cat "$dir/out"
	[ "$got" = "$want" ] || { echo "status $got, not $want"; return 1; }
	for text; do
		grep -qF -- "$text" "$dir/out" || { echo "lacks: $text"; return 1; }
	done
}

ran() {
	[ "$(wc -l <"$root/ran")" = "$1" ] || { echo "update-grub did not run $1 times"; return 1; }
}

rooted() {
	[ "$(id -u)" = 0 ] || { echo "only for root"; return 1; }
}

it_proposes_and_writes_nothing() {
	grub
	says 0 '' 'memmap=16M!0x22e00000 panic=10:' '1023 MiB of RAM and 4 CPUs: 16 MiB' \
		'in the middle of 0x9a5c000-0x3cffffff' 'Nothing is written yet' &&
		[ ! -e "$drop_in" ] && [ ! -e "$root/ran" ]
}

a_large_machine_gets_more() {
	put sys/devices/system/cpu/possible 0-255
	put proc/iomem '00001000-0009ffff : System RAM
00100000-7fffffff : System RAM
100000000-8080000000 : System RAM'
	says 0 '' '512 GiB of RAM and 256 CPUs: 64 MiB' 'memmap=64M!0x3f000000' 'below 4 GiB' || return
	# The most that the kernel knows.
	put sys/devices/system/cpu/possible 0-8191 && says 0 '--address 0x200000000' '512 GiB of RAM and 8192 CPUs: 2 GiB' 'memmap=2048M!'
}

a_small_one_gets_less() {
	put proc/iomem '00100000-1fffffff : System RAM' && says 0 '' 'memmap=8M!0x10c00000'
}

# As Hyper-V's guests, which have 240 possible CPUs.
more_cpus_than_it_will_have_fit_a_sixteenth() {
	put sys/devices/system/cpu/possible 0-239 && says 0 '' '1023 MiB of RAM and 240 CPUs: 60 MiB' 'memmap=60M!' &&
		put sys/devices/system/cpu/possible 0-248 && says 0 '' '1023 MiB of RAM and 249 CPUs: 62 MiB' 'memmap=62M!' && put sys/devices/system/cpu/possible 0-239 &&
		put proc/iomem '00100000-2fffffff : System RAM' && says 0 '' '767 MiB of RAM and 240 CPUs: 46 MiB' 'memmap=46M!' &&
		put sys/devices/system/cpu/possible 0-299 && says 4 '' 'a sixteenth of the RAM' 'nr_cpus= on the kernel command line' && put sys/devices/system/cpu/possible 0-239 &&
		put proc/iomem '00100000-3fffffff : System RAM
40000000-7fffffff : System RAM' && says 0 '' '1.999 GiB of RAM and 240 CPUs: 64 MiB' 'memmap=64M!'
}

# As least_size_test.c has it.
what_the_recorder_would_refuse_is_not_proposed() {
	put sys/devices/system/cpu/possible 0-63 && says 4 '--size 8M' 'two generations of 64 possible CPUs need 12896K' 'refuse to load' &&
		says 4 '--size 12M' 'refuse to load' && says 0 '--size 16M' 'memmap=16M!' && ! grep refuse "$dir/out"
}

pieces_below_4g_may_be_too_small() {
	put proc/iomem '00100000-02ffffff : System RAM
  02100000-02ffffff : Kernel code
100000000-23fffffff : System RAM' &&
		says 0 '' 'memmap=16M!0x19f800000' 'there is none below 4 GiB'
}

no_room() {
	put proc/iomem '00100000-3fffffff : System RAM
  00100000-3fffffff : Kernel code' && says 4 '' 'unused RAM in one piece: the largest has 0K' &&
		put proc/iomem '00100000-03ffffff : System RAM' && says 4 '' 'a sixteenth of the RAM' '--size gives less'
}

addresses_are_hidden() {
	put proc/iomem '00000000-00000000 : System RAM' && says 5 '' 'only root sees them'
}

size_and_address_are_somebodys() {
	says 0 '--size 4M' 'memmap=4M!0x23400000' && says 0 '--size 8M --address 0x20000000' 'memmap=8M!0x20000000' &&
		says 4 '--address 0x3d800000' '0x3d000000-0x3effffff is in use: Crash kernel' &&
		says 4 '--address 0x07f00000' 'Kernel code' && says 4 '--address 0x3f800000' 'not all RAM' &&
		says 4 '--address 0x20000800' 'multiple of 4096' && says 4 '--size 1M' 'at least 2M' &&
		says 4 '--size 512M' 'sixteenth' && says 4 '--address 0xfffffffffffff000' 'too large' &&
		mkdir -p "$root/sys/firmware/memmap/0" && put sys/firmware/memmap/0/start 0x100000 &&
		put sys/firmware/memmap/0/end 0x26ffffff && put sys/firmware/memmap/0/type 'System RAM' &&
		says 0 '--size 8M --address 0x20000000' 'last 128 MiB of memory, where kexec -l' 'kexec -s'
}

misuse() {
	for options in '--size many' '--size 16X' '--address' 'a-file' '--size 0x'; do
		says 2 "$options" || return 1
	done
}

what_is_reserved_stays() {
	put proc/cmdline 'quiet memmap=4G memmap=16M!0x20000000' && says 0 '--write' 'reserved already' 'Nothing is to be written' &&
		put proc/cmdline 'reserve_mem=16M:4096:epitaph' && says 0 '--write' 'reserved already' &&
		put proc/cmdline 'reserve_mem=16M:4096:trace memmap=1M#0x1000,16M!0x20000000' && says 0 '' 'reserved already'
}

# The device tree of an arm64 machine reserves 16 MiB at 0x5000000a00: cells are big-endian.
device_tree() {
	node=sys/firmware/devicetree/base/reserved-memory
	mkdir -p "$root/$node/$1"
	printf '\0\0\0\2' >"$root/$node/#address-cells"
	printf '\0\0\0\2' >"$root/$node/#size-cells"
	printf '\0\0\0\120\0\0\12\0\0\0\0\0\1\0\0\0' >"$root/$node/$1/reg"
}

what_the_device_tree_reserves_needs_no_word() {
	put proc/sys/kernel/arch aarch64
	device_tree epitaphs@1000
	! says 0 '' 'reserved already' || return 1
	device_tree epitaph@5000000a00
	says 0 '--write' '16 MiB are reserved already' 'the device tree reserves' 'reserved-memory/epitaph@5000000a00' &&
		says 0 '--json' '"address":343597386240,' '"size":16777216,'
}

# ivshmem ADDRESS BYTES: a device with so much memory, all zero.
ivshmem() {
	pci=sys/bus/pci/devices/$1
	put "$pci/vendor" 0x1af4
	put "$pci/device" 0x1110
	put "$pci/resource" "0x00000000febd1000 0x00000000febd10ff 0x0000000000040200
0x0000000000000000 0x0000000000000000 0x0000000000000000
0x00000000fd000000 $(printf '0x%016x' $((0xfd000000 + $2 - 1))) 0x000000000014220c"
	truncate -s "$2" "$root/$pci/resource2"
}

driven_by() {
	ln -sf "../../drivers/$2" "$root/sys/bus/pci/devices/$1/driver"
}

an_empty_device_is_proposed() {
	grub
	ivshmem 0000:00:04.0 16777216
	put sys/bus/pci/devices/0000:00:03.0/vendor 0x1af4
	put sys/bus/pci/devices/0000:00:03.0/device 0x1000
	says 0 '' 'epitaph.device=0000:00:04.0 panic=10:' 'an ivshmem device with 16 MiB, which is empty' &&
		says 0 '--size 8M' 'memmap=8M!' && ! grep -q epitaph.device "$dir/out" || return 1
	put proc/cmdline 'quiet epitaph.device=0000:00:04.0'
	says 0 '' "epitaph.device=0000:00:04.0 is on the running kernel's command line"
}

a_device_of_others_is_left_alone() {
	ivshmem 0000:00:04.0 16777216
	printf 'theirs' | dd of="$root/sys/bus/pci/devices/0000:00:04.0/resource2" conv=notrunc seek=9000 bs=1 2>/dev/null
	says 0 '' 'memmap=16M!' 'not the ivshmem device 0000:00:04.0: it has data that is not of the recorder' || return 1
	ivshmem 0000:00:05.0 524288
	says 0 '' 'memmap=16M!' 'not the ivshmem device 0000:00:05.0: it has 512K' || return 1
	ivshmem 0000:00:06.0 16777216
	driven_by 0000:00:06.0 uio_pci_generic
	says 0 '' 'memmap=16M!' 'not the ivshmem device 0000:00:06.0: the driver uio_pci_generic uses it'
}

of_two_devices_the_one_with_a_region() {
	ivshmem 0000:00:04.0 16777216
	ivshmem 0000:00:05.0 16777216
	says 0 '' 'memmap=16M!' '2 devices of the host would do: epitaph.device=0000:00:0' || return 1
	printf 'EPITAPH\032' | dd of="$root/sys/bus/pci/devices/0000:00:05.0/resource2" conv=notrunc seek=8388608 bs=1 2>/dev/null
	says 0 '' 'epitaph.device=0000:00:05.0' 'which holds a region already' || return 1
	driven_by 0000:00:05.0 epitaph
	says 0 '' 'epitaph.device=0000:00:05.0'
}

# nvdimm NR PROVIDER ADDRESS BYTES: a namespace with so much memory, all zero, in a virtual machine.
nvdimm() {
	put proc/cpuinfo 'processor	: 0
flags		: fpu vme hypervisor lahf_lm'
	bus=sys/devices/ndbus$1
	put "$bus/provider" "$2"
	put "$bus/region$1/resource" "$3"
	put "$bus/region$1/size" "$4"
	namespace=$bus/region$1/namespace$1.0
	put "$namespace/resource" "$3"
	put "$namespace/size" "$4"
	put "$namespace/holder" ''
	mkdir -p "$root/$namespace/block/pmem$1" "$root/sys/bus/nd/devices" "$root/dev"
	truncate -s "$4" "$root/dev/pmem$1"
	for device in "$bus" "$bus/region$1" "$namespace"; do
		ln -sfn "../../../${device#sys/}" "$root/sys/bus/nd/devices/${device##*/}"
	done
}

an_empty_nvdimm_is_proposed() {
	grub
	nvdimm 0 ACPI.NFIT 0x100000000 16777216
	says 0 '' 'memmap=16M!0x100000000 panic=10:' 'namespace0.0: an nvdimm with 16 MiB, which is empty' &&
		says 0 '--json' '"size":16777216,"address":4294967296' || return 1
	put proc/cmdline 'quiet memmap=16M!0x100000000'
	says 0 '' "memmap=16M!0x100000000 is on the running kernel's command line"
}

so_is_a_virtio_pmem_device() {
	nvdimm 1 virtio-pmem 0x101000000 17301504
	printf 'EPITAPH\032' | dd of="$root/dev/pmem1" conv=notrunc bs=4096 seek=2000 2>/dev/null
	says 0 '' 'memmap=16896K!0x101000000' 'namespace1.0: a virtio-pmem device with 16.5 MiB, which holds a region already'
}

a_device_with_a_region_comes_before_an_empty_one() {
	ivshmem 0000:00:04.0 16777216
	nvdimm 0 ACPI.NFIT 0x100000000 16777216
	says 0 '' 'memmap=16M!0x22e00000 ' '2 devices of the host would do: epitaph.device=0000:00:04.0 on' || return 1
	printf 'EPITAPH\032' | dd of="$root/dev/pmem0" conv=notrunc bs=4096 seek=4095 2>/dev/null
	says 0 '' 'memmap=16M!0x100000000'
}

# not_this TEXT...: another place is proposed, and each text says why not this nvdimm.
not_this() {
	says 0 '' 'memmap=16M!0x22e00000 ' "$@"
}

an_nvdimm_of_others_is_left_alone() {
	nvdimm 0 ACPI.NFIT 0x100000000 16777216
	printf 'theirs' | dd of="$root/dev/pmem0" conv=notrunc bs=1 seek=16777000 2>/dev/null
	not_this 'not the nvdimm namespace0.0: it has data that is not of the recorder; if none uses it, empty it: dd if=/dev/zero of=/dev/pmem0' || return 1
	truncate -s 0 "$root/dev/pmem0"
	not_this 'not the nvdimm namespace0.0: /dev/pmem0 cannot be read to its end' || return 1
	nvdimm 0 ACPI.NFIT 0x100000000 16777216
	put "$namespace/holder" btt0.0
	not_this 'not the nvdimm namespace0.0: btt0.0 is made of it' || return 1
	put "$namespace/holder" ''
	rmdir "$root/$namespace/block/pmem0"
	not_this 'not the nvdimm namespace0.0: no driver shows what it holds; modprobe nd_pmem' || return 1
	nvdimm 0 ACPI.NFIT 0x100000000 524288
	not_this 'not the nvdimm namespace0.0: it has 512K at 0x100000000' || return 1
	nvdimm 0 ACPI.NFIT 0x100000000 137438953472
	not_this 'not the nvdimm namespace0.0: its 131072M are more than a recorder needs; memmap=16M!0x100000000 takes the start'
}

an_nvdimm_of_metal_is_not_proposed() {
	nvdimm 0 ACPI.NFIT 0x100000000 16777216
	rm "$root/proc/cpuinfo"
	not_this 'not the nvdimm namespace0.0: this is no virtual machine whose host keeps it; memmap=16M!0x100000000 on'
}

# What memmap= of the command line has made is RAM.
memory_of_memmap_is_no_nvdimm() {
	nvdimm 0 e820 0x20000000 16777216
	says 0 '' 'memmap=16M!0x' && ! grep -q namespace0.0 "$dir/out"
}

an_nvdimm_without_its_driver_has_a_line() {
	mkdir -p "$root/sys/bus/acpi/devices/ACPI0012:00"
	not_this 'an nvdimm (ACPI0012) is there without its driver: modprobe nfit nd_pmem' || return 1
	put sys/bus/virtio/devices/virtio0/device 0x001b
	not_this 'a virtio-pmem device (virtio0) is there without its driver: modprobe virtio_pmem' || return 1
	mkdir "$root/sys/bus/virtio/devices/virtio0/driver"
	nvdimm 0 ACPI.NFIT 0x100000000 16777216
	says 0 '' 'memmap=16M!0x100000000' && ! grep -q 'without its driver' "$dir/out"
}

reserve_mem_of_others_is_no_region() {
	put proc/cmdline 'reserve_mem=16M:4096:trace memmap=2G' && says 0 '' 'memmap=16M!'
}

newer_kernels_are_told_why() {
	put proc/sys/kernel/osrelease 6.12.3 && says 0 '' 'not reserve_mem='
}

efi_is_told() {
	mkdir -p "$root/sys/firmware/efi" && says 0 '' 'EFI: with memmap='
}

it_writes_and_grub_has_it() {
	rooted && grub && says 0 --write 'wrote /etc/default/grub.d/epitaph.cfg' \
		'/boot/grub/grub.cfg: 2 of 2 entries have it' 'Reboot' && ran 1 &&
		grep 'quiet' "$root/boot/grub/grub.cfg" | grep -F ' memmap=16M!0x22e00000 ' &&
		grep 'single.*memmap=16M!0x22e00000' "$root/boot/grub/grub.cfg" &&
		[ "$(stat -c %a "$drop_in")" = 644 ] && [ "$(ls -A "$root/etc/default/grub.d")" = epitaph.cfg ]
}

a_second_time_moves_nothing() {
	rooted && grub && says 0 --write && cp "$drop_in" "$dir/first" &&
		put proc/iomem '00100000-7fffffff : System RAM' && says 0 --write 'there is' '0x22e00000' && ran 2 &&
		cmp "$drop_in" "$dir/first" && says 0 '' 'epitaph.cfg is there: memmap=16M!0x22e00000 panic=10. Reboot'
}

it_moves_when_told() {
	rooted && grub && says 0 --write && put proc/cmdline 'ro memmap=16M!0x22e00000' &&
		says 0 --write 'reserved already' && says 0 '--write --size 8M' 'instead of memmap=16M!0x22e00000' 'memmap=8M!' &&
		grep 'memmap=8M!' "$drop_in" && ! grep 16M "$drop_in"
}

crashkernel_where_kdump_tools_want_it() {
	rooted && grub && put usr/sbin/kdump-config x && says 0 --write 'no memory is reserved for its capture kernel' &&
		grep -F ' crashkernel=128M' "$root/boot/grub/grub.cfg" &&
		put proc/cmdline 'memmap=16M!0x22e00000 crashkernel=128M' && says 0 '--write --size 8M' 'crashkernel=128M stays' &&
		grep -F ' crashkernel=128M' "$root/boot/grub/grub.cfg"
}

crashkernel_of_kdump_tools_is_enough() {
	# shellcheck disable=SC2016 # GRUB's script expands it
	grub && put usr/sbin/kdump-config x && put etc/default/grub.d/kdump-tools.cfg \
		'GRUB_CMDLINE_LINUX_DEFAULT="$GRUB_CMDLINE_LINUX_DEFAULT crashkernel=384M-:128M"' &&
		says 0 '' "crashkernel= will be there after the reboot" && ! grep ': *memmap=.*crashkernel=128M' "$dir/out"
}

a_capture_kernel_restarts_too() {
	rooted && grub && put proc/cmdline 'ro oops_panic=1 quiet' && put etc/default/grub.d/a.cfg 'x="oops_panic=1"' &&
		says 0 --write 'so does a capture kernel that panics' &&
		grep -F ' panic=10' "$root/boot/grub/grub.cfg" && put proc/cmdline 'memmap=16M!0x22e00000 panic=10' &&
		says 0 '--write --size 8M' 'panic=10 stays' && grep -F ' panic=10' "$root/boot/grub/grub.cfg"
}

no_panic_where_it_does_nothing() {
	put proc/cmdline ro && put sys/firmware/shutdown_actions/on_panic stop &&
		says 0 '' 'no panic=: it does nothing on this machine, which goes by /sys/firmware/shutdown_actions/on_panic (stop)' &&
		! grep 'panic=10' "$dir/out"
}

panic_of_somebody_stays() {
	put proc/cmdline 'ro panic=-1' && says 0 '' 'panic= is there' && ! grep 'panic=10' "$dir/out" &&
		put proc/cmdline ro && grub && put etc/default/grub.d/a.cfg 'GRUB_CMDLINE_LINUX="panic=5"' &&
		says 0 '' "panic= will be there after the reboot: GRUB's files have it"
}

# What GRUB does not read: comments, and files that dpkg or an editor has put aside.
words_that_grub_does_not_read_do_not_count() {
	rooted && grub && put usr/sbin/kdump-config x && put etc/default/grub '# for debugging:
  # GRUB_CMDLINE_LINUX="panic=30 crashkernel=1G"
GRUB_CMDLINE_LINUX="quiet"' && put etc/default/grub.d/a.cfg.dpkg-old 'GRUB_CMDLINE_LINUX="panic=5"' &&
		put etc/default/grub.d/a.cfg~ 'GRUB_CMDLINE_LINUX="crashkernel=64M"' &&
		says 0 --write 'memmap=16M!0x22e00000 crashkernel=128M panic=10:' && grep -F ' crashkernel=128M panic=10' "$root/boot/grub/grub.cfg"
}

# GRUB still has the words: the next --remove takes them.
a_removal_that_grub_does_not_take_is_none() {
	rooted && grub && says 0 --write && cp "$drop_in" "$dir/first" && cp "$root/usr/sbin/update-grub" "$dir/update-grub" &&
		printf '#!/bin/sh\nexit 7\n' >"$root/usr/sbin/update-grub" && says 3 --remove 'update-grub failed with status 7' 'is put back' &&
		cmp "$drop_in" "$dir/first" && cp "$dir/update-grub" "$root/usr/sbin/update-grub" && says 0 --remove 'took away' &&
		! grep memmap "$root/boot/grub/grub.cfg"
}

it_undoes_what_it_wrote() {
	rooted && grub && chroot "$root" /usr/sbin/update-grub && (cd "$root" && find . | sort) >"$dir/before" &&
		cp "$root/boot/grub/grub.cfg" "$dir/grub.cfg" && rmdir "$root/etc/default/grub.d" && says 0 --write &&
		says 0 --remove 'took away' '16M!0x22e00000' && mkdir -p "$root/etc/default/grub.d" &&
		(cd "$root" && find . | sort) | diff "$dir/before" - && cmp "$dir/grub.cfg" "$root/boot/grub/grub.cfg" &&
		says 0 --remove 'there is no'
}

what_somebody_edited_is_left_alone() {
	rooted && grub && says 0 --write && echo '# mine' >>"$drop_in" && cp "$drop_in" "$dir/mine" &&
		says 4 --remove 'somebody has edited it' && says 4 --write 'somebody has edited it' && cmp "$drop_in" "$dir/mine"
}

a_failing_update_leaves_nothing() {
	rooted && grub && printf '#!/bin/sh\nexit 7\n' >"$root/usr/sbin/update-grub" &&
		says 3 --write 'update-grub failed with status 7' 'is taken away again' && [ ! -e "$drop_in" ]
}

a_grub_that_forgets_is_told() {
	# shellcheck disable=SC2016
	rooted && grub && put etc/default/grub.d/zz.cfg 'GRUB_CMDLINE_LINUX="mine"' &&
		says 4 --write 'no kernel of /boot/grub/grub.cfg gets memmap=16M!0x22e00000 panic=10'
}

a_full_disk_leaves_nothing() {
	rooted && grub && (ulimit -f 0; says 3 --write 'File too large') >/dev/null 2>&1
	[ ! -e "$drop_in" ] && [ -z "$(ls -A "$root/etc/default/grub.d")" ] && [ ! -e "$root/ran" ]
}

one_that_died_left_nothing_in_the_way() {
	rooted && grub && put etc/default/grub.d/.epitaph.new half && says 0 --write &&
		[ "$(ls -A "$root/etc/default/grub.d")" = epitaph.cfg ]
}

other_boot_loaders_are_explained() {
	says 4 --write 'no GRUB with drop-ins here, and nothing is written; add memmap=16M!0x22e00000 panic=10 to the kernel command line' &&
		put etc/kernel/cmdline 'root=x' && says 4 --write '/etc/kernel/cmdline, and run: kernel-install add' &&
		put etc/default/grub 'x=' && says 0 '' 'grub2-mkconfig -o /boot/grub2/grub.cfg' &&
		put sbin/grubby x && says 0 '' "grubby --update-kernel=ALL --args='memmap=16M!0x22e00000 panic=10'"
}

# typed COMMAND: what an interactive bash makes of it
typed() {
	printf '%s\n' "$1" | (cd "$dir" && PATH=$dir:$PATH bash --norc --noprofile -i) 2>&1
}

# An interactive bash expands "!" between double quotes as well.
what_is_run_by_hand_can_be_typed() {
	# shellcheck disable=SC2016 # it is a script
	printf '#!/bin/sh\nprintf "got %%s\n" "$@"\n' >"$dir/grubby" && chmod +x "$dir/grubby" && cp "$dir/grubby" "$dir/rpm-ostree" || return 1
	put sbin/grubby x && says 0 '' 'run: grubby' && typed "$(sed -n "s/.*run: \(grubby [^;.]*'\).*/\1/p" "$dir/out")" |
		grep -x 'got --args=memmap=16M!0x22e00000 panic=10' || return 1
	put run/ostree-booted '' && says 0 '' 'run: rpm-ostree' && typed "$(sed -n 's/.*run: \(rpm-ostree [^,]*\),.*/\1/p' "$dir/out")" |
		grep -x 'got --append-if-missing=memmap=16M!0x22e00000 panic=10'
}

json_has_it() {
	"$epitaph" setup --json --root "$root" |
		jq -e '.size == 16777216 and .address == 585105408 and .words == "memmap=16M!0x22e00000 panic=10" and .written == false and (.reasons | length > 2)' &&
		rooted && grub && "$epitaph" setup --json --write --root "$root" 2>/dev/null | jq -e .written
}

# state_of FILE...: names, times and texts below the machine's root
state_of() {
	(cd "$root" && find . -printf '%p %i %T@\n' | sort && find etc boot -type f -exec cat {} +)
}

# nothing_changes STATUS "OPTION..." TEXT...: as says; and the machine is as it was
nothing_changes() {
	state_of >"$dir/before"
	says "$@" </dev/null && state_of | diff "$dir/before" -
}

# The next boot has what GRUB has.
reboot_it() {
	put proc/cmdline "$(sed -n 's/^	linux	[^ ]* \(.*\)/\1/p' "$root/boot/grub/grub.cfg" | head -n 1)"
}

unattended_writes_once() {
	rooted && grub && says 6 --unattended 'wrote /etc/default/grub.d/epitaph.cfg' '2 of 2 entries' 'Reboot: ' &&
		nothing_changes 6 --unattended 'there is /etc/default/grub.d/epitaph.cfg: memmap=16M!0x22e00000 panic=10' \
			'Nothing was changed' && ran 1 &&
		reboot_it && nothing_changes 0 --unattended 'reserved already' 'Nothing is to be written' && ran 1
}

# Or a fleet that reboots by status 6 would reboot for ever.
unattended_says_that_another_loader_starts_it() {
	rooted && grub && says 6 --unattended && put proc/stat 'cpu 1
btime 4000000000' && nothing_changes 6 --unattended 'the GRUB of /boot/grub does not start this machine' &&
		nothing_changes 0 '' 'the GRUB of /boot/grub does not start this machine' && put proc/stat 'cpu 1
btime 1500000000' && says 6 --unattended && ! grep 'does not start' "$dir/out"
}

# A kernel with memory that its own boot loader reserves does not wait for what GRUB would do.
another_loader_reserves_elsewhere() {
	rooted && grub && says 6 --unattended && put proc/cmdline 'memmap=16M!0x8000000' && put proc/stat 'cpu 1
btime 4000000000' && says 6 --unattended 'the running kernel has memmap=16M!0x8000000, and /etc/default/grub.d/epitaph.cfg says other words' \
		'the GRUB of /boot/grub does not start this machine' && ! grep 'is newer' "$dir/out"
}

unattended_ends_what_another_has_begun() {
	rooted && grub && says 6 --unattended && : >"$root/boot/grub/grub.cfg" && says 6 --unattended && ran 2 &&
		grep -F memmap=16M "$root/boot/grub/grub.cfg"
}

# Also where the map of memory has the region as used by now.
unattended_with_a_size_moves_nothing() {
	rooted && grub && says 6 '--unattended --size 8M' 'memmap=8M!' && nothing_changes 6 '--unattended --size 8M' &&
		reboot_it && sed -i 's/^3ffe0000/  23000000-239fffff : System RAM (epitaph)\n&/' "$root/proc/iomem" &&
		nothing_changes 0 '--unattended --size 8M' 'reserved already' && nothing_changes 0 --unattended &&
		nothing_changes 0 "--unattended --size 8M --address 0x$(sed -n 's/.*!0x\([0-9a-f]*\).*/\1/p' "$drop_in")"
}

unattended_with_another_size_waits_for_the_reboot() {
	rooted && grub && says 6 --unattended && reboot_it && says 6 '--unattended --size 8M' 'instead of memmap=16M!0x22e00000' &&
		nothing_changes 6 '--unattended --size 8M' 'the running kernel still has memmap=16M!0x22e00000' &&
		nothing_changes 6 --unattended && reboot_it && nothing_changes 0 --unattended
}

# What a person has on the line himself beside the drop-in is no reason to wait for ever; and the
# recorder takes none of several, if nothing says which.
two_places_on_one_line() {
	rooted && grub && says 6 --unattended && reboot_it && put proc/cmdline "memmap=4M!0x8000000 $(cat "$root/proc/cmdline")" &&
		nothing_changes 4 --unattended 'has 2 memmap=SIZE!ADDRESS, and the recorder takes none of several' &&
		put proc/cmdline "$(cat "$root/proc/cmdline") epitaph.addr=0x22e00000 epitaph.size=16M" &&
		nothing_changes 0 --unattended '16 MiB are reserved already' && put proc/cmdline 'memmap=16M!0x22e00000,4M!0x8000000' &&
		nothing_changes 4 --unattended 'has 2 memmap' && put sys/kernel/epitaph/region '0x22e00000 16777216 memmap' && nothing_changes 0 --unattended
}

unattended_says_what_cannot_be() {
	rooted && nothing_changes 4 --unattended 'no GRUB with drop-ins here, and nothing is written' &&
		put proc/iomem '00000000-00000000 : System RAM' && nothing_changes 5 --unattended 'only root sees them' &&
		claim_again && grub && says 6 --unattended && echo '# mine' >>"$drop_in" &&
		nothing_changes 4 --unattended 'somebody has edited it'
}

claim_again() {
	put proc/iomem '00100000-3ffdffff : System RAM'
}

two_at_once() {
	rooted && grub && state_of >"$dir/state" && for options in --unattended --write; do
		flock "$root/etc/default" "$epitaph" setup --root "$root" "$options" >"$dir/out" 2>&1
		[ $? = 7 ] && grep -F 'another epitaph setup is at work on this machine, and this one has changed nothing' "$dir/out" || return 1
	done && state_of | diff "$dir/state" - && says 6 --unattended &&
		{ flock "$root/etc/default" "$epitaph" setup --remove --root "$root" >"$dir/out" 2>&1; [ $? = 7 ]; } && [ -e "$drop_in" ]
}

# The first is in the middle of update-grub, and waits there for a word.
two_that_overlap() {
	rooted && grub && mkfifo "$root/word" && sed -i '1a read -r word </word' "$root/usr/sbin/update-grub" || return 1
	"$epitaph" setup --unattended --root "$root" >"$dir/first" 2>&1 &
	first=$!
	# Its drop-in is there once it has the lock.
	while [ ! -e "$drop_in" ]; do kill -0 "$first" || break; done
	says 7 --unattended 'another epitaph setup is at work'
	second=$?
	echo go >"$root/word"
	wait "$first"
	[ $? = 6 ] && [ "$second" = 0 ] && ran 1
}

a_container_has_no_kernel_of_its_own() {
	rooted && grub && put run/systemd/container lxc && for options in '' --write --unattended; do
		nothing_changes 4 "$options" 'this is a container (lxc)' 'run epitaph setup there' || return 1
	done
	rm "$root/run/systemd/container" && mkdir -p "$root/proc/1" && printf 'A=b\0container=podman\0' >"$root/proc/1/environ" &&
		nothing_changes 4 '' 'a container (podman)' && printf 'XDG_container=x\0B=c\0' >"$root/proc/1/environ" && says 0 '' &&
		: >"$root/.dockerenv" && nothing_changes 4 '' 'a container (docker)'
}

# As firecracker's, whose root file system was exported by Docker.
a_machine_of_a_container_s_image_is_none() {
	rooted && grub && : >"$root/.dockerenv" && mkdir -p "$root/proc/1/ns" "$root/run" && ln -s ../.. "$root/proc/1/root" &&
		ln -s 'pid:[4026531836]' "$root/proc/1/ns/pid" && says 0 '' 'memmap=16M!0x22e00000' &&
		: >"$root/run/.containerenv" && says 0 '' 'memmap=16M!0x22e00000' &&
		ln -sfn 'pid:[4026532451]' "$root/proc/1/ns/pid" && nothing_changes 4 '' 'a container (docker)' || return
	# With the processes of its host, and a root of its own.
	ln -sfn 'pid:[4026531836]' "$root/proc/1/ns/pid" && ln -sfn ../../etc "$root/proc/1/root" && nothing_changes 4 '' 'a container (docker)'
}

a_virtual_machine_is_told() {
	put proc/cpuinfo 'processor	: 0
flags		: fpu vme hypervisor lahf_lm
bugs		: x' && put sys/class/dmi/id/sys_vendor QEMU && put sys/class/dmi/id/product_name 'Standard PC' &&
		says 0 '' 'a virtual machine (QEMU Standard PC): its memory outlives a reset only if' 'test-crash --warm' &&
		put proc/cpuinfo 'flags		: fpu nohypervisor
bugs		: hypervisor' && says 0 '' && ! grep 'virtual machine' "$dir/out"
}

secure_boot_is_told() {
	mkdir -p "$root/sys/firmware/efi/efivars" &&
		printf '\6\0\0\0\1' >"$root/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c" &&
		says 0 '' 'Secure Boot is on' && printf '\6\0\0\0\0' >"$root/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c" &&
		says 0 '' && ! grep 'Secure Boot is on' "$dir/out"
}

# root_on LINE TYPE: / is device 254:1
root_on() {
	put proc/self/mountinfo "25 1 254:1 / / rw - $2 x ${3:-rw}
$1"
}

what_the_disks_mean_is_told() {
	root_on '' ext4 && put sys/dev/block/254:1/dm/uuid LVM-abcd && says 0 '' '/ is ext4 on LVM: a capture kernel opens that as any boot does' || return
	put sys/dev/block/254:1/slaves/md0/md/level raid1 && says 0 '' '/ is ext4 on LVM on RAID' || return
	put sys/dev/block/254:1/slaves/md0/slaves/dm-1/dm/uuid CRYPT-LUKS2-0123-croot && says 0 '' \
		'/ is ext4 on LVM on RAID on an encrypted disk: a capture kernel has no passphrase' \
		'sealed traces: no place: neither /boot nor an ESP' || return
	root_on '' ext4 ro && says 0 '' ', read-only' || return
	put proc/self/mountinfo '25 1 0:44 / / rw - nfs4 server:/root rw' && says 0 '' '/ is nfs4 of another machine' || return
	root_on '' ext4 && rm -r "$root/sys/dev/block" && says 0 '' && ! grep -F -e '- / is' -e sealed "$dir/out"
}

where_sealed_traces_go_is_told() {
	mkdir -p "$root/dev/disk/by-uuid" "$root/boot/epitaph" && ln -s ../../sda1 "$root/dev/disk/by-uuid/0b00-7b00" &&
		root_on '27 25 8:1 / /boot rw,relatime - vfat /dev/sda1 rw' ext4 && put sys/dev/block/254:1/dm/uuid CRYPT-LUKS2-0123-croot &&
		put sys/dev/block/8:1/uevent DEVNAME=sda1 && says 0 '' 'sealed traces: /boot/epitaph (vfat), ' 'MiB stay free' \
		'as soon as /etc/epitaph/recipients has a public key' || return
	put etc/epitaph/recipients age1x && says 0 '' 'sealed traces: none: ' 'recipients: line 1 (age1x...): a key that is too short' || return
	put etc/epitaph/recipients age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p &&
		says 0 '' 'sealed traces: for 1 recipient; /usr/lib/epitaph/rebuild-kdump' && put etc/epitaph/seal.conf 'QUOTA=much' &&
		says 0 '' 'seal.conf: line 1: expected a size, such as 64M' &&
		put etc/epitaph/seal.conf WHEN=never && says 0 '' && ! grep -F sealed\ traces "$dir/out"
}

# read_only DIR: for who is started by it
read_only() {
	# shellcheck disable=SC2016 # another shell's
	unshare -m sh -c 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && shift && exec "$@"' - "$root/$1" \
		"$epitaph" setup --root "$root" --unattended >"$dir/out" 2>&1
	got=$?
	cat "$dir/out"
	return "$got"
}

an_immutable_root_is_left_alone() {
	rooted && grub && for part in etc boot/grub; do
		state_of >"$dir/before"
		read_only "$part"
		[ $? = 4 ] && grep 'cannot be written to (Read-only file system), and nothing is written' "$dir/out" &&
			state_of | diff "$dir/before" - && [ ! -e "$root/ran" ] || return 1
	done
	put run/ostree-booted '' && rm "$root/usr/sbin/update-grub" && says 4 --unattended "rpm-ostree kargs --append-if-missing='memmap=16M!0x22e00000 panic=10'"
}

# json STATE STATUS "OPTION...": and the line is kept for the schema
json() {
	# shellcheck disable=SC2086 # words
	"$epitaph" setup --json --root "$root" $3 2>"$dir/err" >"$dir/json"
	got=$?
	cat "$dir/json" "$dir/err"
	cat "$dir/json" >>"$dir/lines"
	[ "$got" = "$2" ] && [ "$(wc -l <"$dir/json")" = 1 ] && jq -e ".state == \"$1\" and .exit_status == $2" "$dir/json"
}

json_follows_the_schema() {
	rooted && json impossible 4 --unattended && jq -e '.by_hand != null and .changed == false' "$dir/json" && grub &&
		json proposed 0 '' && json reboot 6 --unattended && jq -e .changed "$dir/json" &&
		json reboot 6 --unattended && jq -e '.changed == false' "$dir/json" && json reboot 0 --write &&
		reboot_it && json reserved 0 --unattended && json reserved 0 '' && json removed 0 --remove && jq -e .changed "$dir/json" &&
		json removed 0 --remove && jq -e '.changed == false' "$dir/json" && put proc/cmdline ro &&
		printf '#!/bin/sh\nexit 7\n' >"$root/usr/sbin/update-grub" && json failed 3 --unattended &&
		jq -e '.changed == false and (.error | test("failed with status 7"))' "$dir/json" &&
		put run/systemd/container lxc && json impossible 4 '' && rm "$root/run/systemd/container" &&
		put proc/iomem '00000000-00000000 : System RAM' && json failed 5 '' &&
		"$top/tests/lib/json-schema" follows "$top/docs/setup.schema.json" <"$dir/lines" &&
		sed 's/"written":false/"written":"no"/' "$dir/lines" >"$dir/wrong" &&
		! "$top/tests/lib/json-schema" follows "$top/docs/setup.schema.json" <"$dir/wrong" &&
		sed 's/"size"/"bytes"/' "$dir/lines" >"$dir/wrong" &&
		! "$top/tests/lib/json-schema" follows "$top/docs/setup.schema.json" <"$dir/wrong"
}

the_page_has_the_schema() {
	"$top/tests/lib/json-schema" row-for-each "$top/docs/setup.schema.json" "$top/docs/setup.md" &&
		"$top/tests/lib/json-schema" row-for-each "$top/docs/doctor.schema.json" "$top/docs/doctor.md"
}

for claim in it_proposes_and_writes_nothing a_large_machine_gets_more a_small_one_gets_less more_cpus_than_it_will_have_fit_a_sixteenth what_the_recorder_would_refuse_is_not_proposed pieces_below_4g_may_be_too_small \
	no_room addresses_are_hidden size_and_address_are_somebodys misuse what_is_reserved_stays \
	an_empty_device_is_proposed a_device_of_others_is_left_alone of_two_devices_the_one_with_a_region an_empty_nvdimm_is_proposed \
	so_is_a_virtio_pmem_device a_device_with_a_region_comes_before_an_empty_one an_nvdimm_of_others_is_left_alone \
	an_nvdimm_of_metal_is_not_proposed memory_of_memmap_is_no_nvdimm an_nvdimm_without_its_driver_has_a_line \
	what_the_device_tree_reserves_needs_no_word reserve_mem_of_others_is_no_region newer_kernels_are_told_why efi_is_told it_writes_and_grub_has_it \
	a_second_time_moves_nothing it_moves_when_told crashkernel_where_kdump_tools_want_it \
	crashkernel_of_kdump_tools_is_enough a_capture_kernel_restarts_too panic_of_somebody_stays no_panic_where_it_does_nothing words_that_grub_does_not_read_do_not_count \
	a_removal_that_grub_does_not_take_is_none it_undoes_what_it_wrote what_somebody_edited_is_left_alone \
	a_failing_update_leaves_nothing a_grub_that_forgets_is_told a_full_disk_leaves_nothing \
	one_that_died_left_nothing_in_the_way other_boot_loaders_are_explained what_is_run_by_hand_can_be_typed json_has_it \
	unattended_writes_once unattended_says_that_another_loader_starts_it another_loader_reserves_elsewhere unattended_ends_what_another_has_begun unattended_with_a_size_moves_nothing \
	unattended_with_another_size_waits_for_the_reboot two_places_on_one_line unattended_says_what_cannot_be \
	two_at_once two_that_overlap a_container_has_no_kernel_of_its_own a_machine_of_a_container_s_image_is_none a_virtual_machine_is_told secure_boot_is_told \
	what_the_disks_mean_is_told where_sealed_traces_go_is_told an_immutable_root_is_left_alone json_follows_the_schema the_page_has_the_schema; do
	claim $claim
done
finish
