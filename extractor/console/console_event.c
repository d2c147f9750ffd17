// SPDX-License-Identifier: GPL-2.0-or-later
#include "console_event.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/string_interner.h"
#include "event/item.h"

#define MAX_FIELDS	64
#define MAX_FORMATS	4096
#define MAX_KEY		8192	/* of what a format is known by */
#define MAX_NEAR	256	/* events of one time that are compared */
#define MAX_JOINED	24576	/* bytes of a text of several lines */
#define JOINED		(1U << 31)	/* of the place of a text: it is none of the console's */
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
 * struct shape - what an event has behind its head
 * @own: NULL, or the name of what is no tracepoint
 * @name: of a tracepoint
 * @fields: behind the name; the whole text, where nothing has a name
 * @ip: of a function; @parent: what called it
 */
struct shape {
	const char *own;
	struct printed_words name;
	struct printed_words fields;
	struct printed_words ip;
	struct printed_words parent;
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

/* --- its system --------------------------------------------------------------- */

/* The system that events of such names have in include/trace/events/; NULL: unknown. */
static const char *system_of_tracepoint(struct printed_words name)
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

/* What begins a line that is no tracepoint: what the kernel calls it, and where its text begins. */
static const struct own_event {
	const char *begin;
	const char *name;
	bool is_cut;
} own_events[] = {
	{ "<stack trace>", "kernel_stack", false }, { "<user stack trace>", "user_stack", false },
	{ "tracing_mark_write: ", "print", true },
};

static struct printed_words symbol_at_begin(const char *begin, const char *end)
{
	const char *at = begin;

	while (at < end && (printed_is_name(*at, at == begin) || *at == '.'))
		at++;
	return (struct printed_words){ begin, at - begin };
}

/* "vfs_write <-ksys_write" */
static bool parse_call(struct printed_words words, struct shape *shape)
{
	const char *end = words.at + words.len, *arrow;
	struct printed_words ip = symbol_at_begin(words.at, end), parent;

	arrow = ip.at + ip.len;
	if (!ip.len || end - arrow < 4 || memcmp(arrow, " <-", 3))
		return false;
	parent = symbol_at_begin(arrow + 3, end);
	if (!parent.len || parent.at + parent.len != end)
		return false;
	shape->ip = ip;
	shape->parent = parent;
	return true;
}

/* "name: fields", or what the kernel prints in a way of its own. */
static bool parse_words(struct printed_words words, bool is_ftrace, struct shape *shape)
{
	const char *at = words.at, *end = at + words.len;

	*shape = (struct shape){ .fields = words };
	for (size_t i = 0; i < ARRAY_SIZE(own_events) && is_ftrace; i++) {
		size_t len = strlen(own_events[i].begin);

		if (!printed_words_begin(words, own_events[i].begin))
			continue;
		shape->own = own_events[i].name;
		if (own_events[i].is_cut)
			shape->fields = (struct printed_words){ at + len, words.len - len };
		return true;
	}
	if (is_ftrace && parse_call(words, shape)) {
		shape->own = "function";
		return true;
	}
	while (at < end && printed_is_name(*at, at == words.at))
		at++;
	shape->name = (struct printed_words){ words.at, at - words.at };
	/* "event 41: 8 bytes": its format is gone. */
	if (!is_ftrace && printed_words_are(shape->name, "event") && at < end && *at == ' ') {
		shape->fields = (struct printed_words){ at + 1, end - at - 1 };
		return true;
	}
	if (shape->name.len && shape->name.len <= PRINTED_MAX_NAME && at < end && *at == ':') {
		at += end - at > 1 && at[1] == ' ' ? 2 : 1;
		shape->fields = (struct printed_words){ at, end - at };
		return true;
	}
	shape->own = "text";
	return is_ftrace;
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
	if ((*digits < '0' || *digits > '9') && *digits != '-' && !is_printed_pointer(digits))
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
	if (printed_words_end(*words, " ==>"))
		words->len -= 4;
	if (!is_known || printed_words_end(value->name, "comm") || printed_words_are(value->name, "name"))
		return;
	if (printed_words_are(value->name, "prev_state"))
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
		while (stop < end && printed_is_name(*stop, stop == at))
			stop++;
		if (stop > at && stop - at <= PRINTED_MAX_NAME && stop < end && *stop == '=') {
			*name = (struct printed_words){ at, stop - at };
			return at;
		}
	}
	return NULL;
}

static struct value text_value(const char *name, struct printed_words words)
{
	return (struct value){ .name = { name, strlen(name) }, .words = words, .kind = VALUE_TEXT };
}

/* The printed line of printk, and what has no names, is one text. */
static u32 parse_fields(struct printed_words event, struct printed_words fields, struct value values[MAX_FIELDS])
{
	const char *end = fields.at + fields.len, *at;
	/* Of other events, "29" may be a hexadecimal number. */
	bool is_known = system_of_tracepoint(event);
	struct printed_words name;
	u32 nr = 0;

	at = printed_words_are(event, "console") ? NULL : find_name(fields, fields.at, &name);
	if (at != fields.at)
		values[nr++] = text_value(printed_words_are(event, "console") ? "msg" : "text", fields);
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

static u32 parse_shape(const struct shape *shape, struct value values[MAX_FIELDS])
{
	if (!shape->own)
		return parse_fields(shape->name, shape->fields, values);
	if (!shape->ip.len) {
		values[0] = text_value("text", shape->fields);
		return 1;
	}
	values[0] = text_value("ip", shape->ip);
	values[1] = text_value("parent_ip", shape->parent);
	return 2;
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
static int find_format(struct console_formats *formats, const struct shape *shape, const struct value *values, u32 nr, u32 *id, struct err *err)
{
	struct printed_words name = shape->own ? (struct printed_words){ shape->own, strlen(shape->own) } : shape->name;
	const char *system = shape->own ? "console" : system_of_tracepoint(name) ?: "console";
	char key[MAX_KEY], *text;
	size_t n = snprintf(key, sizeof(key), "%s:%.*s", system, (int)name.len, name.at);

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
	if (!text || !formats_add(formats->formats, *id, system, name.at, name.len, text)) {
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

/* Make an event of what was read of it; a text of several lines is in @events->joined. */
static int add_printed_event(struct console_events *events, struct console_event *event, struct err *err)
{
	struct value values[MAX_FIELDS];
	struct shape shape;
	u32 nr;
	int ret;

	if (!parse_words(event->text, event->is_ftrace, &shape))
		return 0;
	nr = parse_shape(&shape, values);
	ret = find_format(events->formats, &shape, values, nr, &event->id, err);
	if (ret || !event->id)
		return ret;
	event->off = events->payloads.size;
	pack_printed_event(&events->payloads, values, nr);
	event->size = events->payloads.size - event->off;
	/* Behind it, where its text is. */
	pack_u32(&events->payloads, event->is_joined ? JOINED | (u32)(event->text.at - (const char *)events->joined.data) :
						      (u32)(event->text.at - events->base));
	pack_u32(&events->payloads, event->text.len);
	if (events->payloads.failed || !make_event_room(events))
		return err_sys(err, "memory for %u events", events->nr);
	events->list[events->nr++] = *event;
	return 1;
}

int console_events_flush(struct console_events *events, struct err *err)
{
	int ret;

	if (!events->is_pending)
		return 0;
	events->is_pending = false;
	if (events->pending.is_joined)
		events->pending.text = (struct printed_words){ (const char *)events->joined.data + events->first_joined,
							       events->joined.size - events->first_joined };
	ret = add_printed_event(events, &events->pending, err);
	return ret < 0 ? ret : 0;
}

/* All lines that one printk() prints have one time. */
static bool goes_on(const struct console_events *events, const struct console_words *line)
{
	struct printed_words words = { line->text, line->len };

	return line->ns == events->pending.printed && !printed_words_begin(words, line->is_file ? "#" : "------") &&
	       (!events->pending.is_joined || events->joined.size - events->first_joined + line->len < MAX_JOINED);
}

/* A further line of the text of the event that was read last. */
static int join_line(struct console_events *events, const char *text, u32 len, struct err *err)
{
	struct console_event *event = &events->pending;

	if (!event->is_joined) {
		event->is_joined = true;
		events->first_joined = events->joined.size;
		pack_bytes(&events->joined, event->text.at, event->text.len);
	}
	pack_u8(&events->joined, '\n');
	pack_bytes(&events->joined, text, len);
	return events->joined.failed ? err_sys(err, "memory for a text of several lines") : 1;
}

int console_events_dump(struct console_events *events, u64 ns, bool is_ftrace, struct err *err)
{
	u32 nr = events->nr_dumps;

	/* Room for the next power of two. */
	if (!(nr & (nr - 1))) {
		void *dumps = reallocarray(events->dumps, nr ? 2 * (size_t)nr : 1, sizeof(*events->dumps));

		if (!dumps)
			return err_sys(err, "memory for %u dumps", nr);
		events->dumps = dumps;
	}
	if (console_events_flush(events, err))
		return -ERR_IO;
	events->dumps[events->nr_dumps++] = (struct console_dump){ .began = ns, .is_ftrace = is_ftrace };
	return 0;
}

static void give_lost(struct console_events *events, struct console_event *event, const struct console_lost *lost)
{
	if (!lost->is_there || lost->cpu != event->cpu)
		return;
	event->marks |= ITEM_LOST_BEFORE | (lost->nr ? ITEM_LOST_COUNTED : 0);
	event->nr_lost = lost->nr;
	events->is_lost_given = true;
}

/* What may go on in the next line waits for that. */
static int take_event(struct console_events *events, struct console_event *event, struct err *err)
{
	if (!event->is_ftrace)
		return add_printed_event(events, event, err);
	events->pending = *event;
	events->is_pending = true;
	return 1;
}

int console_events_take(struct console_events *events, const struct console_words *line, struct err *err)
{
	struct console_event event = { .order = events->nr, .printed = line->ns };
	struct printed_head head;
	struct console_lost before = events->lost, lost = { .is_there = true };
	int ret;

	events->lost.is_there = events->is_lost_given = false;
	if (printed_lost_parse(line->text, line->len, &lost.cpu, &lost.nr)) {
		ret = console_events_flush(events, err);
		events->lost = lost;
		return ret;
	}
	if (!printed_head_parse(line->text, line->len, &head, &event.text)) {
		if (events->is_pending && events->pending.is_ftrace && goes_on(events, line))
			return join_line(events, line->text, line->len, err);
		return console_events_flush(events, err);
	}
	ret = console_events_flush(events, err);
	if (ret)
		return ret;
	event.time = event.raw = head.time;
	event.cpu = head.cpu;
	event.pid = head.pid;
	event.flags = head.flags;
	event.preempt = head.preempt;
	event.is_ftrace = head.is_dumped || line->is_file;
	memcpy(event.comm, head.comm, sizeof(event.comm));
	/* Of a text whose begin is lost. */
	if (head.is_dumped && !line->is_file && (!events->nr_dumps || !events->dumps[events->nr_dumps - 1].is_ftrace))
		ret = console_events_dump(events, line->ns, true, err);
	event.dump = events->nr_dumps;
	give_lost(events, &event, &before);
	return ret ? ret : take_event(events, &event, err);
}

struct printed_words console_event_text(const struct console_events *events, const u8 *payload, u32 size)
{
	struct bytes place = bytes_of(payload + size, 8, ORDER_LITTLE);
	u32 off = bytes_u32(&place, 0);

	return (struct printed_words){ off & JOINED ? (const char *)events->joined.data + (off & ~JOINED) : events->base + off,
				       bytes_u32(&place, 4) };
}

struct printed_words console_event_printed(const struct console_event *event)
{
	static const char begin[] = "console: ";
	u32 len = strlen(begin);

	if (event->text.len < len || memcmp(event->text.at, begin, len))
		return (struct printed_words){ NULL, 0 };
	return (struct printed_words){ event->text.at + len, event->text.len - len };
}

int console_events_end(struct console_events *events, struct err *err)
{
	int ret = console_events_flush(events, err);

	/* The buffer of joined texts grew, and is at its place now. */
	for (u32 i = 0; i < events->nr && !ret; i++)
		if (events->list[i].is_joined)
			events->list[i].text = console_event_text(events, events->payloads.data + events->list[i].off, events->list[i].size);
	return ret;
}

/* --- all -------------------------------------------------------------------- */

static int compare_console_events(const void *a, const void *b)
{
	const struct console_event *x = a, *y = b;

	if (x->is_unsure != y->is_unsure)
		return x->is_unsure < y->is_unsure ? -1 : 1;
	if (x->is_ftrace != y->is_ftrace)
		return x->is_ftrace < y->is_ftrace ? -1 : 1;
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

	/* The kernel's own dump takes what it prints out of its buffer. */
	if (event->is_ftrace)
		return false;
	for (u32 n = 0; i-- && n < MAX_NEAR; n++) {
		const struct console_event *near = &list[i];

		if (near->is_ftrace || near->cpu != event->cpu || near->time != event->time)
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
	events->payloads.order = events->joined.order = ORDER_LITTLE;
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
	free(events->dumps);
	pack_free(&events->payloads);
	pack_free(&events->joined);
	if (formats) {
		formats_free(formats->formats);
		strings_free(formats->keys);
		damage_notes_free(&formats->notes);
		free(formats);
	}
	memset(events, 0, sizeof(*events));
}
