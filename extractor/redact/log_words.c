// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Lines of the kernel's log: of those that say why and where it died, the kernel's own words stay.
 * A line that has none of the shapes of log_shape.c becomes one pseudonym, whole.
 */
#include <stdlib.h>
#include <string.h>

#include "redact_impl.h"

#define MAX_DEPTH	3	/* of a reason in a reason */

/* A text of a class, as the profile has it; not longer than @room. */
static bool put_text_piece(struct redaction *r, struct bounded_text *out, enum field_class class,
			   const struct shape_piece *piece, bool is_short)
{
	char name[PSEUDONYM_TEXT + 1];
	size_t room = is_short && piece->len < PSEUDONYM_TEXT ? piece->len + 1 : sizeof(name);
	size_t blanks = text_span(piece->at, piece->len, " \t");

	if (redact_fate(r, class) == FATE_KEEP || blanks == piece->len ||
	    (class == CLASS_TASK && pseudonym_keeps_thread(piece->at, piece->len)) ||
	    (class == CLASS_MODULE && classes_has_module(r->classes, piece->at, piece->len)))
		return redact_append(out, piece->at, piece->len);
	/* A blank in front belongs to the words. */
	if (is_short && blanks)
		room = piece->len - blanks < PSEUDONYM_TEXT ? piece->len - blanks + 1 : sizeof(name);
	pseudonym_text(r->names, name, room, piece->at + blanks, piece->len - blanks);
	return redact_append(out, piece->at, blanks) && redact_append(out, name, strlen(name));
}

static bool put_hex_piece(struct redaction *r, struct bounded_text *out,
			  const struct shape_piece *piece)
{
	char digits[20] = "";
	u64 value, mask;

	memcpy(digits, piece->at, piece->len);
	value = strtoull(digits, NULL, 16);
	mask = piece->len < 16 ? (1ULL << 4 * piece->len) - 1 : ~0ULL;
	if (piece->len >= 12)
		value = redact_number(r, piece->kind == 'g' ? CLASS_REGISTER : CLASS_ADDRESS, "log",
				      8, value);
	else
		value = redact_number(r, CLASS_PRIVATE, "log", 4, value);
	snprintf(digits, sizeof(digits), "%0*llx", (int)piece->len, (unsigned long long)(value & mask));
	return redact_append(out, digits, strlen(digits));
}

static bool put_id_piece(struct redaction *r, struct bounded_text *out, enum field_class class,
			 const struct shape_piece *piece, bool is_short)
{
	char digits[24] = "";
	int value, len;

	memcpy(digits, piece->at, piece->len);
	value = redact_number(r, class, "log", 4, (u32)strtol(digits, NULL, 10));
	len = snprintf(digits, sizeof(digits), "%d", value);
	if (is_short && len > (int)piece->len)
		return redact_append(out, "?", 1);
	return redact_append(out, digits, len);
}

/* A file of the kernel's source, as the compiler calls it. */
static bool is_source_file(const char *s, size_t n)
{
	static const char *const tops[] = {
		"arch/", "block/", "certs/", "crypto/", "drivers/", "fs/", "include/", "init/",
		"io_uring/", "ipc/", "kernel/", "lib/", "mm/", "net/", "rust/", "security/",
		"sound/", "virt/",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(tops); i++)
		if (n > strlen(tops[i]) && !memcmp(s, tops[i], strlen(tops[i])))
			return !memmem(s, n, "..", 2);
	return false;
}

static int put_shaped(struct redaction *r, struct bounded_text *out, const char *text, size_t n,
		      bool is_short, u32 depth);

/* A reason that has a shape keeps its words, or is put shorter. */
static bool put_reason(struct redaction *r, struct bounded_text *out, const struct shape_piece *piece,
		       bool is_short, u32 depth)
{
	int ret = put_shaped(r, out, piece->at, piece->len, is_short, depth + 1);

	return ret ? ret > 0 : put_text_piece(r, out, CLASS_PRIVATE, piece, is_short);
}

static bool put_piece(struct redaction *r, struct bounded_text *out, const struct shape_piece *piece,
		      bool is_short, u32 depth)
{
	static const char *const channels[] = { "main", "ras", "trace", "user" };
	size_t i;

	switch (piece->kind) {
	case 'n':
	case 'e':
	case 'X':
	case 'f':
		return redact_append(out, piece->at, piece->len);
	case 'x':
	case 'g':
		return put_hex_piece(r, out, piece);
	case 'p':
		return put_id_piece(r, out, CLASS_PID, piece, is_short);
	case 'u':
		return put_id_piece(r, out, CLASS_USER, piece, is_short);
	case 's':
		return redact_symbol_name(r, out, piece->at, piece->len, is_short);
	case 'F':
		if (is_source_file(piece->at, piece->len))
			return redact_append(out, piece->at, piece->len);
		return put_text_piece(r, out, CLASS_FILE, piece, is_short);
	case 't':
		return put_text_piece(r, out, CLASS_TASK, piece, is_short);
	case 'd':
	case 'D':
		return put_text_piece(r, out, CLASS_DEVICE, piece, is_short);
	case 'm':
	case 'M':
		return put_text_piece(r, out, CLASS_MODULE, piece, is_short);
	case 'B':
		return put_text_piece(r, out, CLASS_BUILD, piece, is_short);
	case 'C':
		for (i = 0; i < ARRAY_SIZE(channels); i++)
			if (piece->len == strlen(channels[i]) &&
			    !memcmp(piece->at, channels[i], piece->len))
				return redact_append(out, piece->at, piece->len);
		return put_text_piece(r, out, CLASS_TEXT, piece, is_short);
	case 'R':
		return put_reason(r, out, piece, is_short, depth);
	default:
		return put_text_piece(r, out, CLASS_PRIVATE, piece, is_short);
	}
}

/* 0: no shape fits; -1: it finds no room. */
static int put_shaped(struct redaction *r, struct bounded_text *out, const char *text, size_t n,
		      bool is_short, u32 depth)
{
	const char *end = text + n, *begin = text + text_span(text, n, " \t"), *at = text;
	struct shaped_line line;
	size_t before = out->len;
	bool fits = true;
	u32 i;

	if (depth > MAX_DEPTH || memchr(text, 0, n) || !log_shape_match(&line, begin, end))
		return 0;
	for (i = 0; fits && i < line.nr; i++) {
		fits = redact_append(out, at, line.pieces[i].at - at) &&
		       put_piece(r, out, &line.pieces[i], is_short, depth);
		at = line.pieces[i].at + line.pieces[i].len;
	}
	if (fits && redact_append(out, at, end - at))
		return 1;
	out->len = before;
	return -1;
}

/* --- lines ------------------------------------------------------------------ */

/* The length of "[    0.123456]", as the kernel has it: "[10.1.2.3]" is no time; 0: there is none. */
static size_t log_time_len(const char *s, size_t n)
{
	size_t at, seconds, part;

	if (!n || *s != '[')
		return 0;
	at = 1 + text_span(s + 1, n - 1, " ");
	seconds = text_span(s + at, n - at, "0123456789");
	at += seconds;
	if (!seconds || at == n || s[at] != '.')
		return 0;
	part = text_span(s + at + 1, n - at - 1, "0123456789");
	at += 1 + part;
	return part == 6 && at < 24 && at < n && s[at] == ']' ? at + 1 : 0;
}

/* The length of "<6>[    0.123456] ", with digits only; 0: there is none. */
size_t log_prefix_len(const char *line, size_t n)
{
	size_t at = 0, digits;

	if (n && line[0] == '<') {
		digits = text_span(line + 1, n - 1, "0123456789");
		if (digits && digits < 6 && 1 + digits < n && line[1 + digits] == '>')
			at = digits + 2;
	}
	at += log_time_len(line + at, n - at);
	return at < n && at && line[at] == ' ' ? at + 1 : at;
}

/* "[    T1] " or "[    C0]", with a blank behind it: whose line it is; 0: there is none. */
static size_t caller_len(const char *s, size_t n)
{
	size_t blanks, digits;

	if (!n || *s != '[')
		return 0;
	blanks = text_span(s + 1, n - 1, " ");
	if (1 + blanks >= n || !strchr("TC", s[1 + blanks]))
		return 0;
	digits = text_span(s + 2 + blanks, n - 2 - blanks, "0123456789");
	if (!digits || 2 + blanks + digits + 1 >= n || memcmp(s + 2 + blanks + digits, "] ", 2))
		return 0;
	return 4 + blanks + digits;
}

/* The number behind "T" is a pid; its pseudonym may have more digits, and the blanks give way. */
static void put_caller(struct redaction *r, struct bounded_text *t, const char *s, size_t n)
{
	char out[48];
	size_t at = 1 + text_span(s + 1, n - 1, " ");
	u32 number = strtoul(s + at + 1, NULL, 10);

	if (s[at] == 'T')
		number = redact_number(r, CLASS_PID, "log", 4, number);
	snprintf(out, sizeof(out), "[%c%u] ", s[at], number);
	if (strlen(out) > n)
		snprintf(out, sizeof(out), "[%*s", (int)n - 1, "] ");
	redact_append(t, out, strlen(out));
}

static void put_log_line(struct redaction *r, struct bounded_text *t, const char *line, size_t n)
{
	char other[PSEUDONYM_TEXT + 1];
	size_t before = t->len;

	if (put_shaped(r, t, line, n, false, 0) > 0 || put_shaped(r, t, line, n, true, 0) > 0)
		return;
	t->len = before;
	/* Never longer than the original, so that the copy always fits. */
	pseudonym_text(r->names, other, n < PSEUDONYM_TEXT ? n + 1 : sizeof(other), line, n);
	redact_append(t, other, strlen(other));
}

void log_words_lines(struct redaction *r, const char *where, struct bounded_text *t,
		     const char *text, size_t size)
{
	const char *begin = text, *end = text + size, *next, *line;
	size_t first = t->len, room = t->room, caller, before;

	for (; text < end; text = next + 1) {
		next = memchr(text, '\n', end - text);
		if (!next)
			next = end;
		/* What earlier lines did not need is there for later ones. */
		t->room = first + (next - begin);
		t->room = t->room < room ? t->room : room;
		line = text + log_prefix_len(text, next - text);
		redact_append(t, text, line - text);
		caller = line > text ? caller_len(line, next - line) : 0;
		if (caller)
			put_caller(r, t, line, caller);
		before = t->len;
		put_log_line(r, t, line + caller, next - line - caller);
		if (r->preview && next > line + caller)
			preview_text(r->preview, CLASS_LOG, where, line + caller, next - line - caller,
				     t->buf + before, t->len - before);
		t->room = room;
		if (next < end && !redact_append(t, "\n", 1))
			break;
	}
	t->room = room;
}
