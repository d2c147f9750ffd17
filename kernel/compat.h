/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Older kernels made to look like the newest.  The only file that may say
 * LINUX_VERSION_CODE; what the generated probes need is found out without it.
 */
#ifndef _EPITAPH_COMPAT_H
#define _EPITAPH_COMPAT_H

#include <linux/ftrace.h>
#include <linux/memory_hotplug.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/mmzone.h>
#include <linux/sched.h>
#include <linux/timer.h>
#include <linux/version.h>

/* Headers that parts of others have moved to, in 6.12 and 6.16. */
#if __has_include(<linux/hex.h>)
#include <linux/hex.h>
#endif
#if __has_include(<asm/cpuid/api.h>)
#include <asm/cpuid/api.h>
#endif

/* memunmap() takes it back. */
#include <linux/io.h>
#ifdef ioremap_encrypted
#define EPITAPH_CAN_MAP_ENCRYPTED true
#define epitaph_map_encrypted(at, bytes) ((void __force *)ioremap_encrypted(at, bytes))
#else
#define EPITAPH_CAN_MAP_ENCRYPTED false
#define epitaph_map_encrypted(at, bytes) NULL
#endif

/* Older kernels have no name for it. */
#ifndef __uninitialized
#if __has_attribute(__uninitialized__)
#define __uninitialized __attribute__((__uninitialized__))
#else
#define __uninitialized
#endif
#endif

/* 6.15: what a hung task waits for, and who holds it, is in the kernel's own report. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 15, 0)
#define EPITAPH_KERNEL_NAMES_OWNERS
#endif

/* Memory that is there and is no device's, or NULL: 5.12 exports it. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 12, 0)
static inline struct page *epitaph_online_page(unsigned long pfn)
{
	if (!pfn_valid(pfn) || !online_section_nr(pfn_to_section_nr(pfn)) || is_zone_device_page(pfn_to_page(pfn)))
		return NULL;
	return pfn_to_page(pfn);
}
#else
#define epitaph_online_page(pfn) pfn_to_online_page(pfn)
#endif

/* 5.11: ftrace's callbacks get a struct ftrace_regs. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 11, 0)
#define ftrace_regs pt_regs
static inline struct pt_regs *ftrace_get_regs(struct pt_regs *regs)
{
	return regs;
}
#endif

/* 6.14: what ftrace keeps of the registers is had as registers, on each architecture. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 14, 0)
#define EPITAPH_HAS_PARTIAL_REGS
#endif

/* CLOCK_TAI without a lock is not in 5.10, and in 6.1. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 1, 0)
#define EPITAPH_HAS_TAI_FAST
#endif

/* 5.12: interrupt flags and preemption count became one word. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 12, 0)
#define epitaph_trace_reserve(buffer, file, len) \
	trace_event_buffer_lock_reserve(buffer, file, 0, len, 0, 0)
#else
#define epitaph_trace_reserve(buffer, file, len) \
	trace_event_buffer_lock_reserve(buffer, file, 0, len, 0)
#endif

/* 5.12: and to look for a name that is not there takes 20 million instructions before 6.2. */
#define EPITAPH_HAS_PAGE_FAULT_OOPS (LINUX_VERSION_CODE >= KERNEL_VERSION(5, 12, 0))

/* 5.13: reading the log needs no dumper. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 13, 0)
#define kmsg_dump_iter kmsg_dumper
#define EPITAPH_DUMP_ITER { .active = true }
#else
#define EPITAPH_DUMP_ITER { }
#endif

/* 5.14: a root is a path. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 14, 0)
#define file_open_root_mnt(mount, name, flags, mode) \
	file_open_root((mount)->mnt_root, mount, name, flags, mode)
#endif

/* 6.3: flags of a mapping are changed by functions. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 3, 0)
#define epitaph_vm_flags(vma, set, clear) ((vma)->vm_flags = ((vma)->vm_flags | (set)) & ~(clear))
#else
#define epitaph_vm_flags(vma, set, clear) vm_flags_mod(vma, set, clear)
#endif

/* 5.15: modules may call it; the same but for what it says. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 15, 0)
#define ftrace_free_filter(ops) ftrace_set_filter(ops, NULL, 0, 1)
#endif

/*
 * What ftrace says of the moment of an event, in "common_flags" and "common_preempt_count",
 * is put together in its tracing_gen_ctx_irq_test(), which modules cannot call.
 *
 * PREEMPT_RT was a patch for long, which had bits of its own there.
 */
#define EPITAPH_KNOWS_COMMON_FLAGS \
	(IS_ENABLED(CONFIG_TRACE_IRQFLAGS_SUPPORT) && !IS_ENABLED(CONFIG_PREEMPT_RT))

/*
 * Tracepoints have preemption off for their probes, and ftrace takes that off the count.
 * From 6.13 ours have it off as well, which is one too much until the tracepoints cease
 * to: they had before 7.2, and in which version is not known.
 */
#define EPITAPH_KNOWS_PREEMPT_COUNT (EPITAPH_KNOWS_COMMON_FLAGS && \
	(LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0) || \
	 LINUX_VERSION_CODE >= KERNEL_VERSION(7, 2, 0)))

/* 5.15: four bits of it are how often the task may not migrate. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 15, 0)
#define epitaph_common_count() (preempt_count() & 0xff)
#define epitaph_migration_disabled() 0
#else
#ifdef CONFIG_SMP
#define epitaph_migration_disabled() (current->migration_disabled)
#else
#define epitaph_migration_disabled() 0
#endif
#define epitaph_common_count() \
	(min_t(unsigned int, preempt_count() & 0xff, 0xf) | \
	 min_t(unsigned int, epitaph_migration_disabled(), 0xf) << 4)
#endif

/* 5.17: a flag of the event says that softirqs are off. */
#define EPITAPH_HAS_BH_OFF_FLAG (LINUX_VERSION_CODE >= KERNEL_VERSION(5, 17, 0))

/*
 * 5.19: a console gets the number of each record.  Before, the numbers of the printed
 * records are unknown, and the log lacks NMI records until they are flushed.
 */
#define EPITAPH_NO_SEQ U64_MAX
#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 19, 0)
#define epitaph_console_seq(con) ((void)(con), EPITAPH_NO_SEQ)
#else
#define epitaph_console_seq(con) READ_ONCE((con)->seq)
#endif

/*
 * 6.2: a symbol that is not there is soon known not to be, which took 40 million
 * instructions before.  This one came after 6.12.
 */
#define EPITAPH_MAY_HAVE_VPANIC (LINUX_VERSION_CODE >= KERNEL_VERSION(6, 2, 0))

/* 5.18: behind @next, sched_switch has the state of @prev. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 18, 0)
#define EPITAPH_SWITCH_TELLS_STATE
#endif

/* 6.2: timers are deleted by timer_...() */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0)
#define timer_delete_sync(timer) del_timer_sync(timer)
#endif

/*
 * 6.3: printk:console is a tracepoint as others.  Before, it is one for idle CPUs
 * too, and once it has a probe, the kernel warns of every line printed in NMI.
 */
#define EPITAPH_CONSOLE_IN_NMI (LINUX_VERSION_CODE >= KERNEL_VERSION(6, 3, 0))

/* 6.8: an instance may have the events of some systems only. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 8, 0)
#define epitaph_trace_instance(name) trace_array_get_by_name(name)
#else
#define epitaph_trace_instance(name) trace_array_get_by_name(name, NULL)
#endif

/* 6.8: the largest order; up to 6.3 MAX_ORDER was one more than it. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 4, 0)
#define MAX_PAGE_ORDER (MAX_ORDER - 1)
#elif LINUX_VERSION_CODE < KERNEL_VERSION(6, 8, 0)
#define MAX_PAGE_ORDER MAX_ORDER
#endif

/* 6.12: reserve_mem= is there for modules. */
#define EPITAPH_HAS_RESERVE_MEM (LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0))
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 12, 0)
static inline int reserve_mem_find_by_name(const char *name, phys_addr_t *start,
					   phys_addr_t *size)
{
	return 0;
}
#endif

/* 6.12: a kmsg dumper gets more than the reason. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 12, 0)
#define EPITAPH_DUMP_WHY enum kmsg_dump_reason why
#define epitaph_dump_reason(why) (why)
#else
#define EPITAPH_DUMP_WHY struct kmsg_dump_detail *why
#define epitaph_dump_reason(why) ((why)->reason)
#endif

/* 6.13: lazy preemption: a flag asks a task to reschedule at the next good moment. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0) || !defined(CONFIG_ARCH_HAS_PREEMPT_LAZY)
#define epitaph_resched_lazy() false
#else
#define epitaph_resched_lazy() tif_test_bit(TIF_NEED_RESCHED_LAZY)
#endif

/* 6.17: the system's queue of works is named for its kind, and 7.2 warns of the old name. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 17, 0)
#define epitaph_wq system_wq
#define epitaph_unbound_wq system_unbound_wq
#else
#define epitaph_wq system_percpu_wq
#define epitaph_unbound_wq system_dfl_wq
#endif

/* 5.18: a CPU's data has its inventory number. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 18, 0)
#define epitaph_cpu_ppin(info) ((void)(info), 0ULL)
#else
#define epitaph_cpu_ppin(info) ((info)->ppin)
#endif

/* 6.7: where a CPU is has a struct of its own. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 7, 0)
#define epitaph_cpu_apicid(info) ((info)->initial_apicid)
#define epitaph_cpu_socket(info) ((info)->phys_proc_id)
#else
#define epitaph_cpu_apicid(info) ((info)->topo.initial_apicid)
#define epitaph_cpu_socket(info) ((info)->topo.pkg_id)
#endif

/* 6.13: the kernel's record has a part that only some vendors fill in. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)
#define epitaph_mce_synd(m, nr) ((void)(m), 0ULL)
#else
#define epitaph_mce_synd(m, nr)						\
	((m)->cpuvendor == X86_VENDOR_AMD || (m)->cpuvendor == X86_VENDOR_HYGON ? \
	 to_mce_hw_err(m)->vendor.amd.synd##nr : 0)
#endif

/* 6.16: registers are read by rdmsrq_...() */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 16, 0)
#define rdmsrq_safe(msr, to) rdmsrl_safe(msr, to)
#define wrmsrq_safe(msr, value) wrmsrl_safe(msr, value)
#endif

#endif /* _EPITAPH_COMPAT_H */
