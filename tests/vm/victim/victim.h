/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A module that records a known sequence of events and goes wrong on demand.
 *
 * Each CPU emits in four contexts, each with numbers of its own from 0.  An
 * event carries only mix(context, cpu, number), which looks random and can be
 * undone, so that a reader can tell any event that was never emitted.  What was
 * emitted is counted in the witness: pages outside every region, which the
 * host copies out of the guest's memory without any tool of the recorder, or,
 * by witness=ADDRESS, reserved memory that is still there after a reset.
 */
#ifndef _VICTIM_H
#define _VICTIM_H

#include <linux/types.h>

enum victim_context {
	VICTIM_TASK,
	VICTIM_SOFTIRQ,
	VICTIM_HARDIRQ,
	VICTIM_NMI,
	VICTIM_NR_CONTEXTS,
};

/*
 * Counts of one CPU in one context; @reserved is ahead by one during an event.
 * @task is how many events of task context the CPU had at the last commit: if none of
 * this context comes back, it says whether those of task context lapped them.
 */
struct victim_count {
	u64	reserved;	/*  0 */
	u64	committed;	/*  8 */
	u64	task;		/* 16 */
};

/* The witness: this, then a struct victim_count for each context of each CPU. */
struct victim_witness {
	u64	magic;		/*  0  VICTIM_MAGIC */
	u32	nr_cpus;	/*  8 */
	u32	nr_contexts;	/* 12 */
	struct victim_count counts[];	/* 16 */
};

/* "WITNESS2", inverted in code: only the witness itself must look like a witness. */
#define VICTIM_MAGIC_INVERTED 0xcdacacbab1abb6a8ULL

/* emit.c */
int victim_witness_init(void);
void victim_witness_exit(void);
void victim_emit(enum victim_context context, unsigned int count);

/* worker.c */
int victim_workers_start(void);
void victim_workers_stop(void);

/* nmi.c, or nmi_none.c */
int victim_nmi_start(void);
void victim_nmi_stop(void);
void victim_nmi_here(void);

/* bug.c */
int victim_bug_init(void);
void victim_bug_exit(void);
void victim_bug_in_nmi(void);

/* A way to die; a list of them ends with one without a name. */
struct victim_way {
	const char *name;
	void (*happen)(void);
};

/* die_memory.c, die_locks.c, die_words.c, die_many.c, die_waits.c, die_access.c */
extern const struct victim_way victim_ways_of_memory[];
extern const struct victim_way victim_ways_of_locks[];
extern const struct victim_way victim_ways_of_words[];
extern const struct victim_way victim_ways_of_many[];
extern const struct victim_way victim_ways_of_waits[];
extern const struct victim_way victim_ways_of_access[];

/* ras.c */
void victim_ras_init(void);
void victim_ras_exit(void);

/* moments.c */
void victim_moments_init(void);
void victim_moments_exit(void);

/* ports.c */
void victim_ports_init(void);
void victim_ports_exit(void);

/* token.c */
void victim_token_init(void);
void victim_token_exit(void);

/* numbers.c */
void victim_numbers_init(void);
void victim_numbers_exit(void);

/* events.c */
int victim_record(void);
void victim_record_stop(void);

#endif /* _VICTIM_H */
