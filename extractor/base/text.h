/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Times, sizes, names of CPUs and machines in the words that every command prints. */
#ifndef EPITAPH_BASE_TEXT_H
#define EPITAPH_BASE_TEXT_H

#include <stdio.h>

#include "types.h"

/* Prints text of a hostile file, escaped; the text ends at a NUL or after @size bytes. */
void text_put(FILE *f, const char *text, size_t size);

/* The same for all @size bytes, NULs included, in pieces. */
void text_put_all(FILE *f, const char *text, size_t size);

#define TEXT_COMM	17	/* the name of a task, and its end */

/* @comm without what is longer than the kernel's; NULL is an empty one. */
void text_comm(char to[TEXT_COMM], const char *comm);

/* "2026-11-20 23:41:07.123456 UTC"; "at an unknown time" for 0. */
void text_date(char *buf, size_t size, u64 real_ns);

/* "1.234567": seconds and microseconds, or all nine digits. */
void text_seconds(char *buf, size_t size, u64 ns, bool nano);

/* "1.2 MiB". */
void text_size(char *buf, size_t size, u64 bytes);

/* "0a1b..-...": a boot id as the kernel writes it. */
void text_uuid(char *buf, size_t size, const u8 id[16]);

/* "CPU 3", or "all CPUs" for NO_CPU. */
#define TEXT_CPU	16
const char *text_cpu(char buf[TEXT_CPU], u32 cpu);

void text_hex(char *buf, size_t size, const u8 *data, size_t n);

/* "x86-64", or its number. */
const char *text_machine(u32 machine);

#endif
