// SPDX-License-Identifier: GPL-2.0-or-later
/* One page that needs nothing else; docs/html.md */
#include "export.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "html_data_block.h"
#include "html_page.h"
#include "html_rows.h"

#define TEXT_ROWS	1024	/* lines of one block; html/data.js has the same */

/**
 * struct html - a page under way
 * @watch: the first, so that it leads here
 * @lines: what is printed to it comes to @text, @size bytes of @room, which is not written yet
 * @row: where in it the last of them begins, of @nr_lines
 * @ret: the first error of on_line()
 */
struct html {
	struct line_watch watch;
	FILE *f;
	FILE *lines;
	char *text;
	size_t size;
	size_t room;
	size_t row;
	u32 nr_lines;
	struct strings *strings;
	struct html_rows *rows;
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

/* A stack has lines of its own; a row is one. */
static int end_row(struct html *html)
{
	char *newline;

	if (fflush(html->lines))
		return err_sys(html->err, "memory");
	while ((newline = memchr(html->text + html->row, '\n', html->size - 1 - html->row)))
		*newline = ' ';
	html->row = html->size;
	return ++html->nr_lines == TEXT_ROWS ? write_text(html, "text") : 0;
}

static void take_html_line(struct line_watch *watch, const struct line *line)
{
	struct html *html = (struct html *)watch;

	if (html->ret || ferror(html->f))
		return;
	html_rows_add(html->rows, line);
	if (html_rows_full(html->rows))
		html->ret = html_rows_write(html->rows, html->f, html->err);
	if (!html->ret)
		html->ret = end_row(html);
}

static int write_events(struct html *html, struct postmortem *pm, const struct window *window)
{
	int ret = print_lines(html->lines, pm, window, &html->watch, html->err);

	if (!ret)
		ret = html->ret;
	if (!ret && html->nr_lines)
		ret = write_text(html, "text");
	return ret ? ret : html_rows_write(html->rows, html->f, html->err);
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
	json_close(&j, '}');
	return write_text(html, "facts");
}

static int write_texts(struct html *html, struct postmortem *pm,
		       const struct window *window)
{
	int ret;

	print_head(html->lines, pm);
	ret = print_end(html->lines, pm, false, html->err);
	if (ret)
		return ret;
	print_summary(html->lines, pm, window);
	ret = write_text(html, "head");
	if (ret)
		return ret;
	if (pm->recording)
		print_cpus(html->lines, pm);
	print_debuginfo_notes(html->lines, pm);
	return write_text(html, "tail");
}

static int write_page(struct html *html, struct postmortem *pm, const struct window *window)
{
	int ret;

	fwrite(html_page_head, 1, html_page_head_size, html->f);
	ret = write_events(html, pm, window);
	if (!ret)
		ret = write_strings(html, pm);
	if (!ret)
		ret = write_texts(html, pm, window);
	if (!ret)
		ret = write_facts(html, pm);
	fwrite(html_page_tail, 1, html_page_tail_size, html->f);
	return ret;
}

int export_html(FILE *f, struct postmortem *pm, const struct window *window,
		struct err *err)
{
	static const cookie_io_functions_t to_text = { .write = take_html_text };
	struct html html = { .watch.on_line = take_html_line, .f = f, .err = err };
	int ret = strings_new(&html.strings, err);

	if (!ret)
		ret = html_rows_new(&html.rows, html.strings, err);
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
