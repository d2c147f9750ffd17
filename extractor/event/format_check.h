/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * May this format be given to libtraceevent?
 *
 * The library was written for formats that a kernel made.  A region's may be
 * made by anybody.  format_text.h lets only texts of a kernel's language pass; what
 * these say is looked at here: places and sizes of fields, counts and indices.
 */
#ifndef EPITAPH_EVENT_FORMAT_CHECK_H
#define EPITAPH_EVENT_FORMAT_CHECK_H

#include <event-parse.h>

#include "base/types.h"

/*
 * What a checked format may lead the library to read: a field behind a
 * dynamic one's 16 bits of offset, and 16 bits of count times 8.  Zeroes
 * behind the event end every string.
 */
#define FORMAT_BUFFER	(1U << 20)

/* Do all fields lie in an event that a ring may hold, and are those there that the library asks for? */
bool format_fields_are_sane(struct tep_event *event);

/* May its print format be run over any payload? */
bool format_print_is_sane(const struct tep_event *event);

#endif
