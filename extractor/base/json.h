/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * JSON, one value after the other. Texts are escaped by escape_text(): its \xHH for a byte is
 * a text of four characters in JSON.
 */
#ifndef EPITAPH_BASE_JSON_H
#define EPITAPH_BASE_JSON_H

#include <stdio.h>

#include "types.h"

#define JSON_TEXT	1024

/**
 * struct json - a JSON text that is being written
 * @f: owned by the caller
 * @comma: a value was written at this level
 * @len: bytes of @text that json_end() or json_flush() writes
 */
struct json {
	FILE *f;
	bool comma;
	u32 len;
	char text[JSON_TEXT];
};

/* A @key of NULL: an element of an array, or the outermost value. */
void json_open(struct json *j, const char *key, char bracket);
void json_close(struct json *j, char bracket);
void json_u64(struct json *j, const char *key, u64 value);
void json_s64(struct json *j, const char *key, s64 value);
void json_bool(struct json *j, const char *key, bool value);
void json_null(struct json *j, const char *key);
void json_text(struct json *j, const char *key, const void *text, size_t len);
void json_str(struct json *j, const char *key, const char *text);

/* Bytes as lower-case hexadecimal digits. */
void json_hex(struct json *j, const char *key, const void *data, size_t size);

/* The end of a line. All of it is written to @f. */
void json_end(struct json *j);

/* The same of a text without an end of a line. */
void json_flush(struct json *j);

#endif
