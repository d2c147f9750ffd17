// SPDX-License-Identifier: GPL-2.0-only
/*
 * The cost of a tracepoint with any probe: loops with interrupts off, timed
 * by the CPU's counter.  With QEMU's -icount a tick is an instruction.
 *
 * Reading /sys/kernel/debug/epitaph_bench runs all loops once and prints, for each,
 * hundredths of a tick an event.  Writing 1 or 0 there turns our probes on and off;
 * ftrace is turned on and off in tracefs.
 */
#include <linux/debugfs.h>
#include <linux/irqflags.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/vmalloc.h>
#include <asm/cmpxchg.h>
#include <asm/timex.h>

#include "bench.h"

#define CREATE_TRACE_POINTS
#include "bench_trace.h"

#define CHUNKS	64	/* interrupts come in between */
#define CHUNK	256
#define BUFFER	(256 << 10)

static struct dentry *file;
static u8 *buffer;
static unsigned long head;
static const char prev_comm[16] = "one_of_them", next_comm[16] = "the_other";

static void loop_u64(u64 i)
{
	trace_bench_u64(i);
}

static void loop_switch(u64 i)
{
	trace_bench_switch(prev_comm, i, next_comm, i + 1, 1);
}

static void loop_string(u64 i)
{
	trace_bench_string("a string of twenty-eight byt");
}

static void loop_block(u64 i)
{
	trace_bench_block(0x800010, i, 4096, prev_comm);
}

static void loop_odd(u64 i)
{
	trace_bench_odd(7, i, prev_comm, i);
}

static void loop_strings(u64 i)
{
	trace_bench_strings("0000:00:1f.2", "ahci", "link is down, and comes back", i);
}

static void loop_nested(u64 i)
{
	struct bench_request request = { .at = { i, 8 }, .cookie = i << 20 };

	trace_bench_nested(&request, i);
}

static void loop_array(u64 i)
{
	static const u32 values[7] = { 1, 2, 3, 4, 5, 6, 7 };

	trace_bench_array(values, 5 + (i & 1));
}

/* The limit: a timestamp and a plain store of 12 bytes. */
static void loop_limit(u64 i)
{
	u8 *p = buffer + head % BUFFER;

	head += 16;
	*(u32 *)p = get_cycles();
	*(u64 *)(p + 4) = i;
}

/* The same with a place claimed and a word that says it is there. */
static void loop_floor(u64 i)
{
	unsigned long old;
	u8 *p;

	do {
		old = READ_ONCE(head);
	} while (cmpxchg_local(&head, old, old + 16) != old);
	p = buffer + old % BUFFER;
	*(u64 *)(p + 4) = i;
	barrier();
	WRITE_ONCE(*(u32 *)p, (u32)get_cycles());
}

static void probe_floor(void *unused, u64 i)
{
	loop_floor(i);
}

static noinline u64 time_loop(void (*body)(u64))
{
	u64 ticks = 0, begin;
	unsigned long flags;
	int chunk, i;

	for (chunk = 0; chunk < CHUNKS; chunk++) {
		local_irq_save(flags);
		begin = get_cycles();
		for (i = 0; i < CHUNK; i++)
			body(i);
		ticks += get_cycles() - begin;
		local_irq_restore(flags);
	}
	return ticks * 100 / (CHUNKS * CHUNK);
}

/* The least cost of a recorder behind a tracepoint that has no other probe. */
static void show_floor_probe(struct seq_file *s)
{
	if (trace_bench_u64_enabled() || register_trace_bench_u64(probe_floor, NULL))
		return;
	seq_printf(s, "probe %llu\n", time_loop(loop_u64));
	unregister_trace_bench_u64(probe_floor, NULL);
	tracepoint_synchronize_unregister();
}

static int show(struct seq_file *s, void *unused)
{
	/* The last ones stay in the ring, in which the bytes of an event are looked up. */
	seq_printf(s, "block %llu\n", time_loop(loop_block));
	seq_printf(s, "string %llu\n", time_loop(loop_string));
	seq_printf(s, "u64 %llu\n", time_loop(loop_u64));
	seq_printf(s, "switch %llu\n", time_loop(loop_switch));
	seq_printf(s, "odd %llu\n", time_loop(loop_odd));
	seq_printf(s, "strings %llu\n", time_loop(loop_strings));
	seq_printf(s, "nested %llu\n", time_loop(loop_nested));
	seq_printf(s, "array %llu\n", time_loop(loop_array));
	seq_printf(s, "limit %llu\n", time_loop(loop_limit));
	seq_printf(s, "floor %llu\n", time_loop(loop_floor));
	show_floor_probe(s);
	return 0;
}

static int bench_open(struct inode *inode, struct file *f)
{
	return single_open(f, show, NULL);
}

static ssize_t bench_write(struct file *f, const char __user *text, size_t size,
			   loff_t *pos)
{
	bool on;
	int err = kstrtobool_from_user(text, size, &on);

	if (err)
		return err;
	if (on)
		err = bench_record();
	else
		bench_record_stop();
	return err ?: size;
}

static const struct file_operations bench_fops = {
	.owner = THIS_MODULE,
	.open = bench_open,
	.read = seq_read,
	.write = bench_write,
	.llseek = seq_lseek,
	.release = single_release,
};

static int __init bench_init(void)
{
	buffer = vzalloc(BUFFER);
	if (!buffer)
		return -ENOMEM;
	file = debugfs_create_file("epitaph_bench", 0600, NULL, NULL, &bench_fops);
	return 0;
}

static void __exit bench_exit(void)
{
	debugfs_remove(file);
	bench_record_stop();
	vfree(buffer);
}

module_init(bench_init);
module_exit(bench_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("What a tracepoint costs");
