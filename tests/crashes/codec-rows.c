// SPDX-License-Identifier: GPL-2.0-only
/*
 * A table of names has no empty last row: the walk goes on into the member behind it.
 *
 * pattern: a sentinel that is missing
 * upstream: the class of "add missing sentinel / terminating entry" of device tables and attribute arrays
 * finding: param_find() walks over the end of the three rows of chip rev_b.params, which has no empty row at its end, and takes quirks behind it for the name of a fourth row
 * never: freed memory; that the text came from user space; that strcmp() is at fault
 * must: ^shown: .*strcmp\(\), which worked for param_find\(\)
 * not: freed|user space
 * guest: insmod /test/codec-rows.ko
 * guest: echo 1 >/proc/codec-gain
 * guest: echo 300 >/proc/codec-gain
 */
#include "crash.h"
#include <linux/string.h>

struct param_row {
	const char *name;
	u32 reg, shift;
};

struct chip_desc {
	const char *name;
	struct param_row params[3];
	u64 quirks;
	u64 rates;
};

static const struct chip_desc rev_a = {
	.name = "a", .params = { { "gain", 4, 0 }, { "mute", 4, 8 } }, .rates = 0x0f,
};

static const struct chip_desc rev_b = {
	.name = "b", .params = { { "gain", 6, 0 }, { "mute", 6, 8 }, { "boost", 7, 0 } },
	.quirks = 0x8040201008040201, .rates = 0xff,
};

static const struct chip_desc *chips[] = { &rev_a, &rev_b };
static u32 regs[16];
static DEFINE_MUTEX(regs_lock);

static noinline const struct param_row *param_find(const struct chip_desc *chip, const char *name)
{
	const struct param_row *row;

	for (row = chip->params; row->name; row++)
		if (!strcmp(row->name, name))
			return row;
	return NULL;
}

static noinline int param_set(const struct chip_desc *chip, const char *name, u32 val)
{
	const struct param_row *row;

	row = param_find(chip, name);
	if (!row)
		return -ENOENT;
	mutex_lock(&regs_lock);
	regs[row->reg] = val << row->shift;
	mutex_unlock(&regs_lock);
	return 0;
}

static noinline int codec_gain(unsigned int val)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(chips); i++) {
		param_set(chips[i], "gain", val);
		if (val > 255)
			param_set(chips[i], "limiter", 1);
	}
	return 0;
}

PROC_NUMBER(gain, codec_gain);

static int __init codec_init(void)
{
	return proc_create("codec-gain", 0200, NULL, &gain_pops) ? 0 : -ENOMEM;
}
module_init(codec_init);
