// SPDX-License-Identifier: GPL-2.0-only
/*
 * The crash stamp: why the kernel dies, and what each CPU was doing.
 *
 * With kdump armed and its default settings, neither panic notifiers nor
 * kmsg_dump run before the capture kernel does.  These functions run, and so are hooked:
 *
 *	panic, vpanic		the kernel gives up; they never return
 *	machine_crash_shutdown	a capture kernel is there and about to run.  An
 *				oops goes straight there, without panic().
 *				__crash_kexec, which calls it, is no sign: it
 *				returns if no capture kernel is loaded.
 *	crash_save_cpu		on each CPU, on the others in NMI
 *	stop_this_cpu		without kdump, on each of the other CPUs; x86's name of it
 *
 * The kernel never goes on after one of the first four, so a stamp means that it died.
 * Each hook is optional: a reset or a triple fault runs none of them.
 */
#include <linux/atomic.h>
#include <linux/delay.h>
#include <linux/irqflags.h>
#include <linux/kdebug.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/notifier.h>
#include <linux/percpu.h>
#include <linux/ptrace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/string.h>
#include "arch/arch.h"
#include "core/lost.h"
#include "core/parity.h"
#include "events/calls.h"
#include "events/hook.h"
#include "sources/console.h"
#include "sources/mce.h"
#include "compat.h"
#include "branches.h"
#include "cpu_state.h"
#include "kept_memory.h"
#include "stamp.h"
#include "recorder.h"

#define STAMP_WAIT_US	100000	/* a stamp takes microseconds; a virtual CPU may pause */

/*
 * The last oops.  Most are survived; whether this one is what the kernel dies
 * of is seen when it dies in the same task.  @task is stored last.
 */
static struct {
	struct task_struct *task;
	pid_t pid;
	struct pt_regs regs;
	char what[128];
	long error;
	bool has_address;
	unsigned long address;
} oops;

/*
 * The CPU that stamps; -1: none yet.  Only the first CPU stamps.  The others die of the same
 * cause, but wait until the stamp is done: a CPU that goes on stops the one that stamps.
 */
static atomic_t stamper = ATOMIC_INIT(-1);
static bool stamped;

/*
 * Where the last bad page fault was, from what x86 calls page_fault_oops(regs, error, address).
 * The register that had it is no help later: printing an oops faults as well.
 */
struct fault {
	struct task_struct *task;
	unsigned long address;
};
static DEFINE_PER_CPU(struct fault, faults);

static void on_page_fault(struct pt_regs *regs)
{
	struct fault *fault = raw_cpu_ptr(&faults);

	epitaph_branches_hold(false);
	WRITE_ONCE(fault->task, NULL);
	barrier();
	fault->address = epitaph_arch_argument(regs, EPITAPH_ARCH_FAULT_ARGUMENT);
	barrier();
	WRITE_ONCE(fault->task, current);
}

/*
 * "Oops" alone is a page fault; the others have words of their own.  A task that
 * moved to another CPU in between has no address.
 */
static void note_address(void)
{
	const struct fault *fault = raw_cpu_ptr(&faults);

	oops.has_address = !strcmp(oops.what, "Oops") &&
			   READ_ONCE(fault->task) == current;
	oops.address = fault->address;
}

/*
 * A mark outlives the ring's lap, so that a death hours later does not hide this one.  Of "general
 * protection fault, probably for ..." what is before the comma: the log has all of it.
 */
static void mark_oops(void)
{
	char text[sizeof_field(struct epitaph_mark, text)];

	snprintf(text, sizeof(text), "%pS: %.*s, task %s-%d",
		 (void *)instruction_pointer(&oops.regs), (int)strcspn(oops.what, ","), oops.what,
		 current->comm, current->pid);
	epitaph_mark(EPITAPH_MARK_OOPS, text);
}

/* The kernel lets one CPU at a time oops. */
static int on_die(struct notifier_block *self, unsigned long event, void *data)
{
	const struct die_args *args = data;

	if (event != DIE_OOPS || !args->regs)
		return NOTIFY_DONE;
	WRITE_ONCE(oops.task, NULL);
	barrier();
	oops.pid = current->pid;
	oops.regs = *args->regs;
	strscpy(oops.what, args->str ?: "Oops", sizeof(oops.what));
	oops.error = args->err;
	note_address();
	barrier();
	WRITE_ONCE(oops.task, current);
	mark_oops();
	epitaph_kept_memory_save(&oops.regs, false);
	return NOTIFY_DONE;
}

static struct notifier_block die_block = {
	.notifier_call = on_die,
	.priority = INT_MAX,
};

static bool dies_of_oops(void)
{
	return READ_ONCE(oops.task) == current && oops.pid == current->pid;
}

/* "Oops: error 0x2 at victim_fire+0x12/0x20 [victim], address 0x0" */
static int describe_oops(char *buf, size_t size)
{
	int n = scnprintf(buf, size, "%s: error 0x%lx at %pS", oops.what, oops.error,
			  (void *)instruction_pointer(&oops.regs));

	if (oops.has_address)
		n += scnprintf(buf + n, size - n, ", address 0x%lx", oops.address);
	return n;
}

static int trim(char *buf, int n)
{
	while (n > 0 && buf[n - 1] == '\n')
		buf[--n] = '\0';
	return n;
}

/* What panic() is about to print, "Fatal exception" being less than we know. */
static void add_oops(char *buf, size_t size)
{
	int n = trim(buf, strnlen(buf, size - 1));

	if (!dies_of_oops())
		return;
	n += scnprintf(buf + n, size - n, "; ");
	describe_oops(buf + n, size - n);
}

static bool is_stamped(void)
{
	return smp_load_acquire(&stamped);
}

static bool await_stamp(void)
{
	int i;

	for (i = 0; i < STAMP_WAIT_US / 10 && !is_stamped(); i++)
		udelay(10);
	return is_stamped();
}

/*
 * Who began one on this CPU was interrupted, by us, and never comes back to it;
 * who is not done with his after all that time will not be either.
 */
static bool stamp_is_ours(void)
{
	int cpu = raw_smp_processor_id();
	int was = atomic_cmpxchg(&stamper, -1, cpu);

	if (was == -1)
		return true;
	if (was == cpu)
		return !is_stamped();
	return !await_stamp() && atomic_cmpxchg(&stamper, was, cpu) == was;
}

static struct epitaph_crash *stamp_begin(void)
{
	struct epitaph_crash *crash;
	size_t size;

	if (epitaph_lost() || !stamp_is_ours())
		return NULL;
	crash = epitaph_section(EPITAPH_SEC_CRASH, &size);
	WRITE_ONCE(crash->check, 0);
	crash->clock = cpu_to_le64(epitaph_clock());
	crash->mono_ns = cpu_to_le64(ktime_get_mono_fast_ns());
	crash->real_ns = cpu_to_le64(epitaph_real_ns());
	crash->cpu = cpu_to_le32(raw_smp_processor_id());
	crash->pid = cpu_to_le32(current->pid);
	strscpy(crash->comm, current->comm, sizeof(crash->comm));
	return crash;
}

static void stamp_end(struct epitaph_crash *crash)
{
	/* All of it before the check that vouches for it. */
	smp_wmb();
	WRITE_ONCE(crash->check, cpu_to_le64(epitaph_check(epitaph_region.salt, crash,
				offsetof(struct epitaph_crash, check))));
	smp_store_release(&stamped, true);
	epitaph_anchor_write(EPITAPH_ANCHOR_CRASH);
}

void epitaph_crash_stamp(const char *reason)
{
	struct epitaph_crash *crash = stamp_begin();

	if (!crash)
		return;
	strscpy(crash->reason, reason, sizeof(crash->reason));
	trim(crash->reason, strlen(crash->reason));
	stamp_end(crash);
	epitaph_cpu_save_panic(raw_smp_processor_id());
	epitaph_branches_save(dies_of_oops());
}

/* Without kdump, nothing else saves this CPU's state.  After an oops, it is that of the oops. */
static void save_this_cpu(struct pt_regs *regs)
{
	bool of_oops = dies_of_oops();

	epitaph_cpu_save(raw_smp_processor_id(), of_oops ? &oops.regs : regs, !of_oops);
	epitaph_branches_save(of_oops);
}

/* Integers and pointers are one word each, so it does not matter which is which. */
static void format_words(char *buf, size_t size, struct pt_regs *regs)
{
	unsigned long word[10];
	int i;

	for (i = 0; i < ARRAY_SIZE(word); i++)
		word[i] = epitaph_arch_argument(regs, i);
	scnprintf(buf, size, (const char *)word[0], word[1], word[2], word[3],
		  word[4], word[5], word[6], word[7], word[8], word[9]);
}

static void format_list(char *buf, size_t size, struct pt_regs *regs)
{
	const char *format = (const char *)epitaph_arch_argument(regs, 0);
	unsigned long list = epitaph_arch_argument(regs, 1);
	va_list copy;

	va_copy(copy, *epitaph_arch_va_list(&list));
	vscnprintf(buf, size, format, copy);
	va_end(copy);
}

typedef void (*format_reason_t)(char *buf, size_t size, struct pt_regs *regs);

/* panic() of newer kernels calls vpanic(): this CPU's second text is the same one. */
static void mark_panic(struct pt_regs *regs, format_reason_t format)
{
	char text[sizeof_field(struct epitaph_mark, text)];

	if (atomic_read(&stamper) == raw_smp_processor_id())
		return;
	format(text, sizeof(text), regs);
	trim(text, strlen(text));
	epitaph_mark(EPITAPH_MARK_PANIC, text);
}

/* That of the oops is older, and closer to the cause; an interrupt's, which finds a lockup, is not. */
static void keep_memory(struct pt_regs *regs)
{
	struct pt_regs *of = epitaph_arch_interrupted(regs);

	if (!dies_of_oops())
		epitaph_kept_memory_save(user_mode(of) ? regs : of, of == regs || user_mode(of));
	epitaph_kept_memory_end();
}

/*
 * With interrupts off this CPU stays while it stamps.  panic() does not return, so preemption is off
 * for good: before panic() turns interrupts off itself, its task could go on on another CPU, and that
 * one would die.
 */
static void stamp_panic(struct pt_regs *regs, format_reason_t format)
{
	struct epitaph_crash *crash;
	unsigned long flags;

	preempt_disable_notrace();
	local_irq_save(flags);
	crash = stamp_begin();
	if (crash) {
		format(crash->reason, sizeof(crash->reason), regs);
		add_oops(crash->reason, sizeof(crash->reason));
		stamp_end(crash);
		keep_memory(regs);
	} else {
		mark_panic(regs, format);
	}
	epitaph_mce_read(EPITAPH_MCE_CRASH);
	save_this_cpu(regs);
	epitaph_console_catch_up();
	local_irq_restore(flags);
}

/* All that an oops prints lies between these two. */
static void on_oops_enter(struct pt_regs *regs)
{
	epitaph_branches_hold(true);
	epitaph_calls_hush(true);
}

static void on_oops_exit(struct pt_regs *regs)
{
	epitaph_calls_hush(false);
}

static void on_panic(struct pt_regs *regs)
{
	epitaph_branches_end();
	epitaph_calls_hush(true);
	stamp_panic(regs, format_words);
	epitaph_symbols_name_now();
}

static void on_vpanic(struct pt_regs *regs)
{
	epitaph_branches_end();
	epitaph_calls_hush(true);
	stamp_panic(regs, format_list);
	epitaph_symbols_name_now();
}

static void stamp_shutdown(struct pt_regs *from)
{
	struct epitaph_crash *crash = stamp_begin();

	if (!crash)
		return;
	if (dies_of_oops())
		describe_oops(crash->reason, sizeof(crash->reason));
	else
		scnprintf(crash->reason, sizeof(crash->reason), "crash_kexec at %pS",
			  (void *)(from ? instruction_pointer(from) : 0));
	stamp_end(crash);
}

/* What panic() said has been printed by now, in NMI to the log alone. */
static void on_crash_shutdown(struct pt_regs *regs)
{
	stamp_shutdown((struct pt_regs *)epitaph_arch_argument(regs, 0));
	/* An oops comes here without panic(). */
	if (rcu_is_watching())
		epitaph_symbols_name_now();
	epitaph_console_catch_up();
	/* A capture kernel waits, and finds memory as it is. */
	epitaph_parity_finish(20);
}

static void on_save_cpu(struct pt_regs *regs)
{
	struct pt_regs *from = (struct pt_regs *)epitaph_arch_argument(regs, 0);

	epitaph_branches_end();
	epitaph_mce_read(EPITAPH_MCE_CRASH);
	if (from)
		epitaph_cpu_save(epitaph_arch_argument(regs, 1), from, false);
	epitaph_branches_save(dies_of_oops());
}

/* A CPU that crash_save_cpu() does not save: without kdump, and on any other restart. */
static void on_stop_cpu(struct pt_regs *regs)
{
	struct pt_regs *from;

	if (!is_stamped())
		return;
	epitaph_branches_end();
	epitaph_mce_read(EPITAPH_MCE_CRASH);
	from = epitaph_arch_interrupted(regs);
	epitaph_cpu_save(raw_smp_processor_id(), from, from == regs);
	epitaph_branches_save(false);
}

static struct epitaph_hook hooks[] = {
	{ .function = EPITAPH_ARCH_FAULT_FUNCTION, .reached = on_page_fault, .optional = true },
	{ .function = "oops_enter", .reached = on_oops_enter, .optional = true },
	{ .function = "oops_exit", .reached = on_oops_exit, .optional = true },
	{ .function = "panic", .exported = panic, .reached = on_panic },
	{ .function = EPITAPH_MAY_HAVE_VPANIC ? "vpanic" : NULL, .reached = on_vpanic,
	  .optional = true },
	{ .function = "machine_crash_shutdown", .reached = on_crash_shutdown },
	{ .function = "crash_save_cpu", .reached = on_save_cpu },
	{ .function = EPITAPH_ARCH_STOP_FUNCTION, .reached = on_stop_cpu, .optional = true },
};

void epitaph_crash_start(void)
{
	int i, err;

	register_die_notifier(&die_block);
	for (i = 0; i < ARRAY_SIZE(hooks); i++) {
		err = epitaph_hook_set(&hooks[i]);
		if (err && !hooks[i].optional)
			pr_info("no hook on %s (%d), going without\n",
				hooks[i].function, err);
	}
}

void epitaph_crash_stop(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(hooks); i++)
		epitaph_hook_clear(&hooks[i]);
	unregister_die_notifier(&die_block);
}
