/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How the recorder starts: as a module (as_module.c) or built into the kernel (built_in.c).  One of
 * the two is linked; no other file asks which.
 */
#ifndef EPITAPH_START_START_H
#define EPITAPH_START_START_H

#include <linux/kernel.h>
#include <linux/types.h>

/* main.c: what is recorded is recorded from here on; no file and no thread is needed.  One CPU may do. */
int epitaph_recording_start(void);
/* main.c: what needs threads, devices, file systems; behind the above. */
void epitaph_services_start(void);
void epitaph_stop(void);

/* This one is built in, and no task but the first one runs yet: there are no files. */
static inline bool epitaph_is_early(void)
{
	return system_state < SYSTEM_SCHEDULING;
}

/**
 * epitaph_cmdline_read() - the kernel's command line
 * @line: filled, and ended with a NUL byte
 * @size: of @line
 *
 * Context: process; of a recorder that is built in, any.
 * Return: its length, or an error.
 */
ssize_t epitaph_cmdline_read(char *line, size_t size);

#endif /* EPITAPH_START_START_H */
