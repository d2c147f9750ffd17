// SPDX-License-Identifier: GPL-2.0-or-later
/* A driver that panics may only have noticed that another part of it waits. */
#include <stdio.h>
#include <string.h>

#include "hang.h"
#include "owners.h"
#include "wait_words.h"

#define MOST_WAITS	4	/* that are evidence */

/* False: it waits for nothing that is known, as in msleep(). */
static bool add_wait(struct explain *explain, const struct owners *owners, const struct kernel_task *task, const char *place)
{
	const struct kernel_chain *chain = owners->chain;
	char lock[FINDING_TEXT / 2], holder[60] = "";
	struct err err = ERR_INIT;

	if (kernel_wait_chain(owners->waits, task, owners->chain, &err) || (chain->nr == 1 && !chain->last_waits))
		return false;
	wait_words_lock(lock, sizeof(lock), &chain->waits[0]);
	if (chain->waits[0].owner && chain->waits[0].owner_kind == KOWNER_SHOWN)
		snprintf(holder, sizeof(holder), ", held by %s-%d", chain->waits[0].owner->comm, chain->waits[0].owner->pid);
	finding_evidence_timeless(explain->finding, "of the same module: %s-%d, in %s, waits %s%s", task->comm, task->pid, place, lock, holder);
	return true;
}

bool module_waits_add(struct explain *explain, const char *module)
{
	char name[KERNEL_SYMBOL_MAX], wanted[KMODULE_NAME_MAX + 2], place[2 * WORDS_FUNCTION];
	struct owners owners = { 0 };
	u32 nr = 0;

	if (!*module || !explain->pm->kernel)
		return false;
	snprintf(wanted, sizeof(wanted), "[%s]", module);
	if (owners_open(&owners, explain))
		for (u32 i = 0; i < owners.tasks->nr && nr < MOST_WAITS; i++) {
			const struct kernel_task *task = &owners.tasks->list[i];

			/* Others sleep until there is something to do. */
			if (task->is_running || task->state != 'D')
				continue;
			owners_name_wait(&owners, explain->pm->kernel, task, name);
			if (!strstr(name, wanted))
				continue;
			words_function(place, (struct report_text){ name, strlen(name) });
			strcat(place, "()");
			nr += add_wait(explain, &owners, task, place);
		}
	owners_close(&owners);
	return nr;
}
