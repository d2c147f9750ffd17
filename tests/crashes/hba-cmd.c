// SPDX-License-Identifier: GPL-2.0-only
/*
 * A command has a union: a buffer for transfers, a timeout for resets.  The common end of all
 * commands copies the status into the buffer, of a reset as well.
 *
 * pattern: member of a union that is read without a look at the type
 * upstream: the class of "fix type confusion on completion" (scsi: aacraid, nvme passthrough, habanalabs)
 * finding: hba_complete() writes through cmd->buf, which is 120000 (0x1d4c0): the timeout of a reset, which hba_reset() set in the same union; no pointer at all
 * never: a user's pointer without copy_to_user(); a NULL pointer; a use after free; hba-io, which runs beside it
 * must: likely: hba_complete\(\) .*took the number 120000
 * not: copy_(to|from)_user|NULL|freed|hba-io
 * guest: insmod /test/hba-cmd.ko
 */
#include "crash.h"

enum { HBA_READ, HBA_RESET };

struct hba_cmd {
	struct list_head list;
	u8 op;
	u16 tag;
	union {
		u8 *buf;
		unsigned long timeout_ms;
	};
	u32 len;
};

struct hba {
	spinlock_t lock;
	struct list_head pending;
	struct work_struct done;
	u16 tag;
	u32 completed;
};

static struct hba *hba;
static u8 hba_page[512];

static noinline void hba_queue(struct hba *h, struct hba_cmd *cmd)
{
	spin_lock(&h->lock);
	cmd->tag = h->tag++;
	list_add_tail(&cmd->list, &h->pending);
	spin_unlock(&h->lock);
	schedule_work(&h->done);
}

static noinline void hba_complete(struct hba *h, struct hba_cmd *cmd)
{
	u8 *status = cmd->buf;

	status[0] = cmd->tag;
	status[1] = cmd->tag >> 8;
	h->completed++;
	kfree(cmd);
}

static void hba_done(struct work_struct *work)
{
	struct hba *h = container_of(work, struct hba, done);
	struct hba_cmd *cmd;

	for (;;) {
		spin_lock(&h->lock);
		cmd = list_first_entry_or_null(&h->pending, struct hba_cmd, list);
		if (cmd)
			list_del(&cmd->list);
		spin_unlock(&h->lock);
		if (!cmd)
			return;
		hba_complete(h, cmd);
	}
}

static int hba_io(void *data)
{
	for (;;) {
		struct hba_cmd *cmd = kzalloc(sizeof(*cmd), GFP_KERNEL);

		if (!cmd)
			continue;
		cmd->op = HBA_READ;
		cmd->buf = hba_page;
		cmd->len = sizeof(hba_page);
		hba_queue(data, cmd);
		msleep(40);
	}
	return 0;
}

static int hba_reset(void *data)
{
	struct hba_cmd *cmd;

	msleep(900);
	cmd = kzalloc(sizeof(*cmd), GFP_KERNEL);
	if (!cmd)
		return -ENOMEM;
	cmd->op = HBA_RESET;
	cmd->timeout_ms = 120 * MSEC_PER_SEC;
	hba_queue(data, cmd);
	for (;;)
		msleep(1000);
	return 0;
}

static int __init hba_init(void)
{
	hba = kzalloc(sizeof(*hba), GFP_KERNEL);
	if (!hba)
		return -ENOMEM;
	spin_lock_init(&hba->lock);
	INIT_LIST_HEAD(&hba->pending);
	INIT_WORK(&hba->done, hba_done);
	run_thread(hba_io, hba, 0, "hba-io");
	return run_thread(hba_reset, hba, 1, "hba-eh");
}
module_init(hba_init);
