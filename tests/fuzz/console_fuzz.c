// SPDX-License-Identifier: GPL-2.0-or-later
/* The hostile text of a console, printed, explained and exported. */
#include "explain/explain.h"
#include "explain/page.h"
#include "report/mce_list.h"
#include "print_fuzz.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static void print_finding(FILE *f, struct postmortem *pm)
{
	struct finding *finding = malloc(sizeof(*finding));

	if (finding && !explain_death(finding, pm, NULL))
		page_print(f, finding, pm, "FILE");
	free(finding);
}

static void print_console(FILE *f, struct postmortem *pm, struct window *window)
{
	print_head(f, pm);
	print_end(f, pm, false, "", NULL);
	print_summary(f, pm, window);
	print_events(f, pm, window, false, NULL);
	print_mces(f, pm);
	print_json(f, pm, window, NULL);
	print_finding(f, pm);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct err err = ERR_INIT;
	struct dump *in = NULL;

	if (dump_open_fd(&in, fuzz_file("", data, size), &err))
		return 0;
	fuzz_account(in, POSTMORTEM_LOG, print_console, data, size);
	return 0;
}
