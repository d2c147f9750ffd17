// SPDX-License-Identifier: GPL-2.0-or-later
#include "runners.h"

#include <stdlib.h>

#include "base/text.h"

#define ANY_SLEEP	0xff	/* of prev_state: the bit above says "preempted", include/linux/sched.h */

bool runners_open(struct runners *runners)
{
	*runners = (struct runners){ .places = calloc(RUNNERS_PLACES, sizeof(*runners->places)) };
	return runners->places;
}

void runners_close(struct runners *runners)
{
	free(runners->places);
	*runners = (struct runners){ .places = NULL };
}

static struct runner *place_of_runner(const struct runners *runners, u64 pid)
{
	return &runners->places[pid % RUNNERS_PLACES];
}

const struct runner *runners_find(const struct runners *runners, u64 pid)
{
	const struct runner *found = runners->places && pid ? place_of_runner(runners, pid) : NULL;

	return found && found->pid == pid ? found : NULL;
}

/* NULL: it is an idle task. */
static struct runner *take_runner(struct runners *runners, u64 pid, const char *comm)
{
	struct runner *runner = place_of_runner(runners, pid);

	if (!pid)
		return NULL;
	if (runner->pid && runner->pid != pid && (runner->in > runners->replaced || runner->out > runners->replaced))
		runners->replaced = runner->in > runner->out ? runner->in : runner->out;
	if (runner->pid != pid)
		*runner = (struct runner){ .pid = pid };
	text_comm(runner->comm, comm);
	return runner;
}

void runners_see_out(struct runners *runners, u64 time, u64 pid, u64 state, const char *comm)
{
	struct runner *runner = take_runner(runners, pid, comm);

	if (!runner)
		return;
	runner->out = time;
	if (!(state & ANY_SLEEP))
		return;
	if (runner->nr_so && runner->state != state) {
		runner->other = runner->state;
		runner->nr_other = runner->nr_so;
		runner->nr_so = 0;
	}
	runner->state = state;
	runner->nr_so++;
}

void runners_see_in(struct runners *runners, u64 time, u64 pid, const char *comm)
{
	struct runner *runner = take_runner(runners, pid, comm);

	if (runner)
		runner->in = time;
}
