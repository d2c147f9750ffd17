/* SPDX-License-Identifier: GPL-2.0-only */
/* A module with large events. */
#ifndef _WIDE_H
#define _WIDE_H

/* wide_events.c */
int wide_record(void);
void wide_record_stop(void);

#endif /* _WIDE_H */
