// SPDX-License-Identifier: GPL-2.0-only
/*
 * A channel is freed while its tasklet is scheduled; a report takes the memory before the softirq runs.
 *
 * pattern: tasklet_kill() forgotten before kfree()
 * upstream: the class of dmaengine and usb-gadget tasklets that outlive their channel
 * finding: the softirq of tasklets took one whose memory had been freed, and was written over by text; channel_free() freed it
 * never: the task or the idle thread under the softirq; NULL; the kernel's softirq code as author
 * must: ^likely: A tasklet.* freed or overwritten
 * not: NULL|swapper
 * guest: epitaph events +kmem:kmalloc +kmem:kfree >/dev/null
 * guest: insmod /test/tasklet-of-freed-channel.ko
 */
#include <linux/interrupt.h>
#include "crash.h"

struct channel {
	struct tasklet_struct done;
	u8 descriptors[400];
};

static char *reports[200];

static void channel_done(struct tasklet_struct *t)
{
}

static noinline void channel_free(struct channel *c)
{
	kfree(c);
}

static int channel_user(void *unused)
{
	struct channel *c = kzalloc(sizeof(*c), GFP_KERNEL);
	int i;

	tasklet_setup(&c->done, channel_done);
	msleep(200);
	local_bh_disable();
	tasklet_schedule(&c->done);
	channel_free(c);
	for (i = 0; i < 200; i++) {
		reports[i] = kmalloc(sizeof(*c), GFP_ATOMIC);
		memset(reports[i], 'r', sizeof(*c));
	}
	local_bh_enable();
	return 0;
}

static int __init channel_init(void)
{
	return run_thread(channel_user, NULL, 1, "channel-user");
}
module_init(channel_init);
