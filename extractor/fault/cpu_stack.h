/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The stack that another CPU printed for a report: of an RCU stall that was found from elsewhere,
 * the CPU that is meant answers an NMI with lines of its own.
 */
#ifndef EPITAPH_FAULT_CPU_STACK_H
#define EPITAPH_FAULT_CPU_STACK_H

#include "timeline/death.h"

/*
 * Sets place, frames and task of @report to those of the first stack of @cpu in the lines from
 * @report->time on.  False: there is none, and nothing was changed.
 */
bool cpu_stack_find(struct kernel_report *report, const struct death *death, u32 cpu);

#endif
