/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests that speak TAP.  A test is a function named after its claim,
 * <unit>__<claim>; main() runs each with TAP_RUN() and returns tap_done().
 */
#ifndef _EPITAPH_TAP_H
#define _EPITAPH_TAP_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static struct {
	int nr;			/* tests run */
	int nr_failed;
	int failures;		/* of the test that runs */
	const char *skipped;	/* why, if the test that runs was skipped */
} tap;

/* The first failures of a test say what is wrong; the rest are counted. */
#define TAP_TELL_MAX	10

/**
 * CHECK() - a condition that must hold
 * @cond: it
 * @...: printf() arguments: the values that speak for or against it
 *
 * Return: @cond, so that a test can stop where going on makes no sense.
 */
#define CHECK(cond, ...) tap_check((cond), __FILE__, __LINE__, #cond, __VA_ARGS__)

#define TAP_RUN(test) tap_run(#test, test)

/* Only for what this machine cannot run: tap_done() then returns 77. */
#define TAP_SKIP(why)	do { tap.skipped = (why); return; } while (0)

#define tap_check(cond, file, line, what, ...) ({			\
	bool tap_ok = (cond);						\
									\
	if (!tap_ok && tap.failures++ < TAP_TELL_MAX) {			\
		printf("# %s:%d: not: %s: ", file, line, what);		\
		printf(__VA_ARGS__);					\
		putchar('\n');						\
	}								\
	tap_ok;								\
})

static inline void tap_run(const char *name, void (*test)(void))
{
	tap.failures = 0;
	tap.skipped = NULL;
	test();
	tap.nr++;
	if (tap.failures) {
		tap.nr_failed++;
		if (tap.failures > TAP_TELL_MAX)
			printf("# and %d more\n", tap.failures - TAP_TELL_MAX);
		printf("not ok %d - %s\n", tap.nr, name);
	} else if (tap.skipped) {
		printf("ok %d - %s # SKIP %s\n", tap.nr, name, tap.skipped);
	} else {
		printf("ok %d - %s\n", tap.nr, name);
	}
	fflush(stdout);
	/* Who runs mutants wants to know that it fails, not what else does. */
	if (tap.nr_failed && getenv("TAP_FAIL_FAST"))
		exit(1);
}

/* Return: the exit status of main(). */
static inline int tap_done(void)
{
	printf("1..%d\n", tap.nr);
	return tap.nr_failed || !tap.nr ? 1 : tap.skipped ? 77 : 0;
}

#endif /* _EPITAPH_TAP_H */
