// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A hostile region, printed in every form.  Checks all hold in this build, so
 * that what lies behind them is reached: sizes, formats, payloads, clocks.
 */
#include "explain/evidence_item.h"
#include "explain/explain.h"
#include "explain/page.h"
#include "instruction/instruction.h"
#include "report/mce_list.h"
#include "print_fuzz.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static void print_finding(FILE *f, struct postmortem *pm)
{
	struct finding *finding = malloc(sizeof(*finding));

	instruction_prepare();
	if (finding && !explain_death(finding, pm, NULL)) {
		evidence_items_find(finding, pm, NULL);
		page_print(f, finding, pm, "FILE");
		page_print_json(f, finding, pm, "FILE");
	}
	free(finding);
}

static void print_all(FILE *f, struct postmortem *pm, struct window *window)
{
	struct recording *recording = pm->recording;

	print_head(f, pm);
	print_end(f, pm, false, "", NULL);
	print_others(f, pm);
	print_summary(f, pm, window);
	print_events(f, pm, window, false, NULL);
	print_cpus(f, pm);
	print_mces(f, pm);
	print_finding(f, pm);
	print_json(f, pm, window, NULL);
	records_print(f, &recording->records);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct err err = ERR_INIT;
	struct dump *in = NULL;

	if (size < 4096 || dump_open_fd(&in, fuzz_file("", data, size), &err))
		return 0;
	fuzz_account(in, POSTMORTEM_REGION, print_all, data, size);
	return 0;
}
