// SPDX-License-Identifier: GPL-2.0-only
/*
 * marker UID COUNT SIZE [BYTE]: COUNT marks of SIZE bytes as that user, by the header that
 * applications use.  Says how many went through, and why others did not.
 *
 * marker UID kinds COUNT: marks with fields, each of a kind of its own; how many went through.
 * marker UID misuse: calls of ioctl() that are all refused, as they should be.
 */
#include <endian.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/ioctl.h>

#include <epitaph/format.h>
#include <epitaph/mark.h>

#include "epitaph-mark.h"

static char text[65536];

static void fill(int size, int byte, int i)
{
	char number[16];
	int n = snprintf(number, sizeof(number), "%d ", i);

	memset(text, byte, size);
	if (size > n)
		memcpy(text, number, n);
}

/* --- with fields ------------------------------------------------------------------ */

static struct epitaph_mark_field fields[EPITAPH_MARK_FIELDS + 1];
static struct epitaph_mark_event event;
static int failures;

static int put_event(void)
{
	int fd = open(EPITAPH_MARK_DEVICE, O_WRONLY | O_CLOEXEC), ret;

	ret = fd < 0 ? -1 : ioctl(fd, EPITAPH_MARK_EVENT, &event);
	ret = ret ? errno : 0;
	close(fd);
	return ret;
}

static int kinds(int count)
{
	int i, written = 0, why = 0;

	for (i = 0; i < count; i++) {
		snprintf(event.name, sizeof(event.name), "kind%d_of_%d", i, getuid());
		why = put_event();
		written += !why;
	}
	printf("%d kinds, then %s\n", written, strerror(why));
	return 0;
}

/* A good one, for expect() to be refused what is wrong with it. */
static void begin(void)
{
	memset(fields, 0, sizeof(fields));
	memset(&event, 0, sizeof(event));
	strcpy(event.name, "misuse");
	strcpy(fields[0].name, "number");
	fields[0].type = EPITAPH_MARK_U64;
	strcpy(fields[1].name, "words");
	fields[1].type = EPITAPH_MARK_STRING;
	fields[1].value = 5;
	event.nr_fields = 2;
	event.text_size = 5;
	event.fields = (uintptr_t)fields;
	event.text = (uintptr_t)"words";
}

static void expect(const char *what, int why)
{
	int is = put_event();

	if (is != why) {
		printf("%s: %s, not %s\n", what, strerror(is), strerror(why));
		failures++;
	}
	begin();
}

static int misuse(void)
{
	int i, fd = open(EPITAPH_MARK_DEVICE, O_WRONLY | O_CLOEXEC);

	begin();
	expect("a good one", 0);
	if (!ioctl(fd, 0x1234, &event) || errno != ENOTTY || !ioctl(fd, EPITAPH_MARK_EVENT, NULL) || errno != EFAULT)
		expect("another number, and none", -1);
	close(fd);
	memset(event.name, 'a', sizeof(event.name));
	expect("a name without an end", EINVAL);
	event.name[0] = 0;
	expect("no name", EINVAL);
	strcpy(event.name, "a b");
	expect("a blank in the name", EINVAL);
	strcpy(event.name, "a\nID: 1");
	expect("a line in the name", EINVAL);
	strcpy(event.name, "\xc3\xa4");
	expect("a name that is not ASCII", EINVAL);
	strcpy(fields[0].name, "a;\tx");
	expect("a field's name of format files", EINVAL);
	memset(fields[1].name, 'a', sizeof(fields[1].name));
	expect("a field's name without an end", EINVAL);
	strcpy(fields[1].name, "number");
	expect("twice", EINVAL);
	strcpy(fields[1].name, "common_pid");
	expect("of all events", EINVAL);
	fields[0].type = 0;
	expect("no type", EINVAL);
	fields[0].type = 5;
	expect("a type that is none", EINVAL);
	fields[0].reserved = 1;
	expect("what is reserved", EINVAL);
	fields[1].value = 4;
	expect("less text than there is", EINVAL);
	fields[1].value = 6;
	expect("more text than there is", EINVAL);
	fields[1].value = ~0ULL;
	expect("text without end", EINVAL);
	event.text = (uintptr_t)"wor\0s";
	expect("a NUL byte", EINVAL);
	fields[0].value = htole64(~EPITAPH_MAGIC_INVERTED);
	expect("what a generation begins with", EINVAL);
	event.nr_fields = EPITAPH_MARK_FIELDS + 1;
	expect("too many fields", EMSGSIZE);
	event.nr_fields = ~0U;
	expect("fields without end", EMSGSIZE);
	event.text_size = EPITAPH_MARK_TEXT + 1;
	expect("too much text", EMSGSIZE);
	event.text = 8;
	expect("text that is nowhere", EFAULT);
	event.fields = ~0ULL - 63;
	expect("fields of the kernel's", EFAULT);
	/* The longest format, and each text's end. */
	for (i = 0; i < EPITAPH_MARK_FIELDS; i++) {
		memset(fields[i].name, 'a' + i, 31);
		fields[i].type = EPITAPH_MARK_STRING;
		fields[i].value = EPITAPH_MARK_TEXT / EPITAPH_MARK_FIELDS;
	}
	memset(event.name, 'z', 31);
	memset(text, 't', EPITAPH_MARK_TEXT);
	event.text = (uintptr_t)text;
	event.text_size = EPITAPH_MARK_TEXT;
	event.nr_fields = EPITAPH_MARK_FIELDS;
	expect("the largest", 0);
	return failures != 0;
}

int main(int argc, char **argv)
{
	int i, count, size, byte, written = 0, refused = 0, too_large = 0, invalid = 0;

	if (argc < 3)
		return 2;
	if (setuid(atoi(argv[1])))
		return 3;
	if (!strcmp(argv[2], "misuse"))
		return misuse();
	if (argc < 4)
		return 2;
	if (!strcmp(argv[2], "kinds"))
		return kinds(atoi(argv[3]));
	count = atoi(argv[2]);
	size = atoi(argv[3]);
	byte = argc > 4 ? atoi(argv[4]) : 'x';
	for (i = 0; i < count; i++) {
		fill(size, byte, i);
		if (!epitaph_mark_bytes(text, size))
			written++;
		else if (errno == EAGAIN)
			refused++;
		else if (errno == EMSGSIZE)
			too_large++;
		else if (errno == EINVAL)
			invalid++;
		else
			perror("marker");
	}
	if (!invalid && !too_large && epitaph_markf("marker of %s: %d refused", argv[1], refused) &&
	    errno != EAGAIN)
		perror("marker");
	printf("written %d refused %d too-large %d invalid %d\n", written, refused, too_large,
	       invalid);
	return 0;
}
