/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What events may say that libtraceevent trips over, put right in the arguments
 * of the print format: it is there that the library looks, for each event.
 */
#ifndef EPITAPH_EVENT_FORMAT_GUARD_H
#define EPITAPH_EVENT_FORMAT_GUARD_H

#include <event-parse.h>

#include "base/types.h"

/* For a print format that is sane; false: no memory. */
bool format_guard_print(struct tep_event *event);

#endif
