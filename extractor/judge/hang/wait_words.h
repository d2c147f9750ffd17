/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a task waits for, and who holds it, as the sentences of a finding need it. */
#ifndef EPITAPH_JUDGE_WAIT_WORDS_H
#define EPITAPH_JUDGE_WAIT_WORDS_H

#include "judge/words.h"
#include "kernel_state/waits.h"

#define LINK_WORDS	200

/* "for mutex giro [victim]", or with its address where it has no name. */
void wait_words_lock(char *text, size_t size, const struct kernel_wait *wait);

/* "poll_link() of module hid" */
const char *wait_words_work(char place[2 * WORDS_FUNCTION], const struct kernel_wait *wait);

/* "remover-112 waits for the work item poll_link(), which kworker/1:1-29 runs" */
void wait_words_link(char text[LINK_WORDS], const struct kernel_task *task, const struct kernel_wait *wait);

/* What @task waits for, as evidence; and what each task of a chain waits for. */
void wait_words_link_evidence(struct finding *finding, const struct kernel_task *task, const struct kernel_wait *wait);
void wait_words_evidence(struct finding *finding, const struct kernel_chain *chain);

#endif
