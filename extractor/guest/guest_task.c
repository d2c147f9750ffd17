// SPDX-License-Identifier: GPL-2.0-or-later
/* After a capture: a dump of a guest that stands still, by QEMU, and what AFTER= says. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/escape.h"
#include "base/text.h"
#include "spool/saved_captures.h"
#include "watched_guest.h"

#define DUMP		"dump"
#define ANSWER_NS	5000000000ULL
#define DUMP_NS		900000000000ULL	/* a quarter of an hour */
#define FD_NAME		"epitaph"
#define FIRST_ID	100	/* behind those of the questions */

static int ask_task(struct watched_guest *guest, enum guest_task task, const char *command,
	       json_object *arguments, int fd, u64 within_ns, struct err *err)
{
	guest->task = task;
	guest->deadline_ns = guest_now() + within_ns;
	return qmp_send(&guest->qmp, FIRST_ID + task, command, arguments, fd, err);
}

static void end_task(struct watched_guest *guest)
{
	guest->task = TASK_NONE;
	guest->deadline_ns = 0;
}

void guest_task_start(struct watched_guest *guest, const struct guest_host *host, const char *capture)
{
	struct err err = ERR_INIT;

	if ((!host->conf.dump && host->conf.after == AFTER_NOTHING) || guest->phase != GUEST_READY ||
	    guest->task != TASK_NONE || (!strstr(guest->saving, "GUEST_PANICKED") && !strstr(guest->saving, "WATCHDOG")))
		return;
	snprintf(guest->task_capture, sizeof(guest->task_capture), "%s", capture);
	if (ask_task(guest, TASK_STATUS, "query-status", NULL, -1, ANSWER_NS, &err))
		guest_say(guest, "%s", err.msg);
}

/*
 * QEMU holds it: by whom, its state says.  libvirt answers such a question late while it moves a guest,
 * and says by an event that it has moved.
 */
int guest_task_ask_why_stopped(struct watched_guest *guest, struct err *err)
{
	int ret;

	if (guest->phase != GUEST_READY || guest->task != TASK_NONE || guest->due_ns || guest->saver || !guest->is_direct)
		return 0;
	ret = ask_task(guest, TASK_WHY_STOPPED, "query-status", NULL, -1, ANSWER_NS, err);
	/* What is moved may take its time. */
	guest->deadline_ns = 0;
	return ret;
}

static int take_why_stopped(struct watched_guest *guest, json_object *message)
{
	const char *status = qmp_text(message, "return.status");

	guest->has_left |= guest->is_stopped && (!strcmp(status, "finish-migrate") || !strcmp(status, "postmigrate"));
	end_task(guest);
	return 0;
}

/* Of the quota of this guest, less its captures, and of the disk, whichever is less. */
static u64 room_for_dump(const struct watched_guest *guest, const struct guest_host *host)
{
	u64 room = host->conf.limit.size ? host->conf.limit.size : ~0ULL;
	struct saved_captures all = { 0 };
	struct statvfs fs;

	if (saved_captures_read(&all, guest->store, SPOOL_CAPTURE, NULL, NULL) || all.size > room)
		room = 0;
	else if (host->conf.limit.size)
		room -= all.size;
	saved_captures_free(&all);
	if (!fstatvfs(guest->store, &fs) && (u64)fs.f_bavail * fs.f_frsize < room)
		room = (u64)fs.f_bavail * fs.f_frsize;
	return room;
}

/* In the capture of this crash; a compressed dump is no larger than the guest's RAM. */
static int create_dump(struct watched_guest *guest, const struct guest_host *host, struct err *err)
{
	char need[32], has[32];
	int dir, fd;

	if (!*guest->task_capture)
		return err_set(err, ERR_NOT_OURS, ERR_NO_OFF, "no dump: there is no capture that it belongs to; the line before says why");
	if (!guest->ram || guest->ram > room_for_dump(guest, host)) {
		text_size(need, sizeof(need), guest->ram);
		text_size(has, sizeof(has), room_for_dump(guest, host));
		return err_set(err, ERR_IO, ERR_NO_OFF,
			       "no dump: the guest has %s of RAM, and the quota (SIZE) and the disk leave room for %s",
			       need, has);
	}
	dir = openat(guest->store, guest->task_capture, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (dir < 0)
		return err_sys(err, "no dump: %s", guest->task_capture);
	fd = openat(dir, DUMP, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0400);
	if (fd < 0)
		err_sys(err, "no dump: %s/" DUMP, guest->task_capture);
	close(dir);
	return fd;
}

static void remove_dump(struct watched_guest *guest)
{
	int dir = openat(guest->store, guest->task_capture, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (dir >= 0) {
		unlinkat(dir, DUMP, 0);
		close(dir);
	}
}

/* Half of a dump looks whole. */
void guest_task_drop(struct watched_guest *guest)
{
	if (guest->task == TASK_DUMP || guest->task == TASK_HAND_OVER) {
		guest_say(guest, "no dump: the connection to QEMU ended before it was whole");
		remove_dump(guest);
	}
	end_task(guest);
}

static int do_after(struct watched_guest *guest, const struct guest_host *host, struct err *err)
{
	switch (host->conf.after) {
	case AFTER_RESET:
		return ask_task(guest, TASK_AFTER, "system_reset", NULL, -1, ANSWER_NS, err);
	case AFTER_QUIT:
		return ask_task(guest, TASK_GO_ON, "quit", NULL, -1, ANSWER_NS, err);
	default:
		end_task(guest);
		return 0;
	}
}

static int hand_over(struct watched_guest *guest, const struct guest_host *host, struct err *err)
{
	struct err why = ERR_INIT;
	json_object *arguments;
	int fd, ret;

	fd = create_dump(guest, host, &why);
	if (fd < 0) {
		guest_say(guest, "%s", why.msg);
		return do_after(guest, host, err);
	}
	arguments = json_object_new_object();
	json_object_object_add(arguments, "fdname", json_object_new_string(FD_NAME));
	ret = ask_task(guest, TASK_HAND_OVER, "getfd", arguments, fd, ANSWER_NS, err);
	close(fd);
	return ret;
}

static int start_dump(struct watched_guest *guest, struct err *err)
{
	json_object *arguments = json_object_new_object();

	json_object_object_add(arguments, "paging", json_object_new_boolean(false));
	json_object_object_add(arguments, "detach", json_object_new_boolean(true));
	json_object_object_add(arguments, "protocol", json_object_new_string("fd:" FD_NAME));
	json_object_object_add(arguments, "format", json_object_new_string("kdump-zlib"));
	return ask_task(guest, TASK_DUMP, "dump-guest-memory", arguments, -1, DUMP_NS, err);
}

/* Only a guest that QEMU holds is dumped: to stop one that runs is not ours to decide. */
static int take_status(struct watched_guest *guest, const struct guest_host *host, json_object *message,
		       struct err *err)
{
	json_object *running = qmp_member(message, "return.running");
	bool runs = !running || json_object_get_boolean(running);

	if (runs && host->conf.dump)
		guest_say(guest, "no dump: it runs again; -action panic=pause,watchdog=pause has QEMU hold it");
	if (runs) {
		end_task(guest);
		return 0;
	}
	return host->conf.dump ? hand_over(guest, host, err) : do_after(guest, host, err);
}

static int take_dump_end(struct watched_guest *guest, const struct guest_host *host, const char *error,
			 struct err *err)
{
	char escaped[400];

	escape_text(escaped, sizeof(escaped), error, strlen(error));
	if (*error) {
		guest_say(guest, "no dump: QEMU says: %s", escaped);
		remove_dump(guest);
	} else {
		guest_say(guest, "dumped: %s/%s/%s/" DUMP, host->store, guest->dir, guest->task_capture);
	}
	return do_after(guest, host, err);
}

/* Return: is it the answer to what was asked? */
static bool is_answer(const struct watched_guest *guest, json_object *message)
{
	return qmp_number(message, "id") == (u64)FIRST_ID + guest->task;
}

int guest_task_take(struct watched_guest *guest, const struct guest_host *host, json_object *message,
		    struct err *err)
{
	const char *error = qmp_text(message, "error.desc");

	if (guest->task == TASK_DUMP && !strcmp(qmp_text(message, "event"), "DUMP_COMPLETED"))
		return take_dump_end(guest, host, qmp_text(message, "data.error"), err);
	if (guest->task == TASK_NONE || !is_answer(guest, message))
		return 0;
	if (*error && (guest->task == TASK_HAND_OVER || guest->task == TASK_DUMP))
		return take_dump_end(guest, host, error, err);
	switch (guest->task) {
	case TASK_STATUS:
		return take_status(guest, host, message, err);
	case TASK_HAND_OVER:
		return start_dump(guest, err);
	case TASK_DUMP:
		return 0;
	case TASK_WHY_STOPPED:
		return take_why_stopped(guest, message);
	case TASK_AFTER:
		return ask_task(guest, TASK_GO_ON, "cont", NULL, -1, ANSWER_NS, err);
	default:
		end_task(guest);
		return 0;
	}
}
