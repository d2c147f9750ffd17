// SPDX-License-Identifier: GPL-2.0-or-later
#include "guest_capture.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/escape.h"
#include "base/text.h"
#include "os/new_file.h"
#include "reading/reading.h"
#include "reading/status.h"
#include "spool/side_files.h"
#include "transfer/send_conf.h"

#define TEMPORARY	".guest-"
#define CONSOLE_TAIL	(64u << 10)
#define MAX_NAME	64	/* characters of a guest's name in a path */

static const struct side_file texts[] = {
	/* The summary has it. */
	{ SAVED_WHY, side_file_why },
	{ "summary.txt", side_file_summary },
	{ "mce.txt", side_file_mce },
};

/* Without a dot in front, which would hide it, and without a slash. */
static void put_safe(char *to, size_t size, const char *text)
{
	static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-";
	size_t i;

	for (i = 0; text[i] && i + 1 < size; i++)
		to[i] = strchr(safe, text[i]) && (i || text[i] != '.') ? text[i] : '_';
	to[i] = 0;
}

void guest_dir_name(char dir[GUEST_NAME], const char *name, const char *uuid)
{
	char safe[MAX_NAME], id[40];

	put_safe(safe, sizeof(safe), *name ? name : "guest");
	put_safe(id, sizeof(id), uuid);
	snprintf(dir, GUEST_NAME, "%s%s%s", safe, *id ? "-" : "", id);
}

/* A process that fills it has it locked; after a reset of the host its number may be another's. */
static bool is_locked(int store, const char *name)
{
	int dir = openat(store, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	bool locked = dir < 0 || flock(dir, LOCK_EX | LOCK_NB);

	if (dir >= 0)
		close(dir);
	return locked;
}

/* What a process left that is no more. @lock: the guest is watched by this one alone. */
static void remove_left_over(int store, bool lock)
{
	int fd = openat(store, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *list = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;
	unsigned long pid;

	/* ".guest-PID", of earlier versions, or ".guest-PID.HOST.DIGITS" */
	while (list && (entry = readdir(list)))
		if (!strncmp(entry->d_name, TEMPORARY, strlen(TEMPORARY)) &&
		    sscanf(entry->d_name + strlen(TEMPORARY), "%lu", &pid) == 1 && pid && pid <= INT_MAX &&
		    ((kill(pid, 0) && errno == ESRCH) || (lock && !is_locked(store, entry->d_name))))
			spool_remove(store, entry->d_name);
	if (list)
		closedir(list);
}

int guest_open_store(const char *store, const char *dir, bool lock, struct err *err)
{
	int all = new_file_open_dir(AT_FDCWD, store, err);
	int fd = all < 0 ? all : new_file_open_dir(all, dir, err);

	if (all >= 0)
		close(all);
	if (fd < 0)
		return err_while(err, "%s", store);
	if (!lock || !flock(fd, LOCK_EX | LOCK_NB)) {
		remove_left_over(fd, lock);
		return fd;
	}
	if (errno == EWOULDBLOCK)
		err_set(err, ERR_IO, ERR_NO_OFF, "is watched by another epitaph guest watch (%s/%s)", store, dir);
	else
		err_sys(err, "%s/%s: cannot lock", store, dir);
	close(fd);
	return -ERR_IO;
}

int guest_open_memory(const char *path, bool follow, struct err *err)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | (follow ? 0 : O_NOFOLLOW));
	struct stat st;

	if (fd < 0)
		return err_sys(err, "%s: the guest's memory cannot be opened", path);
	if (!fstat(fd, &st) && S_ISREG(st.st_mode))
		return fd;
	close(fd);
	return err_set(err, ERR_IO, ERR_NO_OFF, "%s: not a file", path);
}

struct guest_saved *guest_saved_new(void)
{
	void *p = mmap(NULL, sizeof(struct guest_saved), PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return NULL;
	/* Not for processes that read. */
	madvise(p, sizeof(struct guest_saved), MADV_DONTFORK);
	return p;
}

/* In a process that is locked in; it reads the live file, and its copy is what all else reads. */
static int copy_memory(const struct guest_capture *capture, int memory, int to,
		       struct copied_region *region)
{
	char command[80], path[40];
	char *paths[] = { path };
	struct region_copy copy = {
		.command = command, .place = "its memory", .file = SAVED_REGION, .fd = to,
		.compress = true, .done = region,
	};
	struct reading reading = {
		.name = command, .run = region_copy_files, .arg = &copy, .make_dir = -1,
	};

	snprintf(command, sizeof(command), "guest: %.64s", capture->label);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", memory);
	if (ftruncate(to, 0) || lseek(to, 0, SEEK_SET))
		return ERR_IO;
	return reading_run(&reading, (struct file_list){ paths, 1 });
}

/* What the process that reads says comes by memory that it alone shares with this one. */
static int copy_first_region(const struct guest_capture *capture, int to, struct copied_region *ret)
{
	struct copied_region *region = mmap(NULL, sizeof(*region), PROT_READ | PROT_WRITE,
					    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status = ERR_NOT_OURS;
	size_t i;

	if (region == MAP_FAILED)
		return ERR_IO;
	for (i = 0; i < capture->nr_memory && status > ERR_DAMAGED; i++)
		status = copy_memory(capture, capture->memory[i], to, region);
	*ret = *region;
	munmap(region, sizeof(*region));
	return status;
}

static void make_printable(char *text)
{
	for (; *text; text++)
		if (*text < ' ' || *text > '~')
			*text = '?';
}

/* The process that read may have been taken over: its name is one of ours, its words are a line. */
static int check_reader(struct copied_region *region, struct err *err)
{
	char name[SPOOL_NAME + sizeof(SPOOL_CAPTURE)];

	region->name[sizeof(region->name) - 1] = 0;
	region->words[sizeof(region->words) - 1] = 0;
	make_printable(region->words);
	snprintf(name, sizeof(name), SPOOL_CAPTURE "%s", region->name);
	if (spool_is_name(name, SPOOL_CAPTURE))
		return 0;
	*region->name = 0;
	return err_set(err, ERR_CORRUPT, ERR_NO_OFF, "the process that read its memory gave no name of a boot");
}

/* QEMU, or who talks to the guest, writes it: anything may be there, also a link or a FIFO. */
static int open_console(const char *path)
{
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat st;

	if (fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode))
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

static void save_console(const struct guest_capture *capture, int dir)
{
	static u8 tail[CONSOLE_TAIL];
	int from = *capture->console ? open_console(capture->console) : -1, to;
	ssize_t n = 0;
	off_t end;

	if (*capture->console && from < 0)
		fprintf(stderr, "%s: its serial log cannot be read, and is left out: %s\n", capture->label,
			strerror(errno));
	if (from < 0)
		return;
	end = lseek(from, 0, SEEK_END);
	if (end > 0)
		n = pread(from, tail, sizeof(tail), end > CONSOLE_TAIL ? end - CONSOLE_TAIL : 0);
	close(from);
	to = n > 0 ? new_file_create(dir, "console.txt", NULL) : -1;
	if (to < 0)
		return;
	if (new_file_write(to, tail, n, 0) != (size_t)n || fsync(to))
		unlinkat(dir, "console.txt", 0);
	close(to);
}

static void save_words(const struct guest_capture *capture, int dir)
{
	int to = new_file_create(dir, SAVED_QMP, NULL);

	if (to < 0)
		return;
	if (new_file_write(to, capture->words, strlen(capture->words), 0) != strlen(capture->words) ||
	    fsync(to))
		unlinkat(dir, SAVED_QMP, 0);
	close(to);
}

/* Return: 0: it has its name; 1: it is not kept; or an error. */
static int place_capture(const struct guest_capture *capture, const char *temporary, int dir,
			 struct guest_saved *saved, struct err *err)
{
	char name[SPOOL_NAME];
	int ret;

	saved->is_known = !strcmp(saved->region.name, capture->known);
	if (saved->is_known || (saved->region.ended && !capture->keep_ended))
		return 1;
	save_console(capture, dir);
	save_words(capture, dir);
	if (fsync(dir))
		return err_sys(err, "fsync");
	memcpy(name, SPOOL_CAPTURE, sizeof(SPOOL_CAPTURE));
	strcat(name, saved->region.name);
	ret = spool_place(capture->store, temporary, dir, name, err);
	if (ret < 0)
		return ret;
	saved->was_there = ret;
	memcpy(saved->name, name, sizeof(saved->name));
	return ret;
}

static void make_guest_texts(const struct guest_capture *capture, int dir)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(texts); i++)
		if (side_file_make(&texts[i], dir) > ERR_DAMAGED)
			fprintf(stderr, "%s: %s could not be written; the region is there, and it can be made of it\n",
				capture->label, texts[i].name);
	fsync(dir);
}

static void say_thinned(void *label, const char *name, u64 size)
{
	char words[32];

	text_size(words, sizeof(words), size);
	printf("%s: removed %s (%s), the oldest, for COUNT and SIZE\n", (const char *)label, name, words);
}

/* Is @path this guest's directory, or that of all guests?  From elsewhere its captures are not sent. */
static bool is_searched(int store, const char *path)
{
	struct stat st, own, all;

	return !stat(path, &st) && !fstat(store, &own) && !fstatat(store, "..", &all, 0) &&
	       ((st.st_dev == own.st_dev && st.st_ino == own.st_ino) ||
		(st.st_dev == all.st_dev && st.st_ino == all.st_ino));
}

/* Where send takes this guest's captures to.  NULL: nowhere. */
static const char *find_guest_target(const struct send_conf *send, int store)
{
	const char *words = send->value[SEND_FROM] ?: "";
	char path[4096];
	size_t n;

	for (; *words; words += n) {
		words += strspn(words, " \t");
		n = strcspn(words, " \t");
		snprintf(path, sizeof(path), "%.*s", (int)n, words);
		if (n && is_searched(store, path))
			return send->value[SEND_TO];
	}
	return NULL;
}

static void thin_out(const struct guest_capture *capture, const char *newest)
{
	struct retention_place place = {
		.store = capture->store, .prefix = SPOOL_CAPTURE, .temporary = TEMPORARY, .newest = newest,
		.on_removed = say_thinned, .arg = (void *)capture->label,
	};
	static struct send_conf send;
	struct err err = ERR_INIT;
	char target[1024];
	u32 unsent = 0;
	int ret = send_conf_read(&send, SEND_CONF, false, &err);

	/* Who wrote a line that is wrong meant one: nothing is removed then. */
	if (!ret) {
		place.target = find_guest_target(&send, capture->store);
		ret = retention_apply(&capture->limit, &place, &unsent, &err);
	}
	if (ret)
		fprintf(stderr, "%s: old captures cannot be removed: %s\n", capture->label, err.msg);
	if (unsent) {
		escape_text(target, sizeof(target), place.target, strlen(place.target));
		fprintf(stderr, "%s: %u old capture%s kept beyond COUNT and SIZE: not sent to %s yet\n",
			capture->label, unsent, unsent == 1 ? " is" : "s are", target);
	}
	fflush(stdout);
}

static int fill_capture(const struct guest_capture *capture, const char *temporary, int dir, int fd,
			struct guest_saved *saved)
{
	struct err err = ERR_INIT;
	int status = copy_first_region(capture, fd, &saved->region), ret;

	if (status <= ERR_DAMAGED && check_reader(&saved->region, &err))
		status = ERR_CORRUPT;
	if (status <= ERR_DAMAGED && fsync(fd)) {
		err_sys(&err, "fsync");
		status = ERR_IO;
	}
	close(fd);
	if (status > ERR_DAMAGED) {
		if (err.code)
			fprintf(stderr, "%s: not saved: %s\n", capture->label, err.msg);
		return status;
	}
	ret = place_capture(capture, temporary, dir, saved, &err);
	if (ret < 0)
		fprintf(stderr, "%s: not saved: %s\n", capture->label, err.msg);
	if (!ret) {
		make_guest_texts(capture, dir);
		thin_out(capture, saved->name);
	}
	return ret < 0 ? ERR_IO : status;
}

int guest_capture_make(const struct guest_capture *capture, struct guest_saved *saved)
{
	struct err err = ERR_INIT;
	char temporary[SPOOL_TEMPORARY], prefix[40];
	int dir, region, status;

	snprintf(prefix, sizeof(prefix), TEMPORARY "%ld.", (long)getpid());
	dir = spool_begin(capture->store, prefix, temporary, &region, &err);
	if (dir < 0) {
		fprintf(stderr, "%s: not saved: %s\n", capture->label, err.msg);
		return ERR_IO;
	}
	flock(dir, LOCK_EX | LOCK_NB);
	status = fill_capture(capture, temporary, dir, region, saved);
	close(dir);
	if (!*saved->name || saved->was_there)
		spool_remove(capture->store, temporary);
	return status;
}
