// SPDX-License-Identifier: GPL-2.0-only
/*
 * sysrq-z: the last events go to the console, and a mark into the region.
 *
 * The kernel keeps z for itself and has no way to give it back, so its handler
 * is hooked and returns into ours.  What is printed is bounded twice: by bytes,
 * from what the console is said to be able to do, and by the time that it takes.
 * The newest events are those that are printed.
 */
#include <linux/atomic.h>
#include <linux/ctype.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/nmi.h>
#include <linux/ptrace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/security.h>
#include <linux/slab.h>
#include <linux/workqueue.h>
#include "core/lost.h"
#include "crash/proc.h"
#include "events/hook.h"
#include "events/event_text.h"
#include "recent_events.h"
#include "recorder.h"

#define MAX_SECONDS	15		/* the kernel calls 20 s a stall */
#define MAX_BYTES	(64 << 10)	/* half of the kernel's usual log */
#define DEFAULT_BAUD	115200
/* "[12345.678901] " in front of a line, and its end. */
#define DECORATION	(15 + 2 + (IS_ENABLED(CONFIG_PRINTK_CALLER) ? 9 : 0))
#define NR_LENGTHS	(MAX_BYTES / 64)	/* no line is shorter */
#define OUR_LINES	512		/* first, last and gaps */

static unsigned int sysrq_z_seconds = 5;

static int set_seconds(const char *text, const struct kernel_param *param)
{
	unsigned int n;
	int err = kstrtouint(text, 0, &n);

	if (err || n < 1 || n > MAX_SECONDS) {
		pr_err("sysrq_z_seconds=%s: expected 1 to %u\n", text, MAX_SECONDS);
		return -EINVAL;
	}
	return param_set_uint(text, param);
}

static const struct kernel_param_ops seconds_ops = {
	.set = set_seconds,
	.get = param_get_uint,
};
module_param_cb(sysrq_z_seconds, &seconds_ops, &sysrq_z_seconds, 0644);
MODULE_PARM_DESC(sysrq_z_seconds, "sysrq-z may take that long on the console (default: 5, at most 15)");

static unsigned int sysrq_z_baud;
module_param(sysrq_z_baud, uint, 0644);
MODULE_PARM_DESC(sysrq_z_baud, "speed of the console (default 0: as console=ttyS says, or 115200)");

static unsigned int console_baud = DEFAULT_BAUD;

/* One at a time uses them. */
static atomic_t busy;
static u16 lengths[NR_LENGTHS];
static char line[EPITAPH_LINE_SIZE];

/* How the console keeps up. */
struct pace {
	u64	begin;
	u64	limit;		/* ns */
	size_t	ahead;		/* bytes still to print */
	size_t	printed;
	u32	nr_printed;
	u32	nr_skipped;
	u32	gap;		/* skipped since the last line */
};

static unsigned int baud(void)
{
	return READ_ONCE(sysrq_z_baud) ?: console_baud;
}

static unsigned int seconds(void)
{
	return READ_ONCE(sysrq_z_seconds);
}

/* Ten bits a byte. */
static size_t bytes_allowed(void)
{
	return min_t(u64, (u64)baud() / 10 * seconds(), MAX_BYTES);
}

static u64 now_ns(void)
{
	return ktime_get_mono_fast_ns();
}

static bool next_event(struct epitaph_peek_event *event)
{
	while (epitaph_peek_next(event))
		if (!epitaph_line_is_own(event))
			return true;
	return false;
}

static u32 count_events(void)
{
	struct epitaph_peek_event event;
	u32 n = 0;

	epitaph_peek_rewind();
	while (next_event(&event))
		n++;
	return n;
}

/* The first event to print, so that it and all newer ones fit. */
static u32 choose_first(u32 nr, size_t room, size_t *bytes)
{
	u32 i, known = nr > NR_LENGTHS ? nr - NR_LENGTHS : 0;
	struct epitaph_peek_event event;

	epitaph_peek_rewind();
	for (i = 0; next_event(&event); i++)
		if (i >= known)
			lengths[i - known] = epitaph_line_format(&event, line) + DECORATION;
	*bytes = 0;
	while (i > known && *bytes + lengths[i - 1 - known] <= room)
		*bytes += lengths[--i - known];
	return i;
}

/*
 * What was skipped does not come back, so look a while before judging.  Once
 * behind, skip a good part at once rather than every other line.
 */
static bool is_too_slow(const struct pace *pace)
{
	u64 spent = now_ns() - pace->begin, own, fits;

	if (!pace->nr_printed || spent < pace->limit / 4)
		return false;
	/* Time for this line, one that reports a gap, and the last one. */
	own = 3 * div_u64(spent, pace->nr_printed);
	if (spent + own >= pace->limit)
		return true;
	fits = mul_u64_u64_div_u64(pace->printed, pace->limit - spent - own, spent);
	return pace->ahead > (pace->gap ? fits / 4 * 3 : fits);
}

static void say_gap(struct pace *pace)
{
	if (pace->gap)
		pr_emerg("... %u events left out: the console is slow\n", pace->gap);
	pace->gap = 0;
}

static void print_one(struct pace *pace, const struct epitaph_peek_event *event)
{
	size_t n = epitaph_line_format(event, line) + DECORATION;

	if (is_too_slow(pace)) {
		pace->gap++;
		pace->nr_skipped++;
	} else {
		say_gap(pace);
		printk(KERN_EMERG "%s\n", line);
		pace->printed += n;
		pace->nr_printed++;
	}
	pace->ahead -= min(pace->ahead, n);
	touch_nmi_watchdog();
}

static void print_from(u32 first, struct pace *pace)
{
	struct epitaph_peek_event event;
	u32 i;

	epitaph_peek_rewind();
	for (i = 0; next_event(&event); i++)
		if (i >= first)
			print_one(pace, &event);
	say_gap(pace);
}

static void say_first(const struct epitaph_peek_result *result, u32 nr, u32 first)
{
	pr_emerg("last events of %u CPUs, newest last: %u of %u at hand\n",
		 result->nr_cpus, nr - first, nr);
	if (result->unreadable)
		pr_emerg("nothing of %u more rings: what is written to them does not check\n",
			 result->unreadable);
	if (result->damaged)
		pr_emerg("nothing older is at hand: it does not check\n");
}

static void say_last(const struct pace *pace, u32 first)
{
	pr_emerg("end of the last events: %u shown, %u older ones left out (%u s at %u baud), %u skipped (slow console)\n",
		 pace->nr_printed, first, seconds(), baud(), pace->nr_skipped);
}

static void mark_sysrq(void)
{
	char text[sizeof(((struct epitaph_mark *)0)->text)];

	snprintf(text, sizeof(text), "sysrq-z, during %s-%d", current->comm, current->pid);
	epitaph_mark(EPITAPH_MARK_SYSRQ, text);
}

static void dump(void)
{
	struct pace pace = { .limit = seconds() * (u64)NSEC_PER_SEC };
	size_t room = bytes_allowed();
	struct epitaph_peek_result result;
	u32 nr, first;

	mark_sysrq();
	epitaph_line_clock();
	epitaph_peek_take(&result);
	nr = count_events();
	first = choose_first(nr, room > OUR_LINES ? room - OUR_LINES : 0, &pace.ahead);
	pace.begin = now_ns();
	say_first(&result, nr, first);
	print_from(first, &pace);
	say_last(&pace, first);
}

/* In place of the kernel's own, in task or hardirq context. */
static void handle_z(int key)
{
	/* Who presses the key, or writes to sysrq-trigger, is asked for no right. */
	if (security_locked_down(LOCKDOWN_TRACEFS)) {
		pr_emerg("the last events are not printed: this kernel is locked down for confidentiality\n");
		return;
	}
	if (atomic_cmpxchg_acquire(&busy, 0, 1)) {
		pr_emerg("the last events are being printed already\n");
		return;
	}
	rcu_read_lock();
	/* Who loses the region waits for us. */
	if (epitaph_is_gone())
		pr_emerg("the last events are not at hand: %s\n", epitaph_loss_text());
	else
		dump();
	rcu_read_unlock();
	atomic_set_release(&busy, 0);
}

static void on_kernel_z(struct pt_regs *regs)
{
	instruction_pointer_set(regs, (unsigned long)handle_z);
}

static struct epitaph_hook hook = {
	.function = "sysrq_ftrace_dump",
	.reached = on_kernel_z,
	.redirects = true,
};

/* The speed in "console=ttyS0,115200n8", or 0. */
static unsigned int parse_speed(const char *p)
{
	while (isdigit(*p))
		p++;
	return *p == ',' ? simple_strtoul(p + 1, NULL, 10) : 0;
}

/* The slowest serial console counts: all of them get every line. */
static void find_console(void)
{
	static const char key[] = "console=ttyS";
	char *text = kmalloc(4096, GFP_KERNEL), *p;
	unsigned int speed, slowest = 0;

	if (!text || epitaph_proc_read("cmdline", text, 4096) < 0)
		goto out;
	for (p = text; (p = strstr(p, key)); ) {
		p += strlen(key);
		speed = parse_speed(p);
		if (speed && (!slowest || speed < slowest))
			slowest = speed;
	}
	console_baud = slowest ?: DEFAULT_BAUD;
out:
	kfree(text);
}

static void say_refused(int err)
{
	if (err)
		pr_warn("sysrq-z stays the kernel's own (%d)\n", err);
}

static void take_z(struct work_struct *work)
{
	say_refused(epitaph_hook_set(&hook));
}

/*
 * ftrace goes over all of its functions for this hook alone, a quarter of what loading would take:
 * a boot need not wait for it, nor have it beside.  Nothing else looks for a function or sets a hook by then.
 */
static DECLARE_DELAYED_WORK(take, take_z);

void epitaph_sysrq_start(void)
{
	int err;

	find_console();
	err = epitaph_peek_init() ?: epitaph_line_init();
	if (!err)
		schedule_delayed_work(&take, HZ / 10);
	say_refused(err);
}

/* The kernel calls its handler inside of rcu_read_lock(). */
void epitaph_sysrq_stop(void)
{
	cancel_delayed_work_sync(&take);
	epitaph_hook_clear(&hook);
	synchronize_rcu();
	epitaph_line_exit();
	epitaph_peek_exit();
}
