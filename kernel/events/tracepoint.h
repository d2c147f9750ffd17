/* SPDX-License-Identifier: GPL-2.0-only */
/* Tracepoints of events, and probes on them: what probe.c and member.c need of tracepoint.c. */
#ifndef EPITAPH_EVENTS_TRACEPOINT_H
#define EPITAPH_EVENTS_TRACEPOINT_H

#include <linux/mutex.h>
#include <linux/types.h>

struct epitaph_event;

/* Of epitaph_event.tp, .call and .on, and the table of names; the innermost but the kernel's. */
extern struct mutex epitaph_tp_lock;

/* By their names they are found; the lock is held. */
void epitaph_name_add(struct epitaph_event *ev);
void epitaph_name_remove(struct epitaph_event *ev);

/* Before any name is added, and before others run. */
void epitaph_names_clear(void);

/* Context of the rest: process, may sleep. */

/* Look for the tracepoints of all that have a name: in the kernel, in its modules. */
void epitaph_tracepoints_find(void);
void epitaph_tracepoints_find_in_modules(void);

/* From now on those of modules are found, and forgotten, as these come and go; 0 or -ENOMEM. */
int epitaph_tracepoints_follow(void);

/* No more; says of every module that it goes. */
void epitaph_tracepoints_leave(void);

/* NULL also if the module has gone meanwhile: then it is not on.  Else why it cannot be. */
const char *epitaph_event_attach(struct epitaph_event *ev);

/* Was it on?  The lock is held, and the caller waits for probes that still run. */
bool epitaph_event_detach(struct epitaph_event *ev);

/*
 * For probes, and for who reads ev->call or found ev by its id: those are in an RCU
 * section, which newer kernels do not wait for on behalf of tracepoints.
 */
void epitaph_probes_wait(void);

#endif /* EPITAPH_EVENTS_TRACEPOINT_H */
