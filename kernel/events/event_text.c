// SPDX-License-Identifier: GPL-2.0-only
/* An event as a line of text, as ftrace prints it. */
#include <linux/ctype.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include <linux/trace_seq.h>
#include <linux/vmalloc.h>
#include "handout/recent_events.h"
#include "fields.h"
#include "event_text.h"
#include "recorder.h"

/* A record as ftrace has it, unless its own begins otherwise. */
struct record {
	struct epitaph_entry	entry;
	u8			payload[16384];
};

/*
 * Without an iter->tr, ftrace's functions neither allocate nor check what the
 * strings are; we see to the latter.
 */
static struct trace_iterator *iter;
static struct record *record;
static u64 clock_now, mono_now;

int epitaph_line_init(void)
{
	BUILD_BUG_ON(offsetof(struct record, payload) != EPITAPH_COMMON_BYTES);
	iter = vzalloc(sizeof(*iter));
	record = vzalloc(sizeof(*record));
	if (iter && record)
		return 0;
	epitaph_line_exit();
	return -ENOMEM;
}

void epitaph_line_exit(void)
{
	vfree(record);
	vfree(iter);
	record = NULL;
	iter = NULL;
}

void epitaph_line_clock(void)
{
	clock_now = epitaph_clock();
	mono_now = ktime_get_mono_fast_ns();
}

static u64 ticks_to_ns(u64 ticks)
{
	return mul_u64_u32_div(ticks, USEC_PER_SEC, epitaph_clock_khz());
}

u64 epitaph_line_time(u64 time)
{
	u64 clock = time << epitaph_clock_shift();

	if (clock > clock_now)
		return mono_now + ticks_to_ns(clock - clock_now);
	return mono_now - min(mono_now, ticks_to_ns(clock_now - clock));
}

static const char *task_name(u32 pid, char *comm)
{
	struct epitaph_task *tasks, task;
	size_t size;

	if (!pid)
		return "<idle>";
	tasks = epitaph_section(EPITAPH_SEC_TASKS, &size);
	task = tasks[pid % (size / sizeof(*tasks))];
	if (le32_to_cpu(task.pid) != pid ||
	    le64_to_cpu(task.check) != epitaph_check(epitaph_region.salt, &task,
					offsetof(struct epitaph_task, check)))
		return "<...>";
	strscpy(comm, task.comm, sizeof(task.comm));
	return comm;
}

/* epitaph_line_is_own() knows what stands where. */
static void put_head(struct trace_seq *s, const struct epitaph_peek_event *event)
{
	u64 us = div_u64(epitaph_line_time(event->time), NSEC_PER_USEC);
	char comm[sizeof(((struct epitaph_task *)0)->comm)];
	u32 rest;

	us = div_u64_rem(us, USEC_PER_SEC, &rest);
	trace_seq_printf(s, "%16s-%-7u [%03u] %5llu.%06u: ",
			 task_name(event->pid, comm), event->pid, event->cpu, us, rest);
}

/* Pointers to text: what they point to may be gone. */
static bool has_pointer(const struct epitaph_event *ev)
{
	const struct epitaph_field *field;

	for (field = ev->fields; field->type; field++)
		if (strstr(field->type, "char *"))
			return true;
	return false;
}

static bool put_by_ftrace(struct trace_seq *s, const struct epitaph_event *ev)
{
	struct trace_event_call *call = READ_ONCE(ev->call);

	if (!EPITAPH_ENTRY_IS_FTRACES || !call || !call->event.funcs || !call->event.funcs->trace || has_pointer(ev))
		return false;
	record->entry.type = call->event.type;
	call->event.funcs->trace(iter, 0, &call->event);
	return !trace_seq_has_overflowed(s);
}

static s64 number_at(const void *p, int size, bool is_signed)
{
	switch (size) {
	case 1:
		return is_signed ? *(const s8 *)p : *(const u8 *)p;
	case 2:
		return is_signed ? *(const s16 *)p : *(const u16 *)p;
	case 4:
		return is_signed ? *(const s32 *)p : *(const u32 *)p;
	default:
		return get_unaligned((const s64 *)p);
	}
}

/* Anybody may read the log: addresses of the kernel go there by name or by %p, which hashes them. */
static bool is_addresses(const struct epitaph_field *field)
{
	return strchr(field->type, '*') || strstr(field->type, "unsigned long");
}

static void put_raw_field(struct trace_seq *s, const struct epitaph_field *field, const void *p,
			  u32 len)
{
	if (is_addresses(field) && len >= sizeof(long))
		trace_seq_printf(s, "(%u bytes)", len);
	else
		trace_seq_printf(s, "%*phN", min_t(int, len, 16), p);
}

/* By name; %pS gives the address itself where it knows none. */
static void put_address(struct trace_seq *s, unsigned long addr)
{
	u32 before = s->seq.len;

	trace_seq_printf(s, "%pS", (void *)addr);
	if (!strncmp(s->buffer + before, "0x", 2)) {
		s->seq.len = before;
		trace_seq_printf(s, "%p", (void *)addr);
	}
}

/* An unsigned long is as likely a count: what no count comes up to is an address. */
static void put_number(struct trace_seq *s, const struct epitaph_field *field, const void *p)
{
	u64 number = number_at(p, field->size, field->is_signed);

	if (strchr(field->type, '*'))
		trace_seq_printf(s, "%p", (void *)(unsigned long)number);
	else if (is_addresses(field) && number >= PAGE_OFFSET && number != ULONG_MAX)
		put_address(s, number);
	else
		trace_seq_printf(s, field->is_signed ? "%lld" : "%llu", number);
}

/* Offset in the low half, length in the high half, from the record's start. */
static void put_dynamic(struct trace_seq *s, const struct epitaph_field *field, u32 loc,
			u32 size)
{
	u32 off = loc & 0xffff, len = loc >> 16;

	if (off > size || len > size - off)
		trace_seq_puts(s, "?");
	else if (strstr(field->type, "char[]"))
		trace_seq_printf(s, "%.*s", (int)len, (char *)record + off);
	else
		put_raw_field(s, field, (u8 *)record + off, len);
}

static void put_field_text(struct trace_seq *s, const struct epitaph_field *field, u32 off,
			   u32 size)
{
	const void *p = (u8 *)record + off;

	trace_seq_printf(s, " %s=", field->name);
	if (off + field->size > size)
		trace_seq_puts(s, "?");
	else if (strstr(field->type, "__data_loc"))
		put_dynamic(s, field, number_at(p, 4, false), size);
	else if (strstr(field->type, "char["))
		trace_seq_printf(s, "%.*s", field->size, (const char *)p);
	else if (field->size > 8 || strchr(field->type, '['))
		put_raw_field(s, field, p, field->size);
	else
		put_number(s, field, p);
}

static void put_by_name(struct trace_seq *s, const struct epitaph_event *ev, u32 size)
{
	const struct epitaph_field *field;
	unsigned int off;

	trace_seq_printf(s, "%s:", ev->name);
	epitaph_for_each_field(field, off, ev->fields)
		put_field_text(s, field, off, size);
}

static void set_record(const struct epitaph_peek_event *event)
{
	u32 bytes = min_t(u32, event->bytes, sizeof(record->payload));

	memset(&record->entry, 0, sizeof(record->entry));
	record->entry.pid = event->pid;
	memcpy(record->payload, event->payload, bytes);
	iter->ent = (void *)&record->entry;
	iter->ent_size = EPITAPH_COMMON_BYTES + bytes;
	iter->cpu = event->cpu;
	iter->ts = epitaph_line_time(event->time);
}

static void put_event(struct trace_seq *s, const struct epitaph_peek_event *event)
{
	const struct epitaph_event *ev = epitaph_event_by_id(event->id);
	u32 before = s->seq.len;

	if (!ev) {
		trace_seq_printf(s, "event %u: %u bytes", event->id, event->bytes);
		return;
	}
	set_record(event);
	if (put_by_ftrace(s, ev))
		return;
	s->seq.len = before;
	s->full = 0;
	put_by_name(s, ev, iter->ent_size);
}

/* Recorded text comes from anywhere; none of it may send control codes to a terminal. */
static size_t make_printable(char *to, const char *from, size_t n)
{
	size_t i;

	while (n && isspace(from[n - 1]))
		n--;
	for (i = 0; i < n && i < EPITAPH_LINE_SIZE - 1; i++)
		to[i] = isascii(from[i]) && isprint(from[i]) ? from[i] : '?';
	if (n > i)
		memset(&to[i - 3], '.', 3);
	to[i] = '\0';
	return i;
}

size_t epitaph_line_format(const struct epitaph_peek_event *event, char *buf)
{
	struct trace_seq *s = &iter->seq;

	trace_seq_init(s);
	put_head(s, event);
	put_event(s, event);
	return make_printable(buf, s->buffer, trace_seq_used(s));
}

/* The text of printk:console, without the time that kernels may put first. */
static const char *console_text(const struct epitaph_peek_event *event, u32 *len)
{
	const struct epitaph_event *ev = epitaph_event_by_id(event->id);
	u32 loc, off;

	if (!ev || strcmp(ev->name, "console") || strcmp(ev->system, "printk") ||
	    event->bytes < sizeof(loc))
		return NULL;
	loc = *(const u32 *)event->payload;
	off = (loc & 0xffff) - EPITAPH_COMMON_BYTES;
	*len = loc >> 16;
	if (off > event->bytes || *len > event->bytes - off)
		return NULL;
	return event->payload + off;
}

bool epitaph_line_is_own(const struct epitaph_peek_event *event)
{
	const char *text, *stamp;
	u32 len = 0;

	text = console_text(event, &len);
	stamp = text && len && *text == '[' ? memchr(text, ']', len) : NULL;
	if (stamp && stamp + 2 - text < len) {
		len -= stamp + 2 - text;
		text = stamp + 2;
	}
	return text && len > 32 && text[16] == '-' && text[24] == ' ' &&
	       text[25] == '[' && (text[29] == ']' || text[30] == ']');
}
