/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * In place of LTTng-UST's; <lttng/epitaph-tracepoint.h> says how.  A header of tracepoints includes
 * this one where it has tracepoints to read, and not when it is included again.
 */
#include <lttng/epitaph-tracepoint.h>
#undef EPITAPH_UST_HAS_TRACEPOINTS
#define EPITAPH_UST_HAS_TRACEPOINTS
