/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A print format, made ready to run: what the library prints of an event, to
 * the byte, in a fraction of its time.  It knows numbers, texts in place, flags
 * and symbols; formats with anything else stay the library's.
 */
#ifndef EPITAPH_PRINT_PLAN_H
#define EPITAPH_PRINT_PLAN_H

#include <event-parse.h>

#include "pack.h"

struct print_plan;

/* NULL: the library has to print it.  @event has been checked, and must outlive it. */
struct print_plan *print_plan_new(const struct tep_event *event);
void print_plan_free(struct print_plan *plan);

/*
 * Adds what is printed of an event, not escaped.
 *
 * Return: false if the payload does not hold all that it needs; nothing is added then.
 */
bool print_plan_run(const struct print_plan *plan, struct pack *p, struct bytes *payload);

#endif
