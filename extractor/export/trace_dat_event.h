/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Events of trace.dat: what the kernel's own ring would have of them. */
#ifndef EPITAPH_EXPORT_TRACE_DAT_EVENT_H
#define EPITAPH_EXPORT_TRACE_DAT_EVENT_H

#include "exporter.h"

#define TRACEDAT_EVENT_COMMON	8	/* bytes that all events begin with */

/* The payload as it is safe to read; @p is emptied first.  Without memory, @p has failed. */
void trace_dat_event_payload(struct pack *p, const struct exported *event);

/* Writes the event to @to: TRACEDAT_EVENT_COMMON bytes, and the payload. */
void trace_dat_event_put(u8 *to, const struct exported *event, const struct pack *payload);

#endif
