#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# CRASHES (5) panics without a harvest.  The last leaves the first crash and itself.  The boot
# behind it has to record somewhere: it keeps the first.  Each loss is reported.

# shellcheck disable=SC2317 # check calls what is defined here

VM_DIR=../..
. "$(dirname "$0")/../../lib.sh"
. "$here/lib-warm.sh"

crashes=${CRASHES:-5}
last=$((crashes + 1))

guest <<'END'
with_disk
if [ "$boot" -gt "$crashes" ]; then
	keep_region /disk/after-crashes
	take_earlier
	check "sysfs has the first crash" [ "$(ls /sys/kernel/epitaph/generations)" = 1 ]
	check "sysfs says what was lost" grep -x "$((crashes - 1)) $crashes" /sys/kernel/epitaph/lost
	dd if=/dev/epitaph of=/disk/after-all bs=1M 2>/dev/null
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
sed -i "1i crashes=$crashes" "$out/guest.sh"
pack_guest "$top/extractor/epitaph-static"
warm_boots "$last" --allow 'panic - not syncing: victim: panic'

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
	recovers "$epitaph" report --events 1 "$saved/after-all" 2>&1 |
		grep -x "# $((crashes - 1)) generations were overwritten before they were harvested, the last of number $crashes"
}

# true_generation NUMBER WITNESS: out of what the last crash left.
true_generation() {
	recovers "$epitaph" export --generation "$1" --to json -o "$out/$1.json" "$saved/after-crashes"
	"$here/truth" "$2" "$out/$1.json"
}

for boot in 1 2; do
	check "boot $boot overwrites nothing" log_lacks $boot 'generation .* is overwritten'
done
for boot in $(seq 3 "$last"); do
	check "boot $boot says that generation $((boot - 1)) is lost, and how many are" \
		log_says "$boot" "generation $((boot - 1)) is overwritten .* $((boot - 2)) lost so far"
done
check "the last crash leaves the first one and itself" [ "$(numbers_in "$saved/after-crashes")" = "1 $crashes" ]
check "the first is true" true_generation 1 "$saved/boot-2/witness"
check "the last is true" true_generation "$crashes" "$saved/boot-$last/witness"
for boot in 1 "$crashes"; do
	compare_boot "$boot" "$saved/after-crashes" --generation "$boot"
done
check "info says what the boot behind them finds lost" [ "$(lost_in "$saved/after-all")" = "$((crashes - 1)) $crashes" ]
check "the report says so too" report_says_lost
check "the guest ended well" guest_ended_well
finish
