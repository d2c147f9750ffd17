// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  Each slot of a card has a semaphore.  "tuner" has that of slot 0 and sleeps with it, as it may; slot_probe() came back
 * with that of slot 1 on an error, and "reader" waits for it.
 *
 * pattern: a semaphore that is not given back on a way with an error
 * upstream: the class of down() without up() behind a goto (usb-serial, tty, scsi)
 * finding: "reader" waits in slot_read() for the semaphore of slot 1, which slot_probe() left held; the shell wrote to /proc
 * never: "tuner", which has another semaphore; "logger", which waits as well
 * must: slot_probe\(\)|^shown: .*waited too long|^shown: 2 tasks waited
 * not: tuner-|logger-[0-9]+ holds
 * guest: echo 8 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/slot-semaphores.ko
 * guest: sleep 1
 * guest: echo 1 >/proc/slot_probe || :
 */
#include <linux/semaphore.h>
#include "crash.h"

struct slot {
	u32 number, state;
	struct semaphore busy;
	u64 uses;
};

struct card {
	u32 id;
	struct slot slots[4];
};

static struct card *card;

static noinline void slot_tune(struct slot *slot)
{
	down(&slot->busy);
	slot->uses++;
	msleep(60);
	slot->state = 1;
	up(&slot->busy);
}

static noinline int slot_probe(unsigned int number)
{
	struct slot *slot = &card->slots[number & 3];

	down(&slot->busy);
	if (!slot->state)
		return -ENODEV;
	slot->uses++;
	up(&slot->busy);
	return 0;
}

static noinline void slot_read(struct slot *slot)
{
	down(&slot->busy);
	slot->uses++;
	up(&slot->busy);
}

static int tuner(void *data)
{
	struct card *c = data;

	for (;;) {
		slot_tune(&c->slots[0]);
		schedule();
	}
	return 0;
}

static int reader(void *data)
{
	struct card *c = data;
	u32 i;

	for (i = 0;; i++) {
		msleep(100);
		slot_read(&c->slots[i & 3]);
	}
	return 0;
}

PROC_NUMBER(probe, slot_probe);

static int __init slot_init(void)
{
	int i;

	card = kzalloc(sizeof(*card), GFP_KERNEL);
	if (!card)
		return -ENOMEM;
	for (i = 0; i < 4; i++)
		sema_init(&card->slots[i].busy, 1);
	proc_create("slot_probe", 0200, NULL, &probe_pops);
	run_thread(tuner, card, -1, "tuner");
	run_thread(reader, card, -1, "logger");
	return run_thread(reader, card, -1, "reader");
}
module_init(slot_init);
