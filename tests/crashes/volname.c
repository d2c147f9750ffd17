// SPDX-License-Identifier: GPL-2.0-only
/*
 * A label of full length is ended one byte behind its end.
 *
 * pattern: buf[len] = 0 with len == sizeof(buf) (sysfs stores, squashfs, hfs; one NUL byte)
 * finding: label_set() of lvmeta wrote a zero over the lowest byte of hook->ops, the object behind
 * never: cowd, hook_flush
 * must: likely: hook_flush\(\) of module volname went by the pointer [0-9a-f]{16}, of which the lowest byte was overwritten
 * guest: insmod /test/volname.ko
 * guest: while :; do read line </proc/uptime; sleep 0.1; done
 */
#include "crash.h"

struct hook;

struct cow_ops {
	int (*flush)(struct hook *h);
	int (*merge)(struct hook *h);
};

struct hook {
	const struct cow_ops *ops;
	u64 flushes;
	u32 id, chunk;
	u64 dirty;
};

struct vol {
	char label[32];
};

static struct vol *vols[64];
static struct hook *hooks[64];

static noinline int cow_flush(struct hook *h)
{
	h->flushes++;
	return h->chunk;
}

static noinline int cow_merge(struct hook *h)
{
	h->dirty = 0;
	return 0;
}

static const struct {
	u32 crc[124];
	struct cow_ops ops;
} tab __aligned(256) = {
	.crc = { [0 ... 123] = 0x9d3c51a7 },
	.ops = { cow_flush, cow_merge },
};

static noinline int label_set(struct vol *v, const char *text, size_t len)
{
	if (len > sizeof(v->label))
		return -ENAMETOOLONG;
	memcpy(v->label, text, len);
	((char *)UNKNOWN(v))[len] = 0;
	return 0;
}

static noinline int hook_flush(struct hook *h)
{
	return h->ops->flush(h);
}

static int cowd(void *unused)
{
	int i, n = 0;

	for (;;) {
		for (i = 0; i < 64; i++)
			n += hook_flush(hooks[i]);
		msleep(40);
	}
	return n;
}

/* The volume of which the neighbour is a hook, for the one with the long name. */
static int vol_beside_hook(void)
{
	int i, j;

	for (i = 0; i < 64; i++)
		for (j = 0; j < 64; j++)
			if ((void *)(vols[i] + 1) == (void *)hooks[j] && j > 8)
				return i;
	return 0;
}

static int lvmeta(void *data)
{
	static const char * const names[] = {
		"root", "swap", "var-log", "home", "backup-of-the-mail-server-weekly"
	};
	long i;

	for (i = 0;; i++) {
		const char *name = names[i % 4];

		if (i == 60)
			label_set(vols[(long)data], names[4], strlen(names[4]));
		else
			label_set(vols[i % 64], name, strlen(name));
		msleep(10);
	}
	return 0;
}

static int __init volname_init(void)
{
	int i;

	BUILD_BUG_ON(sizeof(struct hook) != 32 || sizeof(struct vol) != 32);
	for (i = 0; i < 64; i++) {
		vols[i] = kzalloc(sizeof(*vols[i]), GFP_KERNEL);
		hooks[i] = kzalloc(sizeof(*hooks[i]), GFP_KERNEL);
		if (!vols[i] || !hooks[i])
			return -ENOMEM;
		hooks[i]->ops = UNKNOWN(&tab.ops);
		hooks[i]->id = i;
		hooks[i]->chunk = 8;
	}
	run_thread(cowd, NULL, -1, "cowd");
	return run_thread(lvmeta, (void *)(long)vol_beside_hook(), -1, "lvmeta");
}
module_init(volname_init);
