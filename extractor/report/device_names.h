/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of the disks and partitions that an event has by their numbers. */
#ifndef EPITAPH_REPORT_DEVICE_NAMES_H
#define EPITAPH_REPORT_DEVICE_NAMES_H

#include "base/byte_writer.h"
#include "base/json.h"
#include "timeline/postmortem.h"

/*
 * Behind each number that is printed in @text from @head on, as 8,1 or 8:1 or whole, the name: "8,1
 * (sda1)".  @item is an event, of which the text is.
 */
void device_names_put(struct pack *text, size_t head, const struct postmortem *pm, const struct item *item);

/* "devices": by field, the names that are known; nothing if there is none. */
void device_names_json(struct json *j, const struct postmortem *pm, const struct item *item);

#endif
