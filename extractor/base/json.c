// SPDX-License-Identifier: GPL-2.0-or-later
#include "json.h"

#include <string.h>

#include "byte_writer.h"
#include "escape.h"
#include "fast_digits.h"

void json_flush(struct json *j)
{
	if (j->len)
		fwrite_unlocked(j->text, 1, j->len, j->f);
	j->len = 0;
}

/* Room for @size bytes, JSON_TEXT at most. */
static char *json_room(struct json *j, size_t size)
{
	if (j->len + size > sizeof(j->text))
		json_flush(j);
	return j->text + j->len;
}

static void put_char(struct json *j, char c)
{
	*json_room(j, 1) = c;
	j->len++;
}

static void put_chars(struct json *j, const char *text, size_t len)
{
	memcpy(json_room(j, len), text, len);
	j->len += len;
}

/* What escape_text() gives has no quote to be careful of but these two. */
static void put_json_escapes(struct json *j, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (text[i] == '"' || text[i] == '\\')
			put_char(j, '\\');
		put_char(j, text[i]);
	}
}

static void put_json_string(struct json *j, const char *text, size_t len)
{
	char piece[512], *to;
	size_t n, done;

	/* Most texts. */
	if (len < JSON_TEXT / 2 && escape_plain_unquoted(text, len) == len) {
		to = json_room(j, len + 2);
		*to++ = '"';
		copy_few(to, text, len);
		to[len] = '"';
		j->len += len + 2;
		return;
	}
	put_char(j, '"');
	for (done = 0; done < len; done += n) {
		n = len - done < 100 ? len - done : 100;
		/* Not within a character. */
		while (done + n < len && n > 90 && ((u8)text[done + n] & 0xc0) == 0x80)
			n--;
		put_json_escapes(j, piece, escape_text(piece, sizeof(piece), text + done, n));
	}
	put_char(j, '"');
}

/* The caller writes the value. */
static void put_key(struct json *j, const char *key)
{
	if (j->comma)
		put_char(j, ',');
	j->comma = true;
	if (!key)
		return;
	put_json_string(j, key, strlen(key));
	put_char(j, ':');
}

void json_open(struct json *j, const char *key, char bracket)
{
	put_key(j, key);
	put_char(j, bracket);
	j->comma = false;
}

void json_close(struct json *j, char bracket)
{
	put_char(j, bracket);
	j->comma = true;
}

void json_u64(struct json *j, const char *key, u64 value)
{
	put_key(j, key);
	j->len += digits_dec(json_room(j, DIGITS_MAX), value);
}

void json_s64(struct json *j, const char *key, s64 value)
{
	put_key(j, key);
	if (value < 0)
		put_char(j, '-');
	j->len += digits_dec(json_room(j, DIGITS_MAX), value < 0 ? -(u64)value : (u64)value);
}

void json_bool(struct json *j, const char *key, bool value)
{
	put_key(j, key);
	if (value)
		put_chars(j, "true", 4);
	else
		put_chars(j, "false", 5);
}

void json_null(struct json *j, const char *key)
{
	put_key(j, key);
	put_chars(j, "null", 4);
}

void json_text(struct json *j, const char *key, const void *text, size_t len)
{
	put_key(j, key);
	put_json_string(j, text, len);
}

void json_str(struct json *j, const char *key, const char *text)
{
	if (text)
		json_text(j, key, text, strlen(text));
	else
		json_null(j, key);
}

void json_hex(struct json *j, const char *key, const void *data, size_t size)
{
	const u8 *p = data;
	size_t i;

	put_key(j, key);
	put_char(j, '"');
	for (i = 0; i < size; i++) {
		digits_byte(json_room(j, 2), p[i]);
		j->len += 2;
	}
	put_char(j, '"');
}

void json_end(struct json *j)
{
	put_char(j, '\n');
	json_flush(j);
	j->comma = false;
}
