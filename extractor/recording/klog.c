// SPDX-License-Identifier: GPL-2.0-or-later
#include "klog.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "base/byte_reader.h"
#include "base/checksum.h"

static bool parse_decimal(const char **p, const char *end, u64 max, u64 *ret)
{
	const char *start = *p;
	u64 n = 0;

	for (; *p < end && **p >= '0' && **p <= '9'; ++*p) {
		n = n * 10 + (**p - '0');
		if (n > max)
			return false;
	}
	*ret = n;
	return *p > start;
}

static bool skip_char(const char **p, const char *end, char c)
{
	if (*p >= end || **p != c)
		return false;
	++*p;
	return true;
}

/* "[    0.123456] ": seconds of the clock of the log. */
static bool parse_log_time(const char **p, const char *end, u64 *ns)
{
	const char *at = *p, *digits;
	u64 seconds, part, unit = 1000000000;

	if (!skip_char(&at, end, '['))
		return false;
	while (skip_char(&at, end, ' '))
		;
	if (!parse_decimal(&at, end, 1ULL << 33, &seconds) || !skip_char(&at, end, '.'))
		return false;
	digits = at;
	if (!parse_decimal(&at, end, 999999999, &part) || at - digits > 9 ||
	    !skip_char(&at, end, ']'))
		return false;
	for (; digits < at - 1; digits++)
		unit /= 10;
	*ns = seconds * 1000000000 + part * unit;
	skip_char(&at, end, ' ');
	*p = at;
	return true;
}

/* "[    T12]" or "[   C0]", with or without a blank behind. */
static void parse_caller(const char **p, const char *end, struct klog_prefix *prefix)
{
	const char *at = *p;
	char kind;

	if (!skip_char(&at, end, '['))
		return;
	while (skip_char(&at, end, ' '))
		;
	kind = at < end ? *at : 0;
	if ((kind != 'T' && kind != 'C') || !skip_char(&at, end, kind) ||
	    !parse_decimal(&at, end, 1ULL << 32, &prefix->number) || !skip_char(&at, end, ']'))
		return;
	prefix->caller = kind;
	skip_char(&at, end, ' ');
	*p = at;
}

void klog_skip_prefix(const char **text, u32 *len, struct klog_prefix *prefix)
{
	const char *end = *text + *len;
	struct klog_prefix any;

	if (!prefix)
		prefix = &any;
	*prefix = (struct klog_prefix){ 0 };
	prefix->has_time = parse_log_time(text, end, &prefix->ns);
	parse_caller(text, end, prefix);
	*len = end - *text;
}

u64 klog_mono(const struct klog *klog, u64 log_ns)
{
	s64 mono;

	if (__builtin_add_overflow((s64)log_ns, klog->ahead, &mono) || mono < 0)
		return 0;
	return mono;
}

static void parse_klog_line(struct klog *klog, const char *line, const char *end, u64 *time)
{
	struct klog_line *out = &klog->lines[klog->nr++];
	const char *at = line;
	u64 n;

	out->priority = -1;
	if (skip_char(&at, end, '<') && parse_decimal(&at, end, 65535, &n) &&
	    skip_char(&at, end, '>')) {
		out->priority = n;
		line = at;
	}
	/* A line without a time has that of the line before. */
	if (parse_log_time(&line, end, &n))
		*time = klog_mono(klog, n);
	out->mono_ns = *time;
	out->text = line;
	out->len = end - line;
}

/* The start of the newest KLOG_MAX_LINES lines, which are @nr. */
static const char *newest_lines(struct generation *generation, const char *text, const char *end,
				u32 *nr)
{
	const char *at = end;

	for (*nr = 0; at > text; ++*nr) {
		const char *before = memrchr(text, '\n', at - 1 - text);

		if (*nr == KLOG_MAX_LINES) {
			damage_notes_add(&generation->notes, NOTE_NOWHERE,
					 "only the last %u lines of the kernel's log are read",
					 KLOG_MAX_LINES);
			return at;
		}
		at = before ? before + 1 : text;
	}
	return at;
}

static int parse_lines(struct klog *klog, struct generation *generation,
		       const struct epitaph_log *log, size_t size, struct err *err)
{
	const char *end = klog->text + size, *stop;
	const char *line;
	u64 time = 0;
	u32 n;

	line = newest_lines(generation, klog->text, end, &n);
	klog->lines = calloc(n ? n : 1, sizeof(*klog->lines));
	if (!klog->lines)
		return err_sys(err, "memory for %u lines of the kernel's log", n);
	klog->there = true;
	klog->ahead = (s64)(le64toh(log->mono_ns) - le64toh(log->log_ns));
	klog->is_cut = le32toh(log->is_cut) != 0;
	for (; klog->nr < n; line = stop + 1) {
		stop = memchr(line, '\n', end - line);
		if (!stop)
			stop = end;
		parse_klog_line(klog, line, stop, &time);
	}
	return 0;
}

static int read_log_text(struct klog *klog, struct generation *generation,
			 const struct section *sec, struct epitaph_log *log, struct err *err)
{
	u64 room = sec->size - sizeof(*log) < KLOG_MAX_BYTES ? sec->size - sizeof(*log) : KLOG_MAX_BYTES;
	u8 *text;
	int ret = section_sized(&text, generation, sec->off, log, sizeof(*log),
				offsetof(struct epitaph_log, size), room, err);
	u64 size = le32toh(log->size);

	klog->text = (char *)text;
	if (ret)
		return ret;
	if (klog->text) {
		klog->is_whole = sec->from_dump && !le32toh(log->is_cut);
		return parse_lines(klog, generation, log, size, err);
	}
	if (all_zero(log, sizeof(*log)))
		return 0;
	if (size > room)
		damage_notes_add(&generation->notes, sec->off,
				 "the kernel's log is damaged: it says %llu bytes, the section holds %llu",
				 size, sec->size - sizeof(*log));
	else
		damage_notes_add(&generation->notes, sec->off,
				 "the kernel's log is damaged: its check does not hold; %llu bytes are withheld",
				 size);
	return 0;
}

int klog_read(struct klog *klog, struct generation *generation, struct err *err)
{
	const struct section *sec = generation_section(generation, EPITAPH_SEC_LOG);
	struct epitaph_log log;

	if (!sec || sec->size < sizeof(log))
		return 0;
	if (generation_read(generation, sec->off, &log, sizeof(log), NULL) != sizeof(log)) {
		damage_notes_add(&generation->notes, sec->off, "the kernel's log is not in the file");
		return 0;
	}
	return all_zero(&log, sizeof(log)) ? 0 : read_log_text(klog, generation, sec, &log, err);
}

int klog_add(const struct klog *klog, struct aux_events *extras, struct err *err)
{
	int ret = 0;
	u32 i;

	for (i = 0; i < klog->nr && !ret; i++) {
		const struct klog_line *line = &klog->lines[i];

		ret = aux_events_add(extras, &(struct aux_event){
			.kind = AUX_EVENT_LOG, .name = "epitaph:log", .cpu = NO_CPU, .pid = -1,
			.time = line->mono_ns, .data = line,
		}, err);
	}
	return ret;
}

void klog_free(struct klog *klog)
{
	free(klog->text);
	free(klog->lines);
	memset(klog, 0, sizeof(*klog));
}
