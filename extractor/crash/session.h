/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The memory that a session of crash looks at, as an input. */
#ifndef EPITAPH_CRASH_SESSION_H
#define EPITAPH_CRASH_SESSION_H

#include "dump/callback.h"

/**
 * session_memory() - which memory there is, by the kernel's own list of it
 *
 * Asks crash for symbols and types, which may end the command by a longjmp:
 * nothing is allocated here.  Without symbols there are no segments.
 *
 * Return: it, valid until the next call.
 */
const struct dump_callback *session_memory(void);

#endif
