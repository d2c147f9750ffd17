// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The dumps written out in tests/lib/dumps/: bytes with their meaning, and what must be
 * read from them.
 *
 * build: @extractor
 *
 * A line has hex bytes and "strings"; "@ 0xN" goes on at that offset, "N*" repeats
 * the rest of the line, "#" begins a comment.  "= ..." is what must be.
 */
#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "dump/dump.h"
#include "tap.h"

struct text_image {
	u8 data[65536];
	size_t pos, size;
};

static void put(struct text_image *t, u8 byte)
{
	if (t->pos >= sizeof(t->data))
		abort();
	t->data[t->pos++] = byte;
	t->size = t->pos > t->size ? t->pos : t->size;
}

/* A string from its first quote.  Return: behind its last. */
static const char *put_string(struct text_image *t, const char *s)
{
	while (*++s != '"')
		put(t, *s);
	return s + 1;
}

static const char *put_token(struct text_image *t, const char *s)
{
	char *end;

	if (*s == '"')
		return put_string(t, s);
	if (*s == '@') {
		t->pos = strtoull(s + 1, &end, 16);
		return end;
	}
	put(t, strtoul(s, &end, 16));
	if (end != s + 2) {
		printf("Bail out! not a byte: %s", s);
		exit(1);
	}
	return end;
}

static void put_line(struct text_image *t, const char *line)
{
	size_t digits = strspn(line, "0123456789");
	unsigned long times = 1;

	if (line[digits] == '*') {
		times = strtoul(line, NULL, 10);
		line += digits + 1;
	}
	while (times--)
		for (const char *s = line + strspn(line, " \t"); *s && *s != '#' && *s != '\n';
		     s += strspn(s, " \t"))
			s = put_token(t, s);
}

/* --- what must be -------------------------------------------------------- */

static bool has_segment(const struct dump *in, u64 paddr, u64 size)
{
	for (size_t i = 0; i < dump_nr_segments(in); i++) {
		struct dump_segment s = dump_segment(in, i);

		if (s.paddr == paddr && s.size == size)
			return true;
	}
	return false;
}

static void expect_page(struct dump *in, u64 paddr, u8 byte)
{
	u8 page[4096];
	ssize_t n = dump_read(in, paddr, page, sizeof(page), NULL);

	CHECK(n == 4096, "%#llx: %zd bytes", paddr, n);
	for (ssize_t i = 0; i < n; i++)
		if (!CHECK(page[i] == byte, "%#llx: %02x", paddr + i, page[i]))
			return;
}

static bool has_damage(const struct dump *in, const char *words)
{
	for (size_t i = 0; dump_damage(in, i); i++)
		if (strstr(dump_damage(in, i), words))
			return true;
	return false;
}

static void expect(struct dump *in, const char *what, const char *rest)
{
	const char *info = dump_vmcoreinfo(in, NULL);
	char *end;
	u64 a = strtoull(rest, &end, 0), b = strtoull(end, NULL, 0);
	u8 byte;

	if (!strcmp(what, "kind"))
		CHECK(!strcmp(dump_kind(in), rest), "%s, not %s", dump_kind(in), rest);
	else if (!strcmp(what, "segment"))
		CHECK(has_segment(in, a, b), "no segment %s", rest);
	else if (!strcmp(what, "page"))
		expect_page(in, a, strtoul(end, NULL, 16));
	else if (!strcmp(what, "absent"))
		CHECK(dump_read(in, a, &byte, 1, NULL) == 0, "%s is there", rest);
	else if (!strcmp(what, "vmcoreinfo"))
		CHECK(info && !strcmp(info, rest), "%s, not %s", info, rest);
	else if (!strcmp(what, "damage"))
		CHECK(has_damage(in, rest), "%s, not %s", dump_damage(in, 0), rest);
	else
		CHECK(!strcmp(what, "whole") && !dump_incomplete(in), "%s: %s", what,
		      dump_damage(in, 0));
}

static void expect_line(struct dump *in, char *line)
{
	char what[16] = "";

	line[strcspn(line, "\n")] = '\0';
	CHECK(sscanf(line, "= %15s", what) == 1, "%s", line);
	line += 2 + strlen(what);
	expect(in, what, line + (*line == ' '));
}

/* --- a file -------------------------------------------------------------- */

static void read_lines(FILE *f, struct text_image *t, struct dump *in)
{
	char line[512];

	while (fgets(line, sizeof(line), f)) {
		if (*line != '=' && !in)
			put_line(t, line);
		if (*line == '=' && in)
			expect_line(in, line);
	}
}

static void check_dump(const char *path)
{
	static struct text_image t;
	struct err err = ERR_INIT;
	struct dump *in = NULL;
	int fd = memfd_create("dump", MFD_CLOEXEC);
	FILE *f = fopen(path, "r");

	printf("# %s\n", path);
	memset(&t, 0, sizeof(t));
	if (!CHECK(f, "%s", path))
		return;
	read_lines(f, &t, NULL);
	CHECK(write(fd, t.data, t.size) == (ssize_t)t.size, "write");
	if (CHECK(!dump_open_fd(&in, fd, &err), "%s: %s", path, err.msg)) {
		rewind(f);
		read_lines(f, &t, in);
	}
	dump_close(in);
	fclose(f);
}

static void input__the_dumps_written_by_hand_are_read_as_they_say(void)
{
	DIR *d = opendir("../lib/dumps");		/* tests run in tests/unit */
	struct dirent *entry;
	char path[512];
	size_t nr = 0;

	while (d && (entry = readdir(d))) {
		if (*entry->d_name == '.')
			continue;
		snprintf(path, sizeof(path), "../lib/dumps/%s", entry->d_name);
		check_dump(path);
		nr++;
	}
	CHECK(nr == 4, "%zu dumps", nr);
	if (d)
		closedir(d);
}

int main(void)
{
	TAP_RUN(input__the_dumps_written_by_hand_are_read_as_they_say);
	return tap_done();
}
