/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What can be said of the cause of a crash, and what it rests on; docs/explain.md.
 *
 * Texts are not escaped: they may have anything that the file has.
 */
#ifndef EPITAPH_EXPLAIN_FINDING_H
#define EPITAPH_EXPLAIN_FINDING_H

#include "base/types.h"

#define FINDING_TEXT		320
#define FINDING_EVIDENCE	8
#define FINDING_NEXT		4
#define FINDING_NOTES		12

enum finding_strength {
	FINDING_NOT_KNOWN,
	FINDING_POSSIBLE,
	FINDING_LIKELY,
	FINDING_SHOWN,
};

/**
 * struct finding_evidence - a line of the log, or an item of the timeline
 * @time: CLOCK_MONOTONIC, ns; valid where @has_time
 */
struct finding_evidence {
	bool has_time;
	u64 time;
	char text[FINDING_TEXT];
};

/* Sentences; those that find no room are counted. */
struct finding_notes {
	char list[FINDING_NOTES][FINDING_TEXT];
	u32 nr;
	u32 nr_more;
};

/**
 * struct finding - the answer
 * @kind: a word of docs/explain.md; never freed
 * @claim: a sentence
 * @is_noticed: the CPU and the task of the end only noticed it
 * @open: what the claim leaves open; "": nothing
 * @evidence: nr_evidence of them, in the order of time
 * @next: nr_next commands, in which FILE stands for the file
 * @also: what else was found
 * @not_found: what was looked for, and was not there
 * @missing: what the file does not have
 */
struct finding {
	const char *kind;
	enum finding_strength strength;
	bool is_noticed;
	char claim[FINDING_TEXT];
	char open[FINDING_TEXT];
	char signature[FINDING_TEXT];
	struct finding_evidence evidence[FINDING_EVIDENCE];
	u32 nr_evidence;
	char next[FINDING_NEXT][FINDING_TEXT];
	u32 nr_next;
	struct finding_notes also;
	struct finding_notes not_found;
	struct finding_notes missing;
};

/* The claim; the words of @strength are "shown", "likely", "possible", "not known". */
void finding_claim(struct finding *finding, const char *kind, enum finding_strength strength,
		   const char *format, ...) __attribute__((format(printf, 4, 5)));

const char *finding_strength_word(enum finding_strength strength);

void finding_open(struct finding *finding, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Adds evidence at its place in time; what finds no room is left out. */
void finding_evidence(struct finding *finding, u64 time, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The same without a time, behind all that has one. */
void finding_evidence_timeless(struct finding *finding, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

void finding_next(struct finding *finding, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

void finding_note(struct finding_notes *notes, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
