# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
#
# Words of guests whose capture kernel is that of another distribution's kdump: its own
# scripts build the image in a Debian, with a disk mounted that the guest has as well, and its
# own scripts save the vmcore.  Sourced, after lib-dracut.sh.

crashkernel=256M

# sources NAME URL: where they lie; .cache has them, or they are fetched.
sources() {
	[ -d "$top/.cache/$1" ] || git clone -q --depth 1 "$2" "$top/.cache/$1" >"$out/said" 2>&1 ||
		skip "the sources of $1 are neither in .cache/$1 nor to be had from $2"
	echo "# $1 at $(git -C "$top/.cache/$1" log -1 --format='%h of %as')"
	cp -r "$top/.cache/$1" "$out/$1"
}

# with_target COMMAND...: in the root, where the guest's disk is /dev/vda and mounted at
# /var/crash, as on the machine whose kdump it is.
# shellcheck disable=SC2016 # the inner shell expands these
with_target() {
	loop=$(losetup -f --show "$out/disk.img")
	target_status=0
	unshare -m sh -c '
		root=$1 loop=$2
		shift 2
		set -e
		mount --bind "$root" "$root"
		mount -t proc proc "$root/proc"
		mount --rbind /sys "$root/sys"
		mount -t tmpfs dev "$root/dev"
		mkdir "$root/dev/shm"
		cp -a /dev/null /dev/zero /dev/full /dev/random /dev/urandom /dev/tty "$root/dev/"
		ln -s /proc/self/fd "$root/dev/fd"
		cp -a "$loop" "$root/dev/vda"
		chroot "$root" mount -t ext4 /dev/vda /var/crash
		exec chroot "$root" "$@"
	' sh "${root:?}" "$loop" "$@" || target_status=$?
	losetup -d "$loop"
	return $target_status
}

# What crashes: the recorder alone, and the image that was built, on the disk.
make_crashing_guest() {
	e2fsck -fp "$out/disk.img" >"$out/e2fsck" 2>&1 || true
	debugfs -w -R "write $root/boot/kdump.img kdump.img" "$out/disk.img" 2>/dev/null
	rm -rf "${root:?}"
	guest <<-END
		with_disk
		load_recorder
		kexec -p --command-line="$1" --initrd=/disk/kdump.img /boot/vmlinuz
		umount /disk
		crash
	END
	pack_guest
}

# capture OPTION...: the crash, and what is on the disk then, in $saved and $theirs.
capture() {
	boot --disk "$out/disk.img" --timeout 600 --allow 'sysrq triggered crash' \
		--ends 'reboot: Restarting system' \
		--measure 'sysrq triggered crash=>the trace is on disk' "$@"
	theirs=$out/theirs
	mkdir "$theirs"
	e2fsck -fp "$out/disk.img" >"$out/e2fsck" 2>&1 || true
	debugfs -R "rdump / $theirs" "$out/disk.img" 2>/dev/null
	take_disk
	sed 's/^/# /' "$out/measures" 2>/dev/null || true
}

# A person finds the trace beside their vmcore, which has it as well.
trace_is_there() {
	vmcore=$(find "$theirs" -name vmcore)
	check "the trace is on their target" [ -s "$saved/region" ]
	check "with its summary" [ -s "$saved/summary.txt" ]
	check "for root alone" [ -z "$(find "$saved" -type f ! -perm 400)" ]
	check "before their own" grep -q 'the trace is on disk' "$out/console.log"
	check "their vmcore is there" [ -s "$vmcore" ]
	cp "$vmcore" "$saved/vmcore" || finish
	check "which has the same trace" same_trace region vmcore
	compare_with_kernel
}
