#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Memory that is another driver's, or that cannot be chosen: refused, and the
# machine goes on.  nd_pmem takes memmap=! ranges if it is first, and gets none if not.

. "$(dirname "$0")/../lib.sh"
region_arg="memmap=16M!$region_addr memmap=16M!0x24000000"

pmem_modules() {
	dir=$("$top/scripts/kernels" --modules "$kernel")
	for module in nd_pmem nd_e820; do
		/sbin/modprobe -C /dev/null -d "${dir%/lib/modules/*}" -S "${dir##*/}" --show-depends "$module"
	done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }'
}

guest <<'EOF'
refuses "two ranges to choose from" 'more than one memmap=SIZE!ADDR .*: say which by addr= and size='
load_recorder addr=0x24000000 size=16M
while read -r module; do
	insmod "/test/$module" || echo "# no $module"
done </test/order
sleep 1
check "nd_pmem gets the other one" [ -b /dev/pmem0 ]
check "nd_pmem does not get ours" [ ! -b /dev/pmem1 ]
check "we keep ours" grep -q '24000000-24ffffff : System RAM (epitaph)' /proc/iomem
rmmod epitaph
refuses "a range that nd_pmem has" \
	'0x20000000-0x20ffffff is in use by another driver; .*nd_pmem' addr=0x20000000 size=16M
check "a range that it let go" load_recorder addr=0x24000000 size=16M
check "with what we had recorded there" kernel_says 'generation 1 at 0x24000000.*ended in order'
EOF
modules=$(pmem_modules)
for module in $modules; do basename "$module"; done >"$out/order"
# shellcheck disable=SC2086 # words
pack_guest $modules "$out/order"
append=panic_on_warn=1 boot
check "the guest ended well" guest_ended_well
finish
