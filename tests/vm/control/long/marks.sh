#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Marks of applications are in the one timeline of a machine that died, with who
# left them and where, those with fields as well.  A user who floods evicts no event, and no marks of
# other users, and gets some kinds of marks and no more.

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"

guest <<'END'
# marks WANTED UID COUNT SIZE [BYTE]: what the marker says.
marks() {
	wanted=$1
	shift
	said=$(marker "$@")
	[ "$said" = "$wanted" ] || { echo "$said"; return 1; }
}
# floods UID: 15 go through at once, and 8 a second, which on a slow kernel are many.
floods() {
	read -r begin _ </proc/uptime
	marker "$1" 500 1000 >/tmp/flood
	read -r end _ </proc/uptime
	read -r _ written _ refused _ <"/tmp/flood"
	seconds=$((${end%.*} - ${begin%.*} + 1))
	echo "$written written and $refused refused, in less than $seconds s"
	[ "$written" -ge 12 ] && [ "$written" -le $((16 + 8 * seconds)) ] && [ $((written + refused)) = 500 ]
}
record
check "every user may write, none may read" [ "$(stat -c %a /dev/epitaph-mark)" = 222 ]
check "a shell leaves a mark" sh -c 'echo "from a shell" >/dev/epitaph-mark'
check "the tool leaves a mark" epitaph-static mark "from the" tool
check "4096 bytes are a mark" marks 'written 1 refused 0 too-large 0 invalid 0' 7 1 4096 65
check "4097 bytes are none" marks 'written 0 refused 0 too-large 1 invalid 0' 7 1 4097
check "a NUL byte is none" marks 'written 0 refused 0 too-large 0 invalid 1' 7 1 20 0
check "no text is none" refused sh -c 'echo >/dev/epitaph-mark'
check "what is not UTF-8 is one" sh -c 'printf "latin \344\n" >/dev/epitaph-mark'
check "the tool refuses it" refused epitaph-static mark "$(printf 'latin \344')"
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	echo "mark $i" >/dev/epitaph-mark
done
check "a user who floods is refused" floods 1000
echo "guest: $(cat /tmp/flood)"
check "another one is not" marks 'written 1 refused 0 too-large 0 invalid 0' 1001 1 100
sleep 3
check "later the first one may again" marks 'written 1 refused 0 too-large 0 invalid 0' 1000 1 100
check "an open descriptor does not keep the recorder" sh -c 'exec 3>/dev/epitaph-mark; exec 3>&-'
kinds() {
	wanted=$1
	shift
	said=$(marker "$@")
	[ "$said" = "$wanted" ] || { echo "$said"; return 1; }
}
check "the tool leaves one with fields" epitaph-static mark --event deploy id=17 host=web3 delta=-4 mask=0xff00 load=0.7 nothing=
check "again" epitaph-static mark --event deploy id=18446744073709551615 host="web 4" delta=-9223372036854775808 mask=0x0 load=one nothing=x
check "of other types, it is another kind" epitaph-static mark --event deploy id:text=17
check "without fields" epitaph-static mark --event begins
check "what is wrong with one is refused" marker 0 misuse
check "a user has 8 kinds" kinds '8 kinds, then Disk quota exceeded' 1002 kinds 9
check "another has, too" kinds '8 kinds, then Disk quota exceeded' 1003 kinds 9
check "all users have 16" kinds '0 kinds, then Disk quota exceeded' 1004 kinds 1
check "root has more" kinds '20 kinds, then Success' 0 kinds 20
echo "the last words" >/dev/epitaph-mark
bug panic
END
${CC:-cc} -std=gnu11 -O2 -Wall -Wextra -Werror -static -I "$top/api" -I "$top/include" -o "$out/marker" "$here/marker.c"
pack_guest "$out/marker" "$top/extractor/epitaph-static"

# mark FILTER: a mark of the region for which jq's FILTER holds.
# shellcheck disable=SC2317 # check calls it
mark() {
	jq "select(.event == \"epitaph:mark\" and .channel == \"user\") | select($1)" \
		"$out/region.json" >"$out/found"
	[ -s "$out/found" ]
}

# shellcheck disable=SC2317 # check calls it
lacks_mark() {
	! mark "$1"
}

# The last mark, which says how many were refused, may be refused itself.
# shellcheck disable=SC2317 # check calls it
all_refused_are_told() {
	told=$(jq -s 'map(select(.event == "epitaph:mark" and .fields.uid == 1000).fields.dropped) | add' "$out/region.json")
	counted=$("$epitaph" info "$saved/region" | sed -n 's/.*refused: \([0-9]*\).*/\1/p')
	refused=$(sed -n 's/^guest: written [0-9]* refused \([0-9]*\) .*/\1/p' "$out/guest.log")
	echo "$told told, $counted counted, $refused refused"
	[ "$refused" -gt 0 ] && [ "$told" = "$counted" ] && [ $((told - refused)) -ge 0 ] && [ $((told - refused)) -le 1 ]
}

# shellcheck disable=SC2317 # check calls it
all_times_grow() {
	jq -s 'map(select(.event == "epitaph:mark").ts_ns) | . == sort and length > 30' "$out/region.json" |
		grep -qx true
}

# shellcheck disable=SC2317 # check calls it
trace_cmd_says() {
	recovers "$epitaph" export --to trace.dat -o "$out/trace.dat" "$saved/region"
	trace-cmd report -i "$out/trace.dat" 2>&1 | grep -F "mark:" | grep -F -- "$1"
}

# shellcheck disable=SC2317 # check calls it
redacted_says_nothing() {
	recovers "$epitaph" redact -o "$out/redacted" "$saved/region"
	recovers "$epitaph" report --all "$out/redacted" >"$out/report-redacted"
	grep -q ' mark: uid=' "$out/report-redacted" && ! grep -F 'from a shell' "$out/report-redacted"
}

# field NAME FILTER: a mark with fields for which jq's FILTER holds.
# shellcheck disable=SC2317 # check calls it
field() {
	jq "select(.event == \"mark:$1\" and .channel == \"user\" and .cpu != null) | select($2)" "$out/region.json" >"$out/found"
	[ -s "$out/found" ]
}

# shellcheck disable=SC2317 # check calls it
trace_cmd_deploys() {
	trace-cmd report -i "$out/trace.dat" 2>&1 | grep -F "deploy:" | grep -F -- "$1"
}

# shellcheck disable=SC2317 # check calls it
babeltrace_says() {
	recovers "$epitaph" export --to ctf -o "$out/ctf" "$saved/region"
	babeltrace2 "$out/ctf" 2>/dev/null | grep -F deploy | grep -F -- "$1"
}

# shellcheck disable=SC2317 # check calls it
redacted_says_no_host() {
	grep -q ' deploy: uid=' "$out/report-redacted" && ! grep -F web3 "$out/report-redacted"
}

crash_whole --allow 'panic - not syncing: victim: panic'
check "the region can be exported" export_json region
check "the report has the shell's mark among the events" report_says 'mark: uid=0 dropped=0 text=from a shell'
# busybox runs its applets as /proc/self/exe.
check "it says who left it, and on which CPU" \
	mark '.fields.text == "from a shell" and (.comm == "sh" or .comm == "exe") and (.cpu == 0 or .cpu == 1) and .cpu == .fields.cpu'
check "it has the tool's" mark '.fields.text == "from the tool"'
check "one of 4096 bytes is whole" mark '(.fields.text | length) == 4096 and .fields.uid == 7'
check "what is not UTF-8 is escaped" mark '.fields.text == "latin \\xe4"'
check "the flood left marks" mark '.fields.uid == 1000 and .comm == "marker"'
check "the next marks of that user say how many were refused" all_refused_are_told
check "no mark of another user does" lacks_mark '.fields.uid != 1000 and .fields.dropped > 0'
check "info counts them" sh -c "'$epitaph' info '$saved/region' | grep -E 'all CPUs, channel user' -A 1 | grep -E 'refused: [0-9]{3}'"
check "fields are in the line" report_says 'deploy: uid=0 dropped=0 id=17 host=web3 delta=-4 mask=0xff00 load=0.7 nothing='
check "JSON has their types" field deploy '.fields == {cpu: .cpu, uid: 0, dropped: 0, id: 17, host: "web3", delta: -4, mask: 65280, load: "0.7", nothing: ""}'
check "to the last bit" sh -c "grep -F '\"id\":18446744073709551615,\"host\":\"web 4\",\"delta\":-9223372036854775808,\"mask\":0,' '$out/region.json'"
check "another kind of the same name is another event" field deploy '.fields.id == "17"'
check "one without fields" field begins '.fields == {cpu: .cpu, uid: 0, dropped: 0}'
check "the largest is whole" field zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz '(.fields | length) == 19 and ([.fields[] | select(type == "string") | length] | add) == 4096'
check "nothing that was refused is there" sh -c "! grep 'mark:misuse' '$out/region.json' | grep -v '\"number\":0,\"words\":\"words\"'"
check "a user's kinds are there" field kind7_of_1002 '.fields.uid == 1002'
check "what went beyond is not" sh -c "! grep -e kind8_of_1002 -e _of_1004 '$out/region.json'"
check "a filter finds them" sh -c "'$epitaph' report --all --event 'mark:deploy' '$saved/region' | grep -c ' deploy: '"
check "babeltrace2 has their types" babeltrace_says 'id = 17, host = "web3", delta = -4'
check "the last words are there" mark '.fields.text == "the last words" and .before_crash_ns > 0'
check "their times grow" all_times_grow
check "trace-cmd shows them" trace_cmd_says 'text=from a shell'
check "trace-cmd shows the fields" trace_cmd_deploys 'id=17 host=web3 delta=-4 mask=0xff00'
check "a redacted copy does not say what they said" redacted_says_nothing
check "a redacted copy does not say their texts" redacted_says_no_host
finish
