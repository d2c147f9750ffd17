// SPDX-License-Identifier: GPL-2.0-only
#include <linux/module.h>

#include "victim.h"

static bool record = true;
module_param(record, bool, 0444);
MODULE_PARM_DESC(record, "give the events to the recorder");

static bool work = true;
module_param(work, bool, 0444);
MODULE_PARM_DESC(work, "emit the known sequence");

static int __init victim_init(void)
{
	int err;

	err = victim_witness_init();
	if (err)
		return err;
	err = record ? victim_record() : 0;
	if (err)
		goto err_record;
	err = victim_bug_init();
	if (err)
		goto err_bug;
	victim_ras_init();
	victim_moments_init();
	victim_numbers_init();
	victim_ports_init();
	victim_token_init();
	err = work ? victim_workers_start() : 0;
	if (err)
		goto err_workers;
	return 0;

err_workers:
	victim_token_exit();
	victim_ports_exit();
	victim_numbers_exit();
	victim_moments_exit();
	victim_ras_exit();
	victim_bug_exit();
err_bug:
	if (record)
		victim_record_stop();
err_record:
	victim_witness_exit();
	return err;
}
module_init(victim_init);

static void __exit victim_exit(void)
{
	if (work)
		victim_workers_stop();
	victim_token_exit();
	victim_ports_exit();
	victim_numbers_exit();
	victim_moments_exit();
	victim_ras_exit();
	victim_bug_exit();
	if (record)
		victim_record_stop();
	victim_witness_exit();
}
module_exit(victim_exit);

MODULE_DESCRIPTION("Emits a known sequence of events and goes wrong on demand");
MODULE_LICENSE("GPL");
