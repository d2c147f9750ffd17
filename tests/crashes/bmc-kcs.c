// SPDX-License-Identifier: GPL-2.0-only
/*
 * A controller's sensors are read: the reader holds its lock and waits for a message, which is a
 * work of an ordered workqueue.  In front of it stands a scan that waits for a bit.  An upload of
 * firmware, which has long ended with an error, left that bit set.
 *
 * pattern: decoy: the holder of the lock is innocent; a bit is left set on an error path
 * upstream: the class of "clear busy bit on error" (ipmi, hwmon, fsi), hung tasks behind an ordered workqueue
 * finding: the kworker in bmc_fru_scan() waits for the bit BMC_FW_BUSY of bmc->flags, which is set: bmc_fw_upload() of bmc-fw left without clearing it; kcs_send_work() is queued behind it; bmc-sdr waits for that with bmc->lock, which bmc-sel wants
 * never: bmc-sdr as guilty; a deadlock; bmc-sel holds
 * must: bmc_fru_scan|bit
 * not: deadlock|bmc-sel-[0-9]+ holds
 * guest: echo 8 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/bmc-kcs.ko
 */
#include <linux/completion.h>
#include <linux/wait_bit.h>
#include "crash.h"

#define BMC_FW_BUSY 2

struct bmc {
	unsigned long flags;
	struct mutex lock;
	struct workqueue_struct *kcs;
	struct work_struct send, scan;
	struct completion sent;
	u32 sensors, events, uploads;
};

static struct bmc *bmc;

static void kcs_send_work(struct work_struct *work)
{
	complete(&container_of(work, struct bmc, send)->sent);
}

static void bmc_fru_scan(struct work_struct *work)
{
	struct bmc *b = container_of(work, struct bmc, scan);

	wait_on_bit(&b->flags, BMC_FW_BUSY, TASK_UNINTERRUPTIBLE);
	b->events++;
}

static noinline int bmc_fw_upload(struct bmc *b, u32 crc)
{
	if (test_and_set_bit(BMC_FW_BUSY, &b->flags))
		return -EBUSY;
	b->uploads++;
	msleep(60);
	if (crc != 0x1234)
		return -EBADMSG;
	clear_and_wake_up_bit(BMC_FW_BUSY, &b->flags);
	return 0;
}

static int bmc_fw(void *data)
{
	struct bmc *b = data;

	bmc_fw_upload(b, 0x1234);
	msleep(500);
	bmc_fw_upload(b, 0x4321);
	for (;;)
		msleep(400);
	return 0;
}

static noinline void bmc_read_sensors(struct bmc *b)
{
	mutex_lock(&b->lock);
	reinit_completion(&b->sent);
	queue_work(b->kcs, &b->send);
	wait_for_completion(&b->sent);
	b->sensors++;
	mutex_unlock(&b->lock);
}

static int bmc_sdr(void *data)
{
	struct bmc *b = data;
	unsigned int i;

	for (i = 1; ; i++) {
		if (i % 8 == 0)
			queue_work(b->kcs, &b->scan);
		bmc_read_sensors(b);
		msleep(100);
	}
	return 0;
}

static int bmc_sel(void *data)
{
	struct bmc *b = data;

	for (;;) {
		mutex_lock(&b->lock);
		b->events++;
		mutex_unlock(&b->lock);
		msleep(45);
	}
	return 0;
}

static int __init bmc_init(void)
{
	bmc = kzalloc(sizeof(*bmc), GFP_KERNEL);
	if (!bmc)
		return -ENOMEM;
	mutex_init(&bmc->lock);
	init_completion(&bmc->sent);
	INIT_WORK(&bmc->send, kcs_send_work);
	INIT_WORK(&bmc->scan, bmc_fru_scan);
	bmc->kcs = alloc_ordered_workqueue("bmc_kcs", 0);
	if (!bmc->kcs)
		return -ENOMEM;
	run_thread(bmc_fw, bmc, -1, "bmc-fw");
	run_thread(bmc_sdr, bmc, 0, "bmc-sdr");
	return run_thread(bmc_sel, bmc, 1, "bmc-sel");
}
module_init(bmc_init);
