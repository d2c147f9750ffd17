// SPDX-License-Identifier: GPL-2.0-or-later
#include "klog.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"

/*
 * The lines that are taken apart.
 * @last: time of the line before
 */
struct parser {
	struct klog *klog;
	u64 last;
};

static bool take_number(const char **p, const char *end, u64 max, u64 *ret)
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

static bool take_char(const char **p, const char *end, char c)
{
	if (*p >= end || **p != c)
		return false;
	++*p;
	return true;
}

/* "<6>"; *@p stays where it is if that is not there. */
static s32 take_priority(const char **p, const char *end)
{
	const char *at = *p;
	u64 n;

	if (!take_char(&at, end, '<') || !take_number(&at, end, 65535, &n) ||
	    !take_char(&at, end, '>'))
		return -1;
	*p = at;
	return n;
}

/* "[    0.123456] " in the log's own time. */
static bool take_time(const char **p, const char *end, u64 *ns)
{
	const char *at = *p, *digits;
	u64 seconds, part, unit = 1000000000;

	if (!take_char(&at, end, '['))
		return false;
	while (take_char(&at, end, ' '))
		;
	if (!take_number(&at, end, 1ULL << 33, &seconds) || !take_char(&at, end, '.'))
		return false;
	digits = at;
	if (!take_number(&at, end, 999999999, &part) || at - digits > 9 ||
	    !take_char(&at, end, ']'))
		return false;
	for (; digits < at - 1; digits++)
		unit /= 10;
	*ns = seconds * 1000000000 + part * unit;
	take_char(&at, end, ' ');
	*p = at;
	return true;
}

/* "[    T12]" and "[   C0]", with or without a blank behind. */
static bool take_caller(const char **p, const char *end, struct klog_prefix *prefix)
{
	const char *at = *p;
	char kind;

	if (!take_char(&at, end, '['))
		return false;
	while (take_char(&at, end, ' '))
		;
	kind = at < end ? *at : 0;
	if ((kind != 'T' && kind != 'C') || !take_char(&at, end, kind) ||
	    !take_number(&at, end, 1ULL << 32, &prefix->number) || !take_char(&at, end, ']'))
		return false;
	prefix->caller = kind;
	take_char(&at, end, ' ');
	*p = at;
	return true;
}

void klog_skip_prefix(const char **text, u32 *len, struct klog_prefix *prefix)
{
	const char *end = *text + *len;
	struct klog_prefix any;

	if (!prefix)
		prefix = &any;
	*prefix = (struct klog_prefix){ 0 };
	prefix->has_time = take_time(text, end, &prefix->ns);
	take_caller(text, end, prefix);
	*len = end - *text;
}

u64 klog_mono(const struct klog *klog, u64 log_ns)
{
	s64 mono;

	if (__builtin_add_overflow((s64)log_ns, klog->ahead, &mono) || mono < 0)
		return 0;
	return mono;
}

static void take_line(struct parser *parser, const char *line, const char *end)
{
	struct klog_line *out = &parser->klog->lines[parser->klog->nr++];
	u64 ns;

	out->priority = take_priority(&line, end);
	if (take_time(&line, end, &ns))
		parser->last = klog_mono(parser->klog, ns);
	out->mono_ns = parser->last;
	out->text = line;
	out->len = end - line;
}

static u32 count_lines(const char *text, const char *end)
{
	u32 n = 0;

	for (; text < end && n < KLOG_MAX_LINES; n++) {
		text = memchr(text, '\n', end - text);
		text = text ? text + 1 : end;
	}
	return n;
}

/* The newest KLOG_MAX_LINES lines begin here. */
static const char *skip_lines(struct generation *generation, const char *text, const char *end)
{
	const char *at = end;
	u32 n = 0;

	while (at > text) {
		const char *before = memrchr(text, '\n', at - 1 - text);

		if (n++ == KLOG_MAX_LINES) {
			damage_notes_add(&generation->notes, NOTE_NOWHERE,
					 "only the last %u lines of the kernel's log are read",
					 KLOG_MAX_LINES);
			return at;
		}
		at = before ? before + 1 : text;
	}
	return at;
}

static int take_lines(struct klog *klog, struct generation *generation,
		      const struct epitaph_log *log, size_t size, struct err *err)
{
	struct parser parser = { .klog = klog };
	const char *end = klog->text + size;
	const char *line = skip_lines(generation, klog->text, end), *stop;
	u32 n = count_lines(line, end);

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
		take_line(&parser, line, stop);
	}
	return 0;
}

static bool holds(const struct generation *generation, const struct epitaph_log *log,
		  const char *text, size_t size)
{
	u64 first = checksum(generation->hdr.salt, log, offsetof(struct epitaph_log, check));

	return checksum_ok(checksum(first, text, size), le64toh(log->check));
}

static bool is_zero(const struct epitaph_log *log)
{
	static const struct epitaph_log zero;

	return !memcmp(log, &zero, sizeof(zero));
}

static int read_text(struct klog *klog, struct generation *generation, const struct section *sec,
		     const struct epitaph_log *log, struct err *err)
{
	u64 size = le32toh(log->size);
	ssize_t n;

	if (size > sec->size - sizeof(*log) || size > KLOG_MAX_BYTES) {
		damage_notes_add(&generation->notes, sec->off,
				 "the kernel's log is damaged: it says %llu bytes, the section holds %llu",
				 size, sec->size - sizeof(*log));
		return 0;
	}
	klog->text = malloc(size ? size : 1);
	if (!klog->text)
		return err_sys(err, "memory for %llu bytes of the kernel's log", size);
	n = generation_read(generation, sec->off + sizeof(*log), klog->text, size, err);
	if (n < 0)
		return n;
	if ((u64)n != size || !holds(generation, log, klog->text, size)) {
		damage_notes_add(&generation->notes, sec->off,
				 "the kernel's log is damaged: its check does not hold; %llu bytes are withheld",
				 size);
		return 0;
	}
	return take_lines(klog, generation, log, size, err);
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
	return is_zero(&log) ? 0 : read_text(klog, generation, sec, &log, err);
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
