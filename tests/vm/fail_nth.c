// SPDX-License-Identifier: GPL-2.0-only
/*
 * fail_nth: what the recorder does when an allocation fails, for each one in turn.
 *
 *	fail_nth FROM STEP load FILE PARAMETERS		the module, which goes again if it came
 *	fail_nth FROM STEP write FILE TEXT [UNDO]...	TEXT, and if that was done each UNDO, in which
 *							"%s" is the second word of the answer's last line
 *	fail_nth FROM STEP read FILE			all of it
 *
 * First it is done once and the allocations are counted; then it is done again and again, of
 * which the FROMth allocation fails, the FROM + STEPth and so on to the last.  The kernel counts
 * them for this process (/proc/thread-self/fail-nth, docs of CONFIG_FAULT_INJECTION).  What is
 * refused must be refused with ENOMEM, and the answer to a command that has no UNDO must be as long
 * as without a failure; all other ends are printed, and the exit status is 1.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NEVER	(1 << 30)

static int counter;
/* Of the last answer that was read, and of the one without a failure. */
static size_t answered, expected;
static char answer[65536];

static void die(const char *what)
{
	perror(what);
	exit(2);
}

static void fail_at(int nth)
{
	char text[16];
	int len = snprintf(text, sizeof(text), "%d", nth);

	if (pwrite(counter, text, len, 0) != len)
		die("fail-nth");
}

/* How many are left until one fails: 0 if it did. */
static int left(void)
{
	char text[16] = "";

	if (pread(counter, text, sizeof(text) - 1, 0) <= 0)
		die("fail-nth");
	return atoi(text);
}

static int do_load(const char *file, const char *parameters)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC), err;

	if (fd < 0)
		return -errno;
	err = syscall(SYS_finit_module, fd, parameters, 0) ? -errno : 0;
	close(fd);
	return err;
}

/* Return: 1 if it was done and its answer could not be had. */
static int do_write(const char *file, const char *text)
{
	int fd = open(file, O_RDWR | O_CLOEXEC), err = 0;
	ssize_t n = 0;

	if (fd < 0 && errno == EACCES)
		fd = open(file, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (write(fd, text, strlen(text)) < 0)
		err = -errno;
	for (answered = 0; !err && (n = read(fd, answer + answered, sizeof(answer) - answered - 1)) > 0; )
		answered += n;
	answer[answered] = '\0';
	if (n < 0 && errno != EINVAL && errno != EBADF)
		err = errno == ENOMEM ? 1 : -errno;
	close(fd);
	return err;
}

static int do_read(const char *file)
{
	char bytes[4096];
	int fd = open(file, O_RDONLY | O_CLOEXEC), err;
	ssize_t n;

	if (fd < 0)
		return -errno;
	while ((n = read(fd, bytes, sizeof(bytes))) > 0)
		;
	err = n ? -errno : 0;
	close(fd);
	return err;
}

static int run(char **words)
{
	if (!strcmp(words[0], "load"))
		return do_load(words[1], words[2] ?: "");
	if (!strcmp(words[0], "write"))
		return do_write(words[1], words[2]);
	return do_read(words[1]);
}

/* What was made, as the last line of the answer calls it; if that could not be had: the next number. */
static const char *made(void)
{
	static char name[64];
	char *number = name + strcspn(name, "0123456789");

	for (char *line = strtok(answer, "\n"); line; line = strtok(NULL, "\n"))
		if (sscanf(line, "%*s %63s", name) == 1)
			number = NULL;
	if (number)
		sprintf(number, "%d", atoi(number) + 1);
	return name;
}

static int undo_one(const char *file, const char *text)
{
	const char *hole = strstr(text, "%s");
	char whole[256];

	if (!hole)
		return do_write(file, text);
	snprintf(whole, sizeof(whole), "%.*s%s%s", (int)(hole - text), text, made(), hole + 2);
	return do_write(file, whole);
}

static void undo(char **words)
{
	bool is_write = !strcmp(words[0], "write");
	int err = 0, i;

	if (!strcmp(words[0], "load"))
		err = syscall(SYS_delete_module, "epitaph", 0) ? -errno : 0;
	for (i = 3; is_write && words[i] && err >= 0; i++)
		err = undo_one(words[1], words[i]);
	if (err < 0) {
		printf("undoing %s: %s\n", words[2] ?: words[1], strerror(-err));
		exit(1);
	}
}

/* Whether a run that came to this end is right. */
static bool is_right(int nth, int err, bool is_list)
{
	if (!err && is_list && answered != expected) {
		printf("allocation %d fails: %zu bytes of %zu are answered\n", nth, answered, expected);
		return false;
	}
	if (err >= 0 || err == -ENOMEM)
		return true;
	printf("allocation %d fails: %s\n", nth, strerror(-err));
	return false;
}

static int count(char **words)
{
	int err, nr;

	fail_at(NEVER);
	err = run(words);
	nr = NEVER - left();
	fail_at(0);
	if (err) {
		printf("without a failure: %s\n", strerror(-err));
		exit(1);
	}
	undo(words);
	return nr;
}

int main(int argc, char **argv)
{
	int nth, nr, step, err, tried = 0, refused = 0;
	bool right = true;
	char **words = argv + 3;

	if (argc < 5)
		return 2;
	counter = open("/proc/thread-self/fail-nth", O_RDWR | O_CLOEXEC);
	if (counter < 0)
		die("fail-nth");
	step = atoi(argv[2]);
	nr = count(words);
	expected = answered;
	for (nth = atoi(argv[1]); nth <= nr; nth += step) {
		fail_at(nth);
		err = run(words);
		tried += !left();
		fail_at(0);
		refused += err < 0;
		right &= is_right(nth, err, argc == 6);
		if (err >= 0)
			undo(words);
	}
	printf("%s %s: %d allocations, %d of them failed, %d times refused\n", words[0],
	       words[2] ?: words[1], nr, tried, refused);
	return !right;
}
