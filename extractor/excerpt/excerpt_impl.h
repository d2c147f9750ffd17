/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The interface between the files of excerpt.h. */
#ifndef EPITAPH_EXCERPT_EXCERPT_IMPL_H
#define EPITAPH_EXCERPT_EXCERPT_IMPL_H

#include "excerpt.h"

/* The section @type has these @size bytes, which become the excerpt's; @unit: of an array. */
int excerpt_put(struct excerpt *excerpt, u32 type, u32 unit, u8 *bytes, u64 size, struct err *err);

/* Both before the recording is opened, of @excerpt->pm. */
int excerpt_put_log(struct excerpt *excerpt, struct err *err);
int excerpt_put_cpus(struct excerpt *excerpt, struct err *err);

#endif
