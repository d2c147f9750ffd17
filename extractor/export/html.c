// SPDX-License-Identifier: GPL-2.0-or-later
/* One page that needs nothing else; docs/html.md */
#include "export.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "explain/evidence_item.h"
#include "explain/page.h"
#include "report/item_walk.h"
#include "report/together.h"
#include "html_data_block.h"
#include "html_page.h"
#include "html_rows.h"

#define TEXT_ROWS	TURN_STEPS	/* lines of one block; html/data.js has the same */

_Static_assert(TEXT_ROWS == 1024, "the page's number");

/**
 * struct html - a page under way
 * @watch: the first, so that it leads here
 * @turns: of the processes that make blocks of text; NULL: one does
 * @f: where this process writes them
 * @lines: what is printed to it comes to @text, @size bytes of @room, which is not written yet
 * @row: where in it the last of them begins, of @nr_lines
 * @joint: NULL: there are no guests
 * @joint_window: of a joint timeline, chosen
 * @finding: why it died; @search has the rows of its evidence, from 1
 * @ret: the first error of on_line()
 */
struct html {
	struct line_watch watch;
	struct turns *turns;
	FILE *f;
	FILE *lines;
	char *text;
	size_t size;
	size_t room;
	size_t row;
	u32 nr_lines;
	struct strings *strings;
	struct html_rows *rows;
	struct joint *joint;
	struct joint_window joint_window;
	const struct finding *finding;
	struct evidence_search search;
	struct err *err;
	int ret;
};

static ssize_t take_html_text(void *cookie, const char *text, size_t size)
{
	struct html *html = cookie;
	size_t room = html->room ? html->room : 65536;
	char *p;

	while (room < html->size + size)
		room *= 2;
	p = room == html->room || room > HTML_BLOCK_MAX ? html->text : realloc(html->text, room);
	if (!p || room > HTML_BLOCK_MAX)
		return 0;
	html->text = p;
	html->room = room;
	memcpy(p + html->size, text, size);
	html->size += size;
	return size;
}

/* What was printed since the last time, as a block. */
static int write_text(struct html *html, const char *name)
{
	int ret;

	if (fflush(html->lines))
		return err_sys(html->err, "memory");
	ret = html_block(html->f, name, html->text, html->size, html->err);
	html->size = html->row = 0;
	html->nr_lines = 0;
	return ret;
}

/* A block of text, unless another process makes it. */
static int end_block(struct html *html)
{
	if (turns_is_own(html->turns))
		return write_text(html, "text");
	if (fflush(html->lines))
		return err_sys(html->err, "memory");
	html->size = html->row = 0;
	html->nr_lines = 0;
	return 0;
}

/* A stack has lines of its own; a row is one. */
static int end_own_row(struct html *html)
{
	char *newline;

	if (fflush_unlocked(html->lines))
		return err_sys(html->err, "memory");
	while ((newline = memchr(html->text + html->row, '\n', html->size - 1 - html->row)))
		*newline = ' ';
	html->row = html->size;
	return 0;
}

static int end_row(struct html *html, const struct line *line)
{
	int ret = turns_is_own(html->turns) ? end_own_row(html) : 0;

	turns_step(html->turns, line->item ? item_step(line->item) : 0);
	if (++html->nr_lines < TEXT_ROWS)
		return ret;
	if (!ret)
		ret = end_block(html);
	if (!ret)
		ret = turns_end(html->turns, html->f, html->err);
	html->watch.wants_no_text = !turns_is_own(html->turns);
	return ret;
}

static int write_rows(struct html *html)
{
	return html_rows_write(html->rows, turns_is_writer(html->turns) ? html->f : NULL, html->err);
}

static void take_html_line(struct line_watch *watch, const struct line *line)
{
	struct html *html = (struct html *)watch;

	if (html->ret || ferror_unlocked(html->f))
		return;
	html_rows_add(html->rows, line);
	if (line->kind == LINE_EVENT && !line->guest && html_rows_nr(html->rows) < ~0U)
		evidence_search_take(&html->search, line->item, html_rows_nr(html->rows));
	if (html_rows_full(html->rows))
		html->ret = write_rows(html);
	if (!html->ret)
		html->ret = end_row(html, line);
}

static bool html_has_head(struct line_watch *watch, const struct item *item)
{
	return html_rows_have_head(((struct html *)watch)->rows, item);
}

static int write_events(struct html *html, struct postmortem *pm, const struct window *window)
{
	struct joint_window used = html->joint_window;
	struct window whole = *window;
	int ret;

	/* All lines come here, and blocks of them are printed by turns. */
	whole.turns = NULL;
	turns_begin(html->turns);
	html->watch.wants_no_text = !turns_is_own(html->turns);
	ret = html->joint ? print_together_lines(html->lines, html->joint, &used, false, &html->watch, html->err) :
			    print_lines(html->lines, pm, &whole, &html->watch, html->err);
	if (!ret)
		ret = html->ret;
	if (!ret && html->nr_lines)
		ret = end_block(html);
	if (!ret)
		ret = turns_finish(html->turns, html->f, html->err);
	return ret ? ret : write_rows(html);
}

static int write_strings(struct html *html, struct postmortem *pm)
{
	size_t size;
	const char *all = strings_all(html->strings, &size);
	u64 left_out = strings_left_out(html->strings);

	if (left_out)
		damage_notes_add(&pm->notes, NOTE_NOWHERE,
				 "there are too many names for a page: for %llu times the lanes have \"%s\" instead of one",
				 left_out, STRINGS_LEFT_OUT);
	return html_block(html->f, "strings", all, size, html->err);
}

/* "Kernel panic - not syncing: Fatal exception, on CPU 1, bash-1234" */
static void title(char *buf, size_t size, const struct postmortem_end *end)
{
	size_t n;

	n = snprintf(buf, size, "%.*s", (int)sizeof(end->reason), end->reason);
	if (end->cpu != NO_CPU && n < size)
		n += snprintf(buf + n, size - n, ", on CPU %u", end->cpu);
	if (end->pid >= 0 && n < size)
		snprintf(buf + n, size - n, ", %.*s-%lld", (int)sizeof(end->comm), end->comm,
			 end->pid);
}

/* Numbers of 64 bits as texts: the page computes with 53. */
static void put_ns(struct json *j, const char *key, u64 ns)
{
	char text[24];

	snprintf(text, sizeof(text), "%llu", ns);
	json_str(j, key, text);
}

/* Where the lanes of the guests are, and which threads of the host run their CPUs. */
static void put_guest_lanes(struct json *j, const struct html *html)
{
	json_open(j, "guests", '[');
	for (u32 i = 0; i < html->joint->nr; i++) {
		const struct joint_guest *guest = &html->joint->list[i];

		json_open(j, NULL, '{');
		json_text(j, "name", guest->name, strlen(guest->name));
		json_u64(j, "lane", html_rows_guest_lane(html->rows, guest));
		json_open(j, "threads", '[');
		for (u32 k = 0; k < html_rows_guest_cpus(html->rows, guest); k++)
			json_s64(j, NULL, guest->vm->vcpus[k].pid);
		json_close(j, ']');
		json_close(j, '}');
	}
	json_close(j, ']');
}

static int write_facts(struct html *html, const struct postmortem *pm)
{
	static const char *const how[] = {
		[OUTCOME_UNKNOWN] = "unknown", [OUTCOME_CRASHED] = "crashed", [OUTCOME_ENDED] = "ended",
	};
	const struct postmortem_end *end = &pm->end;
	struct json j = { .f = html->lines };
	char text[400] = "The kernel did not say how it ended";

	if (end->how != OUTCOME_UNKNOWN)
		title(text, sizeof(text), end);
	json_open(&j, NULL, '{');
	json_str(&j, "title", text);
	json_str(&j, "how", how[end->how]);
	json_bool(&j, "known_end", end->how != OUTCOME_UNKNOWN);
	json_u64(&j, "rows", html_rows_nr(html->rows));
	put_ns(&j, "start", html_rows_start(html->rows));
	put_ns(&j, "end", end->time);
	if (html->joint)
		put_guest_lanes(&j, html);
	json_close(&j, '}');
	json_flush(&j);
	return write_text(html, "facts");
}

static int write_texts(struct html *html, struct postmortem *pm,
		       const struct window *window)
{
	int ret;

	print_head(html->lines, pm);
	ret = print_end(html->lines, pm, false, "", html->err);
	if (ret)
		return ret;
	print_summary(html->lines, pm, html->joint ? NULL : window);
	if (html->joint)
		print_together_head(html->lines, html->joint, &html->joint_window);
	ret = write_text(html, "head");
	if (ret)
		return ret;
	if (pm->recording)
		print_cpus(html->lines, pm);
	print_debuginfo_notes(html->lines, pm);
	return write_text(html, "tail");
}

/* The rows of the evidence are those of the page, or null. */
static int write_verdict(struct html *html)
{
	struct json j = { .f = html->lines };

	json_open(&j, NULL, '{');
	page_json_members(&j, html->finding);
	json_open(&j, "rows", '[');
	for (u32 i = 0; i < html->finding->nr_evidence; i++)
		if (html->search.matches[i].number)
			json_u64(&j, NULL, html->search.matches[i].number - 1);
		else
			json_null(&j, NULL);
	json_close(&j, ']');
	json_close(&j, '}');
	json_flush(&j);
	return write_text(html, "verdict");
}

static int write_page(struct html *html, struct postmortem *pm, const struct window *window)
{
	int ret;

	fwrite(html_page_head, 1, html_page_head_size, html->f);
	evidence_search_begin(&html->search, html->finding);
	ret = write_events(html, pm, window);
	if (!ret)
		ret = write_verdict(html);
	if (!ret)
		ret = write_strings(html, pm);
	if (!ret)
		ret = write_texts(html, pm, window);
	if (!ret)
		ret = write_facts(html, pm);
	fwrite(html_page_tail, 1, html_page_tail_size, html->f);
	return ret;
}

/* @joint: NULL: @pm alone */
static int export_page(FILE *f, struct postmortem *pm, struct joint *joint, const struct window *window,
		       const struct finding *finding, struct err *err)
{
	static const cookie_io_functions_t to_text = { .write = take_html_text };
	struct html html = {
		.watch = { .on_line = take_html_line, .has_head = html_has_head },
		.turns = joint ? NULL : window_turns(window, pm),
		.f = f, .joint = joint, .finding = finding, .err = err,
	};
	int ret = strings_new(&html.strings, err);

	if (!ret && joint)
		ret = joint_window_choose(&html.joint_window, window, joint, err);
	if (!ret)
		ret = html_rows_new(&html.rows, html.strings, pm->end.time, joint, err);
	html.lines = fopencookie(&html, "w", to_text);
	if (!ret && !html.lines)
		ret = err_sys(err, "memory");
	if (!ret)
		ret = write_page(&html, pm, window);
	if (html.lines)
		fclose(html.lines);
	html_rows_free(html.rows);
	strings_free(html.strings);
	free(html.text);
	return ret;
}

int export_html(FILE *f, struct postmortem *pm, const struct window *window,
		const struct finding *finding, struct err *err)
{
	return export_page(f, pm, NULL, window, finding, err);
}

int export_html_joint(FILE *f, struct joint *joint, const struct window *window,
		      const struct finding *finding, struct err *err)
{
	return export_page(f, joint->host, joint, window, finding, err);
}
