/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One guest that is watched: its QMP connection, the files of its memory, and what is due.
 *
 *	AWAY -> ASKING -> READY, and back to AWAY when the connection ends
 *
 * No function waits; watched_guest_step() goes as far as what QEMU has said allows.
 */
#ifndef EPITAPH_GUEST_WATCHED_GUEST_H
#define EPITAPH_GUEST_WATCHED_GUEST_H

#include <sys/types.h>

#include "guest_capture.h"
#include "guest_conf.h"
#include "qmp.h"

#define GUEST_MEMORIES	8
#define GUEST_EVENTS	32	/* of QMP that are kept */
#define GUEST_EVENT	400	/* characters of one */
#define GUEST_PATH	512
#define GUEST_MAX_RATE	64

enum guest_phase { GUEST_AWAY, GUEST_ASKING, GUEST_READY };

/* What is done after a capture, if the guest stands still. */
enum guest_task { TASK_NONE, TASK_STATUS, TASK_HAND_OVER, TASK_DUMP, TASK_AFTER, TASK_GO_ON, TASK_WHY_STOPPED };

/**
 * struct watched_guest - one of them
 * @socket: its path
 * @label: its name, escaped; before that is known, the socket
 * @step: of the questions that are asked first
 * @deadline_ns: by then QEMU has to have answered; 0: nothing is asked
 * @retry_ns: when to connect again
 * @is_direct: QEMU itself answers, and not libvirt for it
 * @is_stopped: QEMU holds it
 * @has_left: since then its memory is at another QEMU, or in a file: this one's end is none of the guest's
 * @disk_said_ns: when an error of its disks was said last; 0: never
 * @objects: names of memory backends, whose files are still to be asked for
 * @memory: descriptors; they stay open when the file is deleted and until the next connection
 * @has_state: what others may know of it is written
 * @due_ns: when to save; 0: no event
 * @why: the events that made it due
 * @saving: those of them that the saver, and what comes after it, is for; @why has newer ones
 * @saver: the process that saves; 0: none
 * @saved_ns: when captures were made, for the rate
 * @record: name of the file that says that it is watched; NULL: there is none
 * @owes: something older is to be saved as well: what ends in order is kept, too
 * @crash: name of a boot whose crash is saved: the reset, or the end, that follows has nothing new
 * @task_capture: name of the capture that the dump belongs to
 * @said: the last error, which is not said twice
 */
struct watched_guest {
	char socket[GUEST_PATH];
	char label[GUEST_PATH];
	char name[200];
	char uuid[40];
	enum guest_phase phase;
	struct qmp qmp;
	unsigned int step;
	u64 deadline_ns;
	u64 retry_ns;
	bool is_direct;
	bool is_stopped;
	bool has_left;
	u64 disk_said_ns;
	char objects[GUEST_MEMORIES][64];
	size_t nr_objects;
	int memory[GUEST_MEMORIES];
	char paths[GUEST_MEMORIES][GUEST_PATH];
	off_t sizes[GUEST_MEMORIES];
	size_t nr_memory;
	u64 ram;
	int store;
	char dir[GUEST_NAME];
	bool has_state;
	char events[GUEST_EVENTS][GUEST_EVENT];
	size_t nr_events;
	u64 due_ns;
	char why[200];
	char saving[200];
	pid_t saver;
	struct guest_saved *saved;
	u64 saved_ns[GUEST_MAX_RATE];
	size_t nr_saved;
	bool rate_said;
	enum guest_task task;
	char task_capture[SPOOL_NAME];
	char last[SPOOL_NAME];
	char said[600];
	const char *record;
	bool owes;
	char crash[SPOOL_NAME];
	bool is_listed;
};

/**
 * struct guest_host - what all guests share
 * @conf: the settings
 * @store: directory of all captures
 * @state: directory of what is said of each guest
 */
struct guest_host {
	struct guest_conf conf;
	const char *store;
	const char *state;
};

/* CLOCK_MONOTONIC, in ns. */
u64 guest_now(void);

/* Prints a line of the journal about a guest, once as long as it stays the same; texts are escaped. */
__attribute__((format(printf, 2, 3)))
void guest_say(struct watched_guest *guest, const char *fmt, ...);

/* As it is before the first connection. */
void watched_guest_init(struct watched_guest *guest, const char *socket);

/* Saver, connection and files are let go; QEMU goes on. */
void watched_guest_close(struct watched_guest *guest, const struct guest_host *host);

/* Connect, take what QEMU said, look at deadlines, save what is due. */
void watched_guest_step(struct watched_guest *guest, const struct guest_host *host);

/* --- guest_questions.c: what is asked first ---------------------------------- */

/* Begin to ask; the greeting comes first. */
void guest_questions_start(struct watched_guest *guest);

/* An answer, or the greeting.  Return: 0 or an error that ends the connection. */
int guest_questions_take(struct watched_guest *guest, const struct guest_host *host,
			 json_object *message, struct err *err);

void guest_forget_memory(struct watched_guest *guest);

/* --- guest_task.c: a dump, and what comes after it ----------------------------- */

/* @capture: of this crash, for the dump; "": there is none, and no dump */
void guest_task_start(struct watched_guest *guest, const struct guest_host *host, const char *capture);
int guest_task_take(struct watched_guest *guest, const struct guest_host *host, json_object *message,
		    struct err *err);

/* After STOP: an error ends the connection. */
int guest_task_ask_why_stopped(struct watched_guest *guest, struct err *err);

/* The connection ends. */
void guest_task_drop(struct watched_guest *guest);

/* --- guest_state.c: what others may know of it ---------------------------------- */

void guest_state_write(struct watched_guest *guest, const struct guest_host *host);
void guest_state_remove(struct watched_guest *guest, const struct guest_host *host);

#endif
