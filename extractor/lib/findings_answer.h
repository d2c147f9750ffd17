/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The engine's answer to WIRE_FINDINGS. */
#ifndef EPITAPH_LIB_FINDINGS_ANSWER_H
#define EPITAPH_LIB_FINDINGS_ANSWER_H

#include "timeline/postmortem.h"
#include "wire.h"

/**
 * findings_answer() - the findings, and the items that are evidence
 * @answer: gets: time of the end; nr findings, each: kind, strength, claim, open question,
 *	signature; nr evidence, each: has a time, time, number of its item from 1 or 0, text; then
 *	four lists of sentences in the order of enum epitaph_finding_list, each: nr, texts.  Behind
 *	all that, at a multiple of 8 bytes, a batch of items
 * @pm: scanned; no timeline has it
 */
int findings_answer(struct pack *answer, struct postmortem *pm, struct err *err);

#endif
