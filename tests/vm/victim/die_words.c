// SPDX-License-Identifier: GPL-2.0-only
/*
 * Deaths that the code itself has words for: BUG, WARN and the end of init.
 */
#include <linux/bug.h>
#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/pid.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>

#include "victim.h"

/* A ship with more ballast than it has room for. */
struct ship {
	unsigned int room;
	unsigned int ballast;
};

static noinline int pump_end(struct ship *ship, unsigned int more)
{
	BUG_ON(ship->ballast + more > ship->room);
	ship->ballast += more;
	return ship->ballast;
}

static noinline int pump_run(struct ship *ship, unsigned int more)
{
	int ballast = pump_end(ship, more);

	barrier();
	return ballast;
}

static noinline int pump_start(struct ship *ship, unsigned int more)
{
	int ballast = pump_run(ship, more);

	barrier();
	return ballast + 1;
}

static void bug_on(void)
{
	static struct ship ship = { .room = 4, .ballast = 3 };

	pump_start(&ship, 2);
}

/* A ship that is warned of. */
static noinline int ship_inspect(struct ship *ship)
{
	WARN(ship->ballast > ship->room, "victim: ballast of %u, but room for %u\n",
	     ship->ballast, ship->room);
	barrier();
	return ship->room;
}

static noinline int harbour_inspect(struct ship *ship)
{
	int room = ship_inspect(ship);

	barrier();
	return room + 1;
}

static void warn_text(void)
{
	static struct ship ship = { .room = 4, .ballast = 5 };

	harbour_inspect(&ship);
}

static noinline int ship_inspect_silently(struct ship *ship)
{
	WARN_ON(ship->ballast > ship->room);
	barrier();
	return ship->room;
}

static void warn_on(void)
{
	static struct ship ship = { .room = 4, .ballast = 6 };

	ship_inspect_silently(&ship);
}

/*
 * Init gets a signal that it cannot refuse, as force_sig() sends one when a page of its memory
 * is lost with the disk.
 */
static void init_killed(void)
{
	struct pid *pid = find_get_pid(1);
	struct task_struct *init = get_pid_task(pid, PIDTYPE_PID);

	if (init) {
		init->signal->flags &= ~SIGNAL_UNKILLABLE;
		send_sig(SIGBUS, init, 1);
		put_task_struct(init);
	}
	put_pid(pid);
}

const struct victim_way victim_ways_of_words[] = {
	{ "bug-on", bug_on },
	{ "warn-text", warn_text },		/* warns */
	{ "warn-on", warn_on },			/* warns */
	{ "init-killed", init_killed },
	{ }
};
