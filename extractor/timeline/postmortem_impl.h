/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of a postmortem: private to postmortem*.c. */
#ifndef EPITAPH_TIMELINE_POSTMORTEM_IMPL_H
#define EPITAPH_TIMELINE_POSTMORTEM_IMPL_H

#include "postmortem.h"

/*
 * Open @pm->debuginfo, if the user named a place for it.  Return: 0, also where no place is named;
 * -ERR_USAGE if no place has debuginfo of that build.
 */
int pm_debuginfo_open(struct postmortem *pm, struct err *err);
void pm_debuginfo_close(struct postmortem *pm);

/* Open @pm->kernel; without a recording, the kernel also says origin and end. */
int pm_kernel_open(struct postmortem *pm, struct err *err);

/* The newest of them says where types are, of a kernel that has none itself; before pm_kernel_open(). */
void pm_take_types(struct postmortem *pm, struct generation_set *generations);

/* Have the dumped kernel name what @pm->recording has no name of; it is opened when first asked. */
void pm_names_begin(struct postmortem *pm);

/* Add log and trace of @pm->kernel that are in @pm->sources. Damage goes into @pm->notes. */
int pm_kernel_scan(struct postmortem *pm, struct err *err);

/*
 * Without a kernel: search the dump for trace buffers that outlived theirs.  Return: 0 and
 * @pm->ftrace, or -ERR_NOT_OURS if there are none.
 */
int pm_ftrace_open(struct postmortem *pm, struct err *err);

/* Add a stream for each buffer of @pm->ftrace, which comes from @pm->kernel if there is one. */
int pm_ftrace_scan(struct postmortem *pm, struct err *err);

/*
 * Is the file the text of a console?  @boot: its number; 0: pm chooses.  Return: as
 * console_open(); the text says origin and end.
 */
int pm_console_open(struct postmortem *pm, s64 boot, struct err *err);

/* Add log and events of @pm->console. */
int pm_console_scan(struct postmortem *pm, struct err *err);

/* Machine checks that a kernel printed, into @pm->mces; their UTC is unknown. */
int pm_take_printed_mces(struct postmortem *pm, const struct printk_ringbuffer *log, struct err *err);

/* When a panic was logged: @reason, in the words of the log; else when the kernel last logged, or 0. */
u64 pm_time_of_panic(const struct printk_ringbuffer *log, const char *reason);

#endif
