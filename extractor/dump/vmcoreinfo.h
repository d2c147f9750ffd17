/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * VMCOREINFO: the facts that a kernel leaves for readers of its dump, one a line:
 * SYMBOL(name)=ADDRESS, OFFSET(struct.member)=BYTES and so on.
 *
 * Return of each function: is there such a line with a number? If not, @ret is unchanged.
 */
#ifndef EPITAPH_DUMP_VMCOREINFO_H
#define EPITAPH_DUMP_VMCOREINFO_H

#include "dump.h"

/* The address of a symbol, as the kernel was running: KASLR is in it. */
bool vmcoreinfo_symbol(const struct dump *in, const char *name, u64 *ret);

/* NUMBER(name), two's complement. */
bool vmcoreinfo_number(const struct dump *in, const char *name, u64 *ret);

/* OFFSET("struct.member"), SIZE("struct"): bytes. */
bool vmcoreinfo_offset(const struct dump *in, const char *name, u64 *ret);
bool vmcoreinfo_size(const struct dump *in, const char *name, u64 *ret);

/* A line with a key alone: KERNELOFFSET, which is hexadecimal, or PAGESIZE, CRASHTIME. */
bool vmcoreinfo_hex(const struct dump *in, const char *key, u64 *ret);
bool vmcoreinfo_decimal(const struct dump *in, const char *key, u64 *ret);

/*
 * vmcoreinfo_text() - OSRELEASE, BUILD-ID
 *
 * Return: its length, cut to @size - 1; 0 if there is none.  Terminated; not escaped.
 */
size_t vmcoreinfo_text(const struct dump *in, const char *key, char *buf, size_t size);

#endif
