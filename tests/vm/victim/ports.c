// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes to a port that no device has, each between two events: write how many to
 * /sys/kernel/debug/victim_ports.  The host of a virtual machine sees each of them.
 */
#include <linux/debugfs.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>

#include "victim.h"
#include "victim_trace.h"

#ifdef CONFIG_X86

#include <asm/io.h>

#define PORT	0x5a80

static struct dentry *file;

static int write_port(void *unused, u64 count)
{
	unsigned long flags;
	u32 n;

	for (n = 1; n <= count; n++) {
		local_irq_save(flags);
		trace_port(n, false);
		outl(n, PORT);
		trace_port(n, true);
		local_irq_restore(flags);
	}
	return 0;
}
DEFINE_DEBUGFS_ATTRIBUTE(ports_fops, NULL, write_port, "%llu\n");

void victim_ports_init(void)
{
	file = debugfs_create_file_unsafe("victim_ports", 0200, NULL, NULL, &ports_fops);
}

void victim_ports_exit(void)
{
	debugfs_remove(file);
}

#else

void victim_ports_init(void)
{
}

void victim_ports_exit(void)
{
}

#endif
