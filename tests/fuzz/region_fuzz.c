// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A hostile region, printed in every form.  Checks all hold in this build, so
 * that what lies behind them is reached: sizes, formats, payloads, clocks.
 */
#include "report/mce_list.h"
#include "print_fuzz.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static void print_all(FILE *f, struct account *account, struct window *window)
{
	struct trace *trace = account->trace;

	print_head(f, account);
	print_end(f, account, false, NULL);
	print_others(f, account);
	print_summary(f, account, window);
	print_events(f, account, window, false, NULL);
	print_cpus(f, account);
	print_mces(f, account);
	print_json(f, account, window, NULL);
	records_print(f, &trace->records);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct err err = ERR_INIT;
	struct input *in = NULL;

	if (size < 4096 || input_open_fd(&in, fuzz_file("", data, size), &err))
		return 0;
	fuzz_account(in, ACCOUNT_REGION, print_all, data, size);
	return 0;
}
