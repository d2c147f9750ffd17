/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An event whose print format is not known, field by field: " a=1 b=0xff c=text". */
#ifndef EPITAPH_EVENT_PRINT_FIELDS_H
#define EPITAPH_EVENT_PRINT_FIELDS_H

#include "base/byte_writer.h"
#include "field_layout.h"

/* Adds the fields of a @payload that has @layout->size bytes at least, not escaped. */
void print_fields(struct pack *p, const struct layout *layout, struct bytes *payload);

#endif
