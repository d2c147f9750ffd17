// SPDX-License-Identifier: GPL-2.0-only
/*
 * An event's format as text, as in events/<system>/<event>/format of tracefs.
 *
 * The fields are those that we compiled.  The print format is the kernel's if
 * it has the event: names of enums are numbers there already, but while it boots.
 */
#include <linux/ctype.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include "control/answer.h"
#include "start/start.h"
#include "probe.h"

struct text {
	char *buf;
	size_t size, used;	/* used > size: did not fit */
};

static __printf(2, 3) void put(struct text *text, const char *fmt, ...)
{
	size_t room = text->used < text->size ? text->size - text->used : 0;
	va_list args;

	va_start(args, fmt);
	text->used += vsnprintf(text->buf + text->size - room, room, fmt, args);
	va_end(args);
}

static void put_bytes(struct text *text, const char *from, size_t len)
{
	if (text->used + len < text->size)
		memcpy(text->buf + text->used, from, len);
	text->used += len;
}

static void put_string(struct text *text, const char *word)
{
	put_bytes(text, word, strlen(word));
}

/* put() takes much longer, and there are some hundred fields at each load. */
static void put_decimal(struct text *text, u32 number)
{
	char digits[10];
	int at = sizeof(digits);

	do
		digits[--at] = '0' + number % 10;
	while (number /= 10);
	put_bytes(text, digits + at, sizeof(digits) - at);
}

/* An array's length follows the name: "char comm[16]", unless it is dynamic. */
static void put_field_format(struct text *text, const struct epitaph_field *field, int off)
{
	const char *type = field->type, *array = strchr(type, '[');

	if (str_has_prefix(type, "__data_loc") || str_has_prefix(type, "__rel_loc"))
		array = NULL;
	put_string(text, "\tfield:");
	put_bytes(text, type, array ? array - type : strlen(type));
	put_string(text, " ");
	put_string(text, field->name);
	if (array && field->len)
		put(text, "[%d]", field->len);
	else if (array)
		put_string(text, array);
	put_string(text, ";\toffset:");
	put_decimal(text, off);
	put_string(text, ";\tsize:");
	put_decimal(text, field->size);
	put_string(text, field->is_signed ? ";\tsigned:1;\n" : ";\tsigned:0;\n");
}

#define COMMON_SIZE	8

static void put_common_fields(struct text *text)
{
	put_string(text, "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		       "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
		       "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
		       "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n");
}

static void put_fields(struct text *text, const struct epitaph_field *field)
{
	int off = COMMON_SIZE;

	for (; field->type; field++) {
		off = ALIGN(off, field->align);
		put_field_format(text, field, off);
		off += field->size;
	}
}

static bool is_word(char c)
{
	return isalnum(c) || c == '_';
}

/* Where the name or the sizeof() that begins at @p ends. */
static const char *word_end(const char *p)
{
	const char *start = p;

	while (is_word(*p))
		p++;
	if (p - start == 6 && !strncmp(start, "sizeof", 6) && *p == '(')
		p = strchrnul(p, ')') + 1;
	return p;
}

static const struct epitaph_enum *find_enum(const struct epitaph_event *ev,
					    const char *word, size_t len)
{
	const struct epitaph_enum *const *e;

	for (e = ev->enums; *e; e++)
		if (strlen((*e)->name) == len && !strncmp((*e)->name, word, len))
			return *e;
	return NULL;
}

/* A quote that is not escaped opens or closes a string. */
static const char *string_end(const char *p)
{
	for (p++; *p && *p != '"'; p++)
		if (*p == '\\' && p[1])
			p++;
	return *p ? p + 1 : p;
}

/* Copy, with enum names outside strings replaced, but not of members. */
static void put_resolved(struct text *text, const struct epitaph_event *ev)
{
	const char *p = ev->print_fmt, *end;
	const struct epitaph_enum *e;
	char before = 0;

	for (; *p; p = end) {
		e = NULL;
		if (*p == '"') {
			end = string_end(p);
		} else if (is_word(*p)) {
			end = word_end(p);
			if (!isdigit(*p) && before != '.' && before != '>')
				e = find_enum(ev, p, end - p);
		} else {
			end = p + 1;
		}
		if (e)
			put(text, "%ld", e->value);
		else
			put_bytes(text, p, end - p);
		before = end[-1];
	}
}

static void put_print(struct text *text, const struct epitaph_event *ev, const char *print_fmt)
{
	if (print_fmt)
		put_bytes(text, print_fmt, strlen(print_fmt));
	else
		put_resolved(text, ev);
}

/* An unescaped quote inside: the string ends before a comma. */
static const char *print_string_end(const char *p)
{
	const char *end = string_end(p);

	while (*end && *end != ',')
		end = string_end(end);
	return end;
}

/* What @text prints, from @at on, prints more: if it does not begin with a string, fields are all. */
static void put_print_more(struct text *text, size_t at, const struct epitaph_format_more *more)
{
	size_t end, len = more->print->used;

	if (text->used + len + more->args->used >= text->size || text->buf[at] != '"')
		return;
	text->buf[text->used] = '\0';
	end = print_string_end(text->buf + at) - 1 - text->buf;
	if (text->buf[end] != '"')
		return;
	memmove(text->buf + end + len, text->buf + end, text->used - end);
	memcpy(text->buf + end, more->print->text, len);
	text->used += len;
	put_bytes(text, more->args->text, more->args->used);
}

/* @more: NULL: nothing */
static int write_event_format(const struct epitaph_event *ev, u32 id, const char *print_fmt,
			      const struct epitaph_format_more *more, char *buf, size_t size)
{
	struct text text = { .buf = buf, .size = size };
	size_t at;

	put(&text, "name: %s\nID: %u\nformat:\n", ev->name, id);
	put_common_fields(&text);
	put_fields(&text, ev->fields);
	if (more)
		put_bytes(&text, more->fields->text, more->fields->used);
	put(&text, "\nprint fmt: ");
	at = text.used;
	put_print(&text, ev, print_fmt);
	if (more)
		put_print_more(&text, at, more);
	put(&text, "\n");
	return text.used < text.size ? (int)text.used : -ENOSPC;
}

int epitaph_format_text_more(const struct epitaph_event *ev, u32 id,
			     const struct epitaph_format_more *more, char *buf, size_t size)
{
	const struct trace_event_call *call = READ_ONCE(ev->call);
	const char *print_fmt = more ? more->print_fmt :
				call && !epitaph_is_early() ? call->print_fmt : NULL;

	return write_event_format(ev, id, print_fmt, more, buf, size);
}

int epitaph_format_text(struct epitaph_event *ev, char *buf, size_t size)
{
	return epitaph_format_text_more(ev, ev->id, NULL, buf, size);
}

int epitaph_format_text_compiled(struct epitaph_event *ev, char *buf, size_t size)
{
	return write_event_format(ev, ev->id, NULL, NULL, buf, size);
}

/* Return: offset of the field whose name is the word at @name, or -1. */
static int field_off(const struct epitaph_event *ev, const char *name)
{
	const struct epitaph_field *field;
	size_t len = word_end(name) - name;
	int off = sizeof(struct epitaph_entry);

	for (field = ev->fields; field->type; field++) {
		off = ALIGN(off, field->align);
		if (field->size == sizeof(long) && strlen(field->name) == len &&
		    !strncmp(field->name, name, len))
			return off;
		off += field->size;
	}
	return -1;
}

/* Past the argument at @p, to the comma after it or the end. */
static const char *argument_end(const char *p)
{
	int depth = 0;

	while (*p && (depth || *p != ',')) {
		depth += (*p == '(') - (*p == ')');
		p = *p == '"' ? string_end(p) : p + 1;
	}
	return p;
}

static void note_sym(struct epitaph_event *ev, const char *arg)
{
	const char *rec = strstr(arg, "REC->");
	int i, off = rec && rec < argument_end(arg) ? field_off(ev, rec + 5) : -1;

	for (i = 0; i < ev->nr_syms; i++)
		if (ev->sym_off[i] == off)
			return;
	if (off >= 0 && ev->nr_syms < EPITAPH_NR_SYMS)
		ev->sym_off[ev->nr_syms++] = off;
}

static const char *next_argument(const char *arg)
{
	arg = argument_end(arg);
	return *arg ? arg + 1 : arg;
}

/*
 * Walk the conversions of the string and, in step, the arguments after it.
 * Return: after the conversion at @p, whose arguments have been taken.
 */
static const char *take_conversion(struct epitaph_event *ev, const char *p,
				   const char **arg)
{
	for (p++; *p && strchr("-+ #0123456789.*hlLqjzt", *p); p++)
		if (*p == '*')
			*arg = next_argument(*arg);
	if (*p == '%')
		return p + 1;
	if (*p == 'p' && p[1] && strchr("sSfFB", p[1]))
		note_sym(ev, *arg);
	*arg = next_argument(*arg);
	return *p ? p + 1 : p;
}

void epitaph_find_syms(struct epitaph_event *ev)
{
	const char *p = ev->call ? ev->call->print_fmt : ev->print_fmt;
	const char *end, *arg;

	ev->nr_syms = 0;
	if (*p != '"')
		return;
	end = print_string_end(p);
	arg = next_argument(end);
	if (*end == ',')
		arg = end + 1;
	while (p < end)
		p = *p == '%' ? take_conversion(ev, p, &arg) : p + 1;
}
