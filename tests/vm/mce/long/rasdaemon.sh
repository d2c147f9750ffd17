#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Debian with the real rasdaemon, whose database it made itself: the machine check that the kernel
# dies of is in it after the reboot, once, and rasdaemon's own tool shows it.

# shellcheck disable=SC2317 # check calls them
VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"
. "$(dirname "$0")/../../lib-debian.sh"
. "$(dirname "$0")/../../lib-mce.sh"
more_packages="rasdaemon sqlite3 libdbd-sqlite3-perl"

cat >"$out/boots.sh" <<'BOOTS'
. /test/lib-debian-guest.sh

db=/var/lib/rasdaemon/ras-mc_event.db

has_database() {
	for i in $(seq 30); do
		sqlite3 $db .tables | grep mce_record && return
		sleep 1
	done
	systemctl --no-pager status rasdaemon
	return 1
}

# recovered N: so many have been added
recovered() {
	sqlite3 $db 'SELECT timestamp, cpu, bank, error_msg, user_action FROM mce_record'
	[ "$(sqlite3 $db "SELECT count(*) FROM mce_record WHERE user_action = 'recovered from a crash by epitaph'")" = "$1" ]
}

their_tool_shows_it() {
	ras-mc-ctl --errors >/tmp/errors
	cat /tmp/errors
	grep 'bank 9.*recovered from a crash by epitaph' /tmp/errors
}

explained() {
	journalctl -b --no-pager -x MESSAGE_ID=0e40b7b4685941baac7fb3f203580de8 >/tmp/explained
	cat /tmp/explained
	grep 'a fatal machine check stopped the kernel at' /tmp/explained && grep 'Subject: A fatal machine check stopped the kernel' /tmp/explained
}

check "boot $boot: rasdaemon has a database" has_database
if [ "$boot" = 2 ]; then
	report_crashes
	check "the machine check of the crash is in it" recovered 1
	check "ras-mc-ctl shows it" their_tool_shows_it
	check "the journal has it, with a text of the catalog" explained
	rm /var/lib/epitaph/crashes.rasdaemon
	report_crashes
	check "a second time adds nothing" recovered 1
	rm /var/lib/epitaph/crashes.rasdaemon
	sqlite3 $db 'DELETE FROM mce_record'
	mkfifo /tmp/lock
	sqlite3 $db </tmp/lock &
	exec 9>/tmp/lock
	echo 'BEGIN EXCLUSIVE;' >&9
	while sqlite3 $db 'BEGIN IMMEDIATE; ROLLBACK;' 2>/dev/null; do sleep 0.2; done
	report_crashes
	check "a locked database is said" journal_says 'database is locked.*it is tried again'
	exec 9>&-
	wait
	report_crashes
	check "and filled later" recovered 1
	rm /var/lib/epitaph/crashes.rasdaemon
	systemctl stop rasdaemon
	head -c 100000 /dev/urandom >$db
	report_crashes
	check "one that is none is said" journal_says 'not in .*: .*not a database.*epitaph mce --rasdaemon'
	exit
fi
check "kdump is loaded" kdump_is_loaded
sync
echo "guest: awaits a machine check"
sleep 600
BOOTS

need_bare_debian
check "apt installs the packages" install_built
put_script
debian_boots 3 --cpu max --when "guest: awaits a machine check=>mce 0 9 $fatal $mcg_fatal $addr $misc" \
	--allow 'Kernel panic - not syncing: ' --allow 'RETBleed: WARNING'
clean_up
finish
