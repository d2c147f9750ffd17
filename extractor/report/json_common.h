/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keys that several JSON documents have; docs/json.md describes them. */
#ifndef EPITAPH_REPORT_JSON_COMMON_H
#define EPITAPH_REPORT_JSON_COMMON_H

#include "base/json.h"
#include "timeline/postmortem.h"

/* A number, or null if it is unknown. */
void json_known(struct json *j, const char *key, u64 value, bool is_known);

/* A text that may end at its NUL before @size. */
void json_field(struct json *j, const char *key, const char *text, size_t size);

/* "crash": how the kernel ended; null without a crash. Of some dumps only the date is known. */
void json_end_of_kernel(struct json *j, const struct postmortem_end *end);

/* "anchors" and "bound_ns" of the object that is open. */
void json_anchors(struct json *j, const struct clock *clock);

/* "skew_reference" and "skew" of it: each measurement of the CPUs' clocks. Nothing, if there is none. */
void json_skew(struct json *j, const struct clock *clock);

/* Array "container_damage". */
void json_container_damage(struct json *j, struct dump *dump);

/*
 * The members of the first line, and of any other. @death: NULL: the kernel still runs; @own: whose event it is,
 * which may be a guest of @pm; @real: time of day, 0: unknown
 */
struct death;
void json_head_members(struct json *j, const struct postmortem *pm, const struct death *death);
void json_item_members(struct json *j, const struct postmortem *pm, const struct postmortem *own,
		       const struct item *item, u64 real);

#endif
