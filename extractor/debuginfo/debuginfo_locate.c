// SPDX-License-Identifier: GPL-2.0-or-later
#include "debuginfo_locate.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/escape.h"

#include "debuginfo_path.h"

#define MAX_DEPTH	12	/* of directories in each other */
#define MAX_ENTRIES	200000	/* of directories that are looked at for one module */
#define MAX_NAME	512

/**
 * struct search - for one file
 * @place: where it looks now
 * @found: NULL: not yet
 * @path: of @found
 * @why_not: of the first that was not taken
 * @entries: looked at in directories
 */
struct search {
	const struct debug_wanted *wanted;
	const struct debug_place *place;
	struct debug_file *found;
	char path[2 * MAX_NAME];
	struct err why_not;
	u32 entries;
};

/* --- a file -------------------------------------------------------------- */

static int compare_id(const struct search *s, const struct debug_file *file, struct err *err)
{
	const struct debug_wanted *wanted = s->wanted;
	const char *id = debug_file_build_id(file);

	if (!strcmp(id, wanted->build_id))
		return 0;
	return err_set(err, ERR_USAGE, ERR_NO_OFF,
		       "is of another build: it has build id %s, %s%s of the dump has %s",
		       *id ? id : "none", wanted->module ? "module " : "the kernel",
		       wanted->module ? wanted->module : "", wanted->build_id);
}

/* Of the several files that were named, those of modules say nothing of the kernel, and so on. */
static bool is_beside(const struct search *s, const struct debug_file *file)
{
	return !s->place->is_dir && (s->wanted->module || debug_file_is_module(file)) &&
	       strcmp(debug_file_build_id(file), s->wanted->build_id);
}

/* Closes @fd, now or with the file. */
static void try_fd(struct search *s, int fd, const char *name)
{
	struct debug_file *file = NULL;
	struct err err = ERR_INIT;
	int ret = debug_file_open(&file, fd, &err);

	if (!ret && is_beside(s, file)) {
		debug_file_close(file);
		return;
	}
	if (!ret)
		ret = compare_id(s, file, &err);
	if (!ret)
		ret = debug_file_load(file, &err);
	snprintf(s->path, sizeof(s->path), "%s%s%s", s->place->path, *name ? "/" : "", name);
	if (!ret) {
		s->found = file;
		return;
	}
	debug_file_close(file);
	err_while(&err, "%s", s->path);
	if (s->why_not.code)
		return;
	s->why_not = err;
	/* It is not the dump that is damaged. */
	if (err.code != ERR_IO)
		s->why_not.code = ERR_USAGE;
}

static void try_name(struct search *s, const char *name)
{
	int fd = openat(s->place->fd, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;

	if (fd < 0)
		return;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode))
		try_fd(s, fd, name);
	else
		close(fd);
}

__attribute__((format(printf, 2, 3)))
static void try_names(struct search *s, const char *fmt, ...)
{
	/* What a package has, and what it is when it was unpacked anywhere. */
	static const char * const prefixes[] = { "", "usr/lib/debug/" };
	char name[MAX_NAME], full[MAX_NAME + 16];
	va_list args;
	size_t i;
	int n;

	va_start(args, fmt);
	n = vsnprintf(name, sizeof(name), fmt, args);
	va_end(args);
	for (i = 0; i < ARRAY_SIZE(prefixes) && !s->found && n < (int)sizeof(name); i++) {
		snprintf(full, sizeof(full), "%s%s", prefixes[i], name);
		try_name(s, full);
	}
}

/* --- a directory --------------------------------------------------------- */

/* A release is the dump's: it shall lead nowhere. */
static bool is_plain(const char *release)
{
	return *release && *release != '.' && !strchr(release, '/');
}

static void try_kernel_names(struct search *s)
{
	static const char * const names[] = {
		"vmlinux-%s", "boot/vmlinux-%s", "lib/modules/%s/vmlinux", "%s/vmlinux",
		"lib/modules/%s/build/vmlinux", "boot/vmlinux-%s.debug", "vmlinux-%s.debug",
	};
	const char *release = s->wanted->release;
	char name[MAX_NAME];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names) && is_plain(release) && !s->found; i++) {
		const char *at = strstr(names[i], "%s");

		snprintf(name, sizeof(name), "%.*s%s%s", (int)(at - names[i]), names[i], release,
			 at + 2);
		try_names(s, "%s", name);
	}
	if (!s->found)
		try_names(s, "vmlinux");
}

/* "virtio-net.ko.debug" is of virtio_net. */
static bool is_of_module(const char *file, const char *module)
{
	static const char * const ends[] = { ".ko.debug", ".ko", ".debug" };
	size_t i, n = strlen(module);

	for (i = 0; i < n; i++)
		if ((file[i] == '-' ? '_' : file[i]) != (module[i] == '-' ? '_' : module[i]))
			return false;
	for (i = 0; i < ARRAY_SIZE(ends); i++)
		if (!strcmp(file + n, ends[i]))
			return true;
	return false;
}

static void walk(struct search *s, const char *dir, u32 depth);

static void walk_entry(struct search *s, const char *dir, const struct dirent *entry, u32 depth)
{
	char name[MAX_NAME];

	if (snprintf(name, sizeof(name), "%s/%s", dir, entry->d_name) >= (int)sizeof(name))
		return;
	if (is_of_module(entry->d_name, s->wanted->module))
		try_name(s, name);
	else if (entry->d_type == DT_DIR || entry->d_type == DT_UNKNOWN)
		walk(s, name, depth + 1);
}

/* Links to directories are not followed: they may lead in circles. */
static void walk(struct search *s, const char *dir, u32 depth)
{
	int fd = openat(s->place->fd, dir, O_RDONLY | O_CLOEXEC | O_DIRECTORY);
	DIR *stream = fd >= 0 ? fdopendir(fd) : NULL;
	struct dirent *entry;

	if (!stream) {
		if (fd >= 0)
			close(fd);
		return;
	}
	while (!s->found && depth < MAX_DEPTH && s->entries < MAX_ENTRIES &&
	       (entry = readdir(stream))) {
		s->entries++;
		if (*entry->d_name != '.')
			walk_entry(s, dir, entry, depth);
	}
	closedir(stream);
}

static void search_dir(struct search *s)
{
	const struct debug_wanted *wanted = s->wanted;
	const char *id = wanted->build_id;

	try_names(s, ".build-id/%.2s/%s.debug", id, id + 2);
	if (!s->found)
		try_names(s, ".build-id/%.2s/%s", id, id + 2);
	if (!s->found && !wanted->module)
		try_kernel_names(s);
	else if (!s->found)
		walk(s, ".", 0);
}

/* --- all of them --------------------------------------------------------- */

static void search_place(struct search *s)
{
	int fd;

	if (s->place->is_dir)
		return search_dir(s);
	fd = fcntl(s->place->fd, F_DUPFD_CLOEXEC, 3);
	if (fd >= 0)
		try_fd(s, fd, "");
}

static int tell_none(const struct debug_wanted *wanted, struct err *err)
{
	char list[256] = "";
	size_t i, n = 0;

	for (i = 0; i < debug_places_nr() && n < sizeof(list); i++)
		n += snprintf(list + n, sizeof(list) - n, "%s%s", i ? ", " : "",
			      debug_places_at(i)->path);
	return err_set(err, ERR_USAGE, ERR_NO_OFF,
		       "no debuginfo of build id %s in %s: neither .build-id/%.2s/%s.debug nor %s",
		       wanted->build_id, list, wanted->build_id, wanted->build_id + 2,
		       wanted->module ? "a file with the module's name" :
		       "vmlinux-RELEASE or vmlinux, there or in boot, lib/modules/RELEASE or usr/lib/debug");
}

int debug_find(struct debug_file **ret, char *path, size_t size,
	       const struct debug_wanted *wanted, struct err *err)
{
	struct search s = { .wanted = wanted, .why_not = ERR_INIT };
	size_t i;

	for (i = 0; i < debug_places_nr() && !s.found; i++) {
		s.place = debug_places_at(i);
		search_place(&s);
	}
	if (s.found) {
		*ret = s.found;
		escape_text(path, size, s.path, strlen(s.path));
		return 0;
	}
	if (!s.why_not.code)
		return tell_none(wanted, err);
	if (err)
		*err = s.why_not;
	return -(err ? err->code : ERR_USAGE);
}
