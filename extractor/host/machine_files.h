/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files of a machine: of this one, or of one whose files are below a directory.
 * @root stands in front of each path: "" for this machine.
 */
#ifndef EPITAPH_HOST_MACHINE_FILES_H
#define EPITAPH_HOST_MACHINE_FILES_H

#include <sys/types.h>

#include "base/types.h"

#define MACHINE_RELEASE	65	/* of uname -r, with the zero */

/* The whole path; cut off where there is no room, which then is no file. */
void machine_path(const char *root, char *buf, size_t size, const char *path);

/**
 * machine_read() - the start of a small file
 * @buf: terminated; a newline at its end is taken away
 *
 * Return: bytes, or -errno.
 */
ssize_t machine_read(const char *root, const char *path, char *buf, size_t size);

/* machine_read_whole() - all of a file, however long, as above; to be freed. Return: or NULL */
char *machine_read_whole(const char *root, const char *path);

/* A descriptor for reading, or -errno; never of what would block. */
int machine_open(const char *root, const char *path);

bool machine_exists(const char *root, const char *path);

/* Does one of these exist?  @paths ends with NULL. */
bool machine_has_any(const char *root, const char *const *paths);

/* The file begins with a decimal number; false: it is not there, or it does not. */
bool machine_number(const char *root, const char *path, s64 *ret);

/* When the file, or the link itself, was written last: s since 1970; 0: it is not there. */
s64 machine_mtime(const char *root, const char *path);

/* When the file was made: s since 1970; 0: it is not there, or its file system does not know. */
s64 machine_birth(const char *root, const char *path);

/* When this kernel started: s since 1970, by the clock of now; 0: unknown. */
s64 machine_boot(const char *root);

/* Does its kernel know memmap=SIZE!ADDRESS?  By its /proc/sys/kernel/arch; before 6.1, as this one. */
bool machine_is_x86(const char *root);

/*
 * What s390x does at a panic, whatever kernel.panic says; as stop, reipl, dump_reipl.  @action is "" on
 * other machines.
 */
#define MACHINE_ON_PANIC	"/sys/firmware/shutdown_actions/on_panic"
void machine_on_panic(const char *root, char action[32]);

/* The release of the running kernel; "" if it is not known. */
void machine_release(const char *root, char release[MACHINE_RELEASE]);

/**
 * machine_setting() - the value of a line KEY=VALUE, as a shell would have it
 * @key: with the "="
 * @buf: without quotes; nothing is expanded
 *
 * The last one counts.  Return: is there one?
 */
bool machine_setting(const char *root, const char *path, const char *key, char *buf,
		     size_t size);

/**
 * machine_each() - for each name in a directory, but those that begin with a dot
 * @each: true: it is enough
 *
 * Return: did @each say so?
 */
bool machine_each(const char *root, const char *path,
		  bool (*each)(const char *name, void *arg), void *arg);

#endif
