// SPDX-License-Identifier: GPL-2.0-or-later
#include "page.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "os/terminal.h"

#define COLUMNS		80
#define SCREEN		24	/* lines */
#define LABEL		10	/* columns of "evidence  " */
#define MOST_LINES	3	/* of one piece of evidence on the first screen */
#define EVIDENCE_INDENT	17

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
static u32 put_wrapped(FILE *f, const char *text, u32 indent, u32 most)
{
	char *all = escaped(text);
	const char *at = all;
	u32 nr = 1;

	for (; at; nr++) {
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
	return nr;
}

static u32 put_labelled(FILE *f, const char *label, const char *text, u32 most)
{
	fprintf(f, "%-*s", LABEL, label);
	return put_wrapped(f, text, LABEL, most);
}

/* How many lines put_wrapped() would write. */
static u32 count_lines(const char *text, u32 indent, u32 most)
{
	char *all = escaped(text);
	const char *at = all;
	u32 nr = 0;

	while (at && nr < most && (*at || !nr)) {
		at += fits(at, COLUMNS - indent);
		while (*at == ' ')
			at++;
		nr++;
	}
	free(all);
	return nr;
}

static const char *const words_of_strength[] = {
	[FINDING_NOT_KNOWN] = "not known",
	[FINDING_POSSIBLE] = "possible: other causes fit as well",
	[FINDING_LIKELY] = "likely: one step is a conclusion",
	[FINDING_SHOWN] = "shown: the kernel, the hardware or the trace says it",
};

/* --- the first screen ---------------------------------------------------- */

static u32 put_kernel(FILE *f, const struct postmortem *pm, bool is_noticed)
{
	const struct postmortem_end *end = &pm->end;
	char date[64], text[300];
	int n;

	text_date(date, sizeof(date), end->real_ns);
	n = snprintf(text, sizeof(text), "%s %s%s", *pm->origin.release ? pm->origin.release : "unknown kernel", date,
		     is_noticed && end->how == OUTCOME_CRASHED ? ", noticed by" : "");
	if (end->how == OUTCOME_CRASHED && end->cpu != NO_CPU && n > 0 && n < (int)sizeof(text))
		n += snprintf(text + n, sizeof(text) - n, "%s CPU %u", is_noticed ? "" : ",", end->cpu);
	if (end->how == OUTCOME_CRASHED && end->pid >= 0 && n > 0 && n < (int)sizeof(text))
		snprintf(text + n, sizeof(text) - n, ", task %.16s-%lld", end->comm, end->pid);
	n = strlen(text);
	if (pm->console && pm->console->nr_boots > 1)
		snprintf(text + n, sizeof(text) - n, "; boot %u of %u", pm->console->boot, pm->console->nr_boots);
	return put_labelled(f, "kernel", text, 2);
}

static void put_evidence(FILE *f, const struct finding_evidence *evidence, const struct postmortem *pm)
{
	char when[40] = "";

	if (evidence->has_time) {
		u64 end = pm->end.time, time = evidence->time;
		char seconds[36];

		text_seconds(seconds, sizeof(seconds), time <= end ? end - time : time - end, false);
		snprintf(when, sizeof(when), "T%c%s", time <= end ? '-' : '+', seconds);
	}
	fprintf(f, "  %-14s ", when);
	put_wrapped(f, evidence->text, EVIDENCE_INDENT, MOST_LINES);
}

/* A bit for each piece of evidence that finds room in @lines; what is minor comes after the rest. */
static u32 choose_evidence(const struct finding *finding, u32 lines)
{
	u32 chosen = 0;

	for (u32 pass = 0; pass < 2; pass++) {
		for (u32 i = 0; i < finding->nr_evidence; i++) {
			const struct finding_evidence *evidence = &finding->evidence[i];
			u32 nr = count_lines(evidence->text, EVIDENCE_INDENT, MOST_LINES);

			if (evidence->is_minor != (pass == 1) || nr > lines)
				continue;
			chosen |= 1U << i;
			lines -= nr;
		}
	}
	return chosen;
}

static void put_chosen(FILE *f, const char *title, const struct finding *finding, const struct postmortem *pm, u32 chosen)
{
	if (chosen)
		fputs(title, f);
	for (u32 i = 0; i < finding->nr_evidence; i++)
		if (chosen & 1U << i)
			put_evidence(f, &finding->evidence[i], pm);
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

void page_print_sentence(FILE *f, const struct finding *finding)
{
	if (finding->strength == FINDING_NOT_KNOWN)
		return;
	if (finding->strength != FINDING_SHOWN)
		fputs(finding->strength == FINDING_LIKELY ? "Likely: " : "Possibly: ", f);
	text_put(f, finding->claim, strlen(finding->claim));
	putc('\n', f);
}

void page_print(FILE *f, const struct finding *finding, const struct postmortem *pm, const char *path)
{
	u32 used = put_kernel(f, pm, finding->is_noticed), chosen;

	color_begin(f, COLOR_CRASH);
	used += put_labelled(f, "why", finding->claim, SCREEN);
	color_end(f);
	fprintf(f, "%-*s%s\n", LABEL, "how sure", words_of_strength[finding->strength]);
	if (*finding->open)
		used += put_labelled(f, "not known", finding->open, SCREEN);
	/* In one piece, to be copied. */
	fprintf(f, "%-*s", LABEL, "signature");
	text_put(f, finding->signature, strlen(finding->signature));
	putc('\n', f);
	/* Of one line each: how sure, the signature, two titles and the commands. */
	chosen = choose_evidence(finding, SCREEN - used - 4 - finding->nr_next);
	put_chosen(f, "evidence, in seconds before (T-) and after (T+) the end\n", finding, pm, chosen);
	if (finding->nr_next)
		fputs("next\n", f);
	for (u32 i = 0; i < finding->nr_next; i++)
		put_command(f, finding->next[i], path);
	put_chosen(f, "\nMore evidence\n", finding, pm, ((1U << finding->nr_evidence) - 1) & ~chosen);
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

static void json_found_item(struct json *j, const struct found_item *found)
{
	if (!*found->event)
		return json_null(j, "item");
	json_open(j, "item", '{');
	json_str(j, "event", found->event);
	json_u64(j, "ts_ns", found->time);
	if (found->cpu == NO_CPU)
		json_null(j, "cpu");
	else
		json_u64(j, "cpu", found->cpu);
	json_close(j, '}');
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
	json_found_item(j, &evidence->found);
	json_close(j, '}');
}

void page_json_members(struct json *j, const struct finding *finding)
{
	json_str(j, "kind", finding->kind);
	json_str(j, "claim", finding->claim);
	json_str(j, "strength", finding_strength_word(finding->strength));
	json_str(j, "why_not_more", *finding->open ? finding->open : NULL);
	json_str(j, "signature", finding->signature);
	json_open(j, "evidence", '[');
	for (u32 i = 0; i < finding->nr_evidence; i++)
		json_evidence(j, &finding->evidence[i], finding->end);
	json_close(j, ']');
	json_open(j, "next", '[');
	for (u32 i = 0; i < finding->nr_next; i++)
		json_str(j, NULL, finding->next[i]);
	json_close(j, ']');
	json_sentences(j, "also", &finding->also);
	json_sentences(j, "not_found", &finding->not_found);
	json_sentences(j, "missing", &finding->missing);
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
	page_json_members(&j, finding);
	json_close(&j, '}');
	json_end(&j);
}
