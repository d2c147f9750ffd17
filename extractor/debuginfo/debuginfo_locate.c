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

#define MAX_DEPTH	12	/* levels of directories */
#define MAX_ENTRIES	200000	/* directory entries that are read for one module */
#define MAX_NAME	512

/**
 * struct debug_search - the search for one file
 * @place: the configured place that is searched now
 * @found: NULL: not yet
 * @path: of @found
 * @why_not: why the first candidate was refused
 * @entries: directory entries read so far
 */
struct debug_search {
	const struct debug_wanted *wanted;
	const struct debug_place *place;
	struct debug_file *found;
	char path[2 * MAX_NAME];
	struct err why_not;
	u32 entries;
};

/* --- a file -------------------------------------------------------------- */

/* Closes @fd, now or with the file. */
static void try_fd(struct debug_search *s, int fd, const char *name)
{
	const struct debug_wanted *wanted = s->wanted;
	struct debug_file *file = NULL;
	struct err err = ERR_INIT;
	int ret = debug_file_open(&file, fd, &err);
	const char *id = ret ? "" : debug_file_build_id(file);

	if (!ret && strcmp(id, wanted->build_id)) {
		/* The user may name files of the kernel and of modules: it may be for another one. */
		if (!s->place->is_dir && (wanted->module || debug_file_is_module(file))) {
			debug_file_close(file);
			return;
		}
		ret = err_set(&err, ERR_USAGE, ERR_NO_OFF,
			      "is of another build: it has build id %s, %s%s of the dump has %s",
			      *id ? id : "none", wanted->module ? "module " : "the kernel",
			      wanted->module ? wanted->module : "", wanted->build_id);
	}
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
	/* The debuginfo is damaged, not the dump. */
	if (err.code != ERR_IO)
		s->why_not.code = ERR_USAGE;
}

static void try_name(struct debug_search *s, const char *name)
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
static void try_names(struct debug_search *s, const char *fmt, ...)
{
	/* The layout of a package, and of a package that was unpacked anywhere. */
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

static void try_kernel_names(struct debug_search *s)
{
	static const char * const names[] = {
		"vmlinux-%s", "boot/vmlinux-%s", "lib/modules/%s/vmlinux", "%s/vmlinux",
		"lib/modules/%s/build/vmlinux", "boot/vmlinux-%s.debug", "vmlinux-%s.debug",
	};
	const char *release = s->wanted->release;
	/* The release comes from the dump: it must not lead out of the directory. */
	bool is_plain = *release && *release != '.' && !strchr(release, '/');
	char name[MAX_NAME];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names) && is_plain && !s->found; i++) {
		const char *at = strstr(names[i], "%s");

		snprintf(name, sizeof(name), "%.*s%s%s", (int)(at - names[i]), names[i], release,
			 at + 2);
		try_names(s, "%s", name);
	}
	if (!s->found)
		try_names(s, "vmlinux");
}

/* "virtio-net.ko.debug" belongs to virtio_net. */
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

/* Symbolic links to directories are not followed: they may form circles. */
static void walk_dir(struct debug_search *s, const char *dir, u32 depth)
{
	int fd = openat(s->place->fd, dir, O_RDONLY | O_CLOEXEC | O_DIRECTORY);
	DIR *stream = fd >= 0 ? fdopendir(fd) : NULL;
	struct dirent *entry;
	char name[MAX_NAME];

	if (!stream) {
		if (fd >= 0)
			close(fd);
		return;
	}
	while (!s->found && depth < MAX_DEPTH && s->entries < MAX_ENTRIES &&
	       (entry = readdir(stream))) {
		s->entries++;
		if (*entry->d_name == '.' || snprintf(name, sizeof(name), "%s/%s", dir,
						      entry->d_name) >= (int)sizeof(name))
			continue;
		if (is_of_module(entry->d_name, s->wanted->module))
			try_name(s, name);
		else if (entry->d_type == DT_DIR || entry->d_type == DT_UNKNOWN)
			walk_dir(s, name, depth + 1);
	}
	closedir(stream);
}

static void search_dir(struct debug_search *s)
{
	const struct debug_wanted *wanted = s->wanted;
	const char *id = wanted->build_id;

	try_names(s, ".build-id/%.2s/%s.debug", id, id + 2);
	if (!s->found)
		try_names(s, ".build-id/%.2s/%s", id, id + 2);
	if (!s->found && !wanted->module)
		try_kernel_names(s);
	else if (!s->found)
		walk_dir(s, ".", 0);
}

/* --- all places ---------------------------------------------------------- */

static int report_not_found(const struct debug_wanted *wanted, struct err *err)
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
	struct debug_search s = { .wanted = wanted, .why_not = ERR_INIT };
	size_t i;
	int fd;

	for (i = 0; i < debug_places_nr() && !s.found; i++) {
		s.place = debug_places_at(i);
		if (s.place->is_dir) {
			search_dir(&s);
			continue;
		}
		fd = fcntl(s.place->fd, F_DUPFD_CLOEXEC, 3);
		if (fd >= 0)
			try_fd(&s, fd, "");
	}
	if (s.found) {
		*ret = s.found;
		escape_text(path, size, s.path, strlen(s.path));
		return 0;
	}
	if (!s.why_not.code)
		return report_not_found(wanted, err);
	if (err)
		*err = s.why_not;
	return -(err ? err->code : ERR_USAGE);
}
