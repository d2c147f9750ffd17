#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Machines differ by their kernel's command line: how it preempts, where its memory and its code lie,
# what it checks, how it measures time.  Each dies by sysrq-c, and all comes back.

VM_DIR=../..
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/../../lib.sh"

all_out=$out all_name=$test_name
while read -r line; do
	out=$all_out/$(echo "$line" | tr -c 'a-z0-9_\n' -) test_name="$all_name: $line"
	mkdir -p "$out"
	guest <<'END'
record
sleep 2
crash
END
	pack_guest
	# panic_print prints all stacks; one has this function, which is no word of a hung task.
	append="$line" crash_whole --allow 'panic - not syncing: sysrq triggered crash' \
		--allow 'proc_dohung_task_timeout_secs' </dev/null
done <<'END'
preempt=full threadirqs
preempt=none nohz_full=1 isolcpus=1 rcu_nocbs=1
nokaslr pti=on
mitigations=off nosmep nosmap
init_on_free=1 init_on_alloc=1 slub_debug=FZPU
cgroup_disable=memory hugepages=16 transparent_hugepage=always
randomize_kstack_offset=on slab_nomerge page_poison=1 page_owner=on
log_buf_len=16M printk.time=0
noapic
kfence.sample_interval=1
idle=poll nox2apic ftrace=function trace_buf_size=2M
crash_kexec_post_notifiers panic_print=0x7f
END
finish
