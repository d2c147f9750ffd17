// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A capture of a guest whose reader was taken over: what that says is not believed.
 *
 * build: @extractor
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "guest/guest_capture.h"
#include "reading/status.h"
#include "tap.h"

static const char *evil;
static struct guest_saved *saved;

/* In place of the one that reads. */
int region_copy_files(struct file_list *files, void *copy)
{
	struct region_copy *c = copy;

	(void)files;
	snprintf(c->done->name, sizeof(c->done->name), "%s", evil);
	memset(c->done->words, '\033', sizeof(c->done->words));
	return write(c->fd, "region", 6) == 6 ? ERR_OK : ERR_IO;
}

static int make(const char *name)
{
	int memory = open("/dev/null", O_RDONLY);
	struct guest_capture capture = {
		.label = "web1", .store = open(".", O_RDONLY | O_DIRECTORY), .memory = &memory, .nr_memory = 1,
		.console = "", .words = "", .known = "",
	};
	int status;

	evil = name;
	memset(saved, 0, sizeof(*saved));
	status = guest_capture_make(&capture, saved);
	close(memory);
	close(capture.store);
	return status;
}

static void capture__a_reader_that_was_taken_over_gives_no_path(void)
{
	static const char *const names[] = { "x/../../outside", "../outside", "", "outside" };
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		CHECK(make(names[i]) == ERR_CORRUPT, "%s is kept", names[i]);
		CHECK(!*saved->name && access("../outside", F_OK) && rmdir("epitaph-") && rmdir("epitaph-outside"),
		      "%s has a name: %s", names[i], saved->name);
	}
}

static void capture__its_words_are_one_line(void)
{
	int status = make("00010203-0405-0607-0809-0a0b0c0d0e0f-20260105T000000Z");

	CHECK(status == ERR_OK, "%d", status);
	CHECK(saved->region.words[0] == '?' && strlen(saved->region.words) == sizeof(saved->region.words) - 1,
	      "%s", saved->region.words);
	CHECK(!strcmp(saved->name, "epitaph-00010203-0405-0607-0809-0a0b0c0d0e0f-20260105T000000Z"), "%s", saved->name);
}

int main(void)
{
	char dir[] = "/tmp/capture.XXXXXX", command[100];

	saved = guest_saved_new();
	if (!saved || !mkdtemp(dir) || chdir(dir) || mkdir("store", 0700) || mkdir("store/epitaph-x", 0700) || chdir("store"))
		abort();
	TAP_RUN(capture__a_reader_that_was_taken_over_gives_no_path);
	TAP_RUN(capture__its_words_are_one_line);
	snprintf(command, sizeof(command), "rm -rf %s", dir);
	return system(command) || tap_done();
}
