/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System calls that change something, for a program that is stopped before any of them: include
 * it behind step(), which counts and stops.  The "build:" line of the test has the linker wrap
 * them.
 */
#ifndef EPITAPH_STOPPED_CALLS_H
#define EPITAPH_STOPPED_CALLS_H

#include <fcntl.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <unistd.h>

int __real_openat64(int dir, const char *path, int flags, ...);
int __wrap_openat64(int dir, const char *path, int flags, ...);
int __wrap_openat64(int dir, const char *path, int flags, ...)
{
	mode_t mode = 0;
	va_list ap;

	if (flags & O_CREAT) {
		step();
		va_start(ap, flags);
		mode = va_arg(ap, mode_t);
		va_end(ap);
	}
	return __real_openat64(dir, path, flags, mode);
}

int __real_mkdirat(int dir, const char *path, mode_t mode);
int __wrap_mkdirat(int dir, const char *path, mode_t mode);
int __wrap_mkdirat(int dir, const char *path, mode_t mode)
{
	step();
	return __real_mkdirat(dir, path, mode);
}

int __real_unlinkat(int dir, const char *path, int flags);
int __wrap_unlinkat(int dir, const char *path, int flags);
int __wrap_unlinkat(int dir, const char *path, int flags)
{
	step();
	return __real_unlinkat(dir, path, flags);
}

#endif
