/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An output that is being made, and goes if a signal ends the command: Ctrl-C
 * while a pipe is read, before the process that reads is there.
 */
#ifndef EPITAPH_OS_REMOVE_ON_SIGNAL_H
#define EPITAPH_OS_REMOVE_ON_SIGNAL_H

#include "base/types.h"

/* remove_on_signal_begin() - what is made now may be left behind: signals wait */
void remove_on_signal_begin(void);

/**
 * remove_on_signal_is() - it is made: from here on, a signal removes it
 * @dir: as for unlinkat(), and @name, which must outlive it
 * @is_dir: a directory, which goes if it is empty, and is named if it is not
 */
void remove_on_signal_is(int dir, const char *name, bool is_dir);

/* remove_on_signal_end() - it is whole or gone, or was never made; may be called again */
void remove_on_signal_end(void);

#endif
