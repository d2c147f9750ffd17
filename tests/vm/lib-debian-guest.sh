# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
#
# Words of boots.sh, in the guests of lib-debian.sh.  Sourcing it counts the boot: $boot, from 1.

exec >/dev/ttyS1 2>&1
. /test/lib-guest.sh
[ -w /tmp ] || mount -t tmpfs tmp /tmp
boot=$(($(cat /var/lib/boots 2>/dev/null || echo 0) + 1))
! echo $boot 2>/dev/null >/var/lib/boots || :
echo "guest: boot $boot is up after $(cut -d ' ' -f 1 /proc/uptime) s"
set -eu
trap 'echo "guest: ended with $?"; sync; systemctl poweroff --force' EXIT

kdump_is_loaded() {
	for _ in $(seq 600); do
		[ "$(cat /sys/kernel/kexec_crash_loaded)" = 1 ] && return
		sleep 1
	done
	systemctl status --no-pager -l kdump-tools
	return 1
}

# Recovery and harvest run beside the boot.
harvest_is_over() {
	for _ in $(seq 600); do
		[ -n "$(systemctl list-jobs --no-legend 'epitaph*')" ] ||
			[ "$(systemctl show -P SubState epitaph-recover)" = running ] ||
			[ "$(systemctl show -P SubState epitaph-harvest)" = running ] || return 0
		sleep 0.2
	done
	return 1
}

# panic: now, in the way of an administrator who tries it.
panic() {
	trap - EXIT
	sync
	echo "guest: boot $boot panics"
	echo c >/proc/sysrq-trigger
	sleep 60
}

# newest PATTERN: the directory that was written last.
newest() {
	# shellcheck disable=SC2012 # by time
	ls -dt "$@" 2>/dev/null | head -n 1
}

# of_ours, of_theirs: what the last crash left in /var/crash.
of_ours() {
	newest /var/crash/epitaph-*
}

of_theirs() {
	newest /var/crash/2*
}

# The region says the same as their vmcore, but for what it died of: that has the log.
same_trace() {
	epitaph report --all "$(of_ours)/region" >/tmp/region || [ $? = 1 ]
	epitaph report --all "$(of_theirs)"/dump.* >/tmp/vmcore || [ $? = 1 ]
	for file in region vmcore; do
		sed '/^# died: /,/^# clock: /d' /tmp/$file >/tmp/$file.trace
	done
	[ -s /tmp/region.trace ] && cmp /tmp/region.trace /tmp/vmcore.trace
}

is_private() {
	[ -z "$(find "$1" -type d ! -perm 700 -o -type f ! -perm 400 -o ! -user root)" ]
}

# unit_did_it UNIT: it ran in this boot, if need be to its end now, and did not fail.
unit_did_it() {
	for _ in $(seq 600); do
		[ -n "$(systemctl list-jobs --no-legend "$1.service")" ] || break
		sleep 0.2
	done
	systemctl status --no-pager -l "$1" || :
	[ "$(systemctl show -P Result "$1")" = success ] &&
		[ "$(systemctl show -P ExecMainStartTimestampMonotonic "$1")" != 0 ]
}

no_unit_of_ours_failed() {
	failed=$(systemctl --failed --no-legend --plain 'epitaph*' | cut -d ' ' -f 1)
	[ -z "$failed" ] && return
	for unit in $failed; do
		systemctl status --no-pager -l "$unit"
	done
	return 1
}

# time_of UNIT: how long the boot waited for it.
time_of() {
	start=$(systemctl show -P InactiveExitTimestampMonotonic "$1")
	end=$(systemctl show -P ActiveEnterTimestampMonotonic "$1")
	echo "# $1: $(((end - start) / 1000)) ms"
}

# What looks for evidence runs beside the boot: it may not be done yet.
until_saved() {
	for _ in $(seq 600); do
		grep -qx evidence /sys/kernel/epitaph/generations/*/state || return 0
		sleep 1
	done
	return 1
}

# In the boot after kdump.
captured_once() {
	until_saved
	grep . /sys/kernel/epitaph/generations/*/state
	grep -qx harvested /sys/kernel/epitaph/generations/*/state && ! find /var/lib/epitaph -name region | grep .
}

# A real login, by login(1) and pam_motd.
login_says_it() {
	echo exit | script -qc 'login -f root' /tmp/login >/dev/null
	tr -d '\r' </tmp/login | grep '^The kernel of this machine died at .*sysrq triggered crash\. [A-Z].*\. To read more: epitaph explain --latest'
}

# What is to be said after a crash is said.
report_crashes() {
	systemctl start epitaph-after-crash.service
	while [ "$(systemctl show -P SubState epitaph-after-crash.service)" = running ]; do
		sleep 0.2
	done
}

# journal_says REGEX: of this boot
journal_says() {
	journalctl -b --no-pager -o cat | grep -E -- "$1"
}

journal_explains_it() {
	journalctl -b --no-pager -x MESSAGE_ID=abe6438fc7b141159923cd63e9012869 >/tmp/explained
	cat /tmp/explained
	grep -c 'the kernel died at .*sysrq triggered crash' /tmp/explained | grep -qx 1 &&
		grep -q 'Subject: The kernel died, and its last seconds are saved' /tmp/explained
}

list_has_the_crash() {
	epitaph list >/tmp/list
	cat /tmp/list
	[ "$(wc -l </tmp/list)" = 2 ] && sed -n 1p /tmp/list | grep -q ': .*sysrq triggered crash' &&
		sed -n 2p /tmp/list | grep -q '^    /var/crash/epitaph-[^ ]*/region$'
}

latest_is_the_crash() {
	epitaph report --latest >/tmp/latest
	head -n 12 /tmp/latest
	grep -q '^# died: .*sysrq triggered crash' /tmp/latest
}

no_larger_than_the_region() {
	du -ck /var/crash/epitaph-*/* /var/lib/epitaph
	kib=$(du -ck /var/crash/epitaph-* /var/lib/epitaph | tail -n 1)
	region=$(epitaph status --json | sed 's/.*"region":{[^}]*"size":\([0-9]*\).*/\1/')
	[ "${kib%%[!0-9]*}" -le $((region / 1024)) ]
}
