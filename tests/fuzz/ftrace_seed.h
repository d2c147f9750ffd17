/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What kernel_seed() has of ftrace: one instance with a CPU, and an event of each kind. */
#ifndef FTRACE_SEED_H
#define FTRACE_SEED_H

#include <stdbool.h>

struct btf;

/* Adds the types, made of those with these ids; @records_user: as from 6.19 on. */
void ftrace_seed_types(struct btf *b, int ptr, int u32_id, int u64_id, int list, bool records_user);

/* Fills SEED_ARRAYS to SEED_BTF, and SEED_PAGES. */
void ftrace_seed(unsigned char *memory);

/* Another clock, of up to seven letters. */
void ftrace_seed_clock(unsigned char *memory, const char *name);

/* One page is in two places of the ring. */
void ftrace_seed_twice(unsigned char *memory);

/* In the second sub-buffer, calls and returns of the function graph tracer. */
void ftrace_seed_graph(unsigned char *memory);

/* Nothing leads to the sub-buffers, and the clock is not told. */
void ftrace_seed_cut(unsigned char *memory);

#endif
