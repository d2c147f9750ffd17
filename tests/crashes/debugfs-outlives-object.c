// SPDX-License-Identifier: GPL-2.0-only
/*
 * A port is removed, its file in debugfs stays.  The memory is a label by the time that the file is read.
 *
 * pattern: debugfs_remove() forgotten in the removal of an object (the module stays)
 * upstream: the class of stale debugfs files (bluetooth, mt76, dwc3)
 * finding: port_show() of this module used a pointer that is text, read from memory that port_remove() freed
 * never: the reader "cat"; debugfs or seq_file as author; the module as removed; NULL
 * must: ^(shown: port_bytes\(\) .*the byte 0x6c|likely: port_bytes\(\) .*used 6c6c6c6c6c6c6c6c as a pointer, out of the object)
 * not: cat-|NULL
 * guest: mount -t debugfs debug /sys/kernel/debug 2>/dev/null || true
 * guest: epitaph events +kmem:kmalloc +kmem:kfree >/dev/null
 * guest: insmod /test/debugfs-outlives-object.ko
 * guest: sleep 0.3
 * guest: cat /sys/kernel/debug/port0
 * guest: sleep 2
 * guest: cat /sys/kernel/debug/port0
 */
#include <linux/debugfs.h>
#include <linux/seq_file.h>
#include "crash.h"

struct port_stats {
	unsigned long bytes;
};

struct port {
	struct port_stats *stats;
	u8 ring[240];
};

static struct port_stats stats = { 17 };
static char *labels[300];

static noinline unsigned long port_bytes(struct port *p)
{
	return READ_ONCE(READ_ONCE(p->stats)->bytes);
}

static noinline int port_show(struct seq_file *m, void *unused)
{
	seq_printf(m, "%lu\n", port_bytes(m->private));
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(port);

static noinline void port_remove(struct port *p)
{
	kfree(p);
}

static int remover(void *unused)
{
	struct port *p = kzalloc(sizeof(*p), GFP_KERNEL);
	int i;

	p->stats = &stats;
	debugfs_create_file("port0", 0400, NULL, p, &port_fops);
	msleep(1000);
	port_remove(p);
	for (i = 0; i < 300; i++) {
		labels[i] = kmalloc(sizeof(struct port), GFP_KERNEL);
		memset(labels[i], 'l', sizeof(struct port));
	}
	return 0;
}

static int __init port_init(void)
{
	return run_thread(remover, NULL, 0, "remover");
}
module_init(port_init);
