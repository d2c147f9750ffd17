// SPDX-License-Identifier: GPL-2.0-only
/*
 * The work of a probe fails, for no machine was found, and says so; the device stays bound.  It is
 * unbound later, and the removal frees an IPC that was never made.
 *
 * pattern: removal that does not know that the second half of the probe failed
 * upstream: ASoC: SOF: fix fault at driver unload after failed probe (thesofproject/linux#1545)
 * finding: a NULL pointer, the IPC of the device, in sof_ipc_free(), which locks a mutex in it; sof_probe_work() failed before and made none
 * never: mutex_lock() as guilty; a use after free; a deadlock; the task sh
 * must: NULL.*sof_ipc_free|sof_ipc_free.*NULL
 * not: freed|deadlock|lock.*(held|holds)|overwritten
 * guest: insmod /test/sof-ipc.ko
 * guest: sleep 1
 * guest: echo snd-sof.0 >/sys/bus/platform/drivers/snd-sof/unbind
 */
#include <linux/platform_device.h>
#include "crash.h"

struct sof_ipc {
	u32 version, pending;
	struct mutex tx_mutex;
	bool disable_tx;
};

struct sof_dev {
	struct device *dev;
	struct work_struct probe_work;
	struct sof_ipc *ipc;
	const char *machine;
	bool booted;
};

static noinline const char *sof_machine_select(struct sof_dev *sdev)
{
	return UNKNOWN(sdev->machine);
}

static void sof_probe_work(struct work_struct *work)
{
	struct sof_dev *sdev = container_of(work, struct sof_dev, probe_work);

	if (!sof_machine_select(sdev)) {
		dev_err(sdev->dev, "no matching machine found, error %d\n", -ENODEV);
		return;
	}
	sdev->ipc = kzalloc(sizeof(*sdev->ipc), GFP_KERNEL);
	if (!sdev->ipc)
		return;
	mutex_init(&sdev->ipc->tx_mutex);
	sdev->booted = true;
}

static noinline void sof_ipc_free(struct sof_dev *sdev)
{
	struct sof_ipc *ipc = sdev->ipc;

	mutex_lock(&ipc->tx_mutex);
	ipc->disable_tx = true;
	mutex_unlock(&ipc->tx_mutex);
	kfree(ipc);
}

static int sof_probe(struct platform_device *pdev)
{
	struct sof_dev *sdev = devm_kzalloc(&pdev->dev, sizeof(*sdev), GFP_KERNEL);

	if (!sdev)
		return -ENOMEM;
	sdev->dev = &pdev->dev;
	platform_set_drvdata(pdev, sdev);
	INIT_WORK(&sdev->probe_work, sof_probe_work);
	schedule_work(&sdev->probe_work);
	return 0;
}

static int sof_remove(struct platform_device *pdev)
{
	struct sof_dev *sdev = platform_get_drvdata(pdev);

	cancel_work_sync(&sdev->probe_work);
	sof_ipc_free(sdev);
	return 0;
}

static struct platform_driver sof_driver = {
	.probe = sof_probe,
	.remove = sof_remove,
	.driver.name = "snd-sof",
};

static int __init sof_init(void)
{
	struct platform_device *pdev;
	int err = platform_driver_register(&sof_driver);

	if (err)
		return err;
	pdev = platform_device_register_simple("snd-sof", 0, NULL, 0);
	return PTR_ERR_OR_ZERO(pdev);
}
module_init(sof_init);
