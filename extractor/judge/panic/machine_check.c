// SPDX-License-Identifier: GPL-2.0-or-later
/* Hardware that broke: fatal machine checks, records of the firmware, SError. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge/words.h"
#include "mce/decode.h"
#include "panic.h"
#include "report/mce_line.h"

#define FIRMWARE_LINES	6

static void put_mce(char *text, size_t size, const struct postmortem *pm, const struct mce *mce)
{
	char *line = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&line, &len);

	*text = '\0';
	if (!f)
		return;
	print_mce_line(f, pm->recording, mce);
	if (!fclose(f))
		snprintf(text, size, "%s", line);
	free(line);
}

/* Corrected errors of the same bank and address before @fatal. */
static u32 count_before(const struct mces *mces, const struct mce *fatal, u64 *first)
{
	u32 nr = 0;

	for (u32 i = 0; i < mces->nr; i++) {
		const struct mce *mce = &mces->list[i];

		if (mce->mono_ns >= fatal->mono_ns || mce->is_same || mce_grade(mce) != MCE_CORRECTED ||
		    mce->bank != fatal->bank ||
		    (mce->status & fatal->status & STATUS_ADDRV && mce->addr != fatal->addr))
			continue;
		if (!nr++)
			*first = mce->mono_ns;
	}
	return nr;
}

static struct report_text text_of_log(const struct report_line *line)
{
	return (struct report_text){ line->text, line->len };
}

/* The line at which the last record of the firmware begins, which the panic is for; lines->nr: none. */
static u32 find_firmware_record(const struct explain *explain)
{
	const struct report_lines *lines = &explain->death->lines;
	u64 end = explain->panic ? explain->panic->time : explain->pm->end.time;

	for (u32 i = lines->nr; i--; )
		if (lines->list[i].time <= end && report_text_has(text_of_log(&lines->list[i]), "Hardware error from APEI"))
			return i;
	return lines->nr;
}

/* "{1}[Hardware Error]:   section_type: PCIe error", drivers/firmware/efi/cper.c */
static void claim_firmware_record(struct explain *explain)
{
	static const char *const words[] = {
		"section_type: ", "fru_text: ", "device_id: ", "DIMM location: ", "error_type: ", "physical_address: ", "node: ",
		"Affinity Register (MPIDR): ", "physical fault address: ",
	};
	static const char section[] = "section_type: ";
	const struct report_lines *lines = &explain->death->lines;
	struct finding *finding = explain->finding;
	struct report_text what = { "error", 5 };
	u32 from = find_firmware_record(explain), nr = 0;

	words_report_evidence(explain, explain->panic);
	for (u32 i = from; i < lines->nr && nr < FIRMWARE_LINES; i++) {
		struct report_text line = text_of_log(&lines->list[i]);
		const char *at = report_text_has(line, "[Hardware Error]: ") ? memmem(line.text, line.len, section, strlen(section)) : NULL;
		bool is_of_it = at != NULL;

		if (report_text_has(line, "Kernel panic"))
			break;
		if (at) {
			at += strlen(section);
			what = (struct report_text){ at, line.text + line.len - at };
		}
		for (size_t k = 0; k < ARRAY_SIZE(words); k++)
			is_of_it |= report_text_has(line, "[Hardware Error]: ") && report_text_has(line, words[k]);
		if (is_of_it) {
			words_line_evidence(explain, "", line);
			nr++;
		}
	}
	finding_claim(finding, "machine-check", FINDING_SHOWN, "The hardware failed: the firmware reported a fatal %.*s.", WORDS(what));
	if (!nr)
		finding_open(finding, "Which unit: the lines of the firmware's record are not here.");
	finding_next(finding, "ipmitool sel list    # what the management controller saw");
}

/* arm64: "SError Interrupt on CPU3, code 0x00000000be000011 -- SError" */
static void claim_serror(struct explain *explain)
{
	const struct report_lines *lines = &explain->death->lines;

	for (u32 i = 0; i < lines->nr; i++)
		if (report_text_has(text_of_log(&lines->list[i]), "SError Interrupt on CPU"))
			words_line_evidence(explain, "", text_of_log(&lines->list[i]));
	words_report_evidence(explain, explain->panic);
	finding_claim(explain->finding, "machine-check", FINDING_SHOWN,
		      "The hardware reported an error to the CPU (SError), such as a read or write of memory or of a device that failed.");
	finding_open(explain->finding, "Which one: it need not be of the code that ran when the report came.");
}

/* powerpc: "Oops: Machine check, sig: 7 [#1]" */
static void claim_machine_check_of_powerpc(struct explain *explain)
{
	char place[2 * WORDS_FUNCTION];

	words_place(place, explain->cause->place);
	finding_claim(explain->finding, "machine-check", FINDING_SHOWN,
		      "The hardware reported an error to the CPU (machine check), which was in %s then.", place);
	finding_open(explain->finding, "Which unit failed: memory, a bus, or an address where nothing answers. The log of the firmware may have it.");
	words_report_evidence(explain, explain->cause);
}

bool judge_machine_check(struct explain *explain)
{
	const struct mce *fatal = print_mce_of_death(explain->pm);
	struct finding *finding = explain->finding;
	char text[FINDING_TEXT];
	u64 first = 0;
	u32 nr;

	if (!fatal && report_text_has(explain->said, "Fatal hardware error")) {
		claim_firmware_record(explain);
		return true;
	}
	if (!fatal && report_text_has(explain->said, "SError Interrupt")) {
		claim_serror(explain);
		return true;
	}
	if (!fatal && explain->cause && report_text_has(explain->cause->title, "Oops: Machine check")) {
		claim_machine_check_of_powerpc(explain);
		return true;
	}
	if (!fatal && !report_text_has(explain->said, "achine check") && !report_text_has(explain->said, "broadcast exception handler"))
		return false;
	if (!fatal) {
		finding_claim(finding, "machine-check", FINDING_SHOWN, "The kernel panicked for a machine check: %.*s.",
			      WORDS(explain->said));
		finding_open(finding, "Which unit of the hardware failed: no record of it is here.");
		words_report_evidence(explain, explain->panic);
		return true;
	}
	put_mce(text, sizeof(text), explain->pm, fatal);
	nr = count_before(pm_mces(explain->pm), fatal, &first);
	if (nr) {
		finding_claim(finding, "machine-check", FINDING_SHOWN,
			      "The hardware failed: a fatal machine check of bank %u on CPU %u, after %u corrected error%s of the same place.",
			      fatal->bank, fatal->cpu, nr, nr == 1 ? "" : "s");
		finding_evidence(finding, first, finding_machine_check(NO_CPU, fatal->bank),
				 "the first of %u corrected errors of the same place", nr);
	} else {
		finding_claim(finding, "machine-check", FINDING_SHOWN,
			      "The hardware failed: a fatal machine check of bank %u on CPU %u.", fatal->bank, fatal->cpu);
		finding_note(&finding->not_found, "a corrected machine check of the same bank and address before it");
	}
	finding_evidence(finding, fatal->mono_ns, finding_machine_check(fatal->recorded_by, fatal->bank), "%s", text);
	words_report_evidence(explain, explain->panic);
	finding_next(finding, "epitaph mce FILE");
	return true;
}
