/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's command line: what it says of the region. */
#ifndef EPITAPH_CRASH_CMDLINE_H
#define EPITAPH_CRASH_CMDLINE_H

#include <linux/types.h>

/**
 * epitaph_cmdline_range() - where the command line puts the region
 * @at: its physical address
 * @bytes: its size
 * @is_assumed: no epitaph.addr= names it
 *
 * epitaph.addr= and epitaph.size= first, else the only memmap=SIZE!ADDR.
 *
 * Context: process.
 * Return: 0, or an error that has been printed.
 */
int epitaph_cmdline_range(u64 *at, u64 *bytes, bool *is_assumed);

/* The same of a command line that is in @line; -ENOENT is not printed.  Any context. */
int epitaph_cmdline_parse(const char *line, u64 *at, u64 *bytes, bool *is_assumed);

#define EPITAPH_CMDLINE_DEVICE	32

/* The value of epitaph.device=; false: there is none.  An error has been printed then. */
bool epitaph_cmdline_device(char name[EPITAPH_CMDLINE_DEVICE]);

/*
 * Does one memmap=SIZE!ADDR, or SIZE$ADDR, hold the whole range?  False as well if the command line
 * cannot be read, which has been printed then.
 */
bool epitaph_cmdline_reserves(u64 at, u64 bytes);

/* The same of a command line that is in @line.  Any context. */
bool epitaph_cmdline_holds(const char *line, u64 at, u64 bytes);

/*
 * The parameter that gives the reserve_mem= of this name to ftrace or ramoops; NULL: none does.  NULL
 * as well if the command line cannot be read, which has been printed then.
 */
const char *epitaph_cmdline_user_of(const char *name);

#endif /* EPITAPH_CRASH_CMDLINE_H */
