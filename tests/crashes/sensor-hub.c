// SPDX-License-Identifier: GPL-2.0-only
/*
 * The calibration cannot be read; probe goes on, and the poll work converts by a table that is not there.
 *
 * pattern: probe warns of a failed step and goes on; a member stays NULL
 * upstream: the class of NULL dereference after an error that probe ignored (iio, hwmon, media sensors)
 * finding: hub_convert() used a NULL pointer: the member `cal` of its hub, which hub_sample() read, and
 *	which hub_load_cal() had not set
 * never: the kworker; memory
 * must: ^shown: hub_convert\(\) .*a NULL pointer, which hub_sample\(\) .*0x[0-9a-f]+ behind
 * not: kworker|freed
 * guest: insmod /test/sensor-hub.ko
 */
#include "crash.h"

#define HUB_CHANS	4

struct cal_table {
	u32 version;
	s16 offset[HUB_CHANS];
	s16 gain[HUB_CHANS];
};

struct sensor_chan {
	u8 nr;
	u32 raw, samples;
	s32 value;
};

struct sensor_hub {
	char name[16];
	struct mutex lock;
	struct sensor_chan chan[HUB_CHANS];
	struct delayed_work poll;
	struct cal_table *cal;
	u32 errors, rounds;
};

static struct sensor_hub *hub;

static noinline int hub_eeprom_read(struct sensor_hub *h, void *to, size_t n)
{
	h->errors++;
	return -EIO;			/* no acknowledge on the bus */
}

static noinline int hub_load_cal(struct sensor_hub *h)
{
	struct cal_table *cal = kzalloc(sizeof(*cal), GFP_KERNEL);
	int err;

	if (!cal)
		return -ENOMEM;
	err = hub_eeprom_read(h, cal, sizeof(*cal));
	if (err) {
		kfree(cal);
		return err;
	}
	h->cal = cal;
	return 0;
}

static noinline s32 hub_convert(struct sensor_hub *h, struct sensor_chan *c)
{
	return (s32)(c->raw * h->cal->gain[c->nr]) / 1000 + h->cal->offset[c->nr];
}

static noinline void hub_sample(struct sensor_hub *h, struct sensor_chan *c)
{
	c->raw = 1000 + c->nr * 17 + h->rounds;
	c->samples++;
	c->value = hub_convert(h, c);
}

static void hub_poll(struct work_struct *work)
{
	struct sensor_hub *h = container_of(to_delayed_work(work), struct sensor_hub, poll);
	int i;

	mutex_lock(&h->lock);
	for (i = 0; i < HUB_CHANS; i++)
		hub_sample(h, &h->chan[i]);
	h->rounds++;
	mutex_unlock(&h->lock);
	schedule_delayed_work(&h->poll, HZ / 2);
}

static int __init hub_probe(void)
{
	int i, err;

	hub = kzalloc(sizeof(*hub), GFP_KERNEL);
	if (!hub)
		return -ENOMEM;
	strscpy(hub->name, "hub0", sizeof(hub->name));
	mutex_init(&hub->lock);
	for (i = 0; i < HUB_CHANS; i++)
		hub->chan[i].nr = i;
	INIT_DELAYED_WORK(&hub->poll, hub_poll);
	err = hub_load_cal(hub);
	if (err)
		pr_warn("%s: calibration not read: %d\n", hub->name, err);
	schedule_delayed_work(&hub->poll, 2 * HZ);
	return 0;
}
module_init(hub_probe);
