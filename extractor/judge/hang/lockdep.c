// SPDX-License-Identifier: GPL-2.0-or-later
/* What lockdep reported. Nothing died of it, unless another report says so. */
#include "hang.h"
#include "judge/judge.h"

#include <stdio.h>
#include <string.h>

#include "fault/lockdep_text.h"
#include "judge/words.h"

/* "&port->lock in port_read() of module port"; "a lock" */
static void put_lock_at(char words[3 * WORDS_FUNCTION], const struct lockdep_lock *lock, const char *where)
{
	char place[2 * WORDS_FUNCTION] = "";

	if (lock->at.text)
		words_place(place, lock->at);
	snprintf(words, 3 * WORDS_FUNCTION, "%.*s%s%s", lock->class.text ? (int)lock->class.len : 6, lock->class.text ?: "a lock",
		 *place ? where : "", place);
}

/* "sh-412" of "sh/412" */
static void put_locker(char words[WORDS_TASK], struct report_text task)
{
	const char *slash = task.text ? memrchr(task.text, '/', task.len) : NULL;

	if (slash)
		snprintf(words, WORDS_TASK, "%.*s-%.*s", (int)(slash - task.text), task.text,
			 (int)(task.text + task.len - slash - 1), slash + 1);
	else
		snprintf(words, WORDS_TASK, "A task");
}

bool judge_lockdep(struct explain *explain)
{
	const struct kernel_report *report = explain->cause;
	struct finding *finding = explain->finding;
	struct lockdep_text text;
	char wanted[3 * WORDS_FUNCTION], held[3 * WORDS_FUNCTION], task[WORDS_TASK], place[2 * WORDS_FUNCTION];

	if (!lockdep_text_read(&text, explain->death, report))
		return false;
	put_lock_at(wanted, &text.wanted, " in ");
	put_lock_at(held, &text.held, ", taken in ");
	put_locker(task, text.task);
	words_place(place, words_frame(report, plumbing_has));
	switch (text.kind) {
	case LOCKDEP_ORDER:
		finding_claim(finding, "lockdep", FINDING_SHOWN, "Two locks are taken in both orders: %s was to take %s, and held %s.",
			      task, wanted, held);
		break;
	case LOCKDEP_RECURSION:
		finding_claim(finding, "lockdep", FINDING_SHOWN, "%s was to take %s, and held it or one of its kind: %s.", task, wanted,
			      held);
		break;
	case LOCKDEP_INTERRUPT:
		finding_claim(finding, "lockdep", FINDING_SHOWN,
			      "%s takes %s, and an interrupt that comes then can wait for it (%.*s).", task, wanted,
			      WORDS(text.usage.text ? text.usage : text.what));
		break;
	case LOCKDEP_RCU:
		finding_claim(finding, "lockdep", FINDING_SHOWN, "%s read what RCU protects, without what protects it (%.*s).", place,
			      WORDS(text.usage.text ? text.usage : text.what));
		break;
	case LOCKDEP_KEPT:
		finding_claim(finding, "lockdep", FINDING_SHOWN, "%s came back from the kernel, or ended, and held %s.", task, held);
		break;
	case LOCKDEP_OTHER:
		finding_claim(finding, "lockdep", FINDING_SHOWN, "Lockdep reported, in %s: %.*s.", place, WORDS(text.what));
		break;
	}
	finding_open(finding, "Whether it came to that: lockdep reports what can happen, the first time that it sees it.");
	words_report_evidence(explain, report);
	return true;
}
