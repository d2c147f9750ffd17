// SPDX-License-Identifier: GPL-2.0-only
/*
 * A connection is released while the function of its timer runs on another CPU.  del_timer() does not wait for that, and the timer has
 * no reference of the connection.
 *
 * pattern: a timer without a reference of its object; del_timer() does not wait for its function
 * upstream: 9cc02ede6962 ("net: rose: fix UAF bugs caused by timer handler", CVE-2022-2318)
 * finding: rose_idle(), the function of the timer of a struct rose_conn, went on with the connection that rose_release() of rose-caller freed: del_timer() does not wait, and the timer had no reference
 * never: rose_page_fill(), which was given the memory and fills it; rose_idle() found NULL that was never set; the task that was interrupted
 * must: ^likely: rose_idle\(\) .*while it ran: the timer that it runs for
 * not: rose_page_fill|another kind
 * guest: insmod /test/rose-idle.ko
 */
#include "crash.h"

struct rose_neigh {
	u32 use, restarts;
	u64 calls;
};

struct rose_conn {
	u32 state, lci, pings;
	struct timer_list idle;
	struct rose_neigh *neigh;
	u64 sent[24];
};

struct rose_page {
	char text[256];
};

static struct rose_neigh neigh;
static struct rose_conn *conn;
static struct rose_page *pages[16];

static noinline void rose_ping(struct rose_conn *c)
{
	WRITE_ONCE(c->pings, c->pings + 1);
	udelay(2000);
}

static void rose_idle(struct timer_list *t)
{
	struct rose_conn *c = from_timer(c, t, idle);

	rose_ping(c);
	c->neigh->use++;
	mod_timer(&c->idle, jiffies + 4);
}

static noinline void rose_release(struct rose_conn *c)
{
	del_timer(&c->idle);
	c->neigh->calls++;
	kfree(c);
}

static noinline void rose_page_fill(u32 i)
{
	struct rose_page *page = kmalloc(sizeof(*page), GFP_ATOMIC);
	u32 k;

	kfree(pages[i % 16]);
	pages[i % 16] = page;
	if (!page)
		return;
	for (k = 0; k < sizeof(page->text); k++)
		page->text[k] = "HELLO DE GB7RDG "[k & 15];
}

static noinline void rose_close(struct rose_conn *c)
{
	u32 before = READ_ONCE(c->pings), i;

	for (i = 0; i < 200 && READ_ONCE(c->pings) == before; i++)
		udelay(500);
	rose_release(c);
	for (i = 0; i < 16; i++)
		rose_page_fill(i);
}

static noinline struct rose_conn *rose_connect(void)
{
	struct rose_conn *c = kzalloc(sizeof(*c), GFP_KERNEL);

	if (!c)
		return NULL;
	c->neigh = &neigh;
	timer_setup(&c->idle, rose_idle, TIMER_PINNED);
	return c;
}

/* Received calls start the timer on CPU 1. */
static int rose_receive(void *unused)
{
	for (;;) {
		struct rose_conn *c = xchg(&conn, NULL);

		if (c)
			mod_timer(&c->idle, jiffies + 2);
		usleep_range(1000, 1200);
	}
	return 0;
}

static int rose_caller(void *unused)
{
	struct rose_conn *c;

	msleep(1500);
	for (;;) {
		c = rose_connect();
		if (!c)
			break;
		WRITE_ONCE(conn, c);
		msleep(16);
		rose_close(c);
		msleep(300);
	}
	return 0;
}

static int __init rose_init(void)
{
	run_thread(rose_receive, NULL, 1, "rose-receive");
	return run_thread(rose_caller, NULL, 0, "rose-caller");
}
module_init(rose_init);
