// SPDX-License-Identifier: GPL-2.0-or-later
#include "page.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "os/terminal.h"

#define COLUMNS		80
#define LABEL		10	/* columns of "evidence  " */
#define MOST_LINES	3	/* of one text on the first screen */

/* --- text of a column ---------------------------------------------------- */

/* @text escaped, in memory. */
static char *escaped(const char *text)
{
	char *line = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&line, &len);

	if (!f)
		return NULL;
	/* Tabs become spaces. */
	for (size_t n; *text; text += n) {
		n = strcspn(text, "\t");
		text_put_all(f, text, n);
		if (text[n]) {
			putc(' ', f);
			n++;
		}
	}
	if (fclose(f)) {
		free(line);
		return NULL;
	}
	return line;
}

/* How much of @text fits a line of @width: to a space, or to the width. */
static size_t fits(const char *text, size_t width)
{
	size_t len = strlen(text), at = width;

	if (len <= width)
		return len;
	while (at && text[at] != ' ')
		at--;
	return at ?: width;
}

/* Lines of @width behind @indent columns, the first of which is begun; at most @most lines. */
static void put_wrapped(FILE *f, const char *text, u32 indent, u32 most)
{
	char *all = escaped(text);
	const char *at = all;

	for (u32 nr = 1; at; nr++) {
		size_t len = fits(at, COLUMNS - indent);
		bool is_cut = nr == most && at[len];

		fprintf(f, "%.*s%s\n", (int)(is_cut && len > 3 ? len - 3 : len), at, is_cut ? "..." : "");
		at += len;
		while (*at == ' ')
			at++;
		if (is_cut || !*at)
			break;
		fprintf(f, "%*s", (int)indent, "");
	}
	free(all);
}

static void put_labelled(FILE *f, const char *label, const char *text, u32 most)
{
	fprintf(f, "%-*s", LABEL, label);
	put_wrapped(f, text, LABEL, most);
}

static const char *const words_of_strength[] = {
	[FINDING_NOT_KNOWN] = "not known",
	[FINDING_POSSIBLE] = "possible: other causes fit as well",
	[FINDING_LIKELY] = "likely: one step is a conclusion",
	[FINDING_SHOWN] = "shown: the kernel, the hardware or the trace says it",
};

/* --- the first screen ---------------------------------------------------- */

static void put_kernel(FILE *f, const struct postmortem *pm, bool is_noticed)
{
	const struct postmortem_end *end = &pm->end;
	char date[64], text[300];
	int n;

	text_date(date, sizeof(date), end->real_ns);
	n = snprintf(text, sizeof(text), "%s %s%s", *pm->origin.release ? pm->origin.release : "unknown kernel", date,
		     is_noticed ? ", noticed by" : "");
	if (end->how == OUTCOME_CRASHED && end->cpu != NO_CPU && n > 0 && n < (int)sizeof(text))
		n += snprintf(text + n, sizeof(text) - n, "%s CPU %u", is_noticed ? "" : ",", end->cpu);
	if (end->how == OUTCOME_CRASHED && end->pid >= 0 && n > 0 && n < (int)sizeof(text))
		snprintf(text + n, sizeof(text) - n, ", task %.16s-%lld", end->comm, end->pid);
	put_labelled(f, "kernel", text, 2);
}

static void put_evidence(FILE *f, const struct finding *finding, const struct postmortem *pm)
{
	for (u32 i = 0; i < finding->nr_evidence; i++) {
		const struct finding_evidence *evidence = &finding->evidence[i];
		char when[40] = "";

		if (evidence->has_time) {
			u64 end = pm->end.time, time = evidence->time;
			char seconds[36];

			text_seconds(seconds, sizeof(seconds), time <= end ? end - time : time - end, false);
			snprintf(when, sizeof(when), "T%c%s", time <= end ? '-' : '+', seconds);
		}
		fprintf(f, "  %-14s ", when);
		put_wrapped(f, evidence->text, 17, 3);
	}
}

/* As a shell takes it for one word. */
static void put_word(FILE *f, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+:@%,";

	if (*word && !word[strspn(word, plain)]) {
		fputs(word, f);
		return;
	}
	putc('\'', f);
	for (size_t n; *word; word += n) {
		n = strcspn(word, "'");
		text_put_all(f, word, n);
		if (word[n]) {
			fputs("'\\''", f);
			n++;
		}
	}
	putc('\'', f);
}

/* A command with the file's name; not wrapped, so that it can be pasted. */
static void put_command(FILE *f, const char *command, const char *path)
{
	const char *at = strstr(command, "FILE");
	size_t len = at ? (size_t)(at - command) : strlen(command);

	fputs("  ", f);
	text_put(f, command, len);
	if (at) {
		put_word(f, path);
		text_put(f, at + 4, strlen(at + 4));
	}
	putc('\n', f);
}

/* --- what else ----------------------------------------------------------- */

static void put_sentences(FILE *f, const char *title, const struct finding_notes *notes)
{
	if (!notes->nr)
		return;
	fprintf(f, "\n%s\n", title);
	for (u32 i = 0; i < notes->nr; i++) {
		fputs("  - ", f);
		put_wrapped(f, notes->list[i], 4, 4);
	}
	if (notes->nr_more)
		fprintf(f, "  - and %u more\n", notes->nr_more);
}

void page_print(FILE *f, const struct finding *finding, const struct postmortem *pm, const char *path)
{
	put_kernel(f, pm, finding->is_noticed);
	color_begin(f, COLOR_CRASH);
	put_labelled(f, "why", finding->claim, MOST_LINES);
	color_end(f);
	fprintf(f, "%-*s%s\n", LABEL, "how sure", words_of_strength[finding->strength]);
	if (*finding->open)
		put_labelled(f, "not known", finding->open, 2);
	/* In one piece, to be copied. */
	fprintf(f, "%-*s", LABEL, "signature");
	text_put(f, finding->signature, strlen(finding->signature));
	putc('\n', f);
	if (finding->nr_evidence)
		fputs("evidence, in seconds before (T-) and after (T+) the end\n", f);
	put_evidence(f, finding, pm);
	if (finding->nr_next)
		fputs("next\n", f);
	for (u32 i = 0; i < finding->nr_next; i++)
		put_command(f, finding->next[i], path);
	put_sentences(f, "Also found; nothing shows that it has to do with the crash", &finding->also);
	put_sentences(f, "Looked for, and not found", &finding->not_found);
	put_sentences(f, "Not in this file", &finding->missing);
}

/* --- JSON ---------------------------------------------------------------- */

static void json_sentences(struct json *j, const char *key, const struct finding_notes *notes)
{
	json_open(j, key, '[');
	for (u32 i = 0; i < notes->nr; i++)
		json_str(j, NULL, notes->list[i]);
	json_close(j, ']');
}

static void json_evidence(struct json *j, const struct finding_evidence *evidence, u64 end)
{
	json_open(j, NULL, '{');
	if (evidence->has_time) {
		json_u64(j, "ts_ns", evidence->time);
		json_s64(j, "before_end_ns", (s64)(end - evidence->time));
	} else {
		json_null(j, "ts_ns");
		json_null(j, "before_end_ns");
	}
	json_str(j, "text", evidence->text);
	json_close(j, '}');
}

void page_print_json(FILE *f, const struct finding *finding, const struct postmortem *pm,
		     const char *path)
{
	static const char *const ends[] = {
		[OUTCOME_CRASHED] = "crashed", [OUTCOME_ENDED] = "ended", [OUTCOME_UNKNOWN] = "unknown",
	};
	struct json j = { .f = f };

	json_open(&j, NULL, '{');
	json_str(&j, "file", path);
	json_str(&j, "release", pm->origin.release);
	json_str(&j, "end", ends[pm->end.how]);
	json_str(&j, "kind", finding->kind);
	json_str(&j, "claim", finding->claim);
	json_str(&j, "strength", finding_strength_word(finding->strength));
	json_str(&j, "why_not_more", *finding->open ? finding->open : NULL);
	json_str(&j, "signature", finding->signature);
	json_open(&j, "evidence", '[');
	for (u32 i = 0; i < finding->nr_evidence; i++)
		json_evidence(&j, &finding->evidence[i], pm->end.time);
	json_close(&j, ']');
	json_open(&j, "next", '[');
	for (u32 i = 0; i < finding->nr_next; i++)
		json_str(&j, NULL, finding->next[i]);
	json_close(&j, ']');
	json_sentences(&j, "also", &finding->also);
	json_sentences(&j, "not_found", &finding->not_found);
	json_sentences(&j, "missing", &finding->missing);
	json_close(&j, '}');
	json_end(&j);
}
