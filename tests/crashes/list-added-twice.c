// SPDX-License-Identifier: GPL-2.0-only
/*
 * A command that times out is put on the retry list while it is still there from the last timeout.
 *
 * pattern: list_add() of an entry that is on the list (SCSI and USB error handlers)
 * finding: list corruption: the entry was added twice ("double add"), by retry_command() of this module
 * never: use after free; hardware
 * must: ^shown: .*retry_command\(\) .*in which it is already
 * not: freed
 * guest: insmod /test/list-added-twice.ko
 */
#include "crash.h"

struct command {
	int tag;
	struct list_head retry;
};

static LIST_HEAD(retries);

static noinline void retry_command(struct command *c)
{
	list_add(&c->retry, &retries);
}

static int run(void *unused)
{
	struct command *c = kzalloc(sizeof(*c), GFP_KERNEL);

	retry_command(c);
	msleep(500);
	retry_command(c);
	return 0;
}

static int __init command_init(void)
{
	return run_thread(run, NULL, -1, "error-handler");
}
module_init(command_init);
