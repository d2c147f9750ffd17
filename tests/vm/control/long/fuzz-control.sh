#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Random commands, marks, reads, readers of channels and rings of three processes at once, while the victim works and a CPU goes
# and comes, in a kernel that looks at what it does.  FUZZ_SECONDS and FUZZ_SEED say for how long, and
# which; the same seed gives each process the same numbers.  KERNEL_TO_FUZZ=6.1 has Debian's kernel
# instead, which takes several times as many commands; its slabs have red zones, poison and checks.

VM_DIR=../..
fuzzed=${KERNEL_TO_FUZZ:-6.1-debug}
# shellcheck source=tests/vm/lib-debug.sh
[ "$fuzzed" = 6.1 ] || . "$(dirname "$0")/../../lib-debug.sh"
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/../../lib.sh"
if [ "$fuzzed" != 6.1 ]; then
	build_for_kernel
	build_victim
fi

# Room for all channels that the orders make: a full pool refuses most.
region_is 48M
seconds=${FUZZ_SECONDS:-600}
seed=${FUZZ_SEED:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}
echo "# seed $seed, $seconds s"
cat >"$out/guest.sh" <<END
seconds=$seconds seed=$seed
END
cat >>"$out/guest.sh" <<'END'
# ftrace holds its lock while it makes an instance of 2000 files, which the slow kernel does for two minutes
# on a busy host; who waits for ever waits five, too.
hangs=/proc/sys/kernel/hung_task_timeout_secs
[ ! -w $hangs ] || echo 300 >$hangs
[ ! -w /sys/kernel/rcu_expedited ] || echo 1 >/sys/kernel/rcu_expedited
load_recorder channels=16M
echo "channel add p 512K rings" >/dev/epitaph-control
pace=32
load_victim
(while [ ! -e /tmp/enough ]; do
	sleep 7
	echo 0 >/sys/devices/system/cpu/cpu1/online
	sleep 1
	echo 1 >/sys/devices/system/cpu/cpu1/online
done) &
check "it takes random commands" fuzz_control "$seed" 100000000 "$seconds" 3
sed 's/^/# /' /tmp/said
touch /tmp/enough
wait
check "and orders" sh -c 'exec 3<>/dev/epitaph-control; echo "events default" >&3 && echo start >&3 && echo status >&3 && grep -q "^recording yes" <&3'
rmmod victim
check "it goes" rmmod epitaph
check "and comes" load_recorder
END
${CC:-cc} -std=gnu11 -O2 -Wall -Wextra -Werror -static -no-pie -I"$top/include" -o "$out/fuzz_control" "$here/fuzz_control.c"
pack_guest "$out/fuzz_control"
[ "$fuzzed" != 6.1 ] || append=slub_debug=FZP
boot --allow 'smpboot: CPU 1 is now offline' --timeout $((600 + 2 * seconds))
check "the guest ended well" guest_ended_well
finish
