// SPDX-License-Identifier: GPL-2.0-or-later
#include "guest_watch.h"

#include <dirent.h>
#include <fcntl.h>
#include <glob.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "os/new_file.h"
#include "os/sd_notify.h"
#include "reading/status.h"
#include "spool/spool.h"
#include "watch_record.h"

#define MAX_GUESTS	1024
#define LOOK_NS		500000000ULL	/* between two looks for new sockets: a guest may die in its first seconds */
#define BUSY_MS		50		/* while something is saved, or due */
#define IDLE_MS		1000

/* @list: owned, each by itself: a guest's process of saving refers to it */
struct guests {
	struct watched_guest *list[MAX_GUESTS];
	size_t nr;
};

static volatile sig_atomic_t is_over;

static void end_watch(int sig)
{
	(void)sig;
	is_over = 1;
}

static bool is_known(struct guests *guests, const char *socket)
{
	size_t i;

	for (i = 0; i < guests->nr; i++)
		if (!strcmp(guests->list[i]->socket, socket))
			return guests->list[i]->is_listed = true;
	return false;
}

static void add_guest(struct guests *guests, const char *socket)
{
	struct watched_guest *guest;

	if (guests->nr == MAX_GUESTS || strlen(socket) >= GUEST_PATH || is_known(guests, socket))
		return;
	guest = malloc(sizeof(*guest));
	if (!guest)
		return;
	watched_guest_init(guest, socket);
	guest->is_listed = true;
	guests->list[guests->nr++] = guest;
}

/* Words without a pattern stay, also where there is no socket yet. */
static void add_pattern(struct guests *guests, const char *pattern)
{
	glob_t found;
	size_t i;

	if (glob(pattern, strpbrk(pattern, "*?[") ? 0 : GLOB_NOCHECK, NULL, &found))
		return;
	for (i = 0; i < found.gl_pathc; i++)
		add_guest(guests, found.gl_pathv[i]);
	globfree(&found);
}

static void drop_guest(struct guests *guests, const struct guest_host *host, size_t i)
{
	watched_guest_close(guests->list[i], host);
	free(guests->list[i]);
	guests->list[i] = guests->list[--guests->nr];
}

/* A socket that is gone, and a guest of which nothing is left to be saved. */
static bool is_gone(const struct watched_guest *guest)
{
	return !guest->is_listed && guest->phase == GUEST_AWAY && !guest->saver && !guest->due_ns;
}

/* What was watched when the service, or the host, ended. */
static void take_unwatched(struct guests *guests, const struct guest_host *host)
{
	DIR *list = opendir(host->store);
	struct watched_guest *guest;
	struct dirent *entry;

	while (list && guests->nr < MAX_GUESTS && (entry = readdir(list))) {
		if (entry->d_name[0] == '.' || strlen(entry->d_name) >= GUEST_NAME)
			continue;
		guest = malloc(sizeof(*guest));
		if (!guest)
			break;
		if (watch_record_take(guest, host, entry->d_name)) {
			guests->list[guests->nr++] = guest;
			continue;
		}
		watched_guest_close(guest, host);
		free(guest);
	}
	if (list)
		closedir(list);
}

static void look_for_guests(struct guests *guests, const struct guest_host *host)
{
	char words[GUEST_CONF_SIZE], *at = words, *word;
	size_t i;

	for (i = 0; i < guests->nr; i++)
		guests->list[i]->is_listed = false;
	snprintf(words, sizeof(words), "%s", host->conf.qmp);
	while ((word = strsep(&at, " \t")))
		if (*word)
			add_pattern(guests, word);
	for (i = guests->nr; i > 0; i--)
		if (is_gone(guests->list[i - 1]))
			drop_guest(guests, host, i - 1);
}

/* Until a guest says something, or something is to be done. */
static void wait_for_guests(const struct guests *guests)
{
	static struct pollfd fds[MAX_GUESTS];
	bool is_busy = false;
	size_t i;

	for (i = 0; i < guests->nr; i++) {
		const struct watched_guest *guest = guests->list[i];

		fds[i] = (struct pollfd){ guest->qmp.fd, POLLIN, 0 };
		is_busy |= guest->saver || guest->due_ns;
	}
	poll(fds, guests->nr, is_busy ? BUSY_MS : IDLE_MS);
}

static void tell_systemd(const struct notify *notify, const struct guests *guests, const char *before)
{
	char text[200];
	size_t i, nr = 0;

	for (i = 0; i < guests->nr; i++)
		nr += guests->list[i]->phase == GUEST_READY;
	snprintf(text, sizeof(text), "%sWATCHDOG=1\nSTATUS=Watching %zu of %zu guests", before, nr, guests->nr);
	notify_send(notify, text, NULL);
}

static void watch_guests(const struct guest_host *host)
{
	static struct guests guests;
	struct notify notify = { .fd = -1 };
	const char *before = "READY=1\n";
	u64 looked = 0;
	size_t i;

	if (notify_open(&notify, NULL))
		notify.fd = -1;
	take_unwatched(&guests, host);
	while (!is_over) {
		if (!looked || guest_now() - looked > LOOK_NS) {
			look_for_guests(&guests, host);
			if (notify.fd >= 0)
				tell_systemd(&notify, &guests, before);
			before = "";
			looked = guest_now();
		}
		for (i = 0; i < guests.nr; i++)
			watched_guest_step(guests.list[i], host);
		wait_for_guests(&guests);
	}
	while (guests.nr)
		drop_guest(&guests, host, guests.nr - 1);
}

int guest_watch_run(const struct guest_watch *watch)
{
	static struct guest_host host;
	struct sigaction end = { .sa_handler = end_watch };
	struct err err = ERR_INIT;
	int dir;

	host.store = watch->store;
	host.state = watch->state;
	if (guest_conf_read(&host.conf, watch->conf, &err))
		return status_fail("guest", &err);
	dir = new_file_open_dir(AT_FDCWD, watch->store, &err);
	if (dir < 0)
		return status_fail("guest", &err);
	close(dir);
	sigaction(SIGTERM, &end, NULL);
	sigaction(SIGINT, &end, NULL);
	/* QEMU opens a file of which it is asked whether one has it. */
	signal(SIGIO, SIG_IGN);
	watch_guests(&host);
	return status_flush("guest");
}
