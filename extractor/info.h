/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What "epitaph info" says of one generation. */
#ifndef EPITAPH_INFO_H
#define EPITAPH_INFO_H

#include "cmd.h"

/* "event sizes", "unknown (type 99)"; valid until the next call. */
const char *info_section_name(u32 type);

void info_text(const struct account *account, const char *path);
void info_json(const struct account *account, const char *path);

#endif
