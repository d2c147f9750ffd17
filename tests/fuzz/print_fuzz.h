/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All that is printed of an account, and what must hold of it. */
#ifndef PRINT_FUZZ_H
#define PRINT_FUZZ_H

#include "input_fuzz.h"
#include "print.h"

const char *__lsan_default_suppressions(void);

/* The library loses a few bytes of some formats that it refuses: at most a region's. */
const char *__lsan_default_suppressions(void)
{
	return "leak:libtraceevent\n";
}

/* What is printed is for a terminal: nothing but graphic characters and line ends. */
static inline void fuzz_check_text(const char *text, size_t size)
{
	for (size_t i = 0; i < size; i++)
		MUST((u8)text[i] == '\n' || ((u8)text[i] >= 32 && text[i] != 127));
}

/* Gives what @print writes to fuzz_check_text(). */
static inline void fuzz_print(void (*print)(FILE *f, struct account *account), struct account *account)
{
	static char text[1 << 20];
	FILE *f = fmemopen(text, sizeof(text), "w");

	MUST(f);
	print(f, account);
	fflush(f);
	fuzz_check_text(text, ftell(f));
	fclose(f);
}

#endif
