#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Five panics without a harvest.  The fifth leaves the first crash and itself.  The
# sixth boot has to record somewhere: it keeps the first.  Each loss is reported.

# shellcheck disable=SC2317 # check calls what is defined here

. "$(dirname "$0")/../lib.sh"
. "$here/lib-warm.sh"

guest <<'END'
with_disk
if [ "$boot" -gt 5 ]; then
	keep_region /disk/after-5
	take_earlier
	check "sysfs has the first crash" [ "$(ls /sys/kernel/epitaph/generations)" = 1 ]
	check "sysfs says what was lost" grep -x "4 5" /sys/kernel/epitaph/lost
	dd if=/dev/epitaph of=/disk/after-6 bs=1M 2>/dev/null
	exit 0
fi
mkdir "/disk/boot-$boot"
[ "$boot" = 1 ] || keep_witness "/disk/boot-$boot/witness"
load_recorder
dmesg >"/disk/boot-$boot/log"
load_surviving_victim
sleep 0.5
die panic
END
pack_guest "$top/extractor/epitaph-static"
warm_boots 6 --allow 'panic - not syncing: victim: panic'

# log_says BOOT REGEX: the recorder's log of that boot.
log_says() {
	grep -E -- "epitaph: $2" "$saved/boot-$1/log" && return
	grep 'epitaph: ' "$saved/boot-$1/log"
	return 1
}

log_lacks() {
	! log_says "$@"
}

# numbers_in FILE: of the generations in it, in a line.
numbers_in() {
	recovers "$epitaph" info --json "$1" 2>/dev/null | jq -r '[.generations[].number] | sort | join(" ")'
}

# lost_in FILE: how many generations were, and the last one.
lost_in() {
	recovers "$epitaph" info --json "$1" 2>/dev/null | jq -r '"\(.lost_generations) \(.lost_number)"'
}

report_says_lost() {
	recovers "$epitaph" report --events 1 "$saved/after-6" 2>&1 |
		grep -x '# 4 generations were overwritten before they were harvested, the last of number 5'
}

# true_generation NUMBER WITNESS: out of what the fifth crash left.
true_generation() {
	recovers "$epitaph" export --generation "$1" --to json -o "$out/$1.json" "$saved/after-5"
	"$here/truth" "$2" "$out/$1.json"
}

for boot in 1 2; do
	check "boot $boot overwrites nothing" log_lacks $boot 'generation .* is overwritten'
done
for boot in 3 4 5 6; do
	check "boot $boot says that generation $((boot - 1)) is lost, and how many are" \
		log_says $boot "generation $((boot - 1)) is overwritten .* $((boot - 2)) lost so far"
done
check "the fifth crash leaves the first one and itself" [ "$(numbers_in "$saved/after-5")" = "1 5" ]
check "the first is true" true_generation 1 "$saved/boot-2/witness"
check "the fifth is true" true_generation 5 "$saved/boot-6/witness"
for boot in 1 5; do
	compare_boot $boot "$saved/after-5" --generation $boot
done
check "info says what the sixth boot finds lost" [ "$(lost_in "$saved/after-6")" = "4 5" ]
check "the report says so too" report_says_lost
check "the guest ended well" guest_ended_well
finish
