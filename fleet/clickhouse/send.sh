# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
# ClickHouse by its HTTP interface, for load, query and page.  clickhouse_open URL first.

# clickhouse_open URL: clickhouse://[USER@]HOST[:PORT]/DATABASE; clickhouses: by TLS.  The password is
# in $CLICKHOUSE_PASSWORD.
clickhouse_open() {
	user=default
	case $1 in
	clickhouse://*/?*) at=http clickhouse_port=8123 rest=${1#clickhouse://} ;;
	clickhouses://*/?*) at=https clickhouse_port=8443 rest=${1#clickhouses://} ;;
	*) return 1 ;;
	esac
	clickhouse_database=${rest#*/} rest=${rest%%/*}
	case $rest in *@*) user=${rest%%@*} rest=${rest#*@} ;; esac
	case $rest in *:*) ;; *) rest=$rest:$clickhouse_port ;; esac
	case $clickhouse_database$user$rest in *[!A-Za-z0-9._:-]*) return 1 ;; esac
	# What is behind a colon would be a password, which ps shows.
	case $user in *:*) return 1 ;; esac
	case ${CLICKHOUSE_PASSWORD-} in
	*'
'*) return 1 ;;
	esac
	clickhouse_login="$user:$(printf '%s' "${CLICKHOUSE_PASSWORD-}" | sed 's/[\\"]/\\&/g')"
	clickhouse_at=$at://$rest/
}

# Of a cluster: an insert has ended when the shards have its rows, and a join is of each shard's own,
# where equal keys are.  Rows are taken though zookeeper knows them: the disk that had them may be lost.
clickhouse_settings='insert_distributed_sync=1&distributed_product_mode=local&insert_deduplicate=0'

# is_passing FILE: what a cluster says while one of its servers restarts: ATTEMPT_TO_READ_AFTER_EOF,
# TIMEOUT_EXCEEDED, NO_AVAILABLE_REPLICA, SOCKET_TIMEOUT, NETWORK_ERROR, NO_ZOOKEEPER,
# TABLE_IS_READ_ONLY, ALL_CONNECTION_TRIES_FAILED, KEEPER_EXCEPTION.
is_passing() {
	grep -qE '^Code: (32|159|203|209|210|225|242|279|999)[,.]' "$1"
}

# clickhouse_ask QUERY FILE DATABASE ANSWER: once; prints the status of HTTP.
clickhouse_ask() {
	{ printf '%s\n' "$1" && cat "$2"; } |
		curl --silent --show-error --connect-timeout 10 --max-time 600 --config /dev/fd/3 --request POST --upload-file - \
			--output "$4" --write-out '%{http_code}' "$clickhouse_at?database=$3&wait_end_of_query=1&$clickhouse_settings" 3<<-END
			user = "$clickhouse_login"
			header = "Expect:"
		END
}

# clickhouse QUERY [FILE [DATABASE]]: its answer; FILE is the data of an INSERT.  While the server does
# not answer, it is asked again for a minute: what is inserted twice counts once.  22: the server
# refuses; its words are on stderr.
clickhouse() {
	clickhouse_answer=$(mktemp) || return
	clickhouse_end=$(($(date +%s) + 60))
	while :; do
		asked=0
		said=$(clickhouse_ask "$1" "${2:-/dev/null}" "${3-$clickhouse_database}" "$clickhouse_answer") || asked=$?
		case $asked/$said in
		0/2??) cat "$clickhouse_answer"; break ;;
		# No address, no connection, an answer that breaks off or does not come: a server that restarts.
		6/* | 7/* | 18/* | 28/* | 35/* | 52/* | 55/* | 56/*) ;;
		0/503) asked=22 ;;
		0/*) asked=22
			is_passing "$clickhouse_answer" && asked=7 || clickhouse_end=0 ;;
		*) clickhouse_end=0 ;;
		esac
		if [ "$(date +%s)" -ge "$clickhouse_end" ]; then
			head -c 2000 "$clickhouse_answer" >&2
			break
		fi
		sleep 1
	done
	rm -f "$clickhouse_answer"
	return "$asked"
}

# clickhouse_cluster_schema FILE CLUSTER: its tables as those of the shards, each with replicas, and
# above each one a Distributed table.  Rows of a capture are all on one shard.
clickhouse_cluster_schema() {
	# A cluster of which one server is down makes no tables.
	[ "$(clickhouse "SELECT count() FROM system.tables WHERE database = '$clickhouse_database' AND engine = 'Distributed'" '' default)" -lt 3 ] || return 0
	on="ON CLUSTER \`$2\`"
	cluster_schema=$(mktemp) || return
	clickhouse "CREATE DATABASE IF NOT EXISTS \`$clickhouse_database\` $on" '' default >/dev/null &&
		awk -v on="$on" -v cluster="$2" -v database="$clickhouse_database" '
			function name(table) { return "`" database "`." table }
			/^CREATE TABLE/ { table = $6; $6 = name(table "_of_shard") " " on }
			/ENGINE = / {
				sub(", key", ", cityHash64(id)")
				# Of a small table, a merge that a kill cut off is more than the twentieth that 18.16 bears.
				sub(";$", " SETTINGS replicated_max_ratio_of_wrong_parts = 1;")
				path = "/clickhouse/tables/{shard}/" database "/" table
				sub("ReplacingMergeTree", "ReplicatedReplacingMergeTree(\047" path "\047, \047{replica}\047)")
			}
			# A Distributed table of 18.16 inserts neither what is MATERIALIZED nor a DEFAULT.
			{ sub(" MATERIALIZED ", " ALIAS "); print }
			/;$/ {
				print "CREATE TABLE IF NOT EXISTS " name(table) " " on " AS " name(table "_of_shard") " ENGINE = Distributed(`" \
					cluster "`, `" database "`, " table "_of_shard, cityHash64(" (table == "archive" ? "name" : "id") "));"
			}' "$1" >"$cluster_schema" && clickhouse_statements "$cluster_schema" >/dev/null
	made=$?
	rm -f "$cluster_schema"
	return $made
}

# clickhouse_schema FILE: its statements, each ended by a line that ends with ;
clickhouse_schema() {
	clickhouse "CREATE DATABASE IF NOT EXISTS \`$clickhouse_database\`" '' default && clickhouse_statements "$1"
}

# clickhouse_statements FILE
clickhouse_statements() {
	statement=
	while IFS= read -r schema_line; do
		case $schema_line in --*) continue ;; esac
		statement="$statement$schema_line
"
		case $schema_line in
		*\;) clickhouse "${statement%;*}" || return; statement= ;;
		esac
	done <"$1"
}
