/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What more than one JSON document says of an account, in the same words; docs/json.md has them. */
#ifndef EPITAPH_REPORT_JSON_COMMON_H
#define EPITAPH_REPORT_JSON_COMMON_H

#include "base/json.h"
#include "timeline/postmortem.h"

/* "crash": how the kernel ended; null if it is not known to have crashed.  A dump may tell nothing but its date. */
void json_account_end(struct json *j, const struct postmortem_end *end);

/* "anchors" and "bound_ns", of the object that is open. */
void json_anchors(struct json *j, const struct clock *clock);

#endif
