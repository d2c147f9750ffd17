# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
#
# Words for a region that goes from one machine to another one, perhaps damaged on the
# way, as the firmware of a real machine may do between reset and boot.

# Small, so that damage hits much; a generation for each boot, so that none has to go.
append=guest.recorder=generations=3
region_is 12M

# leave_two_generations SEED: a guest dies by a panic, boots again and is stopped
# under full load at a random moment.  $out/before is its region then, $out/witness-1
# and -2 what its victims did.
leave_two_generations() {
	guest <<'END'
with_disk
[ "$boot" = 1 ] || keep_witness /disk/witness-1
load_recorder $(param guest.recorder)
load_surviving_victim full=1
sleep 0.5
[ "$boot" = 2 ] || die panic
die reset
END
	pack_guest
	"$here/plan" "$1" 1 reset >"$out/plan"
	read -r _ seconds <"$out/plan"
	warm_boots 2 --allow 'panic - not syncing: victim: panic' \
		--when "guest: boot 2 awaits its reset=>sleep $seconds; $(keep_memory before witness-2); quit"
	mv "$saved/witness-1" "$out/"
	cp "$out/console.log" "$out/first-console.log"
}

# keep_memory REGION WITNESS: monitor commands that stop the guest and write them to files.
keep_memory() {
	echo "stop; pmemsave $region_addr $((${region_size%M} << 20)) $1; pmemsave $witness_addr 65536 $2"
}

# hand_over NAME REGION [OPTION...]: a machine that finds this region when it boots:
# it harvests, works on, and is stopped.  $out/NAME has its disk, $out/NAME-after its region
# and $out/NAME-witness what its victim did.
hand_over() {
	name=$1 region=$2
	shift 2
	guest <<'END'
with_disk
take_earlier
ls -R /sys/kernel/epitaph >>"$dir/log" 2>&1 || true
[ ! -e /test/victim.ko ] || load_surviving_victim full=1
sleep 0.5
die reset
END
	pack_guest "$top/extractor/epitaph-static"
	warm_boots 1 --load "$region@$region_addr" "$@" \
		--when "guest: boot 1 awaits its reset=>$(keep_memory "$name-after" "$name-witness"); quit"
	rm -rf "${out:?}/$name"
	mv "$saved" "$out/$name"
	for log in console guest; do
		mv "$out/$log.log" "$out/$name-$log.log"
	done
}

# harvested_number NAME NUMBER: the region of the generation with this number.
harvested_number() {
	for file in "$out/$1"/boot-1/*/region; do
		[ ! -f "$file" ] || [ "$(number_of "$file")" != "$2" ] || echo "$file"
	done
}

number_of() {
	recovers "$epitaph" info --json "$1" 2>/dev/null | jq -r .generation
}

# true_events WITNESS REGION [OPTION...]: what is exported of it, by truth.
true_events() {
	witness=$1 region=$2
	shift 2
	recovers "$epitaph" export --to json -o "$out/events.json" "$region" || return 1
	status=0
	"$here/truth" "$@" "$witness" "$out/events.json" || status=1
	rm -f "$out/events.json"
	return $status
}

# handed_over NAME: both generations arrived there as they were, with their names.
handed_over() {
	for number in 1 2; do
		found=$(harvested_number "$1" $number)
		check "$1: generation $number is harvested" [ -n "$found" ]
		[ -n "$found" ] || continue
		check "$1: generation $number has every event, and none is invented" \
			true_events "$out/witness-$number" "$found" --least 20000
		check "$1: generation $number has the names of its kernel" has_names "$found"
		# The second was reset, of which its kernel says nothing.
		[ "$number" = 2 ] || check "$1: generation 1: cause, place and frames are the kernel's own" \
			says_the_same "$out/first-console.log" "$found"
	done
}
