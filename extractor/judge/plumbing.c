// SPDX-License-Identifier: GPL-2.0-or-later
#include "plumbing.h"

#include <string.h>

bool plumbing_begins(const char *function, const char *const *words)
{
	for (; *words; words++)
		if (!strncmp(function, *words, strlen(*words)))
			return true;
	return false;
}

bool plumbing_is_of_dying(const char *function)
{
	static const char *const whole[] = { "panic", "vpanic", "die", "__die", "die_addr", "double_fault", "abort" };
	static const char *const words[] = {
		"check_panic_on_warn", "dump_stack", "__dump_stack", "show_stack", "dump_backtrace", "oops_",
		"exc_", "asm_", "do_trap", "do_error_trap", "handle_bug", "do_user_addr_fault",
		"page_fault_oops", "kernelmode_fixup", "no_context", "__bad_area", "bad_area",
		"do_kern_addr_fault", "report_bug", "__warn", "warn_slowpath", "__stack_chk_fail",
		"ret_from_", "entry_", "do_syscall_", "do_page_fault", "el1", "el0", "do_el0",
		"do_mem_abort", "do_translation_fault", "die_kernel_fault", "__do_kernel_fault",
		"invoke_syscall", "do_notify_resume", "end_report", "kasan_", "__kasan_",
		"print_report", "print_address_description", "nmi_panic", "watchdog_timer_fn",
		"watchdog_overflow", "watchdog_hardlockup", "__x64_sys_", "__do_sys_", "x64_sys_call",
		"__arm64_sys_", "add_taint", "do_invalid_op", "invalid_op", "fixup_bug", "do_double_fault", "df_debug",
		"walk_stackframe", "unwind_backtrace", "fortify_panic", "__fortify_",
		"spl_panic", "spl_dumpstack", "spl_debug_", "do_serror", "arm64_serror_panic", "arm64_is_fatal_ras_serror",
		"__asan_", "check_memory_region", "panic_bad_stack", "handle_bad_stack", "__bad_stack", NULL,
	};

	for (size_t i = 0; i < ARRAY_SIZE(whole); i++)
		if (!strcmp(function, whole[i]))
			return true;
	return plumbing_begins(function, words);
}

bool plumbing_is_of_spinning(const char *function)
{
	static const char *const words[] = {
		"native_queued_spin_lock", "queued_spin_lock", "_raw_spin_lock", "do_raw_spin_lock",
		"pv_queued_spin", "__pv_queued", "queued_read_lock", "queued_write_lock", "_raw_read_lock",
		"_raw_write_lock", "kvm_wait", "pv_wait", "xen_qlock_wait", "xen_poll_irq", "hv_qlock_wait", "arch_spin_lock_", "arch_read_lock_",
		"arch_write_lock_", NULL,
	};

	return plumbing_begins(function, words);
}

bool plumbing_is_of_taking(const char *function)
{
	static const char *const words[] = { "_raw_spin_lock", "_raw_read_lock", "_raw_write_lock", "do_raw_spin_lock", NULL };

	return plumbing_begins(function, words);
}

bool plumbing_is_of_delay(const char *function)
{
	static const char *const words[] = { "delay_tsc", "delay_halt", "delay_loop", "__const_udelay", "__udelay", "__ndelay", NULL };

	/* __delayacct_*() are other things. */
	return !strcmp(function, "__delay") || plumbing_begins(function, words);
}

bool plumbing_is_of_waiting(const char *function)
{
	static const char *const words[] = {
		"__schedule", "schedule_timeout", "schedule_hrtimeout",
		"schedule_preempt_disabled", "stop_machine_yield", "schedule_idle", "schedule_rtlock", "io_schedule",
		"__switch_to", "preempt_schedule", "___preempt_schedule", "__cond_resched", "_cond_resched", "retint_kernel",
		"context_switch",
		"__mutex_lock", "mutex_lock", "ww_mutex_lock", "__ww_mutex", "rwsem_", "down_read", "down_write",
		"__down", "___down_common", "down_interruptible", "down_killable", "down_timeout", "wait_for_completion",
		"__wait_for_common", "wait_for_common",
		"do_wait_for_common", "bit_wait", "__wait_on_bit", "out_of_line_wait_on_bit",
		"wait_on_page_bit", "__wait_on_page", "folio_wait_bit", "wait_on_bit", "native_queued_spin_lock",
		"queued_spin_lock", "_raw_spin_lock", "_raw_read_lock", "_raw_write_lock", "queued_read_lock",
		"queued_write_lock", "osq_lock", "pv_queued_spin", "__pv_queued", "kvm_wait", "xen_qlock_wait", "xen_poll_irq",
		"hv_qlock_wait", "arch_spin_lock_", "arch_read_lock_", "arch_write_lock_", "do_raw_spin_lock",
		"rt_mutex_", "__rt_mutex", "percpu_down", "percpu_rwsem_wait", "__percpu_down", "usleep_", "msleep", "ssleep",
		"dma_fence_default_wait", "dma_fence_wait_timeout",
		NULL,
	};

	/* schedule_work() is another thing. */
	return plumbing_is_of_delay(function) || !strcmp(function, "schedule") || !strcmp(function, "down") ||
	       plumbing_begins(function, words);
}

bool plumbing_is_of_tracing(const char *function)
{
	static const char *const words[] = {
		"epitaph_probe_", "trace_event_raw_event_", "perf_trace_", "__bpf_trace_", "__traceiter_", NULL,
	};

	return plumbing_begins(function, words);
}

bool plumbing_is_of_checking(const char *function)
{
	static const char *const words[] = {
		"__list_add_valid", "__list_del_entry_valid", "refcount_", "__slab_free", "slab_free",
		"do_slab_free", "__kmem_cache_free", "kfree_sensitive", "kfree_rcu", "kmem_cache_free", "object_err",
		"dump_header", "out_of_memory", "oom_kill_process", "__alloc_pages", "alloc_pages", "get_page_from_freelist",
		"__folio_alloc", "usercopy_abort", "__check_heap_object",
		"__check_object_size", "check_heap_object", "skb_panic", "skb_over_panic", "skb_under_panic",
		"__sanitizer_cov_", "write_comp_data", "__x86_indirect_", "__pi___x86_indirect_", "__x86_retpoline_", "__x86_return_thunk", "__pi___x86_return_thunk", "srso_", "retbleed_", "its_return_thunk", "check_preemption_disabled",
		"debug_smp_processor_id", "__this_cpu_preempt_check", "___might_sleep", "__might_sleep",
		"__might_resched", "__might_fault", "spin_dump", "spin_bug", "debug_print_object",
		"debug_check_no_obj_freed", "__debug_check_no_obj_freed", "debug_object_", "__debug_object_init",
		"should_fail", "bad_page", "free_page_is_bad",
		"__lock_acquire", "lock_acquire", "lock_release", "lock_is_held", "register_lock_class",
		"mark_lock", "mark_usage", "mark_held", "lockdep_", "print_circular_bug", "print_deadlock_bug", "print_usage_bug",
		"print_unlock_imbalance", "print_irq_inversion", "print_bad_irq", "print_freed_lock", "print_lock_invalid",
		"check_prev", "check_noncircular", "check_deadlock", "check_usage", "check_irq_usage", "check_wait_context",
		"validate_chain", "debug_check_no_locks", "_raw_spin_unlock", "_raw_read_unlock", "_raw_write_unlock", "do_raw_", NULL,
	};
	static const char *const whole[] = { "kfree", "skb_put", "skb_push", "__list_add", "__list_del_entry", "list_del" };

	/* kfree_skb() is another thing. */
	for (size_t i = 0; i < ARRAY_SIZE(whole); i++)
		if (!strcmp(function, whole[i]))
			return true;
	return plumbing_begins(function, words);
}

bool plumbing_has(const char *function)
{
	return plumbing_is_of_dying(function) || plumbing_is_of_waiting(function) || plumbing_is_of_checking(function) ||
	       plumbing_is_of_tracing(function);
}
