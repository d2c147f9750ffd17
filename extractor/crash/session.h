/* SPDX-License-Identifier: GPL-2.0-or-later */
/**
 * DOC: crash - the extension of crash(8)
 *
 * The extension reads the memory of a crash session as a dump, by a callback. Each command runs in
 * a child of the session:
 *
 *	const struct epitaph_memory_reader *memory = session_memory();
 *
 *	if (!fork()) {
 *		reading_offer(memory);
 *		_exit(cmd_report(argc, argv));
 *	}
 *
 * crash owns everything that its functions return.
 */
#ifndef EPITAPH_CRASH_SESSION_H
#define EPITAPH_CRASH_SESSION_H

#include <epitaph/epitaph.h>

#include "base/types.h"

/**
 * session_memory() - the memory of the session, from the kernel's list of resources
 *
 * crash may end this function by a longjmp, so that it allocates nothing. Without symbols the
 * memory has no segments.
 *
 * Return: valid until the next call.
 */
const struct epitaph_memory_reader *session_memory(void);

#endif
