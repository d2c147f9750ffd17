/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What lockdep says of locks, and of pointers that RCU protects, that are used in a way that can go wrong.
 *
 * The words are those of kernel/locking/lockdep.c, 4.4 to 7.2.
 */
#ifndef EPITAPH_FAULT_LOCKDEP_TEXT_H
#define EPITAPH_FAULT_LOCKDEP_TEXT_H

#include "timeline/death.h"

enum lockdep_kind {
	LOCKDEP_ORDER,		/* two locks, taken in both orders */
	LOCKDEP_RECURSION,	/* one lock, or two of one class, by one task */
	LOCKDEP_INTERRUPT,	/* taken by an interrupt, and with interrupts on */
	LOCKDEP_RCU,
	LOCKDEP_KEPT,		/* back to user space, or at its end, with a lock held */
	LOCKDEP_OTHER,
};

/**
 * struct lockdep_lock - "(&port->lock){+.+.}-{2:2}, at: port_read+0x1e/0x40 [port]"
 * @class: "&port->lock"; a text of NULL: the log does not have it
 * @at: "port_read+0x1e/0x40 [port]", where it was taken, or is to be
 */
struct lockdep_lock {
	struct report_text class;
	struct report_text at;
};

/**
 * struct lockdep_text - one report
 * @what: its title: "possible circular locking dependency detected"
 * @task: "sh/412"; a text of NULL: the log does not have it
 * @wanted: the lock that it was about to take
 * @held: the one that it holds
 * @usage: "inconsistent {IN-SOFTIRQ-W} -> {SOFTIRQ-ON-W} usage.", "net/a.c:7 suspicious rcu_dereference_check() usage!"; a
 *	text of NULL: there is none
 */
struct lockdep_text {
	enum lockdep_kind kind;
	struct report_text what;
	struct report_text task;
	struct lockdep_lock wanted;
	struct lockdep_lock held;
	struct report_text usage;
};

/* Return: false: @report is none of lockdep's. */
bool lockdep_text_read(struct lockdep_text *text, const struct death *death, const struct kernel_report *report);

#endif
