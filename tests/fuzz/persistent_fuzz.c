// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Memory in which a hostile trace has outlived its kernel: what the input has of the first page, then
 * of each further one, and nothing behind that.
 */
#include "print_fuzz.h"

#define PAGES	9	/* a header, two CPUs' sub-buffers */
#define FIRST	192	/* bytes of the first page */
#define OTHER	64

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static void print(FILE *f, struct account *account, struct window *window)
{
	print_head(f, account, false);
	print_summary(f, account, window);
	print_events(f, account, window, false, NULL);
	print_json(f, account, window, NULL);
}

static void spread(u8 *memory, const u8 *data, size_t size)
{
	size_t n = size < FIRST ? size : FIRST, page;

	memcpy(memory, data, n);
	for (page = 1; page < PAGES && n < size; page++) {
		size_t len = size - n < OTHER ? size - n : OTHER;

		memcpy(memory + page * INPUT_PAGE, data + n, len);
		n += len;
	}
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static u8 memory[PAGES * INPUT_PAGE];
	struct err err = ERR_INIT;
	struct input *in = NULL;

	memset(memory, 0, sizeof(memory));
	spread(memory, data, size);
	if (input_open_fd(&in, fuzz_file("", memory, sizeof(memory)), &err))
		return 0;
	fuzz_account(in, ACCOUNT_FTRACE, print, data, size);
	return 0;
}
