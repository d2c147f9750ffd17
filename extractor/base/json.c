// SPDX-License-Identifier: GPL-2.0-or-later
#include "json.h"

#include <string.h>

#include "escape.h"

/* What escape_text() gives has no quote to be careful of but these two. */
static void put_json_escapes(FILE *f, const char *text)
{
	size_t n;

	for (; *text; text += n) {
		n = strcspn(text, "\"\\");
		fwrite(text, 1, n, f);
		if (text[n]) {
			putc('\\', f);
			putc(text[n++], f);
		}
	}
}

static void put_json_string(FILE *f, const char *text, size_t len)
{
	char piece[512];
	size_t n, done;

	putc('"', f);
	for (done = 0; done < len; done += n) {
		n = len - done < 100 ? len - done : 100;
		/* Not within a character. */
		while (done + n < len && n > 90 && ((u8)text[done + n] & 0xc0) == 0x80)
			n--;
		escape_text(piece, sizeof(piece), text + done, n);
		put_json_escapes(f, piece);
	}
	putc('"', f);
}

void json_key(struct json *j, const char *key)
{
	if (j->comma)
		putc(',', j->f);
	j->comma = true;
	if (key) {
		put_json_string(j->f, key, strlen(key));
		putc(':', j->f);
	}
}

void json_open(struct json *j, const char *key, char bracket)
{
	json_key(j, key);
	putc(bracket, j->f);
	j->comma = false;
}

void json_close(struct json *j, char bracket)
{
	putc(bracket, j->f);
	j->comma = true;
}

void json_u64(struct json *j, const char *key, u64 value)
{
	json_key(j, key);
	fprintf(j->f, "%llu", value);
}

void json_s64(struct json *j, const char *key, s64 value)
{
	json_key(j, key);
	fprintf(j->f, "%lld", value);
}

void json_bool(struct json *j, const char *key, bool value)
{
	json_key(j, key);
	fputs(value ? "true" : "false", j->f);
}

void json_null(struct json *j, const char *key)
{
	json_key(j, key);
	fputs("null", j->f);
}

void json_text(struct json *j, const char *key, const void *text, size_t len)
{
	json_key(j, key);
	put_json_string(j->f, text, len);
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

	json_key(j, key);
	putc('"', j->f);
	for (i = 0; i < size; i++)
		fprintf(j->f, "%02x", p[i]);
	putc('"', j->f);
}

void json_end(struct json *j)
{
	putc('\n', j->f);
	j->comma = false;
}
