/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All that is printed of an account, and what must hold of it. */
#ifndef PRINT_FUZZ_H
#define PRINT_FUZZ_H

#include "report/report.h"
#include "input_fuzz.h"

/* What is printed is for a terminal: nothing but graphic characters and line ends. */
static inline void fuzz_check_text(const char *text, size_t size)
{
	for (size_t i = 0; i < size; i++)
		MUST((u8)text[i] == '\n' || ((u8)text[i] >= 32 && text[i] != 127));
}

/* The last byte says what is wanted. */
static inline struct window fuzz_window(const u8 *data, size_t size)
{
	struct window window = WINDOW_INIT;
	u8 how = size ? data[size - 1] : 0;

	window.kind = how & 1 ? WINDOW_ALL : (how >> 1) % 4;
	window.events = how >> 4;
	window.ns = (u64)how << 24;
	window.comm = how & 8 ? "*" : NULL;
	window.event = how & 16 ? "*:*e*" : NULL;
	window.channel = how & 32 ? "*" : NULL;
	window.cpu = how & 64 ? 0 : -1;
	window.damaged = how & 128;
	return window;
}

/* Prints what is wanted of an account that is scanned. */
typedef void fuzz_print_fn(FILE *f, struct postmortem *pm, struct window *window);

static inline ssize_t fuzz_take_text(void *unused, const char *text, size_t size)
{
	(void)unused;
	fuzz_check_text(text, size);
	return size;
}

/* However much it is: counters and names of a few pages can make a megabyte. */
static inline void fuzz_print(fuzz_print_fn *print, struct postmortem *pm, struct window *window)
{
	FILE *f = fopencookie(NULL, "w", (cookie_io_functions_t){ .write = fuzz_take_text });

	MUST(f);
	print(f, pm, window);
	fclose(f);
}

/* All that @in has of @sources, through @print; takes @in.  @data: of @size, the whole input */
static inline void fuzz_account(struct dump *in, u32 sources, fuzz_print_fn *print, const u8 *data, size_t size)
{
	struct window window = fuzz_window(data, size);
	struct postmortem pm;
	struct err err = ERR_INIT;

	if (!pm_open_dump(&pm, in, sources, GENERATION_NEWEST, &err)) {
		window_prepare(&window, &pm);
		if (!pm_scan(&pm, NULL) && !window_choose(&window, &pm, NULL))
			fuzz_print(print, &pm, &window);
	}
	pm_close(&pm);
}

#endif
