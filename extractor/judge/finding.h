/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What can be said of the cause of a crash, and what it rests on; docs/explain.md.
 *
 * Texts are not escaped: they may have anything that the file has.
 */
#ifndef EPITAPH_JUDGE_FINDING_H
#define EPITAPH_JUDGE_FINDING_H

#include "base/types.h"

#define FINDING_TEXT		320
#define FINDING_EVIDENCE	16
#define FINDING_NEXT		4
#define FINDING_NOTES		12

enum finding_strength {
	FINDING_NOT_KNOWN,
	FINDING_POSSIBLE,
	FINDING_LIKELY,
	FINDING_SHOWN,
};

enum finding_item_kind {
	FINDING_NO_ITEM,
	FINDING_LINE,
	FINDING_EVENT,
	FINDING_MACHINE_CHECK,
};

/**
 * struct finding_item - the item of the timeline that a piece of evidence is about
 * @cpu: on which it was recorded; NO_CPU: any
 * @bank: of a machine check
 * @words: of the line, from its start or from within it; the name of the event, "": any
 */
struct finding_item {
	enum finding_item_kind kind;
	u32 cpu;
	u32 bank;
	char words[80];
};

/**
 * struct found_item - an item of the timeline
 * @event: "system:name", not escaped; "": there is none
 */
struct found_item {
	char event[80];
	u64 time;
	u32 cpu;
};

/**
 * struct finding_evidence - a line of the log, or an item of the timeline
 * @time: CLOCK_MONOTONIC, ns; valid where @has_time
 * @is_minor: the first screen can do without it
 * @item: the one at @time
 * @found: what evidence_items_find() found that to be
 */
struct finding_evidence {
	bool has_time;
	bool is_minor;
	u64 time;
	struct finding_item item;
	struct found_item found;
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
 * @end: the time that it is counted from, as that of its evidence
 * @is_noticed: the CPU and the task of the end only noticed it
 * @adds_minor: see finding_minor()
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
	u64 end;
	bool is_noticed;
	bool adds_minor;
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

/* A line of the log that has the @len bytes at @words. */
struct finding_item finding_line(const char *words, size_t len);

/* An event; @name: "": of any. */
struct finding_item finding_event(u32 cpu, const char *name);

/* @cpu: that recorded it. */
struct finding_item finding_machine_check(u32 cpu, u32 bank);

/* Adds evidence, of @item, at its place in time; what finds no room is left out. */
void finding_evidence(struct finding *finding, u64 time, struct finding_item item, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* The same without a time, behind all that has one. */
void finding_evidence_timeless(struct finding *finding, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Whether what is added from here on is minor. */
void finding_minor(struct finding *finding, bool is_minor);

void finding_next(struct finding *finding, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

void finding_note(struct finding_notes *notes, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
