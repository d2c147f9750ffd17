/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A print format, made ready to run: what the kernel prints of an event, in a
 * fraction of the library's time.  The text is read here, as C reads it.  Two things differ
 * from the kernel's own text: "%p" shows an address, as 0x1 or (nil), and functions have the
 * names that the library was given.  A format with what is not known here (calls, extensions
 * of "%p") has no plan.
 */
#ifndef EPITAPH_EVENT_PRINT_PROGRAM_H
#define EPITAPH_EVENT_PRINT_PROGRAM_H

#include <event-parse.h>

#include "base/byte_writer.h"

struct print_program;

/**
 * print_program_new() - of what stands behind "print fmt:"
 * @event: has the fields, which have been checked, and must outlive it
 * @print: terminated
 *
 * Return: NULL: there is none.
 */
struct print_program *print_program_new(const struct tep_event *event, const char *print);
void print_program_free(struct print_program *plan);

/*
 * Adds what is printed of an event, not escaped.
 *
 * Return: false if the payload does not hold all that it needs; nothing is added then.
 */
bool print_program_run(const struct print_program *plan, struct pack *p, struct bytes *payload);

#endif
