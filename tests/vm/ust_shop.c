// SPDX-License-Identifier: GPL-2.0-only
/* ust_shop COUNT: what a program of LTTng-UST does, compiled with our headers in front of LTTng's. */
#define TRACEPOINT_DEFINE
#define TRACEPOINT_CREATE_PROBES
#include "ust_shop.h"

#include <lttng/tracef.h>
#include <lttng/tracelog.h>
#include <stdlib.h>
#include <string.h>

static void *second_thread(void *arg)
{
	(void)arg;
	lttng_ust_tracepoint(ust_shop, end, 2, "of a thread");
	return NULL;
}

int main(int argc, char **argv)
{
	static const uint16_t items[] = { 3, 5, 7 };
	unsigned long long i, n = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
	char long_text[8000];
	pthread_t thread;

	memset(long_text, 'y', sizeof(long_text) - 1);
	long_text[sizeof(long_text) - 1] = 0;
	for (i = 0; i < n; i++)
		tracepoint(ust_shop, number, i);
	tracepoint(ust_shop, order, 7, "basket", 12.5, items, 3);
	tracepoint(ust_shop, order, 8, NULL, -1e300, items, 0);
	tracepoint(ust_shop, order, 9, long_text, 0, items, 2);
	tracepoint(ust_shop, begin, -1, "abcdefgh");
	if (pthread_create(&thread, NULL, second_thread, NULL) || pthread_join(thread, NULL))
		return 1;
	tracef("%d of %s", 5, "tracef");
	tracelog(TRACE_WARNING, "a warning");
	tracelog(TRACE_DEBUG_FUNCTION, "for debugging");
	return 0;
}
