/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What of a FILE is wanted: the options that the commands have in common. */
#ifndef EPITAPH_READING_CHOICE_H
#define EPITAPH_READING_CHOICE_H

#include "base/err.h"
#include "os/turns.h"

#define CHOICE_NEWEST	0ULL
#define CHOICE_ALL	(~0ULL)
#define CHOICE_BACK(n)	(CHOICE_ALL - (n))	/* the @n-th before the newest, from 1 to CHOICE_MOST_BACK */
#define CHOICE_MOST_BACK	(1U << 20)

#define CHOICE_GUESTS_MAX	16

/**
 * struct choice_guest - a guest of the FILE's host, on one timeline with it
 * @vm: what it is called; NULL: @path says which it is
 * @path: what it recorded; NULL: its memory is in the FILE
 */
struct choice_guest {
	const char *vm;
	const char *path;
};

/**
 * struct choice - as the options say; texts are the command line's
 * @all_generations: --generation all is possible
 * @generation: its number, CHOICE_NEWEST, CHOICE_ALL or CHOICE_BACK()
 * @sources: bits of enum epitaph_source; 0: the recorder's, or else the kernel's own
 * @keeps_recording: also if the kernel, which is asked for too, is of another boot
 * @has_ns: @ns is set: the last so many ns
 * @has_events: @events is set: the last so many
 * @all: all events
 * @cpu, @pid: -1: any
 * @comm, @event, @channel: globs; NULL: any
 * @damaged: events of damaged sub-buffers too
 * @guest: of a virtual machine, whose host the FILE is of; NULL: the FILE's own kernel
 * @with: nr_with guests beside the FILE's own kernel
 * @jobs: so many processes are to print; 0: the user did not say
 * @turns: of those processes; NULL: it is not printed by turns
 */
struct choice {
	bool all_generations;
	u64 generation;
	u32 sources;
	bool keeps_recording;
	bool has_ns;
	u64 ns;
	bool has_events;
	u64 events;
	bool all;
	s64 cpu;
	s64 pid;
	const char *comm;
	const char *event;
	const char *channel;
	bool damaged;
	const char *guest;
	struct choice_guest with[CHOICE_GUESTS_MAX];
	u32 nr_with;
	u32 jobs;
	struct turns *turns;
};

#define CHOICE_INIT { .cpu = -1, .pid = -1 }

/**
 * choice_take() - take an option that commands.text gives the letter @opt
 *
 * Options of debuginfo are for the whole program.
 *
 * Return: 1: taken; 0: it is none of these; -ERR_USAGE: its value is wrong.
 */
int choice_take(struct choice *choice, int opt, const char *arg, struct err *err);

/* How many processes are to print all events that are chosen. */
u32 choice_jobs(const struct choice *choice);

#endif
