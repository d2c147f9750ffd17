// SPDX-License-Identifier: GPL-2.0-only
/* The known sequence, and the witness of it. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt
#include <linux/cpumask.h>
#include <linux/gfp.h>
#include <linux/io.h>
#include <linux/kernel.h>
#include <linux/ioport.h>
#include <linux/mm.h>
#include <linux/moduleparam.h>
#include <linux/smp.h>

#include "victim.h"

#define CREATE_TRACE_POINTS
#include "victim_trace.h"

static unsigned long long witness_at;
module_param_named(witness, witness_at, ullong, 0444);
MODULE_PARM_DESC(witness, "physical address of reserved memory for the witness, so that it survives a reset");

static struct victim_witness *witness;
static size_t witness_size;

/* One to one, so that a reader can undo it (the finalizer of splitmix64). */
static u64 mix(u64 x)
{
	x += 0x9e3779b97f4a7c15ULL;
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
	return x ^ (x >> 31);
}

static u64 value_of(enum victim_context context, unsigned int cpu, u64 number)
{
	return mix((u64)context << 56 | (u64)cpu << 40 | number);
}

/* A name of eight letters from the lower bits. */
static void name_from(char name[16], u64 bits)
{
	int i;

	memset(name, 0, 16);
	for (i = 0; i < 8; i++, bits >>= 4)
		name[i] = 'a' + (bits & 15);
}

static void emit_switch_like(u64 value)
{
	char prev[16], next[16];

	name_from(prev, value);
	name_from(next, value >> 32);
	trace_switch_like(value, prev, next, value & 0x7fff, value >> 40 & 0x7fff);
}

/* 0 to 99 letters. */
static void emit_text(u64 value)
{
	unsigned int len = value % 100, i;
	char text[100];

	for (i = 0; i < len; i++)
		text[i] = 'a' + (value >> i % 60 & 15);
	text[len] = 0;
	trace_text(value, text);
}

/* Which event carries a number: 13 of 16 are the smallest. */
static void emit_value(u64 number, u64 value)
{
	switch (number & 15) {
	case 5:
	case 11:
		emit_text(value);
		break;
	case 8:
		emit_switch_like(value);
		break;
	default:
		trace_seq(value);
	}
}

/* The caller stays on its CPU; no other task emits in this context there. */
static void emit_one(enum victim_context context)
{
	unsigned int cpu = raw_smp_processor_id();
	struct victim_count *count = &witness->counts[cpu * VICTIM_NR_CONTEXTS + context];
	u64 number = READ_ONCE(count->committed);

	WRITE_ONCE(count->reserved, number + 1);
	barrier();
	emit_value(number, value_of(context, cpu, number));
	barrier();
	WRITE_ONCE(count->committed, number + 1);
	WRITE_ONCE(count->task, READ_ONCE(count[VICTIM_TASK - (int)context].committed));
}

void victim_emit(enum victim_context context, unsigned int count)
{
	while (count--)
		emit_one(context);
}

/* Memory that survives a reset and that no other code uses. */
static void *map_reserved(size_t size)
{
	void *there;

	if (region_intersects(witness_at, size, IORESOURCE_MEM,
			      IORES_DESC_PERSISTENT_MEMORY_LEGACY) != REGION_INTERSECTS) {
		pr_err("witness at 0x%llx: not reserved by memmap=\n", witness_at);
		return NULL;
	}
	there = memremap(witness_at, size, MEMREMAP_WB);
	if (there && *(u64 *)there == ~VICTIM_MAGIC_INVERTED) {
		pr_err("witness at 0x%llx: an earlier boot's is still there\n", witness_at);
		memunmap(there);
		return NULL;
	}
	if (there)
		memset(there, 0, size);
	return there;
}

static void *allocate(size_t size)
{
	return (void *)__get_free_pages(GFP_KERNEL | __GFP_ZERO, get_order(size));
}

int victim_witness_init(void)
{
	witness_size = struct_size(witness, counts, nr_cpu_ids * VICTIM_NR_CONTEXTS);
	witness = witness_at ? map_reserved(witness_size) : allocate(witness_size);
	if (!witness)
		return -ENOMEM;
	witness->nr_cpus = nr_cpu_ids;
	witness->nr_contexts = VICTIM_NR_CONTEXTS;
	witness->magic = ~VICTIM_MAGIC_INVERTED;
	pr_info("witness at 0x%llx size %zu\n",
		witness_at ?: (u64)virt_to_phys(witness), witness_size);
	return 0;
}

void victim_witness_exit(void)
{
	if (witness_at)
		memunmap(witness);
	else
		free_pages((unsigned long)witness, get_order(witness_size));
}
