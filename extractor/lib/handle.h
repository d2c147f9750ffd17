/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the library's handles are. */
#ifndef EPITAPH_LIB_HANDLE_H
#define EPITAPH_LIB_HANDLE_H

#include <stdatomic.h>

#include "engine.h"
#include "error.h"
#include "reader_link.h"

struct epitaph_options {
	bool sandbox;
	u32 sources;
	char *guest;		/* NULL: none */
	char **places;		/* of debuginfo, nr_places of them */
	u32 nr_places;
	epitaph_progress_fn progress;
	void *arg;
};

/**
 * struct epitaph_dump - a dump
 * @users: the caller, and what is below it
 * @busy: a thread is in it
 * @engine: in this process; NULL: @link is used, or the dump is closed
 * @ended: bits of the walks that were closed, which the engine does not know yet
 * @is_cancelled: the caller's callback asked for it
 * @death: of the reader, in words; "": it lives
 * @region_size: 0: there is none
 * @fd: a copy of the caller's descriptor, for @engine; -1: none
 * @guest: the answer that has the texts of the last epitaph_dump_guest()
 */
struct epitaph_dump {
	atomic_uint users;
	atomic_flag busy;
	atomic_uint ended;
	char *where;
	bool is_closed;
	bool is_cancelled;
	struct engine *engine;
	struct reader_link link;
	char death[200];
	epitaph_progress_fn progress;
	void *arg;
	int fd;
	char *kind;
	u64 region_address;
	u64 region_size;
	u64 *numbers;
	u32 nr;
	struct pack guest;
};

struct epitaph_dump *handle_ref(struct epitaph_dump *dump);
void handle_unref(struct epitaph_dump *dump);

/**
 * handle_ask() - a question to the engine, wherever it is
 * @dump: not NULL
 * @question: is freed
 * @answer: for pack_free(); empty after an error
 *
 * Return: 0; -1 and an error.
 */
int handle_ask(struct epitaph_dump *dump, enum wire_message_type type, struct pack *question,
	     struct pack *answer, struct epitaph_error **error);

/* The walk of this number is closed: the engine gets to know when no other thread is in the dump. */
void handle_end_walk(struct epitaph_dump *dump, u32 number);

/* The answer cannot be what a reader of this build gives.  Return: -1. */
int handle_bad_answer(struct epitaph_dump *dump, struct epitaph_error **error);

/* In a debug build, every call that can fail is for one thread at a time. */
#ifdef EPITAPH_DEBUG
bool handle_enter(struct epitaph_dump *dump, struct epitaph_error **error);
void handle_leave(struct epitaph_dump *dump);
#else
static inline bool handle_enter(struct epitaph_dump *dump, struct epitaph_error **error)
{
	(void)dump, (void)error;
	return true;
}

static inline void handle_leave(struct epitaph_dump *dump)
{
	(void)dump;
}
#endif

/**
 * struct epitaph_generation - a generation
 * @notes: nr_notes texts
 * @tasks: nr_tasks of them, once @has_tasks
 */
struct generation_task {
	u32 pid;
	const char *comm;
};

struct epitaph_generation {
	atomic_uint users;
	struct epitaph_dump *dump;
	u32 index;
	u64 number;
	struct pack facts;
	const char *release;
	const char *version;
	const char *machine;
	const char *boot_id;
	const char *build_id;
	u32 nr_cpus;
	enum epitaph_end end;
	u64 end_time;
	u64 end_real;
	u32 end_cpu;
	s64 end_pid;
	const char *end_comm;
	const char *end_reason;
	u64 nr_events;
	u64 nr_lost;
	const char **notes;
	u32 nr_notes;
	bool has_tasks;
	struct pack task_texts;
	struct generation_task *tasks;
	u32 nr_tasks;
};

struct epitaph_generation *generation_ref(struct epitaph_generation *generation);

/* handle_ask() of its dump, by one thread at a time. */
int generation_ask(struct epitaph_generation *g, enum wire_message_type type,
		   struct pack *question, struct pack *answer, struct epitaph_error **error);

#endif
