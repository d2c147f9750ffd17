// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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

static int put_mark_text(const char *device, const char *text, struct err *err)
{
	int fd = open(device, O_WRONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return cmd_no_device(err, device);
	n = write(fd, text, strlen(text));
	if (n < 0 && errno == EAGAIN)
		err_set(err, ERR_IO, ERR_NO_OFF,
			"%s: this user has left too many marks in the last seconds; it is counted", device);
	else if (n < 0)
		err_sys(err, "%s", device);
	close(fd);
	return n < 0 ? -ERR_IO : 0;
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

int cmd_mark(int argc, char **argv)
{
	const char *device = DEVICE;
	int c;

	while ((c = cmd_next_option(argc, argv)) != -1) {
		if (c != 'd')
			return cmd_usage("mark");
		device = optarg;
	}
	if (optind == argc)
		return cmd_usage("mark");
	return write_mark(device, argv + optind);
}
