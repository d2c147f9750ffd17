/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Works that a probe asks for.  Each CPU has a wake of its own: one that is stuck, with interrupts
 * off, keeps no other from it.
 */
#ifndef EPITAPH_CORE_WAKE_H
#define EPITAPH_CORE_WAKE_H

#include <linux/irq_work.h>
#include <linux/percpu.h>
#include <linux/workqueue.h>
#include "compat.h"

/**
 * epitaph_wake_init() - what a wake calls
 * @wake: one of each CPU; a module's loader puts no pointer into it
 * @func: queues a work, on this CPU or on epitaph_unbound_wq
 *
 * Context: process, before the first epitaph_wake().
 */
static inline void epitaph_wake_init(struct irq_work __percpu *wake, void (*func)(struct irq_work *))
{
	int cpu;

	for_each_possible_cpu(cpu)
		init_irq_work(per_cpu_ptr(wake, cpu), func);
}

/**
 * epitaph_wake() - have the function of a wake called, soon, on this CPU
 *
 * Context: any, NMI included.
 */
static inline void epitaph_wake(struct irq_work __percpu *wake)
{
	irq_work_queue(raw_cpu_ptr(wake));
}

/**
 * epitaph_wake_sync() - wait until the function of a wake runs nowhere
 *
 * Context: process; epitaph_wake() is called no more.
 */
static inline void epitaph_wake_sync(struct irq_work __percpu *wake)
{
	int cpu;

	for_each_possible_cpu(cpu)
		irq_work_sync(per_cpu_ptr(wake, cpu));
}

#endif /* EPITAPH_CORE_WAKE_H */
