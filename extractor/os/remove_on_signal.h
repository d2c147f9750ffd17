/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An unfinished output is removed if a signal ends the command, as Ctrl-C while a pipe is read
 * before the reading process exists. One output at a time.
 */
#ifndef EPITAPH_OS_REMOVE_ON_SIGNAL_H
#define EPITAPH_OS_REMOVE_ON_SIGNAL_H

#include "base/types.h"

/* remove_on_signal_begin() - blocks signals: the output is created next */
void remove_on_signal_begin(void);

/**
 * remove_on_signal_is() - the output exists: from here on, a signal removes it
 * @dir: as for unlinkat()
 * @name: as for unlinkat(); must live until remove_on_signal_end()
 * @is_dir: a directory, which is removed if it is empty and reported if not
 */
void remove_on_signal_is(int dir, const char *name, bool is_dir);

/* remove_on_signal_end() - the output is finished, removed or was never made; idempotent */
void remove_on_signal_end(void);

#endif
