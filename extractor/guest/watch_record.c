// SPDX-License-Identifier: GPL-2.0-or-later
#include "watch_record.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "base/escape.h"
#include "base/parse_number.h"
#include "os/conf_file.h"
#include "os/new_file.h"
#include "guest_state.h"

#define NEW_RECORD	".watched.new"
#define NEVER		(~0ULL)

/**
 * struct watch_record - what a file says
 * @up_ns: how long the host had run when it was written
 */
struct watch_record {
	char room[GUEST_STATE_SIZE];
	const char *name;
	const char *uuid;
	const char *crash;
	const char *memory[GUEST_MEMORIES];
	size_t nr_memory;
	u64 up_ns;
	bool owes;
};

static u64 host_up_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_BOOTTIME, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

/* --- writing ---------------------------------------------------------------- */

static void put_watch_record(FILE *f, const struct watched_guest *guest)
{
	size_t i;

	guest_state_put(f, "NAME", guest->name);
	guest_state_put(f, "UUID", guest->uuid);
	guest_state_put(f, "CRASH", guest->crash);
	fprintf(f, "UP=%llu\nOWES=%s\n", host_up_ns(), guest->owes ? "yes" : "no");
	for (i = 0; i < guest->nr_memory; i++)
		guest_state_put(f, "MEMORY", guest->paths[i]);
}

void watch_record_write(struct watched_guest *guest)
{
	FILE *f;
	int fd;

	unlinkat(guest->store, NEW_RECORD, 0);
	fd = new_file_create(guest->store, NEW_RECORD, NULL);
	f = fd < 0 ? NULL : fdopen(fd, "w");
	if (!f) {
		if (fd >= 0)
			close(fd);
		return;
	}
	put_watch_record(f, guest);
	if (fflush(f) || fsync(fd) || fclose(f) || renameat(guest->store, NEW_RECORD, guest->store, WATCH_RECORD))
		return;
	guest->record = WATCH_RECORD;
	fsync(guest->store);
}

void watch_record_remove(struct watched_guest *guest)
{
	if (guest->record)
		unlinkat(guest->store, guest->record, 0);
	guest->record = NULL;
}

/* --- reading ---------------------------------------------------------------- */

static const char *take_record_line(void *arg, const char *name, char *value)
{
	struct watch_record *record = arg;

	if (!strcmp(name, "NAME"))
		record->name = value;
	else if (!strcmp(name, "UUID"))
		record->uuid = value;
	else if (!strcmp(name, "CRASH"))
		record->crash = value;
	else if (!strcmp(name, "UP"))
		return parse_number(value, NEVER - 1, &record->up_ns) ? NULL : "no number";
	else if (!strcmp(name, "OWES"))
		record->owes = !strcmp(value, "yes");
	else if (!strcmp(name, "MEMORY") && record->nr_memory < GUEST_MEMORIES)
		record->memory[record->nr_memory++] = value;
	return NULL;
}

/* Return: 0; or an error, also if there is none. */
static int read_watch_record(struct watch_record *record, const struct guest_host *host, const char *dir, const char *file)
{
	char path[GUEST_PATH + 2 * GUEST_NAME];

	record->name = record->uuid = record->crash = "";
	record->nr_memory = 0;
	record->up_ns = 0;
	record->owes = false;
	snprintf(path, sizeof(path), "%.*s/%.*s/%s", GUEST_PATH - 2, host->store, GUEST_NAME, dir, file);
	return conf_file_read(path, true, record->room, sizeof(record->room) - 1, take_record_line, record, NULL);
}

bool watch_record_owes(const struct guest_host *host, const char *dir)
{
	static struct watch_record record;

	return !read_watch_record(&record, host, dir, WATCH_RECORD) && record.owes;
}

/* --- what became of a guest that was watched -------------------------------- */

enum memory_use { MEMORY_GONE, MEMORY_FREE, MEMORY_USED, MEMORY_UNKNOWN };

/* A kernel gives a lease for reading if no process has the file open, or mapped, to write to it. */
static enum memory_use use_of_file(int fd)
{
	if (!fcntl(fd, F_SETLEASE, F_RDLCK)) {
		fcntl(fd, F_SETLEASE, F_UNLCK);
		return MEMORY_FREE;
	}
	return errno == EAGAIN ? MEMORY_USED : MEMORY_UNKNOWN;
}

/* A directory that is not there may be on a disk that is not mounted yet. */
static bool has_directory(const char *path)
{
	char dir[GUEST_PATH];
	char *slash;

	snprintf(dir, sizeof(dir), "%.*s", GUEST_PATH - 1, path);
	slash = strrchr(dir, '/');
	if (slash)
		*slash = '\0';
	return !access(*dir ? dir : "/", F_OK);
}

/* Of several, a QEMU that has one of them has the guest. */
static enum memory_use open_recorded_memory(struct watched_guest *guest, const struct watch_record *record)
{
	enum memory_use all = MEMORY_GONE, use;
	struct err err = ERR_INIT;
	size_t i;
	int fd;

	for (i = 0; i < record->nr_memory; i++) {
		fd = guest_open_memory(record->memory[i], false, &err);
		if (fd < 0) {
			guest_say(guest, "it may have ended unwatched, and its memory cannot be opened: %s", err.msg);
			use = err.errnum == ENOENT && has_directory(record->memory[i]) ? MEMORY_GONE : MEMORY_UNKNOWN;
		} else {
			snprintf(guest->paths[guest->nr_memory], GUEST_PATH, "%.*s", GUEST_PATH - 1, record->memory[i]);
			guest->memory[guest->nr_memory++] = fd;
			use = use_of_file(fd);
			if (use == MEMORY_UNKNOWN)
				guest_say(guest, "it may have ended unwatched, and whether QEMU has its memory cannot be asked: %s: %s; epitaph guest save --memory saves what is there",
					  record->memory[i], strerror(errno));
		}
		all = use > all ? use : all;
	}
	return all;
}

static void take_identity(struct watched_guest *guest, const struct watch_record *record, const char *dir)
{
	const char *name = *record->name ? record->name : dir;

	snprintf(guest->name, sizeof(guest->name), "%.*s", (int)sizeof(guest->name) - 1, record->name);
	snprintf(guest->uuid, sizeof(guest->uuid), "%.*s", (int)sizeof(guest->uuid) - 1, record->uuid);
	snprintf(guest->crash, sizeof(guest->crash), "%.*s", (int)sizeof(guest->crash) - 1, record->crash);
	snprintf(guest->dir, sizeof(guest->dir), "%.*s", GUEST_NAME - 1, dir);
	escape_text(guest->label, sizeof(guest->label), name, strlen(name));
	guest->owes = record->owes;
}

/* QEMU has it again: what it recorded before is an earlier generation now, which the next capture has. */
static void owe_older(struct watched_guest *guest, bool is_over)
{
	guest_say(guest, "%s, and QEMU has its memory again: what it recorded before is saved at its next end, or by epitaph guest save",
		  is_over ? "its end was not saved" : "the host was started anew");
	guest->owes = true;
	watch_record_write(guest);
	if (is_over)
		unlinkat(guest->store, WATCH_RECORD_OVER, 0);
}

/* Another service may watch it: then it is that one's. */
static bool take_store(struct watched_guest *guest, const struct guest_host *host)
{
	guest->store = guest_open_store(host->store, guest->dir, true, NULL);
	return guest->store >= 0;
}

static bool make_unwatched_due(struct watched_guest *guest, bool is_new_boot, bool is_over)
{
	if (!is_over && renameat(guest->store, WATCH_RECORD, guest->store, WATCH_RECORD_OVER))
		return false;
	guest->record = WATCH_RECORD_OVER;
	/* Its next QEMU may be watched while this is saved. */
	flock(guest->store, LOCK_UN);
	snprintf(guest->why, sizeof(guest->why), "%s", is_new_boot ? "the host was started anew" : "an end that was not watched");
	guest->due_ns = guest_now();
	return true;
}

bool watch_record_take(struct watched_guest *guest, const struct guest_host *host, const char *dir)
{
	static struct watch_record record;
	bool is_over = false, is_new_boot;

	watched_guest_init(guest, dir);
	guest->retry_ns = NEVER;
	if (read_watch_record(&record, host, dir, WATCH_RECORD)) {
		is_over = true;
		if (read_watch_record(&record, host, dir, WATCH_RECORD_OVER))
			return false;
	}
	take_identity(guest, &record, dir);
	if (!take_store(guest, host))
		return false;
	/* It is not known that it was not, where it has run for longer by now. */
	is_new_boot = host_up_ns() < record.up_ns;
	switch (open_recorded_memory(guest, &record)) {
	case MEMORY_FREE:
		return make_unwatched_due(guest, is_new_boot, is_over);
	case MEMORY_USED:
		if (is_new_boot || is_over)
			owe_older(guest, is_over);
		return false;
	case MEMORY_GONE:
		guest->record = is_over ? WATCH_RECORD_OVER : WATCH_RECORD;
		watch_record_remove(guest);
		return false;
	default:
		return false;
	}
}
