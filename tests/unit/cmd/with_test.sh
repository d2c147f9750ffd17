#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# --with guest=FILE of a host whose guests cannot be found, and what is said of a wrong word.
# shellcheck disable=SC2317
# shellcheck source=tests/lib/lib.sh
. "$(dirname "$0")/../../lib/lib.sh"

make_regions() {
	for name in host-of-a-guest guest-of-a-host; do
		"$top/tests/golden/mkregion" "$top/tests/golden/$name.region" "$dir/$name" || return
	done
}

# with STATUS COMMAND...: of the host, with the guest's file; its words come to printed and why
with() {
	status=$1
	shift
	"$epitaph" "$@" --with "guest=$dir/guest-of-a-host" "$dir/host-of-a-guest" >"$dir/printed" 2>"$dir/why"
	have=$?
	cat "$dir/why"
	[ "$have" = "$status" ] || { echo "exit $have"; return 1; }
}

# The host's part is what it is without the guest.
the_host_is_printed() {
	with 1 report --all && grep '^# guest guest-of-a-host: crashed: Oops in a guest$' "$dir/printed" &&
		grep 'its times are not known: KVM.s offset of its clock is not in the host.s dump: ' "$dir/printed" &&
		grep -q 'its events are left out; see them in its file alone' "$dir/printed" &&
		[ "$(grep -c '^host  *.* sched_switch: ' "$dir/printed")" = 4 ] && ! grep '^guest-of-a-host' "$dir/printed"
}

in_every_format() {
	for format in json html perfetto; do
		with 1 export --to "$format" -o "$dir/out.$format" || return
	done
	head -n 1 "$dir/out.json" | jq -e '.guests[0].why_not_related | startswith("KVM")' &&
		[ "$(tail -n +2 "$dir/out.json" | jq -r .event | grep -c kvm:)" = 4 ] && with 1 report --json
}

explain_says_it() {
	with 1 explain && grep 'what its host did meanwhile: its times are not known' "$dir/printed" &&
		grep "epitaph report --with guest=$dir/guest-of-a-host $dir/host-of-a-guest" "$dir/printed" || return
	"$epitaph" explain --with "guest=web1:$dir/guest-of-a-host" "$dir/host-of-a-guest" >"$dir/printed"
	[ $? -eq 1 ] && grep "epitaph report --with guest=web1:$dir/guest-of-a-host $dir/host-of-a-guest" "$dir/printed"
}

# Nothing is there of a guest that has only a name.
a_name_is_an_error() {
	"$epitaph" report --with guest=web1 "$dir/host-of-a-guest" >"$dir/printed" 2>"$dir/why"
	[ $? -eq 4 ] && grep 'its guests cannot be found' "$dir/why"
}

# A path that is not there is no name of a guest.
a_missing_file_is_said() {
	"$epitaph" report --with "guest=web1:$dir/nowhere" "$dir/host-of-a-guest" >"$dir/printed" 2>"$dir/why"
	[ $? -eq 4 ] && grep "there is no file that --with guest=web1:$dir/nowhere could mean" "$dir/why"
}

# Guests are those of the host's last boot.
a_generation_is_refused() {
	with 2 report --generation 1 && grep -e '--generation: guests are those of the host.s last boot' "$dir/why"
}

twice_is_an_error() {
	with 2 report --with "guest=web1:$dir/guest-of-a-host" && grep 'is given twice' "$dir/why"
}

# Two guests of one snapshot have one boot id.
clones_are_two() {
	sed 's/time=1020150500/time=1020150600/' "$top/tests/golden/guest-of-a-host.region" >"$dir/clone.region"
	cp "$top"/tests/golden/*.inc "$dir" && "$top/tests/golden/mkregion" "$dir/clone.region" "$dir/clone" &&
		with 1 report --all --with "guest=$dir/clone" && grep '^# guest clone: crashed' "$dir/printed"
}

what_matches_nothing_is_said() {
	with 1 report --all --event sched_swich &&
		grep 'host-of-a-guest: no event fits --event sched_swich; did you mean sched_switch' "$dir/why" &&
		grep 'guest guest-of-a-host: no event fits --event sched_swich' "$dir/why" &&
		with 1 export --to json -o "$dir/none.json" --comm nothing && grep 'no event fits --comm nothing' "$dir/why"
}

ok regions_are_made make_regions
ok the_hosts_part_is_printed_without_the_guest the_host_is_printed
ok it_is_so_in_every_format in_every_format
ok explain_says_what_is_not_known explain_says_it
ok a_name_without_a_file_is_an_error a_name_is_an_error
ok a_file_that_is_not_there_is_said a_missing_file_is_said
ok a_generation_is_refused_with_guests a_generation_is_refused
ok a_guest_given_twice_is_an_error twice_is_an_error
ok clones_of_a_guest_are_two clones_are_two
ok what_matches_nothing_is_said what_matches_nothing_is_said
finish
