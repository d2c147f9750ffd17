// SPDX-License-Identifier: GPL-2.0-only
/*
 * The ways to die: write a name to /sys/kernel/debug/victim/bug.  Here are those that say in
 * which context it happens; die_*.c have the others.
 */
#include <linux/debugfs.h>
#include <linux/hrtimer.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/timer.h>
#include <linux/uaccess.h>

#include "compat.h"
#include "victim.h"
#include "victim_trace.h"

static struct dentry *dir;

/* A session with an owner, and a timer that ends the session after a while. */
struct owner {
	unsigned long sessions;
};

struct session {
	int id;
	struct owner *owner;
	struct timer_list expire;
};

static struct owner owner;
static struct session session = { .id = 7 };

/* No event had its address before the last one. */
static void session_again(struct timer_list *timer)
{
}

static struct timer_list again;

static void session_expire(struct timer_list *timer)
{
	struct session *expired = timer_container_of(expired, timer, expire);

	mod_timer(&again, jiffies + HZ);
	trace_session(expired->id, "expires", expired->owner);
	expired->owner->sessions--;
}

/* The bug: closing forgets the owner and leaves the timer running. */
static void bug_timer(void)
{
	session.owner = &owner;
	owner.sessions++;
	trace_session(session.id, "opened", session.owner);
	mod_timer(&session.expire, jiffies + msecs_to_jiffies(40));
	session.owner = NULL;
	trace_session(session.id, "closed", session.owner);
}

static void dereference_null(void)
{
	int *nothing = NULL;

	OPTIMIZER_HIDE_VAR(nothing);
	WRITE_ONCE(*nothing, 1);
}

static struct hrtimer bad_hrtimer;

static enum hrtimer_restart bad_hardirq(struct hrtimer *hrtimer)
{
	dereference_null();
	return HRTIMER_NORESTART;
}

static void bug_hardirq(void)
{
	hrtimer_start(&bad_hrtimer, ms_to_ktime(1), HRTIMER_MODE_REL_HARD);
}

/* The bug that our next NMI runs on the chosen CPU. */
static void (*nmi_bug)(void);

static void nmi_panics(void)
{
	nmi_panic(NULL, "victim: panic in NMI");
}

static void nmi_hits_bug(void)
{
	BUG();
}

static void nmi_prints(void)
{
	pr_info("victim: printed in NMI\n");
}

void victim_bug_in_nmi(void)
{
	void (*bug)(void) = xchg(&nmi_bug, NULL);

	if (bug)
		bug();
}

static void bug_nmi_panic(void)
{
	WRITE_ONCE(nmi_bug, nmi_panics);
}

static void bug_nmi_bug(void)
{
	WRITE_ONCE(nmi_bug, nmi_hits_bug);
}

static void bug_nmi_print(void)
{
	WRITE_ONCE(nmi_bug, nmi_prints);
}

static void bug_panic(void)
{
	panic("victim: panic");
}

/* An event of something that is gone. */
static void bug_peek(void)
{
	const char *nothing = NULL;

	OPTIMIZER_HIDE_VAR(nothing);
	trace_peek(nothing);
}

/* The same event without a fault. */
static void peek_at_text(void)
{
	static const char text[24] = "some text";

	trace_peek(text);
}

/* Interrupts off for good: only an NMI gets through. */
static void bug_lockup(void)
{
	local_irq_disable();
	for (;;)
		cpu_relax();
}

static const struct victim_way ways_here[] = {
	{ "timer", bug_timer },			/* null dereference in softirq */
	{ "hardirq", bug_hardirq },		/* null dereference in hardirq */
	{ "process", dereference_null },	/* null dereference of the writer */
	{ "peek", bug_peek },			/* null dereference of an event's probe */
	{ "peek-at-text", peek_at_text },
	{ "panic", bug_panic },
	{ "nmi-panic", bug_nmi_panic },
	{ "nmi-bug", bug_nmi_bug },
	{ "nmi-print", bug_nmi_print },		/* harmless */
	{ "lockup", bug_lockup },
	{ }
};

static const struct victim_way *const ways[] = {
	ways_here, victim_ways_of_memory, victim_ways_of_locks, victim_ways_of_words,
	victim_ways_of_many, victim_ways_of_waits, victim_ways_of_access,
};

static const struct victim_way *find_way(const char *name)
{
	const struct victim_way *way;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(ways); i++)
		for (way = ways[i]; way->name; way++)
			if (!strcmp(name, way->name))
				return way;
	return NULL;
}

static ssize_t bug_write(struct file *file, const char __user *text, size_t len, loff_t *pos)
{
	char name[32] = "";
	const struct victim_way *way;

	if (len >= sizeof(name))
		return -EINVAL;
	if (copy_from_user(name, text, len))
		return -EFAULT;
	way = find_way(strim(name));
	if (!way)
		return -EINVAL;
	way->happen();
	return len;
}

static const struct file_operations bug_fops = {
	.owner = THIS_MODULE,
	.write = bug_write,
};

int victim_bug_init(void)
{
	timer_setup(&session.expire, session_expire, 0);
	timer_setup(&again, session_again, 0);
	hrtimer_setup(&bad_hrtimer, bad_hardirq, CLOCK_MONOTONIC, HRTIMER_MODE_REL_HARD);
	dir = debugfs_create_dir("victim", NULL);
	debugfs_create_file("bug", 0200, dir, NULL, &bug_fops);
	return 0;
}

void victim_bug_exit(void)
{
	debugfs_remove(dir);
	timer_delete_sync(&again);
}
