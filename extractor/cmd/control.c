// SPDX-License-Identifier: GPL-2.0-or-later
/* The commands for a running recorder: words to it, its answer to people. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "base/text.h"
#include "common.h"

#define DEVICE		"/dev/epitaph-control"
#define MAX_COMMAND	4095		/* what the recorder takes */
#define MAX_ANSWER	(16 << 20)	/* no recorder says as much */

/* "events +sched:* !sched:sched_stat_*"; false: too long. */
static bool join_words(char *text, size_t size, const char *name, char **words)
{
	size_t used = snprintf(text, size, "%s", name);

	for (; *words && used < size; words++)
		used += snprintf(text + used, size - used, " %s", *words);
	return used < size;
}

/* What of it can be read, terminated, from malloc(), or NULL; @err: not all of it. */
static char *read_answer(int fd, struct err *err)
{
	size_t used = 0, size = 65536;
	char *text = malloc(size), *more = text;
	ssize_t n = 0;

	while (text && (n = read(fd, text + used, size - used - 1)) > 0) {
		used += n;
		if (size - used > 1)
			continue;
		more = size < MAX_ANSWER ? realloc(text, 2 * size) : NULL;
		if (!more)
			break;
		text = more;
		size *= 2;
	}
	if (!more)
		err_sys(err, "memory for an answer");
	else if (n < 0)
		err_sys(err, "the rest of the answer");
	if (text)
		text[used] = 0;
	return text;
}

/* A line is words; the first word is the kind of the line. */
static void put_answer_json(char *line)
{
	struct json j = { .f = stdout };
	char *word = strsep(&line, " ");

	json_open(&j, NULL, '{');
	json_str(&j, "tells", word);
	json_open(&j, "words", '[');
	while ((word = strsep(&line, " ")))
		json_str(&j, NULL, word);
	json_close(&j, ']');
	json_close(&j, '}');
	json_end(&j);
}

static void put_answer(char *text, bool json)
{
	char *line;

	while ((line = strsep(&text, "\n"))) {
		if (!*line)
			continue;
		if (json) {
			put_answer_json(line);
		} else {
			text_put_all(stdout, line, strlen(line));
			putchar('\n');
		}
	}
}

/* What was wrong, in the recorder's words, on one line. */
static int refuse(const char *name, const char *device, int why, const char *answer)
{
	size_t n = strcspn(answer, "\n");

	if (!n) {
		fprintf(stderr, "epitaph %s: %s: %s\n", name, device, strerror(why));
		return ERR_IO;
	}
	fprintf(stderr, "epitaph %s: ", name);
	text_put_all(stderr, answer, n);
	putc('\n', stderr);
	return why == EINVAL || why == ENOENT || why == EEXIST ? ERR_USAGE : ERR_IO;
}

static int report_answer(int fd, const char *name, const char *device, const char *command,
			 bool json)
{
	int why = write(fd, command, strlen(command)) < 0 ? errno : 0;
	struct err err = ERR_INIT;
	char *answer = read_answer(fd, &err);
	int status;

	if (!answer)
		return status_fail(name, &err);
	if (why) {
		status = refuse(name, device, why, answer);
	} else {
		put_answer(answer, json);
		status = status_flush(name);
		if (err.code)
			status = status_fail(name, &err);
	}
	free(answer);
	return status;
}

static int control(const char *name, const char *device, char **words, bool json)
{
	char command[MAX_COMMAND + 1];
	struct err err = ERR_INIT;
	int fd, status;

	if (!join_words(command, sizeof(command), name, words))
		return cmd_misuse(name, "these are more than %d bytes of words", MAX_COMMAND);
	fd = open(device, O_RDWR | O_CLOEXEC);
	if (fd < 0) {
		cmd_no_device(&err, device);
		return status_fail(name, &err);
	}
	status = report_answer(fd, name, device, command, json);
	close(fd);
	return status;
}

/* Every command goes to the recorder as it is typed. The recorder parses it. */
int cmd_control(int argc, char **argv)
{
	const char *device = DEVICE;
	bool json = false;
	int c;

	while ((c = cmd_next_option(argc, argv)) != -1) {
		if (c == 'd')
			device = optarg;
		else if (c == 'j')
			json = true;
		else
			return cmd_usage(argv[0]);
	}
	return control(argv[0], device, argv + optind, json);
}
