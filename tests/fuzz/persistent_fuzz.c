// SPDX-License-Identifier: GPL-2.0-or-later
/* Memory in which a hostile trace has outlived its kernel. */
#include "persistent_seed.h"
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
	static u8 memory[PERSISTENT_MEMORY];
	struct err err = ERR_INIT;
	struct dump *in = NULL;

	memset(memory, 0, sizeof(memory));
	persistent_spread(memory, data, size);
	if (dump_open_fd(&in, fuzz_file("", memory, sizeof(memory)), &err))
		return 0;
	fuzz_account(in, POSTMORTEM_FTRACE, print, data, size);
	return 0;
}
