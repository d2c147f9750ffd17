// SPDX-License-Identifier: GPL-2.0-only
/* The rings of all CPUs, and what a probe calls. */
#include <linux/cpu.h>
#include <linux/export.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <epitaph/layout.h>
#include <epitaph/probes.h>
#include <epitaph/record.h>
#include "recorder.h"

DEFINE_PER_CPU(struct epitaph_ring, epitaph_rings);
EXPORT_PER_CPU_SYMBOL_GPL(epitaph_rings);
EXPORT_SYMBOL_GPL(epitaph_ring_claim);
EXPORT_SYMBOL_GPL(epitaph_ring_claim_slowly);
EXPORT_SYMBOL_GPL(epitaph_ring_settle);
EXPORT_SYMBOL_GPL(epitaph_ring_too_deep);

static void ring_set(unsigned int cpu)
{
	struct epitaph_ring *ring = per_cpu_ptr(&epitaph_rings, cpu);
	size_t size;

	memset(ring, 0, sizeof(*ring));
	ring->data = epitaph_ring_memory(cpu, &ring->size);
	ring->sub_size = EPITAPH_SUB_SIZE;
	ring->shift = epitaph_clock_shift();
	ring->salt = epitaph_region.salt;
	ring->counters = epitaph_section(EPITAPH_SEC_COUNTERS, &size);
	ring->counters += cpu;
}

/* On the CPU itself: nobody else knows what runs there. */
static void ring_init_here(void *ret)
{
	struct epitaph_ring *ring = this_cpu_ptr(&epitaph_rings);

	ring->pid = current->pid;
	if (epitaph_ring_init(ring))
		WRITE_ONCE(*(int *)ret, -EINVAL);
}

int epitaph_rings_start(void)
{
	unsigned int cpu;
	int ret = 0;

	cpus_read_lock();
	for_each_possible_cpu(cpu) {
		ring_set(cpu);
		/* A CPU that comes later begins with its idle task, pid 0. */
		if (!cpu_online(cpu) && epitaph_ring_init(per_cpu_ptr(&epitaph_rings, cpu)))
			ret = -EINVAL;
	}
	on_each_cpu(ring_init_here, &ret, 1);
	cpus_read_unlock();
	return ret;
}

void epitaph_note_symbols(const struct epitaph_event *ev, const void *raw)
{
	unsigned long addr;
	int i;

	for (i = 0; i < ev->nr_syms; i++) {
		memcpy(&addr, raw + ev->sym_off[i], sizeof(addr));
		epitaph_symbol_note(addr);
	}
}
EXPORT_SYMBOL_GPL(epitaph_note_symbols);
