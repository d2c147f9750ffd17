#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A fleet's captures in a real ClickHouse, of Debian: its answers are those of SQLite; nothing is lost
# and nothing counts twice, whatever dies meanwhile.
# shellcheck disable=SC2317
# shellcheck source=tests/lib/lib.sh
. "$(dirname "$0")/../../lib/lib.sh"
golden=$top/tests/golden
fleet=$top/fleet
port=$((20000 + $$ % 20000))
server=

if ! command -v clickhouse-server >/dev/null; then
	skip clickhouse "clickhouse-server is not installed"
	finish
fi

start_server() {
	mkdir -p "$dir/ch/data" "$dir/ch/tmp" "$dir/ch/files"
	cat >"$dir/ch/config.xml" <<-END
		<yandex>
		<logger><level>warning</level><log>$dir/ch/log</log><errorlog>$dir/ch/errors</errorlog></logger>
		<http_port>$port</http_port><tcp_port>$((port + 1))</tcp_port><interserver_http_port>$((port + 2))</interserver_http_port>
		<listen_host>127.0.0.1</listen_host><mark_cache_size>268435456</mark_cache_size>
		<path>$dir/ch/data/</path><tmp_path>$dir/ch/tmp/</tmp_path><user_files_path>$dir/ch/files/</user_files_path>
		<users_config>users.xml</users_config><default_profile>default</default_profile><default_database>default</default_database>
		</yandex>
	END
	cat >"$dir/ch/users.xml" <<-END
		<yandex><profiles><default/></profiles><quotas><default/></quotas>
		<users><default><password></password><networks><ip>127.0.0.1</ip></networks>
		<profile>default</profile><quota>default</quota></default>
		<guarded><password>a"b\\c d</password><networks><ip>127.0.0.1</ip></networks>
		<profile>default</profile><quota>default</quota></guarded></users></yandex>
	END
	clickhouse-server --config-file="$dir/ch/config.xml" >"$dir/ch/out" 2>&1 &
	server=$!
}

wait_for_server() {
	tries=120
	until curl -s "http://127.0.0.1:$port/" >/dev/null; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || { cat "$dir/ch/errors"; return 1; }
		sleep 0.5
	done
}

end_server() {
	[ -z "$server" ] || kill -9 "$server" 2>/dev/null
	[ -z "$server" ] || wait "$server" 2>/dev/null
	server=
}

host() {
	mkdir -p "$dir/srv/$1/$2" && "$golden/mkregion" "$golden/$3.region" "$dir/srv/$1/$2/region"
}

url() { echo "clickhouse://127.0.0.1:$port/$1"; }
load() { EPITAPH=$epitaph "$fleet/load" "$@"; }
ask() { curl -sS "http://127.0.0.1:$port/?database=$1" --data "$2"; }

answers_are_those_of_sqlite() {
	load "$dir/fleet.db" "$dir/srv" && load --to "$(url fleet)" "$dir/srv" || return
	for query in by-signature this-week trend machines not-whole died-alike; do
		"$fleet/query" "$dir/fleet.db" "$query" >"$dir/wanted" && "$fleet/query" "$(url fleet)" "$query" >"$dir/answer" || return
		# SQLite gives no names where there is no line.
		[ -s "$dir/wanted" ] || sed -i 1d "$dir/answer"
		diff "$dir/wanted" "$dir/answer" || { echo "$query"; return 1; }
	done
	"$fleet/query" "$(url fleet)" by-signature | grep -q "^[a-z-]*:[^	]*	[a-z ]*	1	2	2	1	2023-11-14 22:13:21	"
}

# died HOST REGION SECOND: a golden region that died then
died() {
	mkdir -p "$dir/text" "$dir/week/$1/a" && cp "$golden"/*.inc "$golden/$2.region" "$dir/text/" &&
		sed -i -e "s/1700000000000000000/$(($3 - 1))000000000/" -e "s/1700000001000000/${3}000000/" "$dir/text"/* &&
		"$golden/mkregion" "$dir/text/$2.region" "$dir/week/$1/a/region"
}

# Of an hour ago, with a stamp and without; of six days, twenty, and a year to come.
this_week_is_that_of_sqlite() {
	now=$(date +%s)
	died web1 marks-and-crash $((now - 3600)) && died web2 whole $((now - 3600)) && died web3 marks-and-crash $((now - 6 * 86400)) &&
		died web4 mce-fatal $((now - 20 * 86400)) && died web5 marks-and-crash $((now + 365 * 86400)) || return
	load "$dir/week.db" "$dir/week" && load --to "$(url week)" "$dir/week" || return
	for query in this-week trend by-signature machines; do
		"$fleet/query" "$dir/week.db" "$query" >"$dir/wanted" && "$fleet/query" "$(url week)" "$query" >"$dir/answer" || return
		diff "$dir/wanted" "$dir/answer" || { echo "$query"; return 1; }
	done
	"$fleet/query" "$(url week)" this-week | cut -f 2-4 >"$dir/answer"
	cat "$dir/answer"
	grep -q '^[^	]*	2	2$' "$dir/answer" && grep -q '^reset	1	1$' "$dir/answer" && [ "$(wc -l <"$dir/answer")" = 3 ] &&
		[ "$("$fleet/query" "$(url week)" trend | wc -l)" = 5 ] && "$fleet/query" "$(url week)" by-signature | cut -f 1,9 | grep -qx 'reset	1'
}

loaded_twice_counts_once() {
	before=$(ask fleet 'SELECT count() FROM trace') && load --to "$(url fleet)" "$dir/srv" &&
		[ "$(ask fleet 'SELECT count() FROM trace')" = "$before" ] || return
	# Another loader that knows of none: what it sends again counts once, merged or not.
	ask fleet 'DROP TABLE archive' && load --to "$(url fleet)" "$dir/srv" &&
		[ "$(ask fleet 'SELECT uniqExact(key) FROM trace')" = "$before" ] &&
		"$fleet/query" "$dir/fleet.db" by-signature >"$dir/wanted" &&
		"$fleet/query" "$(url fleet)" by-signature | diff "$dir/wanted" -
}

# As the report has them.
events_of_the_last_seconds_if_asked() {
	[ "$(ask fleet 'SELECT count() FROM event')" = 0 ] && load --to "$(url seconds)" --events 0.002 "$dir/srv" || return
	wanted=$("$epitaph" export --to json --last 0.002 -o - "$dir/srv/web1/a/region" | tail -n +2 | wc -l)
	[ "$wanted" -gt 0 ] && [ "$(ask seconds "SELECT uniqExact(nr) FROM event WHERE id = 'web1/a'")" = "$wanted" ] &&
		"$fleet/query" "$(url seconds)" last-of-the-dead | grep -q '^web1	a	.*test:number'
}

# Of captures that were loaded without; which are not loaded a third time.
events_asked_for_later() {
	load --to "$(url later)" "$dir/srv" && load --to "$(url later)" --events 0.002 "$dir/srv" &&
		[ "$(ask later "SELECT uniqExact(nr) FROM event WHERE id = 'web1/a'")" = "$(ask seconds "SELECT uniqExact(nr) FROM event WHERE id = 'web1/a'")" ] &&
		before=$(ask later 'SELECT count() FROM trace') && load --to "$(url later)" --events 0.001 "$dir/srv" && load --to "$(url later)" "$dir/srv" &&
		[ "$(ask later 'SELECT count() FROM trace')" = "$before" ] && "$fleet/query" "$(url fleet)" by-signature >"$dir/wanted" &&
		"$fleet/query" "$(url later)" by-signature | diff "$dir/wanted" -
}

# Of the last 200 ns, then 280, then all, without a merge between: each event once, the last one first.
events_of_more_seconds_are_the_same_events() {
	for seconds in 0.0000002 0.00000028 1; do
		load --to "$(url more)" --events "$seconds" "$dir/srv" || return
	done
	"$fleet/query" "$(url more)" last-of-the-dead | grep '^web1	' | cut -f 4,5 >"$dir/answer"
	cat "$dir/answer"
	printf '50\ttest:number\n150\ttest:number\n' | diff - "$dir/answer" &&
		[ "$(ask more "SELECT uniqExact(nr), count() > 5 FROM event WHERE id = 'web1/a'")" = "5	1" ]
}

# Two loaders, each of which has one of two archives of a generation: they cannot know of each other.
one_capture_by_two_names_is_one() {
	ask seconds "INSERT INTO trace (id, host, name, crash_ts_ns, crash_pid, crash_reason, events, lost, damage_notes) SELECT id, host, concat(name, '2'), crash_ts_ns, crash_pid, crash_reason, events, lost, damage_notes FROM trace" &&
		"$fleet/query" "$(url fleet)" not-whole >"$dir/wanted" && "$fleet/query" "$(url seconds)" not-whole | diff "$dir/wanted" - || return
	"$fleet/query" "$(url seconds)" last-of-the-dead | tail -n +2 | cut -f 1,3,4 | sort | uniq -d >"$dir/twice"
	[ ! -s "$dir/twice" ]
}

load_in_pieces() {
	TMPDIR=$dir EPITAPH=$epitaph exec "$dir/load" --to "$(url big)" --events 1 "$dir/big" 2>>"$dir/loaders"
}

# 120 captures, small batches, three loaders; one is killed and the server is, in the middle.
nothing_is_lost_and_nothing_twice() {
	for i in $(seq 120); do
		mkdir -p "$dir/big/web$i/a" && ln "$dir/srv/web1/a/region" "$dir/big/web$i/a/region" || return
	done
	sed 's/^batch_captures=.*/batch_captures=7 batch_events=2000/' "$fleet/load" >"$dir/load" && chmod +x "$dir/load" &&
		ln -s "$fleet/schema.sql" "$fleet/clickhouse" "$dir/" || return
	load_in_pieces &
	loader1=$!
	load_in_pieces &
	loader2=$!
	load_in_pieces &
	loader3=$!
	until [ "$(ask big 'SELECT count() FROM trace' 2>/dev/null)" -gt 20 ] 2>/dev/null; do
		kill -0 "$loader3" 2>/dev/null || { echo "it ended before it was killed"; return 1; }
		sleep 0.1
	done
	kill -9 "$loader3"
	end_server
	sleep 1
	start_server
	wait_for_server || return
	for loader in "$loader1" "$loader2"; do
		wait "$loader" || { cat "$dir/loaders"; return 1; }
	done
	wait "$loader3"
	[ "$(ask big 'SELECT uniqExact(key), uniqExact(host) FROM trace')" = "120	120" ] || { ask big 'SELECT uniqExact(key), uniqExact(host) FROM trace'; return 1; }
	each=$("$epitaph" export --to json --last 1 -o - "$dir/srv/web1/a/region" | tail -n +2 | wc -l)
	[ "$(ask big 'SELECT uniqExact(key, nr) FROM event')" = $((120 * each)) ] &&
		[ "$("$fleet/query" "$(url big)" by-signature | awk 'NR == 2 { print $4, $5 }' FS='\t')" = "120 120" ]
}

a_server_that_refuses_is_told() {
	! load --to "clickhouse://stranger@127.0.0.1:$port/fleet" "$dir/srv" 2>"$dir/noise" && cat "$dir/noise" && grep -q . "$dir/noise" || return
	load --to "clickhouse://127.0.0.1:$port" "$dir/srv" 2>"$dir/noise"
	[ $? = 2 ] || return
	! "$fleet/query" "clickhouse://127.0.0.1:$port/none" machines >"$dir/answer" 2>"$dir/noise" && grep -q "none" "$dir/noise" && [ ! -s "$dir/answer" ]
}

# Of any characters; in the URL, which ps shows, it is refused.
the_password_is_as_it_is() {
	CLICKHOUSE_PASSWORD='a"b\c d' "$fleet/query" "clickhouse://guarded@127.0.0.1:$port/fleet" machines >"$dir/answer" && [ -s "$dir/answer" ] || return
	"$fleet/query" "clickhouse://guarded:secret@127.0.0.1:$port/fleet" machines 2>"$dir/noise"
	[ $? = 2 ] && ! grep -q secret "$dir/noise"
}

# hostile HOST: its counter says that it lost all that a number can say
hostile() {
	mkdir -p "$dir/text" "$dir/hostile/$1/a" && cp "$golden"/*.inc "$dir/text/" &&
		sed 's/u64 3 .*/u64 0xffffffffffffffff 0 0 0xffffffffffffffff/' "$golden/lost-events.region" >"$dir/text/hostile.region" &&
		"$golden/mkregion" "$dir/text/hostile.region" "$dir/hostile/$1/a/region"
}

a_hostile_counter_is_loaded() {
	hostile web1 && "$epitaph" export --to json -o - "$dir/hostile/web1/a/region" 2>/dev/null | head -n 1 | jq -c .lost | grep -q '^1844' || return
	load --to "$(url hostile)" "$dir/hostile" && [ "$(ask hostile 'SELECT max(lost) FROM trace')" = 9223372036854775807 ]
}

# A loader that lets such a number pass: the two captures are named, the rest is there.
what_is_refused_is_named_and_the_rest_loaded() {
	hostile web1 && hostile web3 && mkdir -p "$dir/passing" "$dir/hostile/web0/a" "$dir/hostile/web2/a" "$dir/hostile/web4/a" || return
	for i in 0 2 4; do
		cp "$dir/srv/web1/a/region" "$dir/hostile/web$i/a/" || return
	done
	sed 's/CAST(coalesce(lost, 0) AS INTEGER)/lost/' "$fleet/load" >"$dir/passing/load" && chmod +x "$dir/passing/load" &&
		ln -s "$fleet/schema.sql" "$fleet/clickhouse" "$dir/passing/" || return
	EPITAPH=$epitaph "$dir/passing/load" --to "$(url refused)" "$dir/hostile" 2>"$dir/noise"
	[ $? = 1 ] && [ "$(ask refused 'SELECT arraySort(groupUniqArray(host)) FROM trace')" = "['web0','web2','web4']" ] &&
		grep -q '^load: web1/a: .*[Cc]annot' "$dir/noise" && grep -q '^load: web3/a: ' "$dir/noise" && ! grep -q 'web[024]' "$dir/noise"
}

# A batch has captures of all days there are; a server takes no insert into more than 100 partitions.
a_batch_of_many_days_has_few_partitions() {
	. "$fleet/clickhouse/send.sh"
	clickhouse_open "$(url days)" && clickhouse_schema "$fleet/clickhouse/schema.sql" &&
		"$here/many" 1000 "$(date +%s)" 400 >"$dir/many" && clickhouse 'INSERT INTO trace FORMAT JSONEachRow' "$dir/many" &&
		[ "$(ask days "SELECT uniqExact(day) > 300, (SELECT uniqExact(partition) FROM system.parts WHERE database = 'days') < 20 FROM trace")" = "1	1" ]
}

# 100000 captures here; docs/fleet.md has the figures of a million.
many_are_asked_in_a_second() {
	. "$fleet/clickhouse/send.sh"
	clickhouse_open "$(url many)" && clickhouse_schema "$fleet/clickhouse/schema.sql" &&
		"$here/many" 100000 "$(date +%s)" >"$dir/many" && clickhouse 'INSERT INTO trace FORMAT JSONEachRow' "$dir/many" &&
		[ "$(ask many 'SELECT uniqExact(key) FROM trace')" = 100000 ] || return
	begin=$(date +%s%N)
	"$fleet/query" "$(url many)" this-week >"$dir/answer" || return
	ms=$((($(date +%s%N) - begin) / 1000000))
	echo "$ms ms"
	[ "$(wc -l <"$dir/answer")" = 1001 ] && [ "$ms" -le 1000 ]
}

host web1 a marks-and-crash && host web2 b marks-and-crash && host web3 c mce-fatal && host web4 d mce-fatal &&
	host web5 e mce-corrected && host web6 f whole && host web7 g damaged-payload && host web7 h lost-events &&
	host web8 i kernel-log || exit 1
start_server
wait_for_server || exit 1
for claim in a_hostile_counter_is_loaded what_is_refused_is_named_and_the_rest_loaded \
	a_batch_of_many_days_has_few_partitions answers_are_those_of_sqlite this_week_is_that_of_sqlite events_of_the_last_seconds_if_asked events_asked_for_later events_of_more_seconds_are_the_same_events one_capture_by_two_names_is_one loaded_twice_counts_once \
	a_server_that_refuses_is_told the_password_is_as_it_is nothing_is_lost_and_nothing_twice many_are_asked_in_a_second; do
	ok $claim $claim
done
end_server
finish
