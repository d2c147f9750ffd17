/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When a virtual CPU was not run although it wanted to, or could not, and why: by the host's events. */
#ifndef EPITAPH_TIMELINE_VCPU_WAIT_H
#define EPITAPH_TIMELINE_VCPU_WAIT_H

#include "joint.h"

#define VCPU_WAIT_WORDS	400	/* characters of vcpu_wait_words() */
#define VCPU_WAIT_NS	10000000ULL	/* shorter ones are no gap */
#define VCPU_WAIT_AGO	60000000000ULL	/* before what is shown, where a gap may begin that reaches into that */

enum vcpu_wait_kind {
	VCPU_WAIT_CPU,		/* another task had the host's CPU */
	VCPU_WAIT_BLOCKED,	/* it waited in the host's kernel: state D */
	VCPU_WAIT_STOPPED,	/* by a signal, or a debugger */
};

/**
 * struct vcpu_wait - one gap
 * @cpu: of the guest
 * @host_cpu: on which it had to wait, or went on; NO_CPU: unknown
 * @pid: of the task that had that CPU for half of it or more, of @kind VCPU_WAIT_CPU; 0: it was idle;
 *	-1: there is none, or it is not known
 * @other: the guest that this task runs; NULL: none
 * @ran: ns that it had it
 * @is_open: it had not gone on at @to, behind which that CPU's events are not known
 */
struct vcpu_wait {
	const struct joint_guest *guest;
	u32 cpu;
	u64 from;
	u64 to;
	enum vcpu_wait_kind kind;
	u32 host_cpu;
	s64 pid;
	char comm[17];
	const struct kvm_guest *other;
	u64 ran;
	bool is_open;
};

struct vcpu_waits;

/* @joint must outlive @ret. */
int vcpu_waits_new(struct vcpu_waits **ret, const struct joint *joint, struct err *err);
void vcpu_waits_free(struct vcpu_waits *waits);

/* Where to begin for the gaps since @from. */
static inline u64 vcpu_waits_begin(u64 from)
{
	return from > VCPU_WAIT_AGO ? from - VCPU_WAIT_AGO : 0;
}

/*
 * The gap that ends with this item of the host; NULL: none does.  One in which events of the host may be missing
 * is not known, and is none.
 */
const struct vcpu_wait *vcpu_waits_take(struct vcpu_waits *waits, const struct item *item);

/* Behind the last item: the next gap that did not end, as far as it is known before @end; NULL: no more. */
const struct vcpu_wait *vcpu_waits_rest(struct vcpu_waits *waits, u64 end);

/* "waited 1.800 s: host CPU 3 ran kswapd0-77" */
void vcpu_wait_words(char *text, size_t size, const struct vcpu_wait *wait);

#endif
