/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * JSON, one value after the other.  Texts are escaped as everywhere, and what
 * escape_text() makes of a byte, \xHH, is then a text of four characters.
 */
#ifndef EPITAPH_BASE_JSON_H
#define EPITAPH_BASE_JSON_H

#include <stdio.h>

#include "types.h"

/**
 * struct json - where in the text we are
 * @f: the caller's
 * @comma: something came before at this level
 */
struct json {
	FILE *f;
	bool comma;
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

/* Lower-case digits as a text. */
void json_hex(struct json *j, const char *key, const void *data, size_t size);

/* A key out of a file. */
void json_key(struct json *j, const char *key);

/* The end of a line. */
void json_end(struct json *j);

#endif
