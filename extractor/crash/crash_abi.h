/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What crash(8) gives an extension, as far as it is used here.  Debian has no
 * package of crash's header, and that one describes the inside of one
 * version; these few have been the same in defs.h of crash 7.3.0, 8.0.0, 8.0.2, 9.0.0
 * and 9.0.2, on every 64-bit machine.  Look there before you add one.
 */
#ifndef EPITAPH_CRASH_CRASH_ABI_H
#define EPITAPH_CRASH_CRASH_ABI_H

#include <stdio.h>

/* --- defs.h, "struct command_table_entry" -------------------------------- */

/**
 * struct command_table_entry - a command; a table ends with one without a name
 * @help_data: name, short description, synopsis, lines of text, NULL
 */
struct command_table_entry {
	char *name;
	void (*func)(void);
	char **help_data;
	unsigned long flags;
};

/* extensions.c; in the constructor of the library */
extern void register_extension(struct command_table_entry *table);

/* --- defs.h, "global_data.c"; set before a command is called -------------- */

extern FILE *fp;		/* where a command prints: terminal, pager or the user's file */
extern char *args[];		/* the command's line, its own name first; ends with NULL */
extern int argcnt;

/* --- memory.c ------------------------------------------------------------ */

enum {
	CRASH_KVADDR = 0x1,
	CRASH_PHYSADDR = 0x4,
};

enum {				/* with these two it neither prints nor jumps */
	CRASH_RETURN_ON_ERROR = 0x2,
	CRASH_QUIET = 0x4,
};

/* 1, or 0 on an error; @type says what is read, in a message. */
extern int readmem(unsigned long long addr, int memtype, void *buffer, long size, char *type,
		   unsigned long error_handle);

/* --- symbols.c ----------------------------------------------------------- */

extern int symbol_exists(char *name);

/* Ends the command by a longjmp if there is no such symbol. */
extern unsigned long symbol_value(char *name);

/* Without the third argument, the offset of @member in @type; -1: not known. */
extern long datatype_info(char *type, char *member, void *datatype_member);

/* --- tools.c ------------------------------------------------------------- */

enum { CRASH_INFO = 1 };

/* Prints the command's name, ": " and the words, where crash has its errors. */
__attribute__((format(printf, 2, 3)))
extern int __error(int type, char *fmt, ...);

#endif
