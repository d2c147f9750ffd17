# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
#
# Words for guests that die, one in each way of a table: how, and that head and stacks of
# what is saved are the kernel's own (kernel-says).

# The ways.  Columns, with tabs between them: a name; what is set before, FILE=VALUE of /proc/sys
# or from the root; what the guest does, "bug NAME" by default (-); lines of the console that
# belong to it, regular expressions with "; " between them; options of kernel-says.
ways() {
	cat <<'END'
list-twice	-	-	list_del corruption; kernel BUG at; invalid opcode	-
list-over	-	-	list_del corruption; kernel BUG at; invalid opcode	-
refcount	kernel/panic_on_warn=1	-	WARNING: .*refcount_warn_saturate; panic_on_warn	-
free-twice	-	-	kernel BUG at; invalid opcode	-
pointer-text	-	-	general protection fault, probably for non-canonical address 0x4143534942594143	-
pointer-nowhere	-	-	unable to handle page fault for address: ffffff1234567890; Oops: 0	-
function-null	-	-	kernel NULL pointer dereference; Oops: 0	-
stack-overflow	-	-	stack guard page	-
memory-all	vm/panic_on_oom=1	-	Out of memory: system-wide panic_on_oom is enabled; invoked oom-killer	-
bug-on	-	-	kernel BUG at; invalid opcode	-
warn-text	kernel/panic_on_warn=1	-	WARNING: .*ship_inspect; panic_on_warn	-
warn-on	kernel/panic_on_warn=1	-	WARNING: .*ship_inspect_silently; panic_on_warn	-
init-killed	-	-	Attempted to kill init! exitcode=0x00000007	-
deadlock	kernel/hung_task_timeout_secs=3 kernel/hung_task_check_interval_secs=1 kernel/hung_task_panic=1	-	task clerk-(saves|spends):\d+ blocked for more than; hung_task	-
lost-wakeup	kernel/hung_task_timeout_secs=3 kernel/hung_task_check_interval_secs=1 kernel/hung_task_panic=1 kernel/hung_task_all_cpu_backtrace=1	-	task customer:\d+ blocked for more than; hung_task	-
soft-lockup	kernel/watchdog_thresh=2 kernel/softlockup_panic=1 kernel/softlockup_all_cpu_backtrace=1	-	soft lockup - CPU#0 stuck; panic - not syncing: softlockup	-
interrupts-off	/sys/module/rcupdate/parameters/rcu_cpu_stall_timeout=3 kernel/panic_on_rcu_stall=1	-	rcu: INFO: rcu_preempt detected stalls; panic - not syncing: RCU Stall	--spins 0
rcu-stall	/sys/module/rcupdate/parameters/rcu_cpu_stall_timeout=3 kernel/panic_on_rcu_stall=1	-	rcu: INFO: rcu_preempt (self-detected stall|detected stalls); panic - not syncing: RCU Stall	--spins 0
survived	kernel/panic_on_oops=0	bug thread-oops; sleep 2; bug panic	kernel NULL pointer dereference; Oops: 0; panic - not syncing: victim: panic	-
two-oopses	-	-	kernel NULL pointer dereference; Oops: 0	-
two-survived	kernel/panic_on_oops=0	bug two-oopses; sleep 3; bug panic	kernel NULL pointer dereference; Oops: 0; panic - not syncing: victim: panic	-
all-cpus	kernel/oops_all_cpu_backtrace=1	bug soft-lockup; sleep 1; taskset 2 sh -c 'echo pointer-text >/sys/kernel/debug/victim/bug'	general protection fault, probably	--spins 0
sysrq-l	-	bug soft-lockup; sleep 1; taskset 2 sh -c 'echo l >/proc/sysrq-trigger; echo c >/proc/sysrq-trigger'	sysrq triggered crash	--spins 0
machine-check	/sys/devices/system/machinecheck/machinecheck0/check_interval=1	echo 'guest: awaits a machine check'; sleep 4; bug list-over	list_del corruption; kernel BUG at; invalid opcode	-
filesystem	-	load_modules /lib/modules; await_file /dev/vdb; mkdir /damaged; mount -t ext4 -o errors=panic /dev/vdb /damaged; ls /damaged/letters	EXT4-fs error; panic - not syncing: EXT4-fs	-
END
}

# column WAY N
column() {
	ways | awk -F '\t' -v way="$1" -v n="$2" '$1 == way { print $n }'
}

all_ways() {
	ways | cut -f 1
}

# set_before WAY: as lines of the guest's script.
set_before() {
	for word in $(column "$1" 2); do
		case $word in
		-) ;;
		/*) echo "echo ${word#*=} >${word%%=*}" ;;
		*) echo "echo ${word#*=} >/proc/sys/${word%%=*}" ;;
		esac
	done
}

# happens WAY: as lines of the guest's script.
happens() {
	how=$(column "$1" 3)
	[ "$how" != - ] || how="bug $1"
	echo "$how" | sed 's/; /\n/g'
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
	column "$1" 4 | sed 's/; /\n/g' | while read -r line; do
		echo --allow
		echo "$line"
	done
	more_for "$1"
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
		echo 'await_end 90'
	} | guest
	pack_guest
	says_args=$(column "$way" 5)
	[ "$says_args" != - ] || says_args=
	make_disk 512M
	options_for "$way" >"$out/options"
	append="guest.capture=" with_lines "$out/options" \
		boot --disk "$out/disk.img" --expect 'capture: done'
	rm -f "$out/damaged.img"
	if grep -q '^capture: done' "$out/console.log"; then
		take_disk
		check "region and vmcore give the same trace" same_trace region vmcore
		compare_with_kernel
		rm -f "$out/report-region" "$out/report-vmcore"
	fi
	out=$all_out
	test_name=$all_name
}

# with_lines FILE COMMAND...: COMMAND with the lines of FILE as words at its end.
with_lines() {
	lines=$(cat "$1")
	shift
	old_ifs=$IFS
	IFS='
'
	set -f
	# shellcheck disable=SC2086 # lines
	set -- "$@" $lines
	set +f
	IFS=$old_ifs
	"$@"
}

# all_die [WAY...]: one guest after the other; $WAYS in the environment chooses.
all_die() {
	all_out=$out
	all_name=$test_name
	for each in ${WAYS:-$*}; do
		if [ -n "$(column "$each" 1)" ]; then
			dies "$each"
		else
			not_ok "there is a way $each to die"
		fi
	done
	finish
}
