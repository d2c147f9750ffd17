// SPDX-License-Identifier: GPL-2.0-or-later
#include "guest_state.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "os/conf_file.h"
#include "os/new_file.h"
#include "watched_guest.h"

void guest_state_put(FILE *f, const char *name, const char *value)
{
	fprintf(f, "%s=", name);
	for (; *value; value++)
		fputc((u8)*value < ' ' ? '?' : *value, f);
	fputc('\n', f);
}

static void put_state(FILE *f, const struct watched_guest *guest)
{
	size_t i;

	guest_state_put(f, "NAME", guest->name);
	guest_state_put(f, "UUID", guest->uuid);
	guest_state_put(f, "DIR", guest->dir);
	guest_state_put(f, "PHASE", guest->phase == GUEST_READY ? "watched" : "gone");
	guest_state_put(f, "LAST", guest->last);
	for (i = 0; i < guest->nr_memory; i++)
		guest_state_put(f, "MEMORY", guest->paths[i]);
}

/* Whole or not at all: readers look at any time. */
void guest_state_write(struct watched_guest *guest, const struct guest_host *host)
{
	int dir = new_file_open_dir(AT_FDCWD, host->state, NULL), fd;
	FILE *f;

	if (dir < 0)
		return;
	unlinkat(dir, ".new", 0);
	fd = new_file_create(dir, ".new", NULL);
	f = fd < 0 ? NULL : fdopen(fd, "w");
	if (f) {
		put_state(f, guest);
		if (!fclose(f))
			guest->has_state |= !renameat(dir, ".new", dir, guest->dir);
	} else if (fd >= 0) {
		close(fd);
	}
	close(dir);
}

/* Another connection may watch a guest of this name: only what this one wrote goes. */
void guest_state_remove(struct watched_guest *guest, const struct guest_host *host)
{
	char path[GUEST_PATH + GUEST_NAME];

	if (!guest->has_state)
		return;
	guest->has_state = false;
	snprintf(path, sizeof(path), "%.*s/%s", GUEST_PATH - 2, host->state, guest->dir);
	unlink(path);
}

static const char *take_state_line(void *arg, const char *name, char *value)
{
	struct guest_state *state = arg;

	if (!strcmp(name, "NAME"))
		state->name = value;
	else if (!strcmp(name, "UUID"))
		state->uuid = value;
	else if (!strcmp(name, "DIR"))
		state->dir = value;
	else if (!strcmp(name, "PHASE"))
		state->phase = value;
	else if (!strcmp(name, "LAST"))
		state->last = value;
	else if (!strcmp(name, "MEMORY") && state->nr_memory < GUEST_STATE_MEMORIES)
		state->memory[state->nr_memory++] = value;
	return NULL;
}

static int read_guest_state(struct guest_state *state, const char *dir, const char *file, struct err *err)
{
	char path[GUEST_PATH + GUEST_NAME];

	state->name = state->uuid = state->dir = state->last = state->phase = "";
	state->nr_memory = 0;
	snprintf(path, sizeof(path), "%.*s/%.*s", GUEST_PATH - 2, dir, GUEST_NAME, file);
	return conf_file_read(path, true, state->room, sizeof(state->room) - 1, take_state_line, state, err);
}

int guest_state_find(struct guest_state *state, const char *dir, const char *name, struct err *err)
{
	DIR *list = opendir(dir);
	struct dirent *entry;
	int found = 0;

	if (!list)
		return errno == ENOENT ? 0 : err_sys(err, "%s", dir);
	while (found != 1 && (entry = readdir(list)))
		found = *entry->d_name != '.' && !read_guest_state(state, dir, entry->d_name, NULL) &&
			(!strcmp(state->name, name) || !strcmp(state->uuid, name) ||
			 !strcmp(state->dir, name));
	closedir(list);
	return found;
}

unsigned int guest_state_print(FILE *f, const char *dir)
{
	DIR *list = opendir(dir);
	struct guest_state state;
	struct dirent *entry;
	unsigned int nr = 0;

	while (list && (entry = readdir(list))) {
		if (*entry->d_name == '.' || read_guest_state(&state, dir, entry->d_name, NULL))
			continue;
		if (!nr++)
			fputs("\nguest\n", f);
		text_put(f, *state.name ? state.name : state.dir, GUEST_NAME);
		fprintf(f, " (%s): %s", *state.uuid ? state.uuid : "no UUID", state.phase);
		fputs(*state.last ? ", last saved in " : ", nothing saved yet", f);
		text_put(f, state.last, strlen(state.last));
		fputc('\n', f);
	}
	if (list)
		closedir(list);
	return nr;
}
