// SPDX-License-Identifier: GPL-2.0-only
/*
 * A state machine gets an event that its author held impossible.
 *
 * pattern: BUG_ON() in a driver, reachable
 * finding: BUG at impossible-state.c:LINE, in link_event(), from a timer
 * never: invalid opcode by damaged text; the task that was interrupted
 * must: ^shown: .*link_event\(\) .*impossible-state.c:
 * not: swapper|damaged
 * guest: insmod /test/impossible-state.ko
 */
#include "crash.h"

enum state { LINK_DOWN, LINK_UP };

static enum state state;
static struct timer_list timer;

static noinline void link_event(enum state next)
{
	BUG_ON(state == next);
	state = next;
}

static void link_poll(struct timer_list *t)
{
	static int n;

	link_event(++n < 8 ? n & 1 : state);
	mod_timer(t, jiffies + HZ / 5);
}

static int __init link_init(void)
{
	timer_setup(&timer, link_poll, 0);
	return mod_timer(&timer, jiffies + 1);
}
module_init(link_init);
