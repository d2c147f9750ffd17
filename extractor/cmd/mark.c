// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <epitaph/mark.h>

#include "common.h"

#define DEVICE		"/dev/epitaph-mark"
#define MAX_TEXT	4096		/* what the recorder takes */

/* Bytes of the character that begins at @p, of @left; 0: it is none. */
static size_t utf8_length(const unsigned char *p, size_t left)
{
	size_t i, n = *p < 0x80 ? 1 : *p >= 0xf0 ? 4 : *p >= 0xe0 ? 3 : 2;
	u32 code = n == 1 ? *p : *p & (0x7f >> n);
	static const u32 least[] = { 0, 0, 0x80, 0x800, 0x10000 };

	if ((*p >= 0x80 && *p < 0xc2) || *p > 0xf4 || n > left)
		return 0;
	for (i = 1; i < n; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (p[i] & 0x3f);
	}
	return code < least[n] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? 0 : n;
}

/* The first byte that is not part of a character; @size: there is none. */
static size_t utf8_bad(const char *text, size_t size)
{
	size_t off = 0, n;

	while (off < size) {
		n = utf8_length((const unsigned char *)text + off, size - off);
		if (!n)
			return off;
		off += n;
	}
	return size;
}

/* Words with a blank between them, as echo has it; false: too long. */
static bool join_mark(char *text, size_t size, char **words)
{
	size_t used = 0, n;

	for (; *words; words++) {
		n = strlen(*words);
		if (n + 2 > size - used)
			return false;
		memcpy(text + used, *words, n);
		used += n;
		text[used++] = ' ';
	}
	text[used - 1] = 0;
	return true;
}

/* @why: errno, from the device. */
static void say_why(struct err *err, const char *device, int why)
{
	if (why == EAGAIN)
		err_set(err, ERR_IO, ERR_NO_OFF,
			"%s: this user has left too many marks in the last seconds; it is counted", device);
	else if (why == EDQUOT)
		err_set(err, ERR_IO, ERR_NO_OFF,
			"%s: too many kinds of marks since the recorder was loaded: a user may have 8 (a name with its fields is one), all users but root 16; use one again, or leave a text", device);
	else if (why == ENOTTY)
		err_set(err, ERR_IO, ERR_NO_OFF, "%s: takes no marks with fields; expected a recorder of this version",
			device);
	else
		err_set(err, ERR_IO, ERR_NO_OFF, "%s: %s", device, strerror(why));
}

static int open_mark_device(const char *device, struct err *err)
{
	int fd = open(device, O_WRONLY | O_CLOEXEC);

	return fd < 0 ? cmd_no_device(err, device) : fd;
}

static int put_mark_text(const char *device, const char *text, struct err *err)
{
	int fd = open_mark_device(device, err), why = 0;

	if (fd < 0)
		return fd;
	if (write(fd, text, strlen(text)) < 0)
		say_why(err, device, why = errno);
	close(fd);
	return why ? -ERR_IO : 0;
}

static int write_mark(const char *device, char **words)
{
	char text[MAX_TEXT + 2];
	struct err err = ERR_INIT;
	size_t len, bad;

	if (!join_mark(text, sizeof(text), words))
		return cmd_misuse("mark", "the text has more than %d bytes", MAX_TEXT);
	len = strlen(text);
	bad = utf8_bad(text, len);
	if (bad < len)
		return cmd_misuse("mark", "byte %zu of the text, 0x%02x, is not UTF-8", bad + 1,
				  (unsigned char)text[bad]);
	if (!len)
		return cmd_misuse("mark", "an empty text marks nothing");
	return put_mark_text(device, text, &err) ? status_fail("mark", &err) : ERR_OK;
}

/* --- with fields ------------------------------------------------------------------ */

static const struct {
	const char *name;
	enum epitaph_mark_field_type type;
} types[] = {
	{ "u64", EPITAPH_MARK_U64 }, { "s64", EPITAPH_MARK_S64 }, { "x64", EPITAPH_MARK_X64 },
	{ "text", EPITAPH_MARK_STRING },
};

struct typed_mark {
	struct epitaph_mark_event event;
	struct epitaph_mark_field fields[EPITAPH_MARK_FIELDS];
	char text[EPITAPH_MARK_TEXT];
};

/* @size bytes: a letter or _, then letters, digits or _. */
static bool is_name(const char *name, size_t size)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
	size_t first = strspn(name, letters);

	return size && size < 32 && first >= size && (*name < '0' || *name > '9');
}

/* Whether the whole of it is a number of @type, without a sign but -, and no blank. */
static bool is_number(const char *value, enum epitaph_mark_field_type type, u64 *number)
{
	static const char *const digits[] = {
		[EPITAPH_MARK_U64] = "0123456789", [EPITAPH_MARK_S64] = "0123456789",
		[EPITAPH_MARK_X64] = "0123456789abcdefABCDEF",
	};
	bool is_hex = type == EPITAPH_MARK_X64, is_signed = type == EPITAPH_MARK_S64;
	const char *from = value;

	if (is_hex && strncmp(from, "0x", 2))
		return false;
	from += is_hex ? 2 : is_signed && *from == '-';
	if (!*from || from[strspn(from, digits[type])])
		return false;
	errno = 0;
	*number = is_signed ? (u64)strtoll(value, NULL, 10) : strtoull(from, NULL, is_hex ? 16 : 10);
	return !errno;
}

/* By how it is written. */
static enum epitaph_mark_field_type type_of_value(const char *value)
{
	u64 number;
	size_t i;

	for (i = 0; i < 3; i++)
		if (is_number(value, types[i].type, &number))
			return types[i].type;
	return EPITAPH_MARK_STRING;
}

/* KEY[:TYPE]; the type, 0 for one that there is not. */
static int type_named(const char *name, size_t size)
{
	size_t i;

	for (i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (size == strlen(types[i].name) && !strncmp(name, types[i].name, size))
			return types[i].type;
	return 0;
}

static int take_field_text(struct typed_mark *mark, struct epitaph_mark_field *field, const char *value)
{
	size_t size = strlen(value), bad = utf8_bad(value, size);

	if (bad < size)
		return cmd_misuse("mark", "byte %zu of field '%s', 0x%02x, is not UTF-8", bad + 1, field->name,
				  (unsigned char)value[bad]);
	if (size > EPITAPH_MARK_TEXT - mark->event.text_size)
		return cmd_misuse("mark", "the texts have more than %d bytes", EPITAPH_MARK_TEXT);
	memcpy(mark->text + mark->event.text_size, value, size);
	mark->event.text_size += size;
	field->value = size;
	return 0;
}

static int check_name_of_field(const struct typed_mark *mark, const char *word, size_t size)
{
	size_t i;

	if (!is_name(word, size))
		return cmd_misuse("mark", "'%s': expected KEY=VALUE or KEY:TYPE=VALUE; a KEY has at most 31 letters, digits or _", word);
	for (i = 0; i < mark->event.nr_fields; i++)
		if (strlen(mark->fields[i].name) == size && !strncmp(mark->fields[i].name, word, size))
			return cmd_misuse("mark", "there are two fields '%.*s'", (int)size, word);
	if (!strncmp(word, "common_", 7) || (size == 3 && (!strncmp(word, "cpu", 3) || !strncmp(word, "uid", 3))) ||
	    (size == 7 && !strncmp(word, "dropped", 7)))
		return cmd_misuse("mark", "every mark has a field '%.*s' already", (int)size, word);
	return 0;
}

static int take_mark_field(struct typed_mark *mark, const char *word)
{
	const char *equals = strchrnul(word, '='), *colon = memchr(word, ':', equals - word);
	size_t size = (colon ? colon : equals) - word;
	struct epitaph_mark_field *field = &mark->fields[mark->event.nr_fields];
	int status;
	u64 value;

	if (!*equals)
		return cmd_misuse("mark", "'%s': expected KEY=VALUE or KEY:TYPE=VALUE", word);
	status = check_name_of_field(mark, word, size);
	if (status)
		return status;
	if (mark->event.nr_fields == EPITAPH_MARK_FIELDS)
		return cmd_misuse("mark", "there are more than %d fields", EPITAPH_MARK_FIELDS);
	memcpy(field->name, word, size);
	field->type = colon ? type_named(colon + 1, equals - colon - 1) : (int)type_of_value(equals + 1);
	if (!field->type)
		return cmd_misuse("mark", "'%s': the type is u64, s64, x64 or text", word);
	if (field->type == EPITAPH_MARK_STRING) {
		status = take_field_text(mark, field, equals + 1);
	} else if (is_number(equals + 1, field->type, &value)) {
		field->value = value;
	} else {
		status = cmd_misuse("mark", "'%s': expected a whole number of 64 bits%s", word,
				    field->type == EPITAPH_MARK_X64 ? ", as 0x1f" :
				    field->type == EPITAPH_MARK_U64 ? " without a sign" : "");
	}
	mark->event.nr_fields++;
	return status;
}

static int put_mark_event(const char *device, const struct typed_mark *mark, struct err *err)
{
	int fd = open_mark_device(device, err), why = 0;

	if (fd < 0)
		return fd;
	if (ioctl(fd, EPITAPH_MARK_EVENT, &mark->event))
		say_why(err, device, why = errno);
	close(fd);
	return why ? -ERR_IO : 0;
}

static int write_mark_event(const char *device, const char *name, char **words)
{
	static struct typed_mark mark;
	struct err err = ERR_INIT;
	int status = 0;

	if (!is_name(name, strlen(name)))
		return cmd_misuse("mark", "'%s' is no name: expected at most 31 letters, digits or _", name);
	memcpy(mark.event.name, name, strlen(name));
	for (; *words && !status; words++)
		status = take_mark_field(&mark, *words);
	if (status)
		return status;
	mark.event.fields = (uintptr_t)mark.fields;
	mark.event.text = (uintptr_t)mark.text;
	return put_mark_event(device, &mark, &err) ? status_fail("mark", &err) : ERR_OK;
}

int cmd_mark(int argc, char **argv)
{
	const char *device = DEVICE, *name = NULL;
	int c;

	while ((c = cmd_next_option(argc, argv)) != -1) {
		if (c == 'd')
			device = optarg;
		else if (c == 'e')
			name = optarg;
		else
			return cmd_usage("mark");
	}
	if (name)
		return write_mark_event(device, name, argv + optind);
	if (optind == argc)
		return cmd_usage("mark");
	return write_mark(device, argv + optind);
}
