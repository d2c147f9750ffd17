/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where kdump saves the dumps of this machine, and our hook the trace. */
#ifndef EPITAPH_HOST_KDUMP_DIR_H
#define EPITAPH_HOST_KDUMP_DIR_H

#include <stddef.h>

/* KDUMP_COREDIR of kdump-tools below @root, or /var/crash. */
void kdump_dir(const char *root, char *buf, size_t size);

#endif
