// SPDX-License-Identifier: GPL-2.0-or-later
/* One name for all crashes of one cause; docs/explain.md has the rules. */
#include "explain.h"

#include <stdio.h>
#include <string.h>

#include "judge/words.h"

#define SIGNATURE_CALLERS	2

static void add_function(struct finding *finding, char separator, const char *function)
{
	size_t len = strlen(finding->signature);

	snprintf(finding->signature + len, sizeof(finding->signature) - len, "%c%s", separator, function);
}

void signature_make(struct finding *finding, const struct kernel_report *report, struct report_text first)
{
	char function[WORDS_FUNCTION], last[WORDS_FUNCTION] = "";
	u32 nr = 0;

	snprintf(finding->signature, sizeof(finding->signature), "%s", finding->kind);
	if (!report)
		return;
	words_function(last, first.text ? first : report->place);
	if (*last && !plumbing_has(last)) {
		add_function(finding, ':', last);
		nr++;
	}
	for (u32 i = 0; i < report->nr_frames && nr <= SIGNATURE_CALLERS; i++) {
		words_function(function, report->frames[i]);
		if (!*function || plumbing_has(function) || !strcmp(function, last))
			continue;
		add_function(finding, nr ? '<' : ':', function);
		memcpy(last, function, sizeof(last));
		nr++;
	}
}

void signature_make_of(struct finding *finding, const char *place, bool is_in_part)
{
	char function[WORDS_FUNCTION];

	words_function(function, (struct report_text){ place, strlen(place) });
	snprintf(finding->signature, sizeof(finding->signature), "%s", finding->kind);
	add_function(finding, ':', function);
	if (is_in_part)
		add_function(finding, '<', "?");
}
