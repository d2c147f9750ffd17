// SPDX-License-Identifier: GPL-2.0-only
/*
 * A tuner asks for its firmware and does not wait.  The tuner is detached and freed; then the firmware comes, and the callback gets
 * the tuner that is no more.
 *
 * pattern: request_firmware_nowait() whose context is freed before the callback ran
 * upstream: drawn from Debian's changelog: "media: xc2028: avoid use-after-free in load_firmware_cb()"
 * finding: tuner_fw_cb(), the callback of the firmware loader's work, used a tuner that tuner_release() of the shell had freed; a struct rds_line lies there by now
 * never: rds_line_new(), which has the memory now by right; the firmware or who wrote it; a field that was never set
 * must: ^likely: tuner_fw_cb\(\) .*freed under it: .*in tuner_release\(\)
 * not: rds_line_new\(\) (wrote|freed)|never set
 * guest: epitaph events +kmem:kmalloc +kmem:kfree >/dev/null
 * guest: insmod /test/tuner-fw.ko
 * guest: sleep 1
 * guest: echo 1 >/proc/tuner-detach
 * guest: sleep 1
 * guest: echo 1 >/sys/class/firmware/xc-tuner.fw/loading; echo xc3028 >/sys/class/firmware/xc-tuner.fw/data; echo 0 >/sys/class/firmware/xc-tuner.fw/loading
 */
#include <linux/device.h>
#include <linux/firmware.h>
#include "crash.h"

struct tuner;

struct tuner_ops {
	int (*init)(struct tuner *t, const struct firmware *fw);
};

struct tuner {
	u32 if_khz, std;
	char name[56];
	const struct tuner_ops *ops;
	u64 regs[55];
};

struct rds_line {
	char text[512];
};

static struct rds_line *rds[512];
static struct device *tuner_dev;
static struct tuner *attached;

static int tuner_init_chip(struct tuner *t, const struct firmware *fw)
{
	t->regs[0] = fw->size;
	return 0;
}

static const struct tuner_ops tuner_ops = { .init = tuner_init_chip };

static noinline void tuner_fw_cb(const struct firmware *fw, void *context)
{
	struct tuner *t = context;

	if (!fw)
		return;
	t->ops->init(t, fw);
	release_firmware(fw);
}

static noinline void rds_line_new(int i)
{
	rds[i] = kmalloc(sizeof(*rds[i]), GFP_KERNEL);
	if (rds[i])
		memset(rds[i], ' ', sizeof(*rds[i]));
}

static noinline void tuner_release(void)
{
	kfree(attached);
	attached = NULL;
}

static int tuner_detach(unsigned int unused)
{
	int i;

	tuner_release();
	for (i = 0; i < ARRAY_SIZE(rds); i++)
		rds_line_new(i);
	return 0;
}

PROC_NUMBER(detach, tuner_detach);

static int __init tuner_attach(void)
{
	struct tuner *t = kzalloc(sizeof(*t), GFP_KERNEL);

	BUILD_BUG_ON(sizeof(struct tuner) != 512);
	tuner_dev = root_device_register("tuner0");
	if (!t || IS_ERR(tuner_dev) || !proc_create("tuner-detach", 0200, NULL, &detach_pops))
		return -ENOMEM;
	t->ops = &tuner_ops;
	snprintf(t->name, sizeof(t->name), "xc2028");
	attached = t;
	return request_firmware_nowait(THIS_MODULE, FW_ACTION_NOUEVENT, "xc-tuner.fw", tuner_dev, GFP_KERNEL, t, tuner_fw_cb);
}
module_init(tuner_attach);
