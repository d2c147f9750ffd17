/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What kernel_seed() has of ftrace: one instance with a CPU, and an event of each kind. */
#ifndef FTRACE_SEED_H
#define FTRACE_SEED_H

/* Fills SEED_ARRAYS to SEED_BTF, and SEED_PAGES. */
void ftrace_seed(unsigned char *memory);

/* Another clock, of up to eight letters. */
void ftrace_seed_clock(unsigned char *memory, const char *name);

/* One page is in two places of the ring. */
void ftrace_seed_twice(unsigned char *memory);

/* In the second sub-buffer, calls and returns of the function graph tracer. */
void ftrace_seed_graph(unsigned char *memory);

/* In the second sub-buffer, what kprobes record: texts and addresses that are known, are not, and none. */
void ftrace_seed_probes(unsigned char *memory);

/* Sub-buffers of two pages, of which one goes on where nothing was dumped. */
void ftrace_seed_large(unsigned char *memory);

/* It has any number of sub-buffers, but they lead to each other: none is the oldest, none the newest. */
void ftrace_seed_endless(unsigned char *memory);

/* The list of events leads back into itself, past its head. */
void ftrace_seed_events_again(unsigned char *memory);

/* The list of instances leads to one of which nothing else is there, and from that to itself. */
void ftrace_seed_instances_again(unsigned char *memory);

/* A boot before recorded what is in it. */
void ftrace_seed_earlier(unsigned char *memory);

/* The instance has a snapshot, by another clock. */
void ftrace_seed_snapshot(unsigned char *memory);

/* The ring does not say where its sub-buffers are. */
void ftrace_seed_lost(unsigned char *memory);

/* No pointer leads to the sub-buffers, and the clock is unknown. */
void ftrace_seed_cut(unsigned char *memory);

#endif
