/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the judges of the kinds of crashes decide from. */
#ifndef EPITAPH_JUDGE_JUDGE_H
#define EPITAPH_JUDGE_JUDGE_H

#include "finding.h"
#include "history.h"
#include "fault/faulting_access.h"
#include "kernel_state/slab.h"
#include "printed_tasks.h"
#include "stopped_cpu.h"

#define OBJECT_HANDS	300
#define EXPLAIN_COMPLETERS	4
#define EXPLAIN_SLEEPERS	3

/* A function that completes what its module waits for: its address, and "function+0x0/0x20 [module]". */
struct completer {
	u64 start;
	char name[KERNEL_SYMBOL_MAX];
};

/* A task that sleeps in a function of a module: "function" */
struct sleeper {
	u64 pid;
	char function[128];
};

/**
 * struct explain - one crash
 *
 * A judge returns true if the crash is of its kind, and fills in the finding. They are asked in the order of
 * explain/explain.c.
 *
 * @kernel: of the dump; without a dump what the recorder kept of its memory (explain/kept.h); NULL: neither
 * @death: what the kernel printed
 * @panic: the report of its panic; NULL: none
 * @cause: what panic() was called for, or the fatal oops; NULL: none
 * @said: the text of the panic; of a stamp, where it was not printed; a text of NULL: none
 * @fault: the numbers of @cause, or of @panic without one
 * @access: the instruction of @cause
 * @has_slab: the dump knows @slab, the object that the pointer of @access was read from
 * @front: the start of the object in front of that in its slab; 0: not known
 * @clearing: the only function of the module that writes NULL where the pointer was read, @clearing_at behind the start of an object;
 *	"": not known; @cleared_by: the instruction that does
 * @sleepers: nr_sleepers tasks that sleep within the module that died, with the object @slab
 * @signed_by: the function that the signature has, instead of those of the report; "": it has those
 * @is_hang: it did not say how it ended; @cause is hung tasks, the last that it reported; false when
 *	it is known that they went on
 * @is_signed_in_part: of @signed_by many causes die
 * @printed: the tasks and CPUs that sysrq listed
 * @listed: the claim is of this one of them; NULL: of none
 * @completers: nr_completers of the module whose function waits; see hang/chain_claims.h
 * @completed: @cause or @panic, with the place and the frames that the recorder kept where the
 *	kernel printed none; @cause or @panic points to it then
 */
struct explain {
	struct postmortem *pm;
	const struct kernel *kernel;
	struct death *death;
	const struct kernel_report *panic;
	const struct kernel_report *cause;
	struct report_text said;
	struct fault_text fault;
	struct faulting_access access;
	bool has_slab;
	struct kernel_object slab;
	u64 front;
	char clearing[KERNEL_SYMBOL_MAX];
	u64 clearing_at;
	u64 cleared_by;
	struct sleeper sleepers[EXPLAIN_SLEEPERS];
	u32 nr_sleepers;
	char signed_by[KERNEL_SYMBOL_MAX];
	bool is_hang;
	bool is_signed_in_part;
	struct printed_tasks printed;
	const struct kernel_report *listed;
	struct completer completers[EXPLAIN_COMPLETERS];
	u32 nr_completers;
	struct kernel_report completed;
	struct stopped_cpu stopped;
	struct history history;
	struct finding *finding;
};

/* Asks the history of the object that the pointer was read from. */
void object_ask(struct explain *explain);

/* Was it freed before the pointer was read from it? @when: words for a sentence, "": it is not known. */
bool object_is_freed(const struct explain *explain, char when[80]);

/*
 * Was it freed and taken by another task, neither of which is the one that died, by the last recorded events? @text:
 * half a sentence that says so. That need not be wrong: the other one may have given it away.
 */
bool object_changed_hands(const struct explain *explain, char text[OBJECT_HANDS]);

/*
 * Was that object taken at one place, freed, and taken anew at another, by the last recorded events of it, and was neither of the last two
 * an event of the task that died?
 */
bool object_was_given_anew(const struct explain *explain, u64 start, const struct history_use **taken, const struct history_use **freed,
			   const struct history_use **before);

/*
 * Is @value, which was taken for a pointer, one that only the allocator writes, into an object that is free? @ret: that
 * object, which may have been given out again since.
 */
bool object_has_link(const struct explain *explain, u64 value, struct kernel_object *ret);

/* What is known of it, as evidence. */
void object_add(struct explain *explain);

#endif
