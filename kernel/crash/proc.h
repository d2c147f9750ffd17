/* SPDX-License-Identifier: GPL-2.0-only */
/* Small files of /proc, as the kernel has them. */
#ifndef EPITAPH_CRASH_PROC_H
#define EPITAPH_CRASH_PROC_H

#include <linux/types.h>

/**
 * epitaph_proc_read() - the beginning of a file of /proc
 * @name: "cmdline"
 * @buf: filled, and ended with a NUL byte
 * @size: of @buf
 *
 * By a private mount, which stays until epitaph_proc_leave(): early in an initramfs /proc is not
 * mounted yet, and later the caller may have mounted something over it.
 *
 * Context: process, may sleep; while the module is loaded or unloaded.
 * Return: bytes read, or an error.
 */
ssize_t epitaph_proc_read(const char *name, char *buf, size_t size);

/* Nothing is read any more.  Waits for RCU, some ten ms, so it is left to the end; may sleep. */
void epitaph_proc_leave(void);

#endif /* EPITAPH_CRASH_PROC_H */
