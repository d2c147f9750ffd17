// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  Each request has a completion of its own, and the card answers them by one work item.  It answers the first, and
 * not the second: complete() is right, and "second" waits for a card that does not answer.
 *
 * pattern: a device that loses one of two requests
 * upstream: the class of command timeouts that are none of the driver's
 * finding: "second" waits in card_send() for the completion of its request, which card_answer() did not complete
 * never: that complete_all() was needed; "first"
 * must: ^shown: The task second-[0-9]+ waited too long for a completion in (card_send|sender)\(\)
 * not: complete_all|first-
 * guest: echo 8 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/reply-for-one.ko
 */
#include <linux/completion.h>
#include "crash.h"

struct request {
	struct completion done;
	u32 tag;
};

struct card {
	struct delayed_work answer;
	struct request requests[2];
};

static struct card *card;

static void card_answer(struct work_struct *work)
{
	struct card *c = container_of(to_delayed_work(work), struct card, answer);
	struct request *r = UNKNOWN(&c->requests[0]);

	complete(&r->done);
}

static noinline void card_send(struct request *r)
{
	init_completion(&r->done);
	wait_for_completion(&r->done);
}

static int sender(void *data)
{
	card_send(data);
	return 0;
}

static int __init card_init(void)
{
	card = kzalloc(sizeof(*card), GFP_KERNEL);
	if (!card)
		return -ENOMEM;
	INIT_DELAYED_WORK(&card->answer, card_answer);
	run_thread(sender, &card->requests[0], -1, "first");
	run_thread(sender, &card->requests[1], -1, "second");
	schedule_delayed_work(&card->answer, HZ / 2);
	return 0;
}
module_init(card_init);
