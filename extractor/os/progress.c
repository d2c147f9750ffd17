// SPDX-License-Identifier: GPL-2.0-or-later
#include "progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define FIRST_NS	1000000000ULL	/* shorter work shows nothing */
#define EACH_NS		100000000ULL
#define CALLS		256		/* of which one looks at the clock */

static struct {
	bool enabled;
	bool printing;
	bool shown;
	int fd;
	u32 calls;
	u64 start;
	u64 next;
} state;

/* A library's caller wants it in numbers. */
static _Thread_local struct {
	progress_fn *fn;
	void *arg;
	u32 calls;
	u64 next;
} called;

static u64 now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ULL + ts.tv_nsec;
}

void progress_choose(int fd, bool printing)
{
	state.enabled = true;
	state.printing = printing;
	state.fd = fd;
	state.start = now_ns();
	state.next = state.start + FIRST_NS;
}

void progress_leave(void)
{
	state.enabled = false;
}

/* A terminal that is gone is no error. */
static void put_status(const char *text, int n)
{
	if (write(state.fd, text, n) != n)
		state.enabled = false;
}

void progress_call(progress_fn *fn, void *arg)
{
	called.fn = fn;
	called.arg = arg;
}

void progress(const char *what, u64 done, u64 total)
{
	u64 now, seconds;
	char text[120];
	int n;

	if (called.fn) {
		if (++called.calls % CALLS)
			return;
		now = now_ns();
		if (now < called.next)
			return;
		called.next = now + EACH_NS;
		called.fn(called.arg, what, done, total);
		return;
	}
	if (!state.enabled || ++state.calls % CALLS)
		return;
	now = now_ns();
	if (now < state.next)
		return;
	state.next = now + EACH_NS;
	seconds = (now - state.start) / 1000000000;
	if (total)
		n = snprintf(text, sizeof(text), "\r%.60s: %3u %%, %llu s\033[K", what,
			     (u32)((double)(done < total ? done : total) / total * 100), seconds);
	else
		n = snprintf(text, sizeof(text), "\r%.60s: %llu MiB, %llu s\033[K", what, done >> 20,
			     seconds);
	put_status(text, n);
	state.shown = true;
}

void progress_printing(u64 done, u64 total)
{
	if (state.printing)
		progress("writing events", done, total);
}

void progress_end(void)
{
	if (state.shown)
		put_status("\r\033[K", 4);
	state.shown = false;
}
