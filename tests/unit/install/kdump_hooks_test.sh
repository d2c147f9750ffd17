#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Where the hooks for kdump-utils and SUSE's kdump find the target, and what they do with it.
# Mounts and the other host are played; tests/vm/long/kdump-*.sh have the real ones.
# shellcheck disable=SC2317
# shellcheck source=tests/lib/lib.sh
. "$(dirname "$0")/../../lib/lib.sh"

mkdir "$dir/bin" "$dir/host"
"$top/tests/golden/mkregion" "$top/tests/golden/whole.region" "$dir/vmcore"

# played NAME: a program, from standard input
played() {
	{
		echo '#!/bin/sh'
		cat
	} >"$dir/bin/$1"
	chmod +x "$dir/bin/$1"
}

# $dir/mounts: DIRECTORY DEVICE OPTIONS, and "later" where it is in fstab only.
played findmnt <<END
for last; do :; done
case " \$* " in
*" -s "*) awk -v d="\$last" '\$2 == d && \$4 == "later" { print \$1; f = 1 } END { exit !f }' "$dir/mounts" ;;
*" --source "*) awk -v d="\$last" '\$2 == d && \$4 == "" { print \$1; f = 1 } END { exit !f }' "$dir/mounts" ;;
*FSTYPE*) awk -v d="\$last" '\$1 == d { print \$2 ~ /:/ ? "nfs4" : "ext4" }' "$dir/mounts" ;;
*OPTIONS*) awk -v d="\$last" '\$1 == d { print \$3 }' "$dir/mounts" ;;
*" --target "*) [ -e "$dir/mounted" ] && echo /kdump/mnt ;;
*) awk -v d="\$last" '\$1 == d && \$4 == "" { f = 1 } END { exit !f }' "$dir/mounts" ;;
esac
END
played mount <<END
echo "mount \$*" >>"$dir/done"
[ ! -e "$dir/no-mount" ]
END
played timeout <<'END'
shift
exec "$@"
END
# The other host runs each command in its own directory.
played ssh <<END
for last; do :; done
echo "ssh \$*" >>"$dir/done"
[ ! -e "$dir/no-host" ] || exit 255
cd "$dir/host" && exec sh -c "\$last"
END
played capture <<END
echo "capture \$*" >>"$dir/done"
exit \$(cat "$dir/status" 2>/dev/null || echo 0)
END
ln -s "$(cd "$(dirname "$epitaph")" && pwd)/epitaph" "$dir/bin/epitaph"

# hook FILE: with our directories, and the dump, for the machine's
hook() {
	rm -f "$dir/done"
	sed "s|/etc/kdump.conf|$dir/kdump.conf|; s|/usr/lib/epitaph/capture|$dir/bin/capture|; s|/proc/vmcore|$dir/vmcore|; s|/etc/epitaph/host|$dir/image/etc/epitaph/host|
		s|/proc/sys/kernel/random/boot_id|$dir/boot_id|" \
		"$top/kdump-hooks/$1" >"$dir/hook"
	PATH=$dir/bin:$PATH bash "$dir/hook"
}

conf() {
	printf '%s\n' "$@" >"$dir/kdump.conf"
}

did() {
	cat "$dir/done"
	grep -qxF -- "$1" "$dir/done"
}

echo "/sysroot /dev/root rw,relatime
/kdumproot/mnt /dev/sdb1 rw
/kdumproot/ro /dev/sdc1 ro,relatime
/kdumproot/later /dev/sdd1 rw later
/mnt/share host:/share rw" >"$dir/mounts"

no_target_is_the_root() {
	conf 'core_collector makedumpfile -l -d 31' && hook rhel/pre.d && did 'capture /sysroot//var/crash'
}

a_target_is_where_it_is_mounted() {
	conf '# one' 'ext4 /dev/sdb1' 'path /dumps   # here' && hook rhel/pre.d && did 'capture /kdumproot/mnt//dumps'
}

the_last_line_may_have_no_end() {
	printf 'ext4 /dev/sdb1\npath /dumps' >"$dir/kdump.conf" && hook rhel/pre.d && did 'capture /kdumproot/mnt//dumps'
}

what_is_quoted_is_meant() {
	conf 'path "/dumps of all"' 'xfs "/dev/sdb1"' && hook rhel/pre.d && did 'capture /kdumproot/mnt//dumps of all'
}

a_mount_for_dracut_is_a_target() {
	conf 'dracut_args --mount "/dev/sdb1 /kdumproot/mnt ext4 defaults"' && hook rhel/pre.d && did 'capture /kdumproot/mnt//var/crash'
}

# Others save on the same share; what is in the image is what its machine was called.
on_a_share_each_host_has_its_own_directory() {
	for host in rhel suse; do
		image "$host" && name=$(cat "$dir/image/etc/epitaph/host") &&
			[ "$name" = "$(uname -n | sed 's/[^A-Za-z0-9._-]/_/g')-0f5c2d9a" ] || return
	done
	conf 'dracut_args --mount "host:/share /mnt/share nfs defaults"' && hook rhel/pre.d && did "capture /mnt/share//var/crash/$name" &&
		conf 'nfs host:/share' && hook rhel/pre.d && did "capture /mnt/share//var/crash/$name" &&
		touch "$dir/mounted" && conf "KDUMP_PROTO=cifs" && hook suse/save && did "capture /kdump/mnt/$name"
}

# By chance, but not another's.
a_host_without_a_name_has_its_own_directory() {
	rm -rf "$dir/image" && echo 12345678-aaaa >"$dir/boot_id" && conf 'nfs host:/share' && hook rhel/pre.d && did 'capture /mnt/share//var/crash/unknown-12345678' &&
		touch "$dir/mounted" && conf "KDUMP_PROTO=nfs" && hook suse/save && did 'capture /kdump/mnt/unknown-12345678'
}

a_target_is_made_writable() {
	conf 'ext4 /dev/sdc1' && hook rhel/pre.d && did 'mount -o remount,rw /kdumproot/ro' && did 'capture /kdumproot/ro//var/crash'
}

a_target_is_mounted() {
	conf 'ext4 /dev/sdd1' && hook rhel/pre.d && did 'mount --target /kdumproot/later' && did 'capture /kdumproot/later//var/crash'
}

a_target_that_is_not_there_is_told() {
	conf 'ext4 /dev/sde1' && ! hook rhel/pre.d 2>"$dir/err" && grep 'ERROR the target is not mounted' "$dir/err" && [ ! -e "$dir/done" ] || return 1
	touch "$dir/no-mount"
	conf 'ext4 /dev/sdd1' && ! hook rhel/pre.d 2>"$dir/err" && grep 'ERROR /kdumproot/later is not mounted' "$dir/err"
	rm "$dir/no-mount"
}

the_status_is_that_of_the_capture() {
	echo 3 >"$dir/status"
	conf 'ext4 /dev/sdb1'
	hook rhel/pre.d
	is=$?
	rm "$dir/status"
	[ "$is" = 3 ]
}

a_raw_target_is_told() {
	conf 'raw /dev/sdb2' && hook rhel/pre.d 2>"$dir/err" && grep 'the trace is in the vmcore' "$dir/err" && [ ! -e "$dir/done" ]
}

another_host_gets_the_text() {
	conf 'ssh kdump@host' 'sshkey /root/.ssh/other' 'path crash' && hook rhel/pre.d 2>"$dir/err" || return 1
	grep 'epitaph: the trace is at kdump@host:crash/epitaph-' "$dir/err" && grep -- '-i /root/.ssh/other .*StrictHostKeyChecking=yes kdump@host' "$dir/done" || return 1
	at=$(echo "$dir"/host/crash/epitaph-*)
	"$epitaph" report --all "$dir/vmcore" | cmp - "$at/vmcore-trace.txt" &&
		[ -z "$(find "$dir/host" -type f ! -perm 600 -o -type d -name 'epitaph*' ! -perm 700 -o -name '*incomplete')" ]
}

a_host_that_is_not_there_is_told() {
	touch "$dir/no-host"
	conf 'ssh kdump@host'
	! hook rhel/pre.d 2>"$dir/err" && grep 'ERROR the trace could not be sent to kdump@host' "$dir/err"
	status=$?
	rm "$dir/no-host"
	return "$status"
}

suse_saves_below_its_mount() {
	touch "$dir/mounted" && image suse || return
	conf "KDUMP_PROTO=file" "KDUMP_SAVEDIR='/var/crash of'" && hook suse/save && did 'capture /kdump/mnt/var/crash of' || return 1
	echo web1-0f5c2d9a >"$dir/image/etc/epitaph/host" && conf "KDUMP_PROTO=nfs" "KDUMP_SAVEDIR='nfs://host/share'" && hook suse/save && did 'capture /kdump/mnt/web1-0f5c2d9a'
}

suse_mounts_what_is_not_mounted() {
	rm -f "$dir/mounted"
	conf "KDUMP_PROTO=file" "KDUMP_SAVEDIR='/var/crash'" && hook suse/save && did 'mount --target /kdump/mnt/var/crash' && did 'capture /kdump/mnt/var/crash'
}

suse_tells_where_it_cannot() {
	conf "KDUMP_PROTO=ftp" "KDUMP_SAVEDIR='ftp://host/'" && hook suse/save >"$dir/told" && grep 'kdump saves by ftp: the trace is in its vmcore' "$dir/told" && [ ! -e "$dir/done" ]
}

# policy WORD: what the tool says of seal.conf
policy() {
	mv "$dir/bin/epitaph" "$dir/tool"
	played epitaph <<-END
		echo "epitaph \$*" >>"$dir/done"
		[ "\$*" != "seal --when" ] || echo "$1"
		[ "$1" != "" ]
	END
}

refuses() {
	hook "$1" >"$dir/refusal" 2>&1
	is=$?
	cat "$dir/refusal" "$dir/done"
	[ "$is" != 0 ] && [ "$(cat "$dir/done")" = 'epitaph seal --when' ] && grep 'ERROR seal.conf forbids to save in the clear, and this capture kernel cannot seal' "$dir/refusal"
}

nothing_is_saved_in_the_clear_that_must_be_sealed() {
	for word in always '' sometimes; do
		policy "$word"
		conf 'ext4 /dev/sdb1' && refuses rhel/pre.d && conf 'ssh kdump@host' 'path crash' && refuses rhel/pre.d &&
			touch "$dir/mounted" && conf "KDUMP_PROTO=file" "KDUMP_SAVEDIR='/var/crash'" && refuses suse/save
		is=$?
		mv "$dir/tool" "$dir/bin/epitaph"
		[ "$is" = 0 ] || return
	done
}

# image HOST SETTINGS...: what our module for dracut puts into it, on a machine with these files in /etc/epitaph; $kdump:
# its settings of kdump; $from: send.conf's FROM.
image() {
	host=$1
	shift
	rm -rf "$dir/system" "$dir/image" && mkdir -p "$dir/system/etc/epitaph" "$dir/system/etc/sysconfig" "$dir/image" || return
	case $host in
	rhel) printf '%s' "$kdump" >"$dir/system/etc/kdump.conf" ;;
	suse) printf '%s\n' "$kdump" >"$dir/system/etc/sysconfig/kdump" ;;
	esac
	for file; do
		echo "$from" >"$dir/system/etc/epitaph/$file"
	done
	echo 0f5c2d9a5e7b4c3d8e9fa0b1c2d3e4f5 >"$dir/system/etc/machine-id"
	cat >"$dir/dracut" <<-'END'
		inst() { echo "$1"; }
		inst_simple() { echo "$1"; }
		inst_multiple() { printf '%s\n' "$@"; }
		inst_script() { :; }
		ln_r() { :; }
		findmnt() { [[ $2 = UUID=11 ]]; }
		. "$script"
		install
	END
	dracutsysrootdir=$dir/system initdir=$dir/image script=$top/kdump-hooks/$host/module-setup.sh bash "$dir/dracut" >"$dir/has"
	cat "$dir/has"
}

# Without them the tool would take the defaults, and what is not sent, or to be kept, would go.
images_have_the_settings() {
	for host in rhel suse; do
		image "$host" seal.conf retention.conf send.conf token &&
			[ "$(grep -c '^/etc/epitaph/' "$dir/has")" = 3 ] && grep -qx /etc/epitaph/seal.conf "$dir/has" &&
			grep -qx /etc/epitaph/retention.conf "$dir/has" && grep -qx /etc/epitaph/send.conf "$dir/has" || return
		image "$host" && ! grep /etc/epitaph "$dir/has" || return
	done
}

# has_send HOST [KDUMP [FROM]]: of the settings that keep what is not sent
has_send() {
	kdump=${2-} from=${3-}
	image "$1" send.conf && grep -qx /etc/epitaph/send.conf "$dir/has"
	is=$?
	kdump='' from=''
	return "$is"
}

# What epitaph send does not look at is never marked as sent: nothing could make room for a new trace.
images_keep_unsent_captures_only_where_send_looks() {
	has_send rhel 'path /data' && has_send rhel '#nfs nas:/export' && has_send rhel 'ext4 UUID="11"' &&
		! has_send rhel 'ext4 UUID=12' && ! has_send rhel 'nfs nas:/export' && ! has_send rhel 'virtiofs dumps' &&
		! has_send rhel 'dracut_args --mount "nas:/export /kdumproot nfs4"' && ! has_send rhel '' FROM=/srv &&
		has_send suse 'KDUMP_SAVEDIR=""' && has_send suse 'KDUMP_SAVEDIR="file:///data"' && has_send suse 'KDUMP_SAVEDIR=/data' &&
		! has_send suse 'KDUMP_SAVEDIR="nfs://nas/export"' && ! has_send suse "KDUMP_SAVEDIR='ftp://nas'" && ! has_send suse '' FROM=/srv
}

kdump='' from=''
for claim in no_target_is_the_root a_target_is_where_it_is_mounted the_last_line_may_have_no_end what_is_quoted_is_meant a_mount_for_dracut_is_a_target \
	on_a_share_each_host_has_its_own_directory a_host_without_a_name_has_its_own_directory \
	a_target_is_made_writable a_target_is_mounted a_target_that_is_not_there_is_told the_status_is_that_of_the_capture \
	a_raw_target_is_told another_host_gets_the_text a_host_that_is_not_there_is_told suse_saves_below_its_mount \
	suse_mounts_what_is_not_mounted suse_tells_where_it_cannot \
	nothing_is_saved_in_the_clear_that_must_be_sealed images_have_the_settings images_keep_unsent_captures_only_where_send_looks; do
	ok $claim $claim
done
finish
