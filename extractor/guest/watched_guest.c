// SPDX-License-Identifier: GPL-2.0-or-later
#include "watched_guest.h"

#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/escape.h"
#include "base/text.h"
#include "watch_record.h"

#define SECOND		1000000000ULL
#define HOUR		(3600 * SECOND)
#define SETTLE_NS	(SECOND / 3)	/* what follows at once belongs to it */
#define PANIC_NS	SECOND		/* the kernel goes on to say why, and stops its CPUs */
#define RETRY_NS	(10 * SECOND)
#define DISK_NS		(60 * SECOND)	/* errors of its disks are said as often */

u64 guest_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * SECOND + now.tv_nsec;
}

void guest_say(struct watched_guest *guest, const char *fmt, ...)
{
	char text[sizeof(guest->said)];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (!strcmp(text, guest->said))
		return;
	strcpy(guest->said, text);
	printf("%s: %s\n", guest->label, text);
	fflush(stdout);
}

void watched_guest_init(struct watched_guest *guest, const char *socket)
{
	*guest = (struct watched_guest){ .qmp.fd = -1, .store = -1 };
	snprintf(guest->socket, sizeof(guest->socket), "%.*s", GUEST_PATH - 1, socket);
	escape_text(guest->label, sizeof(guest->label), guest->socket, strlen(guest->socket));
}

/* The store's lock is given up: another QEMU may have this guest by now. */
static void leave_guest(struct watched_guest *guest, const struct guest_host *host)
{
	qmp_close(&guest->qmp);
	guest->phase = GUEST_AWAY;
	guest_task_drop(guest);
	guest->retry_ns = guest_now() + RETRY_NS;
	guest_state_remove(guest, host);
}

void watched_guest_close(struct watched_guest *guest, const struct guest_host *host)
{
	if (guest->saver > 0)
		waitpid(guest->saver, NULL, 0);
	leave_guest(guest, host);
	guest_forget_memory(guest);
	if (guest->store >= 0)
		close(guest->store);
	if (guest->saved)
		munmap(guest->saved, sizeof(*guest->saved));
}

static void connect_guest(struct watched_guest *guest)
{
	struct err err = ERR_INIT;

	if (qmp_connect(&guest->qmp, guest->socket, &err)) {
		guest_say(guest, "%s", err.msg);
		qmp_close(&guest->qmp);
		guest->retry_ns = guest_now() + RETRY_NS;
		return;
	}
	guest_questions_start(guest);
}

static void keep_event(struct watched_guest *guest, json_object *message)
{
	const char *text = json_object_to_json_string_ext(message, JSON_C_TO_STRING_PLAIN);

	if (guest->nr_events == GUEST_EVENTS)
		memmove(guest->events[0], guest->events[1], sizeof(guest->events[0]) * --guest->nr_events);
	escape_text(guest->events[guest->nr_events++], GUEST_EVENT, text, strlen(text));
}

static void make_due(struct watched_guest *guest, const char *event, u64 at_ns)
{
	size_t len = strlen(guest->why);

	if (!guest->due_ns)
		len = 0;
	if (!strstr(guest->why, event) || !len)
		snprintf(guest->why + len, sizeof(guest->why) - len, "%s%s", len ? ", " : "", event);
	if (!guest->due_ns || at_ns < guest->due_ns)
		guest->due_ns = at_ns;
}

/* What could not be saved before is saved all the same. */
static bool is_moved(const struct watched_guest *guest)
{
	return guest->has_left && !guest->owes;
}

/* Does the guest end by this?  What the words are is QEMU's, in qapi/run-state.json. */
static bool is_end_of_guest(const char *event)
{
	static const char *const ends[] = {
		"GUEST_PANICKED", "GUEST_CRASHLOADED", "WATCHDOG", "RESET", "SHUTDOWN",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(ends); i++)
		if (!strcmp(event, ends[i]))
			return true;
	return false;
}

static bool is_panic(const char *words)
{
	return strstr(words, "GUEST_PANICKED") || strstr(words, "GUEST_CRASHLOADED");
}

static void take_end(struct watched_guest *guest, const char *event)
{
	make_due(guest, event, guest_now() + (is_panic(event) ? PANIC_NS : SETTLE_NS));
}

/* QEMU stops the guest then, if its drive has werror=stop. The guest has not ended: it goes on once the disk has room. */
static void say_disk_error(struct watched_guest *guest, json_object *message)
{
	const char *device = qmp_text(message, "data.device"), *reason = qmp_text(message, "data.reason");
	char disk[80], why[160];
	u64 now = guest_now();

	if (guest->disk_said_ns && now - guest->disk_said_ns < DISK_NS)
		return;
	guest->disk_said_ns = now;
	escape_text(disk, sizeof(disk), device, strlen(device));
	escape_text(why, sizeof(why), reason, strlen(reason));
	guest_say(guest, "QEMU could not %s its disk %s: %s%s", strcmp(qmp_text(message, "data.operation"), "read") ? "write to" : "read", disk, why,
		  strcmp(qmp_text(message, "data.action"), "stop") ? "" : "; the guest stands still by that");
}

/* Also where it goes to a file: MIGRATION comes where somebody has asked for it, as libvirt does. */
static int take_move(struct watched_guest *guest, const char *event, json_object *message, struct err *err)
{
	if (!strcmp(event, "RESUME")) {
		guest->is_stopped = guest->has_left = false;
	} else if (!strcmp(event, "STOP")) {
		guest->is_stopped = true;
		return guest_task_ask_why_stopped(guest, err);
	} else if (!strcmp(event, "MIGRATION")) {
		guest->has_left |= guest->is_stopped && !strcmp(qmp_text(message, "data.status"), "completed");
	}
	return 0;
}

static int take_message(struct watched_guest *guest, const struct guest_host *host,
			json_object *message, struct err *err)
{
	const char *event = qmp_text(message, "event");
	int ret;

	if (*event)
		keep_event(guest, message);
	ret = take_move(guest, event, message, err);
	if (ret)
		return ret;
	if (!strcmp(event, "BLOCK_IO_ERROR"))
		say_disk_error(guest, message);
	if (is_end_of_guest(event) && (strcmp(event, "SHUTDOWN") || !is_moved(guest)))
		take_end(guest, event);
	if (guest->phase == GUEST_ASKING)
		return *event ? 0 : guest_questions_take(guest, host, message, err);
	return guest_task_take(guest, host, message, err);
}

/* QEMU may talk without an end: the others have their turn. */
static int take_messages(struct watched_guest *guest, const struct guest_host *host, struct err *err)
{
	json_object *message;
	int ret = qmp_read(&guest->qmp, err);

	while (!ret) {
		ret = qmp_take(&guest->qmp, &message, err);
		if (ret <= 0)
			return ret;
		ret = take_message(guest, host, message, err);
		json_object_put(message);
	}
	return ret;
}

static void end_connection(struct watched_guest *guest, const struct guest_host *host, const struct err *err)
{
	bool was_ready = guest->phase == GUEST_READY;

	if (was_ready && is_moved(guest))
		guest_say(guest, "it had been moved, to another host or into a file, when this QEMU ended: nothing is saved");
	else if (was_ready)
		make_due(guest, guest->qmp.has_ended ? "QEMU ended" : "QEMU did not answer", guest_now());
	guest_say(guest, "%s", err->msg);
	leave_guest(guest, host);
}

static void talk(struct watched_guest *guest, const struct guest_host *host)
{
	struct err err = ERR_INIT;

	if (!take_messages(guest, host, &err) && guest->deadline_ns && guest_now() > guest->deadline_ns)
		err_set(&err, ERR_IO, ERR_NO_OFF,
			"no answer by QMP in time (%s): does another program use this socket, or is QEMU stopped?",
			guest->socket);
	if (err.code)
		end_connection(guest, host, &err);
}

/* --- saving ------------------------------------------------------------- */

static void write_words(const struct watched_guest *guest, char *words, size_t size)
{
	size_t i, len;

	len = snprintf(words, size, "guest: %s\nuuid: %s\nsaved because of: %s\nlast QMP events, the oldest first:\n",
		       guest->label, *guest->uuid ? guest->uuid : "none", guest->saving);
	for (i = 0; i < guest->nr_events && len < size; i++)
		len += snprintf(words + len, size - len, "%s\n", guest->events[i]);
}

/* Its file may have blanks, or letters of any language, as the name has; a name is no path. */
static void expand_console(const struct watched_guest *guest, const char *pattern, char *path, size_t size)
{
	char name[sizeof(guest->name)];
	size_t len = 0, i;

	strcpy(name, *guest->name ? guest->name : "guest");
	for (i = 0; name[i]; i++)
		if (name[i] == '/' || (!i && name[i] == '.'))
			name[i] = '_';
	for (; *pattern && len + 1 < size; pattern++) {
		if (pattern[0] == '%' && (pattern[1] == 'n' || pattern[1] == 'u'))
			len += snprintf(path + len, size - len, "%s", *++pattern == 'n' ? name : guest->uuid);
		else
			path[len++] = *pattern;
	}
	path[len < size ? len : size - 1] = 0;
}

static int next_own_file(const struct watched_guest *guest, int fd)
{
	int next = guest->store >= fd ? guest->store : INT_MAX;
	size_t i;

	for (i = 0; i < guest->nr_memory; i++)
		if (guest->memory[i] >= fd && guest->memory[i] < next)
			next = guest->memory[i];
	return next;
}

/* Sockets and memory of the others: a reader of this guest that was taken over must not have them. */
static void close_other_guests(const struct watched_guest *guest)
{
	int fd = STDERR_FILENO + 1, last = sysconf(_SC_OPEN_MAX), next;

	for (; fd < INT_MAX; fd = next + (next < INT_MAX)) {
		next = next_own_file(guest, fd);
		if (next > fd && syscall(SYS_close_range, fd, next - 1, 0))
			while (fd < next && fd < last)
				close(fd++);
	}
}

/* In a process of its own: a guest that takes long, or a disk that hangs, holds up no other. */
static int run_saver(const struct watched_guest *guest, const struct guest_host *host)
{
	static char words[GUEST_EVENTS * GUEST_EVENT + 2048];
	char console[4096] = "";
	struct guest_capture capture = {
		.label = guest->label, .store = guest->store, .memory = guest->memory,
		.nr_memory = guest->nr_memory, .console = console, .words = words,
		.limit = host->conf.limit, .known = is_panic(guest->saving) || guest->owes ? "" : guest->crash,
		.keep_ended = guest->owes,
	};
	struct rlimit limit = { host->conf.limit.size, host->conf.limit.size };

	close_other_guests(guest);
	signal(SIGTERM, SIG_DFL);
	signal(SIGINT, SIG_DFL);
	/* A guest can claim to have recorded as much as it likes. */
	if (limit.rlim_cur)
		setrlimit(RLIMIT_FSIZE, &limit);
	write_words(guest, words, sizeof(words));
	if (*host->conf.console)
		expand_console(guest, host->conf.console, console, sizeof(console));
	return guest_capture_make(&capture, guest->saved);
}

/* Is one more within the rate?  The oldest are forgotten. */
static bool is_within_rate(struct watched_guest *guest, u64 rate)
{
	u64 now = guest_now();
	size_t i, kept = 0;

	rate = rate && rate < GUEST_MAX_RATE ? rate : GUEST_MAX_RATE;
	for (i = 0; i < guest->nr_saved; i++)
		if (now - guest->saved_ns[i] < HOUR)
			guest->saved_ns[kept++] = guest->saved_ns[i];
	guest->nr_saved = kept;
	if (kept >= rate) {
		if (!guest->rate_said)
			guest_say(guest, "not saved: %zu captures in an hour are enough (RATE=%llu); more are not mentioned", kept,
				  (u64)rate);
		guest->rate_said = true;
		return false;
	}
	guest->rate_said = false;
	return true;
}

static bool fork_saver(struct watched_guest *guest, const struct guest_host *host)
{
	if (!guest->saved)
		guest->saved = guest_saved_new();
	if (!guest->saved) {
		guest_say(guest, "not saved: no memory");
		return false;
	}
	memset(guest->saved, 0, sizeof(*guest->saved));
	fflush(stdout);
	/* Neither what this saver starts nor those of other guests have it. */
	madvise(guest->saved, sizeof(*guest->saved), MADV_DOFORK);
	guest->saver = fork();
	madvise(guest->saved, sizeof(*guest->saved), MADV_DONTFORK);
	if (!guest->saver)
		_exit(run_saver(guest, host));
	if (guest->saver > 0)
		return true;
	guest->saver = 0;
	guest_say(guest, "not saved: no process can be started");
	return false;
}

/* A guest that stands still goes on as AFTER= says, also if it is not saved. */
static void start_saver(struct watched_guest *guest, const struct guest_host *host)
{
	guest->due_ns = 0;
	strcpy(guest->saving, guest->why);
	if (!guest->nr_memory || guest->store < 0 || !is_within_rate(guest, host->conf.rate) ||
	    !fork_saver(guest, host))
		guest_task_start(guest, host, "");
}

static void report_saved_guest(struct watched_guest *guest, const struct guest_host *host, int status)
{
	const struct guest_saved *saved = guest->saved;
	char size[32];

	text_size(size, sizeof(size), saved->region.size);
	if (status == ERR_NOT_OURS)
		guest_say(guest, "after %s: no recorder has written to its memory, and nothing is saved", guest->saving);
	else if (status > ERR_DAMAGED)
		guest_say(guest, "after %s: its memory is not saved; the lines before this one say why", guest->saving);
	else if (saved->is_known)
		guest_say(guest, "after %s: the crash of this boot is saved already", guest->saving);
	else if (!*saved->name)
		guest_say(guest, "after %s: it ended in order, and nothing is kept", guest->saving);
	else
		guest_say(guest, "after %s: %s %s/%s/%s: %s, %s", guest->saving,
			  saved->was_there ? "saved before, in" : "saved", host->store, guest->dir, saved->name, size,
			  saved->region.words);
	if (status <= ERR_DAMAGED && saved->region.missing)
		guest_say(guest, "%llu of these %llu bytes are not in its memory; they are zero in the copy",
			  saved->region.missing, saved->region.size);
}

static void end_saver(struct watched_guest *guest, const struct guest_host *host)
{
	struct guest_saved *saved = guest->saved;
	int status;

	if (waitpid(guest->saver, &status, WNOHANG) != guest->saver)
		return;
	guest->saver = 0;
	status = WIFEXITED(status) ? WEXITSTATUS(status) : ERR_CORRUPT;
	report_saved_guest(guest, host, status);
	if (status <= ERR_DAMAGED && *saved->name && is_panic(guest->saving))
		strcpy(guest->crash, saved->region.name);
	guest->owes = status > ERR_DAMAGED && status != ERR_NOT_OURS;
	if (guest->record && (guest->phase == GUEST_READY || guest->owes))
		watch_record_write(guest);
	if (status <= ERR_DAMAGED && *saved->name && !saved->was_there) {
		guest->saved_ns[guest->nr_saved++] = guest_now();
		strcpy(guest->last, saved->name);
		if (guest->phase == GUEST_READY)
			guest_state_write(guest, host);
	}
	guest_task_start(guest, host, status <= ERR_DAMAGED ? saved->name : "");
}

/* QEMU is gone and all is saved: the store is free for the next one. */
static void let_go(struct watched_guest *guest)
{
	/* What could not be saved is tried again at the next start. */
	if (!guest->owes)
		watch_record_remove(guest);
	guest->record = NULL;
	guest_forget_memory(guest);
	if (guest->store >= 0)
		close(guest->store);
	guest->store = -1;
	guest->nr_events = 0;
}

void watched_guest_step(struct watched_guest *guest, const struct guest_host *host)
{
	if (guest->saver)
		end_saver(guest, host);
	if (guest->phase != GUEST_AWAY)
		talk(guest, host);
	if (!guest->saver && guest->phase != GUEST_ASKING && guest->due_ns && guest_now() >= guest->due_ns)
		start_saver(guest, host);
	if (guest->phase != GUEST_AWAY || guest->saver || guest->due_ns)
		return;
	let_go(guest);
	if (guest_now() >= guest->retry_ns)
		connect_guest(guest);
}
