#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Data races: a kernel in which KCSAN looks at modules (scripts/kernel-from-source debug-races), and whose
# CPUs are at work at the same instant, while fuzz_control's three processes give random orders, read and
# follow channels and write to rings of their own, the victim works in every context, and a CPU goes and
# comes.  KCSAN halts a CPU at an access and looks who else gets there.  A report of an access of the
# recorder is a failure; one of a module with a race on purpose has to be there.  RACES_SECONDS, RACES_SEED.

# shellcheck disable=SC2317 # check calls them
VM_DIR=../..
KERNEL_TO_LOOK=6.1-debug-races
export VM_ACCEL=tcg
# shellcheck source=tests/vm/lib-debug.sh
. "$(dirname "$0")/../../lib-debug.sh"
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/../../lib.sh"
build_for_kernel
build_victim

seconds=${RACES_SECONDS:-300}
seed=${RACES_SEED:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}
echo "# seed $seed, $seconds s"
cat >"$out/guest.sh" <<END
seconds=$seconds seed=$seed
END
cat >>"$out/guest.sh" <<'END'
kcsan=/sys/kernel/debug/kcsan
echo 300 >/proc/sys/kernel/hung_task_timeout_secs
echo on >$kcsan
insmod /test/racer.ko
rmmod racer
load_recorder channels=2M
pace=32
load_victim
(while [ ! -e /tmp/enough ]; do
	sleep 7
	echo 0 >/sys/devices/system/cpu/cpu1/online
	sleep 1
	echo 1 >/sys/devices/system/cpu/cpu1/online
done) &
(while [ ! -e /tmp/enough ]; do
	cat /sys/kernel/epitaph/channels/*/cpu* /sys/kernel/epitaph/generations/*/* >/dev/null
	dd if=/dev/epitaph of=/dev/null bs=64k count=64
	epitaph-static status
	epitaph-static report --last 0.01 /dev/epitaph
	usleep 100000
done) >/dev/null 2>&1 &
check "it takes random commands" fuzz_control "$seed" 100000000 "$seconds" 3
sed 's/^/# /' /tmp/said
touch /tmp/enough
wait
rmmod victim
check "it goes" rmmod epitaph
echo off >$kcsan
sed 's/^/kcsan: /' $kcsan
END
${CC:-cc} -std=gnu11 -O2 -Wall -Wextra -Werror -static -no-pie -I"$top/include" -o "$out/fuzz_control" "$here/fuzz_control.c"
pack_guest "$out/fuzz_control" "$top/extractor/epitaph-static" "${victim%/*}/racer.ko"
append=panic_on_warn=0 boot --allow 'smpboot: CPU 1 is now offline' --allow 'BUG: KCSAN: ' \
	--timeout $((600 + 4 * seconds))
check "the guest ended well" guest_ended_well

# Each of its reports on a line; they end with one of equal signs.
awk '{ sub(/\r$/, ""); sub(/^\[ *[0-9.]+\] /, "") }
	/BUG: KCSAN: / { if (text) print text; text = $0; next }
	text && /^=====/ { print text; text = ""; next }
	text { text = text " | " $0 }' "$out/console.log" >"$out/reports"
grep -F '[epitaph]' "$out/reports" >"$out/reports-of-ours" || true
watched() {
	awk '/^kcsan: setup_watchpoints:/ { print; exit !($3 > 100000) }' "$out/guest.log"
}
none_of_ours() {
	tr '|' '\n' <"$out/reports-of-ours" | head -n 200
	[ ! -s "$out/reports-of-ours" ]
}
echo "# $(wc -l <"$out/reports") reports, $(wc -l <"$out/reports-of-ours") are of the recorder"
check "KCSAN has looked" watched
check "and has found the race on purpose" grep -F '[racer]' "$out/reports"
check "no access of the recorder is one of a race" none_of_ours
finish
