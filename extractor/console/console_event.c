// SPDX-License-Identifier: GPL-2.0-or-later
#include "console_event.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/string_interner.h"

#define MAX_FIELDS	64
#define MAX_FORMATS	4096
#define MAX_NAME	64	/* bytes of the name of an event or a field */
#define MAX_KEY		8192	/* of what a format is known by */
#define MAX_NEAR	256	/* events of one time that are compared */
#define TASK_PREEMPTED	0x100	/* the "+" of prev_state */

enum value_kind {
	VALUE_NUMBER,
	VALUE_SIGNED,
	VALUE_TEXT,
};

struct value {
	struct printed_words name;
	struct printed_words words;
	enum value_kind kind;
	u64 number;
};

/**
 * struct console_formats - the formats that the lines show
 * @keys: name and fields of each, whose number is the id
 */
struct console_formats {
	struct formats *formats;
	struct damage_notes notes;
	struct strings *keys;
};

static bool is_decimal_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_name(char c, bool is_first)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (!is_first && is_decimal_digit(c));
}

static bool words_are(struct printed_words words, const char *text)
{
	return words.len == strlen(text) && !memcmp(words.at, text, words.len);
}

static bool words_end(struct printed_words words, const char *text)
{
	size_t len = strlen(text);

	return words.len >= len && !memcmp(words.at + words.len - len, text, len);
}

/* --- the head of a line: task, CPU, time, name ----------------------------- */

static bool take_decimal(const char **at, const char *end, u64 max, u64 *ret)
{
	const char *begin = *at;
	u64 n = 0;

	for (; *at < end && is_decimal_digit(**at); ++*at) {
		n = 10 * n + (**at - '0');
		if (n > max)
			return false;
	}
	*ret = n;
	return *at > begin;
}

static bool take_printed_char(const char **at, const char *end, char c)
{
	if (*at == end || **at != c)
		return false;
	++*at;
	return true;
}

static void skip_blanks(const char **at, const char *end)
{
	while (*at < end && **at == ' ')
		++*at;
}

/* "001]     5.848006: " behind the bracket. */
static bool take_cpu_and_time(const char **at, const char *end, struct console_event *event)
{
	u64 cpu, seconds, micros;
	const char *digits;

	if (!take_decimal(at, end, 65535, &cpu) || !take_printed_char(at, end, ']') || !take_printed_char(at, end, ' '))
		return false;
	skip_blanks(at, end);
	if (!take_decimal(at, end, 1ULL << 33, &seconds) || !take_printed_char(at, end, '.'))
		return false;
	digits = *at;
	if (!take_decimal(at, end, 999999, &micros) || *at - digits != 6 || !take_printed_char(at, end, ':') ||
	    !take_printed_char(at, end, ' '))
		return false;
	event->cpu = cpu;
	event->time = (seconds * 1000000 + micros) * 1000;
	return true;
}

/* "        victim/1-99      ", in front of the bracket. */
static bool take_task(const char *begin, const char *end, struct console_event *event)
{
	const char *digits;
	u64 pid;

	skip_blanks(&begin, end);
	while (end > begin && end[-1] == ' ')
		end--;
	for (digits = end; digits > begin && is_decimal_digit(digits[-1]); )
		digits--;
	if (digits == end || digits == begin || digits[-1] != '-' || !take_decimal(&digits, end, 1U << 31, &pid))
		return false;
	while (end > begin && *--end != '-')
		;
	event->pid = pid;
	if (end - begin != 5 || memcmp(begin, "<...>", 5))
		snprintf(event->comm, sizeof(event->comm), "%.*s", (int)(end - begin), begin);
	return true;
}

/* The event but for its fields; *@fields is what stands behind "name: ". */
static bool parse_head(const char *text, u32 len, struct console_event *event, struct printed_words *name, struct printed_words *fields)
{
	const char *end = text + len, *bracket = text, *at;

	while ((bracket = memchr(bracket, '[', end - bracket))) {
		at = ++bracket;
		if (bracket - text < 2 || bracket[-2] != ' ' || !take_cpu_and_time(&at, end, event) ||
		    !take_task(text, bracket - 1, event))
			continue;
		event->text = (struct printed_words){ at, end - at };
		name->at = at;
		while (at < end && is_name(*at, at == name->at))
			at++;
		name->len = at - name->at;
		/* "event 41: 8 bytes": its format is gone. */
		if (words_are(*name, "event") && at < end && *at == ' ') {
			*fields = (struct printed_words){ at + 1, end - at - 1 };
			return true;
		}
		if (!name->len || name->len > MAX_NAME || !take_printed_char(&at, end, ':'))
			return false;
		take_printed_char(&at, end, ' ');
		*fields = (struct printed_words){ at, end - at };
		return true;
	}
	return false;
}

/* --- its system --------------------------------------------------------------- */

/* The system that events of such names have in include/trace/events/; NULL: unknown. */
static const char *system_of_printed(struct printed_words name)
{
	static const struct {
		const char *begin;
		const char *system;
	} systems[] = {
		{ "sched_", "sched" }, { "irq_handler_", "irq" }, { "softirq_", "irq" }, { "tasklet_", "irq" },
		{ "timer_", "timer" }, { "hrtimer_", "timer" }, { "itimer_", "timer" }, { "tick_stop", "timer" },
		{ "workqueue_", "workqueue" }, { "signal_", "signal" }, { "module_", "module" },
		{ "kmalloc", "kmem" }, { "kmem_", "kmem" }, { "kfree", "kmem" }, { "mm_page_", "kmem" },
		{ "oom_", "oom" }, { "mark_victim", "oom" }, { "compact_retry", "oom" }, { "reclaim_retry_zone", "oom" },
		{ "block_", "block" }, { "scsi_", "scsi" }, { "mce_record", "mce" }, { "console", "printk" },
		{ "sys_enter_", "syscalls" }, { "sys_exit_", "syscalls" }, { "cpu_", "power" },
		{ "suspend_resume", "power" }, { "nmi_handler", "nmi" }, { "mc_event", "ras" }, { "aer_event", "ras" },
		{ "page_fault_", "exceptions" }, { "net_", "net" }, { "netif_", "net" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(systems); i++) {
		size_t len = strlen(systems[i].begin);

		if (name.len >= len && !memcmp(name.at, systems[i].begin, len))
			return systems[i].system;
	}
	return NULL;
}

/* --- fields ----------------------------------------------------------------- */

/* "00000000cfe8a218", as %p prints it. */
static bool is_printed_pointer(const char *digits)
{
	return strlen(digits) == 16 && strspn(digits, "0123456789abcdef") == 16 &&
	       (*digits == '0' || strpbrk(digits, "abcdef"));
}

/* All of @words is a number: decimal, "0x1f", or a pointer. */
static bool parse_number(struct printed_words words, struct value *value)
{
	char digits[24], *end;

	if (!words.len || words.len >= sizeof(digits))
		return false;
	memcpy(digits, words.at, words.len);
	digits[words.len] = '\0';
	if (!is_decimal_digit(*digits) && *digits != '-' && !is_printed_pointer(digits))
		return false;
	value->kind = *digits == '-' ? VALUE_SIGNED : VALUE_NUMBER;
	if (value->kind == VALUE_SIGNED)
		value->number = strtoll(digits, &end, 10);
	else
		value->number = strtoull(digits, &end, is_printed_pointer(digits) || !strncmp(digits, "0x", 2) ? 16 : 10);
	return !*end && end > digits + (value->kind == VALUE_SIGNED);
}

/* The bits of prev_state that the letters of TASK_REPORT stand for (include/trace/events/sched.h). */
static bool parse_state(struct printed_words words, struct value *value)
{
	static const char letters[] = "SDTtXZPI";
	const char *letter;

	value->number = 0;
	for (u32 i = 0; i < words.len; i++) {
		letter = strchr(letters, words.at[i]);
		if (words.at[i] == '+')
			value->number |= TASK_PREEMPTED;
		else if (letter && *letter)
			value->number |= 1U << (letter - letters);
		else if (words.at[i] != 'R' && words.at[i] != '|')
			return false;
	}
	value->kind = VALUE_NUMBER;
	return words.len;
}

/* "1 [action=TIMER]": the number says what the words in brackets say. */
static struct printed_words number_alone(struct printed_words words)
{
	const char *blank = memchr(words.at, ' ', words.len);

	if (blank && words.at + words.len - blank > 1 && (blank[1] == '[' || blank[1] == '('))
		words.len = blank - words.at;
	return words;
}

static void parse_value(struct value *value, bool is_known)
{
	struct printed_words *words = &value->words;

	while (words->len && strchr(" ,", words->at[words->len - 1]))
		words->len--;
	if (words_end(*words, " ==>"))
		words->len -= 4;
	if (!is_known || words_end(value->name, "comm") || words_are(value->name, "name"))
		return;
	if (words_are(value->name, "prev_state"))
		parse_state(*words, value);
	else
		parse_number(number_alone(*words), value);
}

/* Where the next "name=" begins, from @at on: at the begin of the fields, or behind a blank. */
static const char *find_name(struct printed_words fields, const char *at, struct printed_words *name)
{
	for (const char *end = fields.at + fields.len; at < end; at++) {
		const char *stop = at;

		if (at > fields.at && at[-1] != ' ')
			continue;
		while (stop < end && is_name(*stop, stop == at))
			stop++;
		if (stop > at && stop - at <= MAX_NAME && stop < end && *stop == '=') {
			*name = (struct printed_words){ at, stop - at };
			return at;
		}
	}
	return NULL;
}

/* The printed line of printk, and what has no names, is one text. */
static u32 parse_fields(struct printed_words event, struct printed_words fields, struct value values[MAX_FIELDS])
{
	const char *end = fields.at + fields.len, *at;
	/* Of other events, "29" may be a hexadecimal number. */
	bool is_known = system_of_printed(event);
	struct printed_words name;
	u32 nr = 0;

	at = words_are(event, "console") ? NULL : find_name(fields, fields.at, &name);
	if (at != fields.at) {
		values[nr++] = (struct value){
			.name = words_are(event, "console") ? (struct printed_words){ "msg", 3 } : (struct printed_words){ "text", 4 },
			.words = fields, .kind = VALUE_TEXT,
		};
	}
	while (at && nr < MAX_FIELDS) {
		struct value *value = &values[nr++];

		*value = (struct value){ .name = name, .kind = VALUE_TEXT };
		value->words.at = name.at + name.len + 1;
		at = find_name(fields, value->words.at, &name);
		value->words.len = (at ?: end) - value->words.at;
		parse_value(value, is_known);
	}
	return nr;
}

/* --- formats ---------------------------------------------------------------- */

static const char *type_of(enum value_kind kind)
{
	return kind == VALUE_TEXT ? "__data_loc char[]" : kind == VALUE_SIGNED ? "s64" : "u64";
}

static void put_field(FILE *f, const char *type, struct printed_words name, u32 off, u32 size, bool is_signed)
{
	fprintf(f, "\tfield:%s %.*s;\toffset:%u;\tsize:%u;\tsigned:%u;\n", type, (int)name.len, name.at, off, size, is_signed);
}

static char *make_printed_format(u32 id, struct printed_words name, const struct value *values, u32 nr)
{
	u32 off = FORMATS_COMMON;
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return NULL;
	fprintf(f, "name: %.*s\nID: %u\nformat:\n"
		"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
		"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
		"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n", (int)name.len, name.at, id);
	for (u32 i = 0; i < nr; i++) {
		u32 field = values[i].kind == VALUE_TEXT ? 4 : 8;

		put_field(f, type_of(values[i].kind), values[i].name, off, field, values[i].kind == VALUE_SIGNED);
		off += field;
	}
	fputs("\nprint fmt: \"", f);
	for (u32 i = 0; i < nr; i++)
		fprintf(f, "%s%.*s=%s", i ? " " : "", (int)values[i].name.len, values[i].name.at,
			values[i].kind == VALUE_TEXT ? "%s" : values[i].kind == VALUE_SIGNED ? "%lld" : "%llu");
	putc('"', f);
	for (u32 i = 0; i < nr; i++)
		fprintf(f, values[i].kind == VALUE_TEXT ? ", __get_str(%.*s)" : ", REC->%.*s", (int)values[i].name.len, values[i].name.at);
	putc('\n', f);
	if (fclose(f)) {
		free(text);
		text = NULL;
	}
	return text;
}

/* The id of events of that name with these fields; 0: there are too many. */
static int find_format(struct console_formats *formats, struct printed_words name, const struct value *values, u32 nr, u32 *id, struct err *err)
{
	char key[MAX_KEY], *text;
	size_t n = snprintf(key, sizeof(key), "%.*s", (int)name.len, name.at);

	for (u32 i = 0; i < nr; i++)
		n += snprintf(key + n, sizeof(key) - n, " %.*s:%d", (int)values[i].name.len, values[i].name.at, values[i].kind);
	*id = strings_number(formats->keys, key);
	if (formats_has(formats->formats, *id))
		return 0;
	if (strings_left_out(formats->keys) || *id >= MAX_FORMATS) {
		*id = 0;
		return 0;
	}
	text = make_printed_format(*id, name, values, nr);
	if (!text || !formats_add(formats->formats, *id, system_of_printed(name) ?: "console", name.at, name.len, text)) {
		free(text);
		return err_sys(err, "memory for the format of an event");
	}
	return formats_keep(formats->formats, text) ? 0 : err_sys(err, "memory for the format of an event");
}

/* --- payloads --------------------------------------------------------------- */

static void pack_printed_event(struct pack *p, const struct value *values, u32 nr)
{
	u32 end = FORMATS_COMMON;

	for (u32 i = 0; i < nr; i++)
		end += values[i].kind == VALUE_TEXT ? 4 : 8;
	for (u32 i = 0; i < nr; i++) {
		if (values[i].kind != VALUE_TEXT) {
			pack_u64(p, values[i].number);
			continue;
		}
		pack_u32(p, (values[i].words.len + 1) << 16 | end);
		end += values[i].words.len + 1;
	}
	for (u32 i = 0; i < nr; i++) {
		if (values[i].kind != VALUE_TEXT)
			continue;
		pack_bytes(p, values[i].words.at, values[i].words.len);
		pack_u8(p, 0);
	}
}

static bool make_event_room(struct console_events *events)
{
	void *list;

	if (events->nr < events->room)
		return true;
	list = reallocarray(events->list, 2 * (size_t)events->room + 256, sizeof(*events->list));
	if (!list)
		return false;
	events->list = list;
	events->room = 2 * events->room + 256;
	return true;
}

int console_events_take(struct console_events *events, const char *text, u32 len, struct err *err)
{
	struct console_event event = { .order = events->nr, .dump = events->dump };
	struct value values[MAX_FIELDS];
	struct printed_words name, fields;
	u32 nr;
	int ret;

	if (!parse_head(text, len, &event, &name, &fields))
		return 0;
	nr = parse_fields(name, fields, values);
	ret = find_format(events->formats, name, values, nr, &event.id, err);
	if (ret || !event.id)
		return ret;
	event.off = events->payloads.size;
	pack_printed_event(&events->payloads, values, nr);
	event.size = events->payloads.size - event.off;
	/* Behind it, where its text is. */
	pack_u32(&events->payloads, event.text.at - events->base);
	pack_u32(&events->payloads, event.text.len);
	if (events->payloads.failed || !make_event_room(events))
		return err_sys(err, "memory for %u events", events->nr);
	events->list[events->nr++] = event;
	return 1;
}

struct printed_words console_event_text(const struct console_events *events, const u8 *payload, u32 size)
{
	struct bytes place = bytes_of(payload + size, 8, ORDER_LITTLE);

	return (struct printed_words){ events->base + bytes_u32(&place, 0), bytes_u32(&place, 4) };
}

struct printed_words console_event_printed(const struct console_event *event)
{
	static const char begin[] = "console: ";
	u32 len = strlen(begin);

	if (event->text.len < len || memcmp(event->text.at, begin, len))
		return (struct printed_words){ NULL, 0 };
	return (struct printed_words){ event->text.at + len, event->text.len - len };
}

/* --- all -------------------------------------------------------------------- */

static int compare_console_events(const void *a, const void *b)
{
	const struct console_event *x = a, *y = b;

	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static bool is_same_event(const struct console_event *a, const struct console_event *b)
{
	return a->pid == b->pid && a->text.len == b->text.len && !memcmp(a->text.at, b->text.at, a->text.len);
}

/*
 * Has another dump, before its own, as many of such events of that time?  Within one dump they are
 * events of their own.
 */
static bool is_in_earlier_dump(const struct console_event *list, u32 i)
{
	const struct console_event *event = &list[i];
	u32 own = 0, others = 0;

	for (u32 n = 0; i-- && n < MAX_NEAR; n++) {
		const struct console_event *near = &list[i];

		if (near->cpu != event->cpu || near->time != event->time)
			break;
		if (!is_same_event(near, event))
			continue;
		own += near->dump == event->dump;
		others += near->dump != event->dump && !near->is_repeated;
	}
	return own < others;
}

void console_events_sort(struct console_events *events)
{
	u32 kept = 0;

	if (events->nr)
		qsort(events->list, events->nr, sizeof(*events->list), compare_console_events);
	for (u32 i = 0; i < events->nr; i++)
		events->list[i].is_repeated = is_in_earlier_dump(events->list, i);
	for (u32 i = 0; i < events->nr; i++)
		if (!events->list[i].is_repeated)
			events->list[kept++] = events->list[i];
	events->nr = kept;
}

int console_events_begin(struct console_events *events, const char *base, struct err *err)
{
	const struct formats_machine machine = { .order = ORDER_LITTLE, .long_size = 8 };
	int ret;

	events->base = base;
	events->payloads.order = ORDER_LITTLE;
	events->formats = calloc(1, sizeof(*events->formats));
	if (!events->formats)
		return err_sys(err, "memory for events of a console");
	ret = strings_new(&events->formats->keys, err);
	return ret ? ret : formats_new(&events->formats->formats, &machine, &events->formats->notes, err);
}

struct formats *console_events_formats(const struct console_events *events)
{
	return events->formats->formats;
}

void console_events_free(struct console_events *events)
{
	struct console_formats *formats = events->formats;

	free(events->list);
	pack_free(&events->payloads);
	if (formats) {
		formats_free(formats->formats);
		strings_free(formats->keys);
		damage_notes_free(&formats->notes);
		free(formats);
	}
	memset(events, 0, sizeof(*events));
}
