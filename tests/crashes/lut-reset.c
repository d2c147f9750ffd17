// SPDX-License-Identifier: GPL-2.0-only
/*
 * memset() with twice the size of its table clears the object behind.
 *
 * pattern: memset() past the end of an object
 * upstream: the class of wrong sizeof() in memset() and memcpy()
 * finding: engine_step() read a NULL ops of an object that lut_reset() cleared
 * never: "engine" or engine_step()
 * must: ^shown: engine_step\(\) .*NULL pointer
 * not: freed
 * guest: insmod /test/lut-reset.ko
 * guest: echo 1 >/proc/lut_reset
 * guest: sleep 30
 */
#include "crash.h"

struct engine;

struct engine_ops {
	void (*run)(struct engine *e);
};

struct engine {
	const struct engine_ops *ops;
	u64 runs;
	u8 state[100];
};

struct lut {
	u16 values[58];
};

static struct lut *luts[64];
static struct engine *engines[64];

static void engine_count(struct engine *e)
{
	e->runs++;
}

static const struct engine_ops engine_ops = { .run = engine_count };

static noinline void engine_step(struct engine *e)
{
	e->ops->run(e);
}

static int engine(void *unused)
{
	int i;

	for (;;) {
		for (i = 0; i < 64; i++)
			engine_step(engines[i]);
		msleep(15);
	}
	return 0;
}

static noinline void lut_reset(struct lut *lut)
{
	size_t bytes = UNKNOWN(sizeof(*lut)) * 2;

	memset(lut, 0, bytes);
}

static int reset_set(unsigned int val)
{
	int i;

	for (i = 0; i < 64; i++)
		lut_reset(luts[i]);
	return 0;
}

PROC_NUMBER(reset, reset_set);

static int __init lut_init(void)
{
	int i;

	for (i = 0; i < 64; i++) {
		luts[i] = kzalloc(sizeof(*luts[i]), GFP_KERNEL);
		engines[i] = kzalloc(sizeof(*engines[i]), GFP_KERNEL);
		if (!luts[i] || !engines[i])
			return -ENOMEM;
		engines[i]->ops = &engine_ops;
	}
	proc_create("lut_reset", 0200, NULL, &reset_pops);
	return run_thread(engine, NULL, -1, "engine");
}
module_init(lut_init);
