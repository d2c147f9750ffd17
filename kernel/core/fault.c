// SPDX-License-Identifier: GPL-2.0-only
/*
 * A fault inside a probe: what an event reads may be gone, and the oops ends the task between
 * reserve and commit.  Its level of the CPU would stay taken for good, and its sub-buffer
 * would be kept from being recycled.  The next switch of the CPU gives them back: a writer has
 * preemption off, so no writer is under way at a switch.
 */
#include <linux/kdebug.h>
#include <linux/notifier.h>
#include <linux/percpu.h>
#include "control/added.h"
#include "control/event_config.h"
#include "events/calls.h"
#include "sources/bridge.h"
#include "fault.h"
#include "recorder.h"

DEFINE_PER_CPU(bool, epitaph_fault_seen);

static void abandon_writers(struct epitaph_ring *ring)
{
	int i;

	for (i = 0; i < EPITAPH_LEVELS; i++)
		WRITE_ONCE(ring->prepares[i], EPITAPH_NO_SUB);
	/* order:abandon is local: an interrupt takes level 0 from then on */
	barrier();
	WRITE_ONCE(ring->nest, 0);
}

void epitaph_fault_mend(void)
{
	int channel;

	this_cpu_write(epitaph_fault_seen, false);
	for (channel = 0; channel < EPITAPH_NR_CHANNELS; channel++)
		abandon_writers(this_cpu_ptr(&epitaph_rings[channel]));
	epitaph_added_each_ring(abandon_writers);
	epitaph_stage_abandon();
	epitaph_bridge_printk_abandon();
	this_cpu_write(epitaph_calls_inside, 0);
}

/* Before the task ends, on the CPU of the fault, with interrupts off. */
static int saw_fault(struct notifier_block *nb, unsigned long what, void *data)
{
	if (what == DIE_OOPS)
		this_cpu_write(epitaph_fault_seen, true);
	return NOTIFY_DONE;
}

static struct notifier_block die_block = { .notifier_call = saw_fault };

void epitaph_fault_start(void)
{
	register_die_notifier(&die_block);
}

void epitaph_fault_stop(void)
{
	unregister_die_notifier(&die_block);
}
