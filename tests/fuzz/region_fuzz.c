// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A hostile region, printed in every form.  Checks all hold in this build, so
 * that what lies behind them is reached: sizes, formats, payloads, clocks.
 */
#include "input_fuzz.h"

#include "print.h"
#include "print_mces.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);
const char *__lsan_default_suppressions(void);

/* The library loses a few bytes of some formats that it refuses: at most a region's. */
const char *__lsan_default_suppressions(void)
{
	return "leak:libtraceevent\n";
}

/* What is printed is for a terminal: nothing but graphic characters and line ends. */
static void check_text(const char *text, size_t size)
{
	for (size_t i = 0; i < size; i++)
		MUST((u8)text[i] == '\n' || ((u8)text[i] >= 32 && text[i] != 127));
}

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
	print_cpus(f, trace);
	print_mces(f, trace);
	print_json(f, account, &window, NULL);
	records_print(f, &trace->records);
}

static void read_all(struct account *account)
{
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);

	MUST(f);
	if (!account_scan(account, NULL))
		print_all(f, account);
	fclose(f);
	check_text(text, size);
	free(text);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct account account;
	struct err err = ERR_INIT;
	struct input *in = NULL;

	if (size < 4096 || input_open_fd(&in, fuzz_file("", data, size), &err))
		return 0;
	if (!account_open_input(&account, in, ACCOUNT_REGION, GENERATION_NEWEST,
				     &err))
		read_all(&account);
	account_close(&account);
	return 0;
}
