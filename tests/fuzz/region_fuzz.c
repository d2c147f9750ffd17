// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A hostile region, printed in every form.  Checks all hold in this build, so
 * that what lies behind them is reached: sizes, formats, payloads, clocks.
 */
#include "print_fuzz.h"
#include "print_mces.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static void print_all(FILE *f, struct account *account)
{
	struct trace *trace = account->trace;
	struct window window = WINDOW_INIT;

	window.kind = WINDOW_LAST_EVENTS;
	window.events = 50;
	MUST(!window_choose(&window, account, NULL));
	window.damaged = true;
	print_head(f, account, false);
	print_others(f, account);
	print_summary(f, account, &window);
	print_events(f, account, &window, false, NULL);
	print_cpus(f, account);
	print_mces(f, account);
	print_json(f, account, &window, NULL);
	records_print(f, &trace->records);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct account account;
	struct err err = ERR_INIT;
	struct input *in = NULL;

	if (size < 4096 || input_open_fd(&in, fuzz_file("", data, size), &err))
		return 0;
	if (!account_open_input(&account, in, ACCOUNT_REGION, GENERATION_NEWEST, &err) &&
	    !account_scan(&account, NULL))
		fuzz_print(print_all, &account);
	account_close(&account);
	return 0;
}
