# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
#
# Words for guests that die, one in each way of a table: how, and that head and stacks of
# what is saved are the kernel's own (kernel-says).

# The ways.  Below the name of each: what is set before, FILE=VALUE of /proc/sys or from the root;
# lines of what the guest does, "bug NAME" without; lines of the console that belong to it,
# regular expressions; options of kernel-says; and what else the report has, or its head, or the
# tasks of info --stacks, as such expressions: of two that die at once, the kernel prints only the
# first, and behind an oops it prints no stack when it panics.  why: the kind that epitaph explain
# must name (docs/explain.md); claim: its sentence of the vmcore. module: one of the kernel's, for the
# guest's script.  not: kernels that do not die so: in 7.2 what was freed lies in a sheaf of its CPU,
# and no link of the allocator is in it.
ways() {
	cat <<'END'
list-twice
	why list-corruption
	allow list_del corruption
	allow kernel BUG at
	allow invalid opcode
list-over
	why list-corruption
	allow list_del corruption
	allow kernel BUG at
	allow invalid opcode
refcount
	why refcount
	set kernel/panic_on_warn=1
	allow WARNING: .*refcount_warn_saturate
	allow panic_on_warn
softdog
	why watchdog
	module watchdog
	module softdog
	do insmod /test/watchdog.ko
	do insmod /test/softdog.ko soft_margin=4 soft_panic=1
	do echo fed >/dev/watchdog
	do sleep 20
	allow softdog: Initiating panic
	allow Kernel panic - not syncing: Software Watchdog Timer expired
	allow watchdog: watchdog0: watchdog did not stop!
	claim The software watchdog \(softdog\) expired
free-twice
	why bug
	allow kernel BUG at
	allow invalid opcode
pointer-text
	why wild-pointer
	allow general protection fault, probably for non-canonical address 0x4143534942594143
pointer-nowhere
	why wild-pointer
	allow unable to handle page fault for address: ffffff1234567890
	allow Oops: 0
function-null
	why null-pointer
	allow kernel NULL pointer dereference
	allow Oops: 0
stack-overflow
	why stack-overflow
	allow stack guard page
memory-all
	why out-of-memory
	set vm/panic_on_oom=1
	allow Out of memory: system-wide panic_on_oom is enabled
	allow invoked oom-killer
used-after-free
	not 7.2 7.3
	why wild-pointer
	do epitaph events +kmem:kmalloc +kmem:kfree >/dev/null
	do bug used-after-free
	claim guest_owes\(\) of module victim used a pointer [0-9a-f]{16} out of [0-9a-f]{16}, an object of cache kmalloc-128: it is the allocator's link from that object, when it was free
	allow general protection fault, probably for non-canonical address
	allow Oops: 0
written-over
	why wild-pointer
	do epitaph events +kmem:kmalloc +kmem:kfree >/dev/null
	do bug written-over
	claim guest_owes\(\) of module victim read 8 bytes at 0x8 of the pointer in R[A-Z0-9]+: a5a5a5a5a5a5a5ad, where no memory is
	allow general protection fault, probably for non-canonical address
	allow Oops: 0
error-as-pointer
	why error-pointer
	claim an error number that was taken for a pointer: ERR_PTR\(-2\), in R[A-Z0-9]+, which is ENOENT
	allow kernel NULL pointer dereference
	allow Oops: 0
no-device
	why null-pointer
	claim dev_get_stats\(\), which worked for no_device\(\) of module victim, read 8 bytes at 0x[0-9a-f]+ of a NULL pointer \(R[A-Z0-9]+\): dev->netdev_ops, of which dev was NULL
	allow kernel NULL pointer dereference
	allow Oops: 0
socket-without-release
	why null-pointer
	claim A function pointer was NULL and was called, by (__)?sock_release\(\): sock->ops->release\.
	allow kernel NULL pointer dereference
	allow Oops: 0
no-failover
	why null-pointer
	module failover
	do insmod /test/failover.ko
	do bug no-failover
	claim failover_unregister\(\) of module failover read 8 bytes at .*: failover->failover_dev, of which failover was NULL
	allow kernel NULL pointer dereference
	allow Oops: 0
device-without-ops
	why null-pointer
	claim dev_get_stats\(\), which worked for device_without_ops\(\) of module victim, read 8 bytes at 0x[0-9a-f]+ of a NULL pointer \(R[A-Z0-9]+\): dev->netdev_ops->ndo_get_stats64, of which dev->netdev_ops was NULL
	allow kernel NULL pointer dereference
	allow Oops: 0
list-ends-badly
	why null-pointer
	claim llist_reverse_order\(\), which worked for list_ends_badly\(\) of module victim, read 8 bytes at a pointer that was 0x40 \(R[A-Z0-9]+\): NULL plus an offset, or a small number taken for a pointer\.$
	allow kernel NULL pointer dereference
	allow Oops: 0
walked-while-deleted
	why deleted-entry
	claim parcel_take_down\(\) of module victim went on from an entry that was already taken out of its list
	allow general protection fault, probably for non-canonical address 0xdead
	allow Oops: 0
text-written
	why wild-pointer
	claim text_write\(\) of module victim wrote 4 bytes at [0-9a-f]+, which it may not: kernel_read\+0x0/
	allow unable to handle page fault for address
	allow Oops: 0
bug-on
	why bug
	allow kernel BUG at
	allow invalid opcode
warn-text
	why warning
	set kernel/panic_on_warn=1
	allow WARNING: .*ship_inspect
	allow panic_on_warn
warn-on
	why warning
	set kernel/panic_on_warn=1
	allow WARNING: .*ship_inspect_silently
	allow panic_on_warn
init-killed
	why init-died
	allow Attempted to kill init! exitcode=0x00000007
deadlock
	why hung-task
	set kernel/hung_task_timeout_secs=3
	set kernel/hung_task_check_interval_secs=1
	set kernel/hung_task_panic=1
	allow task clerk-(saves|spends):\d+ blocked for more than
	allow hung_task
	stacks deadlock +clerk-(saves|spends)-[0-9]+ waits for mutex (savings|giro) \[victim\] \(0x[0-9a-f]+\), held by clerk-
	stacks clerk-saves-[0-9]+ waits for mutex savings \[victim\] \(0x[0-9a-f]+\), held by clerk-spends-
	stacks clerk-spends-[0-9]+ waits for mutex giro \[victim\] \(0x[0-9a-f]+\), held by clerk-saves-
	stacks ^    transfer(\.isra\.0)?\+0x[0-9a-f]+/0x[0-9a-f]+ \[victim\]$
lost-wakeup
	why hung-task
	set kernel/hung_task_timeout_secs=3
	set kernel/hung_task_check_interval_secs=1
	set kernel/hung_task_panic=1
	set kernel/hung_task_all_cpu_backtrace=1
	allow task customer:\d+ blocked for more than
	allow hung_task
soft-lockup
	why soft-lockup
	set kernel/watchdog_thresh=2
	set kernel/softlockup_panic=1
	set kernel/softlockup_all_cpu_backtrace=1
	allow soft lockup - CPU#0 stuck
	allow panic - not syncing: softlockup
interrupts-off
	why rcu-stall
	set /sys/module/rcupdate/parameters/rcu_cpu_stall_timeout=3
	set kernel/panic_on_rcu_stall=1
	do taskset 2 sh -c 'echo interrupts-off >/sys/kernel/debug/victim/bug; read -r _ </dev/ttyS1'
	allow rcu: INFO: rcu_preempt detected stalls
	allow panic - not syncing: RCU Stall
	says --spins 0
rcu-stall
	why rcu-stall
	set /sys/module/rcupdate/parameters/rcu_cpu_stall_timeout=3
	set kernel/panic_on_rcu_stall=1
	allow rcu: INFO: rcu_preempt (self-detected stall|detected stalls)
	allow panic - not syncing: RCU Stall
	says --spins 0
sleep-in-spinlock
	why bug
	set kernel/panic_on_warn=1
	allow BUG: scheduling while atomic
	allow panic_on_warn
survived
	why panic-call
	has bug_panic\+0x[0-9a-f]+/0x[0-9a-f]+ \[victim\]
	set kernel/panic_on_oops=0
	do bug thread-oops
	do await kernel_says 'end trace'
	do bug panic
	allow kernel NULL pointer dereference
	allow Oops: 0
	allow panic - not syncing: victim: panic
two-oopses
	why null-pointer
	heads left_hand[.a-z0-9]*\+0x
	heads right_hand[.a-z0-9]*\+0x
	allow kernel NULL pointer dereference
	allow Oops: 0
two-survived
	why panic-call
	has bug_panic\+0x[0-9a-f]+/0x[0-9a-f]+ \[victim\]
	set kernel/panic_on_oops=0
	do bug two-oopses
	do await sh -c '[ "$(dmesg | grep -c "end trace")" = 2 ]'
	do bug panic
	allow kernel NULL pointer dereference
	allow Oops: 0
	allow panic - not syncing: victim: panic
all-cpus
	why wild-pointer
	set kernel/oops_all_cpu_backtrace=1
	do bug soft-lockup
	do sleep 1
	do taskset 2 sh -c 'echo pointer-text >/sys/kernel/debug/victim/bug'
	allow general protection fault, probably
	says --spins 0
sysrq-l
	why sysrq-crash
	do bug soft-lockup
	do sleep 1
	do taskset 2 sh -c 'echo l >/proc/sysrq-trigger; echo c >/proc/sysrq-trigger'
	allow sysrq triggered crash
	says --spins 0
machine-check
	why list-corruption
	set /sys/devices/system/machinecheck/machinecheck0/check_interval=1
	do echo 'guest: awaits a machine check'
	do sleep 4
	do bug list-over
	allow list_del corruption
	allow kernel BUG at
	allow invalid opcode
filesystem
	why filesystem
	do load_modules /lib/modules
	do await_file /dev/vdb
	do mkdir /damaged
	do mount -t ext4 -o errors=panic /dev/vdb /damaged
	do ls /damaged/letters
	allow EXT4-fs error
	allow panic - not syncing: EXT4-fs
END
}

# of_way WAY KEY: its lines with that word in front, without the word.
of_way() {
	ways | awk -v way="$1" -v key="$2" '
		/^[^\t]/ { is = $1 == way }
		is && /^\t/ && $1 == key { sub(/^\t[a-z]+ /, ""); print }'
}

all_ways() {
	for way in $(ways | grep -v '^	'); do
		case " $(of_way "$way" not) " in
		*" $kernel "*) ;;
		*) echo "$way" ;;
		esac
	done
}

# set_before WAY: as lines of the guest's script.
set_before() {
	for word in $(of_way "$1" set); do
		case $word in
		/*) echo "echo ${word#*=} >${word%%=*}" ;;
		*) echo "echo ${word#*=} >/proc/sys/${word%%=*}" ;;
		esac
	done
}

# happens WAY: as lines of the guest's script.
happens() {
	of_way "$1" "do" | grep . || echo "bug $1"
}

# A file system of which a directory was written over.
damage_second_disk() {
	truncate -s 16M "$out/damaged.img"
	mke2fs -q -F -t ext4 -m 0 "$out/damaged.img"
	debugfs -w -R 'mkdir letters' "$out/damaged.img" 2>/dev/null
	block=$(debugfs -R 'blocks letters' "$out/damaged.img" 2>/dev/null)
	# shellcheck disable=SC2086 # a number and a space
	debugfs -w -R "zap_block -p 0x5a "$block "$out/damaged.img" 2>/dev/null
}

# more_for WAY: options of boot that a way wants, one on a line.
more_for() {
	case $1 in
	machine-check)
		echo --when
		echo "guest: awaits a machine check=>mce 0 5 $corrected 0 $addr $misc"
		;;
	filesystem)
		echo --
		echo -drive
		echo "file=$out/damaged.img,format=raw,if=virtio,cache=unsafe"
		;;
	esac
}

# options_for WAY: of boot, one on a line.
options_for() {
	of_way "$1" allow | sed 's/^/--allow\n/'
	more_for "$1"
}

# all_pages WAY: where the stacks of tasks are compared, or the types of a module of the kernel's are needed.
all_pages() {
	[ -z "$(of_way "$1" stacks)$(of_way "$1" module)" ] || with_all_tasks
}

# dies WAY: a guest dies so, with kdump; head and stacks of what is saved are the kernel's own.
dies() {
	way=$1
	out=$all_out/$way
	test_name=$all_name-$way
	mkdir -p "$out"
	[ "$way" != filesystem ] || damage_second_disk
	{
		echo record
		set_before "$way"
		echo 'sleep 2'
		happens "$way"
		echo await_end
	} | guest
	more=$(of_way "$way" module)
	# shellcheck disable=SC2046 # words, or none
	pack_guest "$top/extractor/epitaph-static" $(for each_module in $more; do module "$each_module"; done)
	says_args=$(of_way "$way" says)
	make_disk 512M
	options_for "$way" >"$out/options"
	append="guest.capture=$(all_pages "$way")" with_lines "$out/options" \
		boot --disk "$out/disk.img" --expect 'capture: done'
	rm -f "$out/damaged.img"
	if grep -q '^capture: done' "$out/console.log"; then
		take_disk
		check "region and vmcore give the same trace" same_trace region vmcore
		compare_with_kernel
		sed '/^[^#]/,$d' "$out/head-region" >"$out/heads"
		check "region and vmcore have the same signature" same_signature
		check "explain says why: $(of_way "$way" why)" says_why
		"$epitaph" explain --json "$saved/vmcore" 2>/dev/null | jq -r .claim >"$out/claim"
		has_all claim "$out/claim"
		has_all has "$out/head-region"
		has_all heads "$out/heads"
		"$epitaph" info --stacks "$saved/vmcore" >"$out/stacks" || true
		has_all stacks "$out/stacks"
		rm -f "$out/report-region" "$out/report-vmcore"
	fi
	out=$all_out
	test_name=$all_name
}

same_signature() {
	for file in region vmcore; do
		recovers "$epitaph" explain "$saved/$file" >"$out/why-$file" || return
	done
	grep '^signature' "$out/why-region" | tee "$out/signature"
	grep '^signature' "$out/why-vmcore" | cmp - "$out/signature"
}

says_why() {
	cat "$out/why-vmcore"
	grep -Eq "^signature $(of_way "$way" why)(:|\$)" "$out/why-vmcore" &&
		grep -Eq '^how sure  (shown|likely):' "$out/why-vmcore"
}

# has_all KEY FILE: each of what the way has below that word.
has_all() {
	of_way "$way" "$1" >"$out/wanted"
	while read -r regex; do
		check "$1: $regex" grep -E -- "$regex" "$2"
	done <"$out/wanted"
}

# all_die [WAY...]: one guest after the other; $WAYS in the environment chooses.
all_die() {
	all_out=$out
	all_name=$test_name
	for each in ${WAYS:-$*}; do
		if all_ways | grep -qx "$each"; then
			dies "$each"
		else
			not_ok "there is a way $each to die"
		fi
	done
	finish
}
