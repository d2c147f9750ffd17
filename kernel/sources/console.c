// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lines of the kernel's log without its tracepoint: from a console of our own,
 * and when the kernel dies, from the log.
 */
#include <linux/atomic.h>
#include <linux/console.h>
#include <linux/kernel.h>
#include <linux/kmsg_dump.h>
#include <linux/preempt.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <epitaph/probes.h>
#include "compat.h"
#include "console.h"
#include "log.h"

#define MAX_LINES 200		/* of the log, when the kernel dies: an oops with a deep stack */

static struct epitaph_event *event;	/* NULL while there is nothing to catch up with */

/*
 * Which records of the log are recorded: their number + 1, in its place modulo NR_CLAIMS.  A
 * high-water mark would not do: lines that the consoles' loglevel holds back ("quiet") are taken
 * when the kernel dies, though later lines went to the consoles.
 */
#define NR_CLAIMS 1024
static u32 claims[NR_CLAIMS];

/* The first that is the console's to record; what is before it is taken from the log. */
static atomic64_t first_seq;

/*
 * A record is recorded once: by the console or by the dying CPU, the first of the two.  A CPU
 * that stops between the claim and its event loses the line; a line twice would be worse.
 */
static bool claim(u64 seq)
{
	u32 *place = &claims[seq % NR_CLAIMS], want = seq + 1, was = READ_ONCE(*place);

	/* The numbers of one place are NR_CLAIMS apart: a later one may be there already. */
	while ((s32)(want - was) > 0) {
		u32 now = cmpxchg(place, was, want);

		if (now == was)
			return true;
		was = now;
	}
	return false;
}

static void record_line(struct epitaph_event *ev, const char *text, size_t len)
{
	void (*probe)(void *data, const char *text, size_t len) = ev->probe;

	probe(ev, text, len);
}

/* "** 12 printk messages dropped **" comes before a record, under its number. */
static bool reports_loss(const char *text, unsigned int len)
{
	return len > 3 && !strncmp(text, "** ", 3) &&
	       strnstr(text, " printk messages dropped **", len);
}

/* Interrupts are off, but with PREEMPT_RT: there it is a thread, which may be preempted. */
static void write(struct console *con, const char *text, unsigned int len)
{
	u64 seq = epitaph_console_seq(con);

	atomic64_cmpxchg(&first_seq, EPITAPH_NO_SEQ, seq);
	preempt_disable_notrace();
	if (seq == EPITAPH_NO_SEQ || reports_loss(text, len) || claim(seq))
		record_line(con->data, text, len);
	preempt_enable_notrace();
}

/*
 * Without a device it never becomes /dev/console.  Enabled before it is registered, it is
 * accepted without console=.
 */
static struct console ours = {
	.name = "epitaph",
	.write = write,
};

bool epitaph_console_is(const struct epitaph_event *ev)
{
	return !strcmp(ev->name, "console") && !strcmp(ev->system, "printk");
}

bool epitaph_console_has(const struct epitaph_event *ev)
{
	return !EPITAPH_CONSOLE_IN_NMI && epitaph_console_is(ev);
}

/* For a kernel that does not say where a console begins: under its lock, no console is behind. */
static void take_log_before(void)
{
	if (epitaph_console_seq(&ours) != EPITAPH_NO_SEQ)
		return;
	console_lock();
	epitaph_log_take(EPITAPH_LOG_ALL);
	console_unlock();
}

/* What the console got is recorded, what is before it is taken in: no line twice. */
static void take_log_after(void)
{
	u64 seq;

	console_lock();
	seq = atomic64_read(&first_seq);
	if (seq == EPITAPH_NO_SEQ)
		seq = epitaph_console_seq(&ours);
	atomic64_set(&first_seq, seq);
	console_unlock();
	epitaph_log_take(seq);
}

void epitaph_console_attach(struct epitaph_event *ev)
{
	ours.flags = CON_ENABLED | CON_ANYTIME;
	ours.index = 0;
	ours.data = ev;
	memset(claims, 0, sizeof(claims));
	atomic64_set(&first_seq, EPITAPH_NO_SEQ);
	take_log_before();
	register_console(&ours);
	take_log_after();
	/* Not before: until then the console does not know where it begins. */
	smp_store_release(&event, ev);
}

void epitaph_console_detach(void)
{
	WRITE_ONCE(event, NULL);
	unregister_console(&ours);
}

/* What the consoles have not got yet, or never will. */
static void record_rest(struct epitaph_event *ev)
{
	static char line[1024];		/* as the kernel's own */
	struct kmsg_dump_iter iter = {};
	size_t len;
	u64 end;

	kmsg_dump_rewind(&iter);
	end = iter.next_seq;
	iter.cur_seq = max_t(u64, atomic64_read(&first_seq), end > MAX_LINES ? end - MAX_LINES : 0);
	while (iter.cur_seq < end &&
	       kmsg_dump_get_line(&iter, false, line, sizeof(line), &len))
		if (claim(iter.cur_seq - 1))
			record_line(ev, line, len);
}

void epitaph_console_catch_up(void)
{
	static atomic_t owner = ATOMIC_INIT(-1);
	static atomic_t over;
	struct epitaph_event *ev = smp_load_acquire(&event);
	int cpu, was;

	if (!ev || epitaph_console_seq(&ours) == EPITAPH_NO_SEQ)
		return;
	preempt_disable_notrace();
	cpu = smp_processor_id();
	was = atomic_cmpxchg(&owner, -1, cpu);
	/*
	 * Who dies in NMI over himself does not return to where he was.  Once: a
	 * log that cannot be read must not keep us here.
	 */
	if (was == -1 || (was == cpu && atomic_inc_return(&over) == 1))
		record_rest(ev);
	if (was == -1)
		atomic_set(&owner, -1);
	preempt_enable_notrace();
}
