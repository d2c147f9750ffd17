#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A fleet's traces in SQLite: each query of fleet/queries says what is in the golden regions.
# shellcheck disable=SC2317
# shellcheck source=tests/lib/lib.sh
. "$(dirname "$0")/../../lib/lib.sh"
golden=$top/tests/golden
fleet=$top/fleet
db=$dir/fleet.db

# host HOST NAME REGION: as epitaph collect of earlier releases stored it
host() {
	mkdir -p "$dir/srv/$1/$2" && "$golden/mkregion" "$golden/$3.region" "$dir/srv/$1/$2/region"
}

# Some are damaged, and reported so.
load() { EPITAPH=$epitaph "$fleet/load" "$db" "$@"; }
query() { sqlite3 -list -separator '|' "$db" <"$fleet/queries/$1.sql"; }
count() { [ "$(sqlite3 "$db" "SELECT count(*) FROM $1")" = "$2" ]; }

every_trace_is_there_with_all_of_its_events() {
	load "$dir/srv" && count trace 9 || return 1
	for region in "$dir"/srv/*/*/region; do
		lines=$("$epitaph" export --to json -o - "$region" 2>/dev/null | tail -n +2 | wc -l)
		at=${region%/region}
		count "event JOIN trace ON trace.id = trace WHERE name = '${at##*/}' AND host = '$(basename "${at%/*}")'" "$lines" ||
			{ echo "$region: not $lines"; return 1; }
	done
}

nothing_is_loaded_twice() {
	before=$(sqlite3 "$db" 'SELECT count(*), max(trace) FROM event') && load "$dir/srv" &&
		[ "$(sqlite3 "$db" 'SELECT count(*), max(trace) FROM event')" = "$before" ]
}

values_are_those_of_the_lines() {
	"$epitaph" export --to json -o - "$dir/srv/web1/a/region" | tail -n +2 |
		jq -r '[.ts_ns, .cpu, .event, .pid, (.fields | tojson)] | map(tostring) | join("|")' >"$dir/wanted"
	sqlite3 -list -nullvalue null "$db" "SELECT ts_ns, cpu, event, pid, fields FROM event JOIN trace ON trace.id = trace
		WHERE host = 'web1' AND name = 'a' ORDER BY nr" | diff "$dir/wanted" -
}

registers_of_64_bits_are_exact() {
	sqlite3 "$db" "SELECT status FROM machine_check WHERE host = 'web3' AND bank = 5" | grep -qx 13690942867214697472
}

# Two hosts by the same Oops, whatever its numbers; two by a machine check.
died_alike() {
	query died-alike >"$dir/answer"
	cat "$dir/answer"
	grep -q '^2|2|Fatal machine check|stress|6.1.0-golden|2023-11-14 22:13:21|2023-11-14 22:13:21|web3,web4$' "$dir/answer" &&
		grep -q '^2|2|Oops: .*|web1,web2$' "$dir/answer"
}

the_same_last_events() {
	query same-last-events >"$dir/answer"
	cat "$dir/answer"
	grep -q '^2|2|test:number test:number|1|web1,web2$' "$dir/answer"
}

machine_checks_by_bank_and_page() {
	query machine-checks >"$dir/answer"
	cat "$dir/answer"
	grep -q '^web3|5|0|fatal|internal timer error (model-specific code 0x0080)|0x1234000|1|1|2$' "$dir/answer"
}

# Of two pages of the kernel's linear addresses, and one of memory.
pages_of_64_bits() {
	sqlite3 "$dir/pages.db" <"$fleet/schema.sql" >/dev/null && sqlite3 "$dir/pages.db" "
		INSERT INTO trace (id, host, name) VALUES (1, 'web1', 'a');
		INSERT INTO event (trace, nr, event, fields) SELECT 1, key, 'epitaph:machine_check', '{\"bank\":1,\"addr\":' || value || '}'
		FROM json_each('[\"18446744072642730481\", \"18446612682070036479\", \"18446744073709551615\", \"19088743\"]')" || return
	"$fleet/query" "$dir/pages.db" machine-checks | tail -n +2 | cut -f 6 | sort >"$dir/answer"
	printf '%s\n' 0x1234000 0xffff888000000000 0xffffffffc0699000 0xfffffffffffff000 | diff - "$dir/answer"
}

the_last_of_the_dead() {
	query last-of-the-dead >"$dir/answer"
	cat "$dir/answer"
	grep -q '^web1|a|-0.000000|test:number|' "$dir/answer" && ! LC_ALL=C grep -q "$(printf '\033')" "$dir/answer"
}

# Each CPU has its own idle task, and all have the pid 0: those of CPU 1 are none of the one that died on CPU 0.
an_idle_task_is_that_of_its_cpu() {
	sqlite3 "$dir/idle.db" <"$fleet/schema.sql" >/dev/null && sqlite3 "$dir/idle.db" "
		INSERT INTO trace (id, host, name, crash_pid, crash_cpu, crash_reason) VALUES (1, 'web1', 'a', 0, 0, 'Oops'), (2, 'web2', 'b', 7, 0, 'Oops');
		INSERT INTO event (trace, nr, before_crash_ns, cpu, channel, event, pid, comm)
		SELECT host.value, nr.value, 100 - nr.value, nr.value % 2, 'core', 'test:' || nr.value, CASE host.value WHEN 1 THEN 0 ELSE 7 END, 'task'
		FROM json_each('[1, 2]') AS host, json_each('[1, 2, 3, 4]') AS nr" || return
	"$fleet/query" "$dir/idle.db" last-of-the-dead | tail -n +2 | cut -f 1,4 | tr '\n\t' ',=' >"$dir/answer"
	"$fleet/query" "$dir/idle.db" same-last-events | tail -n +2 | cut -f 3,5 >>"$dir/answer"
	cat "$dir/answer"
	printf '%s\n%s\n' 'web1=test:2,web1=test:4,web2=test:1,web2=test:2,web2=test:3,web2=test:4,test:1 test:2 test:3 test:4	web2' \
		'test:2 test:4	web1' | diff - "$dir/answer"
}

what_is_not_whole() {
	query not-whole >"$dir/answer"
	cat "$dir/answer"
	grep -q '^web6|.*|no crash stamp$' "$dir/answer" && grep -q '^web7|' "$dir/answer"
}

what_cannot_be_read_is_told_and_the_rest_loaded() {
	mkdir -p "$dir/more/web9/x" "$dir/more/we'b/x" && echo nonsense >"$dir/more/web9/x/region" && cp "$dir/srv/web1/a/region" "$dir/more/we'b/x" &&
		mkdir -p "$dir/more/zzz/y" && cp "$dir/srv/web1/a/region" "$dir/more/zzz/y/" || return 1
	! load "$dir/more" 2>"$dir/noise" && grep -q 'web9/x' "$dir/noise" && grep -q "we'b/x" "$dir/noise" &&
		count "trace WHERE host = 'zzz'" 1 && count "trace WHERE host = 'web9'" 0
}

# archive HOST DIR...: as epitaph send makes it, in $dir/in
archive() {
	mkdir -p "$dir/in"
	who=$1
	shift
	"$epitaph" send --conf /dev/null --host "$who" --again --to "dir:$dir/in" --same-filesystem "$@"
}

# The same generation, as kdump saves it (both of the region) and as the next boot harvests it.
generations() {
	sed -e "s,^include ,&$golden/," "$golden/generations-numbered.region" >"$dir/text" &&
		mkdir -p "$dir/saved/kdump" "$dir/saved/harvest" && sed -e '/^section taken/,/^end/c section taken\nzero 128' "$dir/text" >"$dir/untaken" &&
		"$golden/mkregion" "$dir/untaken" "$dir/saved/kdump/region" && echo 'only 1' >>"$dir/text" &&
		"$golden/mkregion" "$dir/text" "$dir/saved/harvest/region"
}

archives_are_loaded_and_the_host_is_claimed() {
	archive db1 "$dir/srv/web1/a" && archive db2 "$dir/srv/web3/c" && load "$dir/in" &&
		[ "$(sqlite3 "$db" "SELECT group_concat(host || host_claimed) FROM trace WHERE host LIKE 'db_' ORDER BY host")" = db11,db21 ] &&
		[ "$(sqlite3 "$db" "SELECT group_concat(DISTINCT host_claimed) FROM trace WHERE host LIKE 'web_'")" = 0 ] &&
		[ "$(sqlite3 "$db" "SELECT count(*) FROM event JOIN trace ON id = trace WHERE host = 'db1'")" = \
			"$(sqlite3 "$db" "SELECT count(*) FROM event JOIN trace ON id = trace WHERE host = 'web1'")" ] &&
		before=$(sqlite3 "$db" 'SELECT count(*), max(trace) FROM event') && load "$dir/in" &&
		[ "$(sqlite3 "$db" 'SELECT count(*), max(trace) FROM event')" = "$before" ]
}

what_two_archives_have_is_loaded_once() {
	generations && archive db3 "$dir/saved/kdump" && archive db3 "$dir/saved/harvest" && archive db4 "$dir/saved/harvest" &&
		load "$dir/in" && count "archive WHERE claimed_host = 'db3'" 2 && count "trace WHERE host = 'db3'" 1 &&
		count "trace WHERE host = 'db4'" 1
}

# While a loader reads one of two archives of a generation, and a directory, another one loads the other
# archive, and the directory.
two_loaders_load_a_capture_once() {
	set -- "$dir"/in/db3-*
	[ $# = 2 ] && mkdir -p "$dir/first/web1" "$dir/second/web1" && cp "$1" "$dir/first/" && cp "$2" "$dir/second/" &&
		cp -r "$dir/srv/web1/a" "$dir/first/web1/" && cp -r "$dir/srv/web1/a" "$dir/second/web1/" || return
	cat >"$dir/meanwhile" <<-END
		#!/bin/sh
		[ "\$1" = export ] || EPITAPH=$epitaph "$fleet/load" "$dir/both.db" "$dir/second"
		exec "$epitaph" "\$@"
	END
	chmod +x "$dir/meanwhile" && EPITAPH=$dir/meanwhile "$fleet/load" "$dir/both.db" "$dir/first" &&
		[ "$(sqlite3 "$dir/both.db" "$all_there_is")" = "$(EPITAPH=$epitaph "$fleet/load" "$dir/one.db" "$dir/first" "$dir/second" &&
			sqlite3 "$dir/one.db" "$all_there_is")" ] && [ "$(sqlite3 "$dir/both.db" 'SELECT count(*) FROM trace')" = 2 ]
}

# An operator takes the newest trace out; the next one gets its id.
a_deleted_trace_takes_its_events_along() {
	EPITAPH=$epitaph "$fleet/load" "$dir/deleted.db" "$dir/second" &&
		sqlite3 "$dir/deleted.db" 'DELETE FROM trace; SELECT count(*), (SELECT count(*) FROM archive) FROM event' | grep -qx '0|0' &&
		EPITAPH=$epitaph "$fleet/load" "$dir/deleted.db" "$dir/first" "$dir/second" &&
		[ "$(sqlite3 "$dir/deleted.db" "$all_there_is")" = "$(sqlite3 "$dir/one.db" "$all_there_is")" ]
}

a_locked_database_is_waited_for() {
	EPITAPH=$epitaph "$fleet/load" "$dir/locked.db" "$dir/first" || return
	{ printf 'BEGIN IMMEDIATE;\n.shell touch %s\n' "$dir/is-locked"; sleep 2; echo 'COMMIT;'; } | sqlite3 "$dir/locked.db" &
	until [ -e "$dir/is-locked" ]; do
		sleep 0.1
	done
	EPITAPH=$epitaph "$fleet/load" "$dir/locked.db" "$dir/second" || return
	wait
	[ "$(sqlite3 "$dir/locked.db" "$all_there_is")" = "$(sqlite3 "$dir/one.db" "$all_there_is")" ]
}

# Someone looked at an archive beside the others: the directory is no host.
what_was_unpacked_is_no_capture_of_its_own() {
	set -- "$dir"/in/db1-*
	mkdir -p "$dir/looked/at/case" && cp "$1" "$dir/looked/" && tar --zstd -C "$dir/looked/at/case" -xf "$1" && tar --zstd -C "$dir/looked" -xf "$1" &&
		EPITAPH=$epitaph "$fleet/load" "$dir/looked.db" "$dir/looked" && [ "$(sqlite3 "$dir/looked.db" 'SELECT group_concat(host) FROM trace')" = db1 ]
}

# Someone copied a machine's capture there: the directory of the archives is no host.
a_capture_that_was_copied_there_is_told() {
	mkdir -p "$dir/copied/epitaph-1" && cp "$dir/srv/web1/a/region" "$dir/copied/epitaph-1/" && cp "$dir"/in/db1-* "$dir/copied/" &&
		! EPITAPH=$epitaph "$fleet/load" "$dir/copied.db" "$dir/copied/" 2>"$dir/noise" && grep -q 'epitaph-1/region: not in a directory HOST/NAME' "$dir/noise" &&
		[ "$(sqlite3 "$dir/copied.db" 'SELECT group_concat(host) FROM trace')" = db1 ]
}

# The file system is not mounted: the rest is loaded.
a_directory_that_is_not_there_is_told() {
	EPITAPH=$epitaph "$fleet/load" "$dir/absent.db" "$dir/absent" "$dir/srv" 2>"$dir/noise"
	[ $? = 1 ] && grep -q "$dir/absent" "$dir/noise" && [ "$(sqlite3 "$dir/absent.db" 'SELECT count(*) FROM trace')" = 9 ]
}

# By timeout(1), as it reads the region.
an_ended_loader_leaves_no_files() {
	mkdir -p "$dir/left" && printf "#!/bin/sh\nkill -TERM \$PPID\n" >"$dir/ends" && chmod +x "$dir/ends" || return
	TMPDIR=$dir/left EPITAPH=$dir/ends "$fleet/load" "$dir/ended.db" "$dir/srv"
	[ $? = 143 ] && [ -z "$(ls -A "$dir/left")" ] && [ "$(sqlite3 "$dir/ended.db" 'SELECT count(*) FROM trace')" = 0 ]
}

# As epitaph guest watch saves them: each guest is a machine of its own, by name and UUID.
guests_are_machines_by_name_and_uuid() {
	store=$dir/guests
	for guest in "db 1,6b0c2ea1-1111-4222-8333-123456789abc" "db2,none"; do
		at=$store/${guest%%,*}/epitaph-1
		mkdir -p "$at" && cp "$dir/srv/web1/a/region" "$at/" &&
			printf 'guest: %s\nuuid: %s\nsaved because of: RESET\n' "${guest%%,*}" "${guest#*,}" >"$at/qmp.txt" || return
	done
	archive node1 "$store" && load "$dir/in" || return
	sqlite3 "$db" "SELECT host FROM trace WHERE host LIKE 'node1%' ORDER BY host" >"$dir/answer"
	cat "$dir/answer"
	printf 'node1.db2\nnode1.db_1.6b0c2ea1-1111-4222-8333-123456789abc\n' | diff - "$dir/answer" &&
		query machines | grep -q 'node1\.db_1\.6b0c2ea1-1111-4222-8333-123456789abc'
}

# The signature is that of explain; the best specimen is the whole one.
causes_by_signature() {
	query by-signature >"$dir/answer"
	cat "$dir/answer"
	signature=$("$epitaph" explain --json "$dir/srv/web1/a/region" | jq -r .signature)
	grep -qF "$signature|shown|1|2|2|1|2023-11-14 22:13:21|2023-11-14 22:13:21|0|web1/a" "$dir/answer" || return
	query machines | grep -qF "$signature|web2|1|2023-11-14 22:13:21"
}

# Of one hour ago, five days, and eight, and one at no known time.
this_week_and_what_is_new() {
	sqlite3 "$dir/week.db" <"$fleet/schema.sql" >/dev/null && sqlite3 "$dir/week.db" "
		INSERT INTO trace (host, name, kernel, signature, strength, lost, damage_notes, second)
		SELECT 'web' || value, 'a', '6.1.0', CASE value WHEN 1 THEN 'bug:new' ELSE 'bug:old' END, 'shown', 0, 0,
			(unixepoch() - CASE value WHEN 1 THEN 3600 WHEN 2 THEN 5 * 86400 WHEN 3 THEN 8 * 86400 END)
		FROM json_each('[1, 2, 3, 4]')" || return
	"$fleet/query" "$dir/week.db" this-week | tail -n +2 >"$dir/answer"
	printf '6.1.0\tbug:new\t1\t1\n6.1.0\tbug:old\t1\t1\n' | diff - "$dir/answer" || return
	"$fleet/query" "$dir/week.db" by-signature | cut -f 1,4,9 | tail -n +2 >"$dir/answer"
	printf 'bug:old\t3\t0\nbug:new\t1\t1\n' | diff - "$dir/answer"
}

# Without a stamp it is the last event's time; what is of 2062 is at no known time.
when_it_died() {
	[ "$(sqlite3 "$db" "SELECT second FROM trace WHERE host = 'web1'")" = 1700000001 ] &&
		[ "$(sqlite3 "$db" "SELECT second FROM trace WHERE host = 'web6'")" = 1700000001 ] || return
	mkdir -p "$dir/texts" "$dir/later/web1/a" && cp "$golden"/*.inc "$golden/marks-and-crash.region" "$dir/texts" &&
		sed -i 's/170000000\([01]\)/290000000\1/' "$dir/texts"/* && "$golden/mkregion" "$dir/texts/marks-and-crash.region" "$dir/later/web1/a/region" &&
		EPITAPH=$epitaph "$fleet/load" "$dir/later.db" "$dir/later" &&
		[ "$(sqlite3 "$dir/later.db" "SELECT crash_wall_ns / 100000000000000000, ifnull(second, 'none') FROM trace")" = '29|none' ] &&
		[ "$("$fleet/query" "$dir/later.db" this-week | wc -l)" = 0 ]
}

# web/1-x and web-1/x have a timeline each; one that was begun is none.
timelines_are_whole_and_of_their_capture() {
	mkdir -p "$dir/alike/web/1-x" "$dir/alike/web-1/x" "$dir/out" && cp "$dir/srv/web1/a/region" "$dir/alike/web/1-x/" &&
		cp "$dir/srv/web3/c/region" "$dir/alike/web-1/x/" && echo half >"$dir/out/.part" && EPITAPH=$epitaph "$fleet/load" "$dir/alike.db" "$dir/alike" &&
		EPITAPH=$epitaph "$fleet/page" "$dir/alike.db" "$dir/out" "$dir/alike" && "$here/page_check" "$dir/out/index.html" 2 &&
		[ "$(find "$dir/out" -name '*.html' | wc -l)" = 3 ] && [ ! -e "$dir/out/.part" ]
}

# 600 causes older and more frequent than the one of this week.
the_page_of_many_causes() {
	sqlite3 "$dir/many.db" <"$fleet/schema.sql" >/dev/null && sqlite3 "$dir/many.db" "
		INSERT INTO trace (host, name, kernel, signature, strength, second)
		SELECT 'web' || value, value, '6.1.0', 'bug:old_' || (value % 600), 'shown', unixepoch() - 20 * 86400
		FROM generate_series(1, 1200) UNION ALL SELECT 'web1', 'new', '6.1.0', 'bug:new', 'shown', unixepoch() - 60" &&
		"$fleet/page" "$dir/many.db" "$dir/many" && "$here/page_check" "$dir/many/index.html" 501 0 &&
		grep -q '<p>1201 captures of 601 signatures' "$dir/many/index.html" && grep -q 'And 100 more' "$dir/many/index.html"
}

# 600 causes do not fit into 16 KiB: the page of one cause stays.
a_full_disk_leaves_the_old_page() {
	[ "$(id -u)" = 0 ] || return 0
	mkdir -p "$dir/small" && sqlite3 "$dir/small.db" <"$fleet/schema.sql" >/dev/null &&
		sqlite3 "$dir/small.db" "INSERT INTO trace (host, name, kernel, signature, strength, second)
			VALUES ('web1', 'a', '6.1.0', 'bug:a', 'shown', unixepoch() - 60)" || return
	# shellcheck disable=SC2016 # of the inner shell
	unshare -m sh -c 'mount -t tmpfs -o size=16k none "$1" && "$2/page" "$3" "$1" && cp "$1/index.html" "$4" &&
		! "$2/page" "$5" "$1" && cmp "$1/index.html" "$4"' sh "$dir/small" "$fleet" "$dir/small.db" "$dir/old.html" "$dir/many.db"
}

# Each link leads to an element or a file, and hostile texts are no markup.
the_page_of_answers() {
	sqlite3 "$db" "UPDATE trace SET kernel = '<b onclick=x>\"' WHERE host = 'web1'" &&
		EPITAPH=$epitaph "$fleet/page" "$db" "$dir/page" "$dir/srv" || return
	sqlite3 "$db" "UPDATE trace SET kernel = '6.1.0-golden' WHERE host = 'web1'"
	"$here/page_check" "$dir/page/index.html" "$(sqlite3 "$db" 'SELECT count(DISTINCT signature) FROM trace')" && ! grep -q '<b onclick' "$dir/page/index.html"
}

# Half sent; with another region than its manifest says; by another name; with links for members.
what_is_no_whole_archive_is_told() {
	mkdir -p "$dir/bad" "$dir/forged" && good=$(find "$dir/in" -name 'db1-*') && name=$(basename "$good") || return 1
	head -c 1000 "$good" >"$dir/bad/$name" && cp "$good" "$dir/bad/db9-${name#db1-}" && cp "$good" "$dir/bad/x'y.tar.zst" &&
		tar --zstd -C "$dir/forged" -xf "$good" && chmod u+w "$dir/forged/region" && echo more >>"$dir/forged/region" &&
		tar --zstd -C "$dir/forged" -cf "$dir/bad/db8-${name#db1-}" manifest.json region && rm "$dir/forged/region" &&
		ln -s /etc/passwd "$dir/forged/region" && tar --zstd -C "$dir/forged" -cf "$dir/bad/db7-${name#db1-}" manifest.json region || return 1
	cp "$dir/bad/db9-${name#db1-}" "$dir/bad/db1-00000000-${name##*-}"
	EPITAPH=$epitaph "$fleet/load" "$dir/other.db" "$dir/bad" 2>"$dir/noise"
	[ $? = 1 ] && cat "$dir/noise" && grep -q "x'y.tar.zst: found a name" "$dir/noise" && grep -q "/$name: not whole" "$dir/noise" &&
		grep -q "/db8-.*: not whole" "$dir/noise" && grep -q "/db7-.*: not whole" "$dir/noise" &&
		[ "$(sqlite3 "$dir/other.db" "SELECT count(*) FROM trace")" = 1 ]
}

# It has no column that says who claims a host, and none of why it died: what it has is explained then.
a_database_of_an_earlier_release_is_taken() {
	grep -Ev '^	(host_claimed|signature|kind|claim|strength|second) ' "$fleet/schema.sql" | sqlite3 "$dir/older.db" >/dev/null &&
		EPITAPH=$epitaph "$fleet/load" "$dir/older.db" "$dir/in" && [ "$(sqlite3 "$dir/older.db" "SELECT count(*) FROM trace WHERE host_claimed")" = 4 ] || return
	before=$(sqlite3 "$dir/older.db" "$all_there_is") && sqlite3 "$dir/older.db" 'UPDATE trace SET signature = NULL, second = NULL' &&
		EPITAPH=$epitaph "$fleet/load" "$dir/older.db" "$dir/in" && [ "$(sqlite3 "$dir/older.db" "$all_there_is")" = "$before" ]
}
all_there_is='SELECT count(*), count(signature), count(second), (SELECT count(*) FROM event), (SELECT count(*) FROM archive) FROM trace'

host web1 a marks-and-crash && host web2 b marks-and-crash && host web3 c mce-fatal && host web4 d mce-fatal &&
	host web5 e mce-corrected && host web6 f whole && host web7 g damaged-payload && host web7 h lost-events &&
	host web8 i kernel-log || exit 1
for claim in every_trace_is_there_with_all_of_its_events nothing_is_loaded_twice values_are_those_of_the_lines \
	registers_of_64_bits_are_exact died_alike the_same_last_events machine_checks_by_bank_and_page pages_of_64_bits \
	the_last_of_the_dead an_idle_task_is_that_of_its_cpu what_is_not_whole causes_by_signature this_week_and_what_is_new when_it_died \
	the_page_of_answers the_page_of_many_causes a_full_disk_leaves_the_old_page timelines_are_whole_and_of_their_capture what_cannot_be_read_is_told_and_the_rest_loaded \
	archives_are_loaded_and_the_host_is_claimed what_two_archives_have_is_loaded_once \
	two_loaders_load_a_capture_once a_deleted_trace_takes_its_events_along a_locked_database_is_waited_for what_was_unpacked_is_no_capture_of_its_own \
	a_capture_that_was_copied_there_is_told \
	a_directory_that_is_not_there_is_told an_ended_loader_leaves_no_files \
	what_is_no_whole_archive_is_told a_database_of_an_earlier_release_is_taken guests_are_machines_by_name_and_uuid; do
	ok $claim $claim
done
finish
