/* SPDX-License-Identifier: BSD-2-Clause */
/* tracef() of LTTng-UST: a line of text in the program's own ring; as <lttng/epitaph-tracepoint.h>. */
#ifndef EPITAPH_UST_TRACEF_H
#define EPITAPH_UST_TRACEF_H

#include <lttng/epitaph-tracepoint.h>

/* @level: as syslog's. What does not fit in EPITAPH_TEXT_MAX bytes is cut off. */
__attribute__((__unused__, __format__(printf, 2, 3)))
static inline void epitaph_ust_print(uint32_t level, const char *format, ...)
{
	char text[EPITAPH_TEXT_MAX + 1];
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (n >= 0)
		epitaph_ring_text(level, text, (size_t)n < sizeof(text) ? (size_t)n : sizeof(text) - 1);
}

#define tracef(...) epitaph_ust_print(6, __VA_ARGS__)
#define lttng_ust_tracef tracef

#endif
