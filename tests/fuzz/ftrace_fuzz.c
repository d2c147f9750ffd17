// SPDX-License-Identifier: GPL-2.0-or-later
/* A kernel of a few hostile pages that has traced: its instances, rings, events and their formats. */
#include "kernel_file.h"
#include "print_fuzz.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static void print(FILE *f, struct postmortem *account, struct window *window)
{
	print_head(f, account);
	print_end(f, account, false, "", NULL);
	print_summary(f, account, window);
	print_events(f, account, window, false, NULL);
	print_json(f, account, window, NULL);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct err err = ERR_INIT;
	struct dump *in = NULL;

	MUST(!dump_open_fd(&in, kernel_file(data, size), &err));
	fuzz_account(in, POSTMORTEM_FTRACE, print, data, size);
	return 0;
}
