/* SPDX-License-Identifier: GPL-2.0-only */
/* Faults inside a probe. */
#ifndef EPITAPH_CORE_FAULT_H
#define EPITAPH_CORE_FAULT_H

#include <linux/percpu.h>

DECLARE_PER_CPU(bool, epitaph_fault_seen);

/**
 * epitaph_fault_mend() - the writers of this CPU do not go on
 *
 * Context: a switch of tasks; interrupts off.
 */
void epitaph_fault_mend(void);

/* Whether a task of this CPU had a fault since the last switch.  Context: as epitaph_fault_mend(). */
static inline bool epitaph_has_fault(void)
{
	return this_cpu_read(epitaph_fault_seen);
}

/* Process context; while epitaph_tasks_start() and _stop() hold. */
void epitaph_fault_start(void);
void epitaph_fault_stop(void);

#endif /* EPITAPH_CORE_FAULT_H */
