# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
#
# Words for guests that die and come back: how they die, what the next boot
# does, and what must hold for each death.

# Small, so that the load laps the rings within a fraction of a second.
region_is 8M

# warm_guest: at each boot, harvest what is there, then die as the plan says; after
# the last death only harvest.
warm_guest() {
	guest <<'END'
with_disk
death_of "$boot"
take_earlier
for report in "$dir"/*/summary.txt; do
	[ ! -e "$report" ] || check "boot $boot: there is a report beside it" [ -s "$report" ]
	rm -f "$report"
done
[ -n "$how" ] || exit 0
load_surviving_victim full=1
[ "$how" = reset ] || sleep "$seconds"
die "$how"
END
	pack_guest "$top/extractor/epitaph-static" "$out/plan"
}

# warm_reboots COUNT SEED: COUNT deaths, mixed.
warm_reboots() {
	deaths=$1
	echo "# seed $2, $1 deaths"
	"$here/plan" "$2" "$1" panic sysrq-b reset >"$out/plan"
	warm_guest
	resets=
	nr=0
	while read -r how seconds; do
		nr=$((nr + 1))
		[ "$how" != reset ] ||
			resets="$resets|--when|guest: boot $nr awaits its reset=>sleep $seconds; system_reset"
	done <"$out/plan"
	disk_size=$((128 + 8 * deaths))M
	# KASLR from boot to boot.
	packed_kernel=yes
	with_words "$resets" warm_boots $((deaths + 1)) --allow 'panic - not syncing: victim: panic'
}

# with_words "|A|B" COMMAND...: COMMAND with the words A and B at its end.
with_words() {
	words=${1#|}
	shift
	old_ifs=$IFS
	IFS='|'
	# shellcheck disable=SC2086 # words
	set -- "$@" $words
	IFS=$old_ifs
	"$@"
}

# harvested_by BOOT: the regions that this boot took from earlier ones.
harvested_by() {
	find "$saved/boot-$1" -name region | sort
}

# died_well BOOT HOW: all that must hold of the death of a boot.
died_well() {
	of="boot $1, $2"
	after=$saved/boot-$(($1 + 1))
	region=$(harvested_by $(($1 + 1)))
	check "$of: harvested, once, for root only" harvested_once
	[ -f "$region" ] || return 0
	check "$of: nothing is damaged" undamaged "$region"
	check "$of: every committed event up to the reset, none invented" true_to "$after/witness" "$region" "$2"
	check "$of: it has the kernel's names" has_names "$region"
	case $2 in
	panic) compare_boot "$1" "$region" ;;
	*) echo "# $of: not compared with the kernel's own words: it has none for that" ;;
	esac
	recovers "$epitaph" info --json "$region" >>"$out/infos" 2>/dev/null
	recovers "$epitaph" info "$region" >>"$out/infos.txt" 2>/dev/null
}

harvested_once() {
	[ "$(echo "$region" | wc -w)" = 1 ] || { echo "harvested: ${region:-nothing}"; return 1; }
	# shellcheck disable=SC2015 # one that fails is enough
	[ "$(stat -c %a "$region")" = 400 ] && [ "$(stat -c %a "$(dirname "$region")")" = 700 ] ||
		{ ls -la "$(dirname "$region")"; return 1; }
}

undamaged() {
	"$epitaph" check "$1" 2>&1 || { echo "status $?"; return 1; }
}

# true_to WITNESS REGION NAME
# A victim at full speed laps the rings many times: how many events each CPU has at least.
true_to() {
	recovers "$epitaph" export --to json -o "$out/$3.json" "$2" || return 1
	# shellcheck disable=SC2086 # words
	"$here/truth" ${truth_args:---least 20000} "$1" "$out/$3.json" >"$out/truth-$3" 2>&1 && ok=0 || ok=1
	cat "$out/truth-$3"
	rm -f "$out/$3.json"
	return "$ok"
}

# all_died_well: each death of the plan, and all of them together.
all_died_well() {
	nr=0
	while read -r how _; do
		nr=$((nr + 1))
		died_well "$nr" "$how"
	done <"$out/plan"
	check "the last boot's script ended well" guest_ended_well
	check "the numbers of the generations grow" numbers_grow
	check "each boot has an id of its own" boot_ids_differ
	check "KASLR moved the kernel from boot to boot" kaslr_moves
}

# Of what was harvested, boot by boot.
numbers_grow() {
	jq .generation "$out/infos" >"$out/numbers"
	cat "$out/numbers"
	[ "$(wc -l <"$out/numbers")" = "$deaths" ] && sort -n -u -c "$out/numbers"
}

boot_ids_differ() {
	[ "$(jq -r .boot_id "$out/infos" | sort -u | wc -l)" = "$deaths" ]
}

# The reports had names all the same.
kaslr_moves() {
	grep -o 'KASLR offset 0x[0-9a-f]*' "$out/infos.txt" | sort | uniq -c
	[ "$(grep -o 'KASLR offset 0x[0-9a-f]*' "$out/infos.txt" | sort -u | wc -l)" -gt 1 ]
}
