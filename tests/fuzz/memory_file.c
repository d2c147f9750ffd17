// SPDX-License-Identifier: GPL-2.0-or-later
#include "memory_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIRST_FD	(1 << 28)	/* more than RLIMIT_NOFILE lets anybody have */
#define DIRECTORY	(FIRST_FD + MEMORY_FILES)

static struct {
	const char *head, *data;
	size_t head_size, size;
	void (*before)(size_t off, size_t size);
} files[MEMORY_FILES];

static struct {
	int nr, at;
	const char *first, *format;
	struct dirent64 entry;
} directory;

const char *__asan_default_options(void);

/* By the names of the C library for files of any size, which the extractor's flags make of its calls. */
ssize_t __real_pread64(int fd, void *buf, size_t size, off_t off);
ssize_t __wrap_pread64(int fd, void *buf, size_t size, off_t off);
off_t __real_lseek64(int fd, off_t off, int whence);
off_t __wrap_lseek64(int fd, off_t off, int whence);
int __real_fstat64(int fd, struct stat *st);
int __wrap_fstat64(int fd, struct stat *st);
int __real_open64(const char *path, int flags, ...);
int __wrap_open64(const char *path, int flags, ...);
int __real_openat64(int at, const char *path, int flags, ...);
int __wrap_openat64(int at, const char *path, int flags, ...);
int __real_fstatat64(int at, const char *path, struct stat *st, int flags);
int __wrap_fstatat64(int at, const char *path, struct stat *st, int flags);
DIR *__real_fdopendir(int fd);
DIR *__wrap_fdopendir(int fd);
struct dirent64 *__real_readdir64(DIR *dir);
struct dirent64 *__wrap_readdir64(DIR *dir);
int __real_closedir(DIR *dir);
int __wrap_closedir(DIR *dir);
int __real_close(int fd);
int __wrap_close(int fd);

int memory_file(int nr, const void *head, size_t head_size, const void *data, size_t size)
{
	files[nr].head = head;
	files[nr].head_size = head_size;
	files[nr].data = data;
	files[nr].size = size;
	files[nr].before = NULL;
	return FIRST_FD + nr;
}

void memory_file_before(int nr, void (*before)(size_t off, size_t size))
{
	files[nr].before = before;
}

char *memory_file_path(int nr)
{
	static char path[MEMORY_FILES][16];

	if (!*path[nr])
		snprintf(path[nr], sizeof(path[nr]), "memory:%d", nr);
	return path[nr];
}

int memory_directory(int nr, const char *first, const char *format)
{
	directory.nr = nr;
	directory.first = first;
	directory.format = format;
	return DIRECTORY;
}

#pragma GCC diagnostic ignored "-Wformat-nonliteral"	/* the target's own */
static void name_of_file(char name[32], int nr)
{
	if (!nr && directory.first)
		snprintf(name, 32, "%s", directory.first);
	else
		snprintf(name, 32, directory.format, nr);
}

static bool is_ours(int fd)
{
	return fd >= FIRST_FD && fd <= DIRECTORY;
}

static size_t copy(char *to, size_t size, const char *from, size_t from_size, size_t off)
{
	if (off >= from_size)
		return 0;
	if (size > from_size - off)
		size = from_size - off;
	memcpy(to, from + off, size);
	return size;
}

ssize_t __wrap_pread64(int fd, void *buf, size_t size, off_t off)
{
	size_t n, head_size;

	if (!is_ours(fd))
		return __real_pread64(fd, buf, size, off);
	if (off < 0 || fd == DIRECTORY) {
		errno = EINVAL;
		return -1;
	}
	fd -= FIRST_FD;
	if (files[fd].before)
		files[fd].before(off, size);
	head_size = files[fd].head_size;
	n = copy(buf, size, files[fd].head, head_size, off);
	if (n == size)
		return n;
	return n + copy((char *)buf + n, size - n, files[fd].data, files[fd].size,
			off + n - head_size);
}

/* No holes: all of it is data. */
off_t __wrap_lseek64(int fd, off_t off, int whence)
{
	off_t end;

	if (!is_ours(fd))
		return __real_lseek64(fd, off, whence);
	end = files[fd - FIRST_FD].head_size + files[fd - FIRST_FD].size;
	errno = ENXIO;
	if (off < 0 || off >= end)
		return -1;
	return whence == SEEK_HOLE ? end : off;
}

int __wrap_fstat64(int fd, struct stat *st)
{
	if (!is_ours(fd))
		return __real_fstat64(fd, st);
	memset(st, 0, sizeof(*st));
	st->st_mode = fd == DIRECTORY ? S_IFDIR | 0500 : S_IFREG | 0400;
	if (fd != DIRECTORY)
		st->st_size = files[fd - FIRST_FD].head_size + files[fd - FIRST_FD].size;
	return 0;
}

/* The number of the file of the directory with this name; -1, with errno: none. */
static int file_in_directory(const char *name)
{
	char known[32];

	for (int i = 0; i < directory.nr; i++) {
		name_of_file(known, i);
		if (!strcmp(name, known))
			return i;
	}
	errno = ENOENT;
	return -1;
}

static int mode_of(int flags, va_list ap)
{
	return flags & (O_CREAT | __O_TMPFILE) ? va_arg(ap, int) : 0;
}

int __wrap_open64(const char *path, int flags, ...)
{
	va_list ap;
	int fd;

	if (!strncmp(path, "memory:", 7))
		return FIRST_FD + atoi(path + 7);
	va_start(ap, flags);
	fd = __real_open64(path, flags, mode_of(flags, ap));
	va_end(ap);
	return fd;
}

int __wrap_openat64(int at, const char *path, int flags, ...)
{
	va_list ap;
	int fd;

	if (at == DIRECTORY && *path == '.')
		return DIRECTORY;
	if (at == DIRECTORY) {
		fd = file_in_directory(path);
		return fd < 0 ? -1 : FIRST_FD + fd;
	}
	va_start(ap, flags);
	fd = __real_openat64(at, path, flags, mode_of(flags, ap));
	va_end(ap);
	return fd;
}

int __wrap_fstatat64(int at, const char *path, struct stat *st, int flags)
{
	int nr;

	if (at != DIRECTORY)
		return __real_fstatat64(at, path, st, flags);
	nr = file_in_directory(path);
	return nr < 0 ? -1 : __wrap_fstat64(FIRST_FD + nr, st);
}

DIR *__wrap_fdopendir(int fd)
{
	if (fd != DIRECTORY)
		return __real_fdopendir(fd);
	directory.at = 0;
	return (DIR *)&directory;
}

struct dirent64 *__wrap_readdir64(DIR *dir)
{
	if (dir != (DIR *)&directory)
		return __real_readdir64(dir);
	if (directory.at == directory.nr)
		return NULL;
	name_of_file(directory.entry.d_name, directory.at++);
	return &directory.entry;
}

int __wrap_closedir(DIR *dir)
{
	return dir == (DIR *)&directory ? 0 : __real_closedir(dir);
}

int __wrap_close(int fd)
{
	return is_ours(fd) ? 0 : __real_close(fd);
}

/*
 * Less of what a crash report has: who made a block, and what was freed long ago.  Of a
 * block whose maker's caller is not known LeakSanitizer would not say that it leaked.
 */
const char *__asan_default_options(void)
{
	return "quarantine_size_mb=1:thread_local_quarantine_size_kb=64:malloc_context_size=2:"
	       "max_malloc_fill_size=64:allocator_release_to_os_interval_ms=-1";
}
