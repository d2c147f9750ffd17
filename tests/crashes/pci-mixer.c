// SPDX-License-Identifier: GPL-2.0-only
/*
 * The error path of a probe destroys a workqueue that was not yet made.
 *
 * pattern: one function frees what is whole and what is half made
 * upstream: the class of "fix NULL deref in the error path of probe": free function called before all members are set
 * finding: mixer_free() gave NULL to destroy_workqueue(): mixer->wq is not yet allocated where mixer_probe() goes to its error path, after the firmware was not found
 * never: freed memory; that destroy_workqueue() or the workqueue code is at fault; that alloc_workqueue() failed
 * must: ^shown: destroy_workqueue\(\), which worked for mixer_free\(\).* NULL pointer
 * not: freed|failed to allocate
 * guest: insmod /test/pci-mixer.ko
 */
#include "crash.h"
#include <linux/device.h>
#include <linux/firmware.h>

struct mixer_ctl {
	struct list_head node;
	char name[16];
	int value, max;
};

struct mixer {
	struct device *dev;
	const struct firmware *dsp;
	struct workqueue_struct *wq;
	struct delayed_work meter_work;
	struct list_head ctls;
	u32 *regs;
	u32 peak[8];
};

static struct device *card;
static u32 rev = 2;

static void mixer_meter(struct work_struct *work)
{
	struct mixer *mixer = container_of(work, struct mixer, meter_work.work);

	mixer->peak[jiffies & 7] = mixer->regs[0];
	queue_delayed_work(mixer->wq, &mixer->meter_work, HZ / 25);
}

static noinline int mixer_add_ctl(struct mixer *mixer, const char *name, int max)
{
	struct mixer_ctl *ctl = kzalloc(sizeof(*ctl), GFP_KERNEL);

	if (!ctl)
		return -ENOMEM;
	strscpy(ctl->name, name, sizeof(ctl->name));
	ctl->max = max;
	list_add_tail(&ctl->node, &mixer->ctls);
	return 0;
}

static noinline void mixer_free_ctls(struct mixer *mixer)
{
	struct mixer_ctl *ctl, *next;

	list_for_each_entry_safe(ctl, next, &mixer->ctls, node)
		kfree(ctl);
}

static noinline void mixer_free(struct mixer *mixer)
{
	cancel_delayed_work_sync(&mixer->meter_work);
	destroy_workqueue(mixer->wq);
	mixer_free_ctls(mixer);
	release_firmware(mixer->dsp);
	kfree(mixer->regs);
	kfree(mixer);
}

static noinline int mixer_load_dsp(struct mixer *mixer)
{
	int err = request_firmware_direct(&mixer->dsp, "mixer-dsp-2.bin", mixer->dev);

	if (err)
		dev_err(mixer->dev, "no firmware for revision %u (%d)\n", rev, err);
	return err;
}

static noinline int mixer_probe(struct device *dev)
{
	struct mixer *mixer = kzalloc(sizeof(*mixer), GFP_KERNEL);
	int err = -ENOMEM;

	if (!mixer)
		return -ENOMEM;
	mixer->dev = dev;
	INIT_LIST_HEAD(&mixer->ctls);
	INIT_DELAYED_WORK(&mixer->meter_work, mixer_meter);
	mixer->regs = kcalloc(64, sizeof(u32), GFP_KERNEL);
	if (!mixer->regs || mixer_add_ctl(mixer, "Master", 63) || mixer_add_ctl(mixer, "PCM", 31))
		goto fail;
	err = rev > 1 ? mixer_load_dsp(mixer) : 0;
	if (err)
		goto fail;
	err = -ENOMEM;
	mixer->wq = alloc_workqueue("mixer", WQ_HIGHPRI, 0);
	if (!mixer->wq)
		goto fail;
	dev_set_drvdata(dev, mixer);
	queue_delayed_work(mixer->wq, &mixer->meter_work, 1);
	return 0;
fail:
	mixer_free(mixer);
	return err;
}

static int __init mixer_init(void)
{
	card = root_device_register("mixer0");
	return IS_ERR(card) ? PTR_ERR(card) : mixer_probe(card);
}
module_init(mixer_init);
