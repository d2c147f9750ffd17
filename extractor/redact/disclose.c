// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What becomes of one value: of its class, the profile says whether it stays. Without a profile
 * every text and every address gets a pseudonym, as before there were profiles.
 */
#include <stdio.h>
#include <string.h>

#include "redact_impl.h"

#define CGROUP_MASK	0xffffffffffffULL	/* such a number, plus SYMBOLS_CGROUP, is still one */

bool redact_append(struct bounded_text *t, const char *s, size_t n)
{
	if (n > t->room - t->len)
		return false;
	memcpy(t->buf + t->len, s, n);
	t->len += n;
	return true;
}

/* All of a text stays; what is behind its end stays in the full profile alone. */
static void keep_text(const struct redaction *r, char *buf, size_t room, const char *text,
		      size_t size)
{
	size_t n = r->profile == PROFILE_FULL ? size : strnlen(text, size);

	n = n < room ? n : room;
	memmove(buf, text, n);
	memset(buf + n, 0, room - n);
}

/* The known words of a text stay. False: it has none, or they find no room. */
static bool keep_words(struct redaction *r, enum field_class class, const char *where, char *buf,
		       size_t room, const char *text, size_t n)
{
	char out[4096];
	struct bounded_text t = { out, n < sizeof(out) ? n : sizeof(out), 0 };

	if (class == CLASS_LOG)
		log_words_lines(r, where, &t, text, n);
	else if (class == CLASS_SYMBOL && redact_symbol_name(r, &t, text, n, true) != n)
		return false;
	else if (class == CLASS_MODULE && classes_has_module(r->classes, text, n))
		redact_append(&t, text, n);
	/* A line that was not ended stays so. */
	if (t.len && out[t.len - 1] == '\n' && text[n - 1] != '\n')
		t.len--;
	if (!t.len || t.len > room)
		return false;
	memcpy(buf, out, t.len);
	memset(buf + t.len, 0, room - t.len);
	return true;
}

void redact_text(struct redaction *r, enum field_class class, const char *where, char *buf,
		 size_t room, const char *text, size_t size)
{
	enum class_fate fate = r->profile ? redact_fate(r, class) : FATE_PSEUDONYM;
	char before[256];
	size_t n = strnlen(text, size), shown = n < sizeof(before) ? n : sizeof(before);

	memcpy(before, text, shown);
	if (fate == FATE_KEEP)
		keep_text(r, buf, room, text, size);
	else if (fate == FATE_PSEUDONYM || !n || !keep_words(r, class, where, buf, room, text, n))
		pseudonym_text(r->names, buf, room, text, size);
	/* Lines of a log are shown one by one. */
	if (r->preview && n && !(class == CLASS_LOG && fate == FATE_WORDS))
		preview_text(r->preview, class, where, before, shown, buf, strnlen(buf, room));
}

/* --- numbers ---------------------------------------------------------------- */

static u64 low_bytes(u64 value, u32 size)
{
	return size < 8 ? value & ((1ULL << 8 * size) - 1) : value;
}

static bool is_result(u64 value, u32 size)
{
	u64 mask = low_bytes(~0ULL, size);

	return !(value & mask) || (value & mask) > (mask & ~0xfffULL);
}

static bool is_kernel_address(u64 value, u32 size)
{
	return size == 8 && value >> 56 == 0xff && value < 0ULL - (1U << 24);
}

static u64 number_pseudonym(const struct redaction *r, enum field_class class, u32 size, u64 value)
{
	if (class == CLASS_PID || class == CLASS_USER)
		return pseudonym_pid(r->names, value);
	if (class == CLASS_ADDRESS || is_kernel_address(value, size) ||
	    (class == CLASS_REGISTER && r->profile == PROFILE_VENDOR))
		return symbol_map_address(r, value);
	/* A register may hold anything; what is no small number looks like an address. */
	if (class == CLASS_REGISTER && value >> 16)
		return symbol_map_address(r, value);
	if (class == CLASS_CGROUP)
		return pseudonym_number(r->names, value) & CGROUP_MASK;
	return pseudonym_number(r->names, value);
}

u64 redact_number(struct redaction *r, enum field_class class, const char *where, u32 size,
		  u64 value)
{
	enum class_fate fate = redact_fate(r, class);
	u64 ret = value;

	/* What is called a plain number and looks like an address of the kernel is one. */
	if (fate == FATE_PSEUDONYM || (fate == FATE_WORDS && !(class == CLASS_RESULT &&
							       is_result(value, size))) ||
	    (r->profile != PROFILE_FULL && is_kernel_address(value, size)))
		ret = number_pseudonym(r, class, size, value);
	if (r->preview && value)
		preview_number(r->preview, class, where, low_bytes(value, size),
			       low_bytes(ret, size));
	return ret;
}

void redact_bytes(struct redaction *r, enum field_class class, const char *where, void *buf,
		  const void *data, size_t size)
{
	bool keeps = r->profile && redact_fate(r, class) == FATE_KEEP;
	char hex[40];
	u8 was[16];
	size_t n = size < sizeof(was) ? size : sizeof(was);

	memcpy(was, data, n);
	if (keeps)
		memmove(buf, data, size);
	else
		pseudonym_bytes(r->names, buf, data, size);
	if (r->preview && !all_zero(was, n)) {
		char now[40];

		for (size_t i = 0; i < n; i++) {
			snprintf(hex + 2 * i, 3, "%02x", was[i]);
			snprintf(now + 2 * i, 3, "%02x", ((const u8 *)buf)[i]);
		}
		preview_text(r->preview, class, where, hex, 2 * n, now, 2 * n);
	}
}

u32 redact_pid(struct redaction *r, const char *where, u32 pid)
{
	return r->profile ? redact_number(r, CLASS_PID, where, 4, pid) : pseudonym_pid(r->names, pid);
}

u64 redact_address(struct redaction *r, enum field_class class, const char *where, u64 addr)
{
	return r->profile ? redact_number(r, class, where, 8, addr) :
			    pseudonym_address(r->names, addr);
}
