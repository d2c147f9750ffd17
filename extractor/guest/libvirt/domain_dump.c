// SPDX-License-Identifier: GPL-2.0-or-later
#include "domain_dump.h"

#include <libvirt/virterror.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

/**
 * struct domain_dump - one that is being made
 * @done: NULL: the socket that asked for it is gone
 * @is_made: an eventfd, by which the thread wakes the event loop
 */
struct domain_dump {
	virDomainPtr domain;
	int fd;
	void (*done)(const char *error, void *arg);
	void *arg;
	int is_made;
	int watch;
	pthread_t thread;
	char error[400];
};

static void free_dump(struct domain_dump *dump)
{
	virDomainFree(dump->domain);
	close(dump->fd);
	if (dump->is_made >= 0)
		close(dump->is_made);
	free(dump);
}

/* libvirt takes a path and no file: its daemon, on this machine, opens ours by /proc. */
static void *make_dump(void *arg)
{
	struct domain_dump *dump = arg;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)getpid(), dump->fd);
	if (virDomainCoreDumpWithFormat(dump->domain, path, VIR_DOMAIN_CORE_DUMP_FORMAT_KDUMP_ZLIB, VIR_DUMP_MEMORY_ONLY))
		snprintf(dump->error, sizeof(dump->error), "%.*s", (int)sizeof(dump->error) - 1, virGetLastErrorMessage());
	eventfd_write(dump->is_made, 1);
	return NULL;
}

static void end_dump(int watch, int fd, int events, void *arg)
{
	struct domain_dump *dump = arg;

	(void)fd;
	(void)events;
	pthread_join(dump->thread, NULL);
	virEventRemoveHandle(watch);
	if (dump->done)
		dump->done(dump->error, dump->arg);
	free_dump(dump);
}

struct domain_dump *domain_dump_start(virDomainPtr domain, int fd,
				      void (*done)(const char *error, void *arg), void *arg)
{
	struct domain_dump *dump = calloc(1, sizeof(*dump));

	if (!dump) {
		close(fd);
		return NULL;
	}
	*dump = (struct domain_dump){ .domain = domain, .fd = fd, .done = done, .arg = arg };
	virDomainRef(domain);
	dump->is_made = eventfd(0, EFD_CLOEXEC);
	dump->watch = dump->is_made < 0 ? -1 :
		      virEventAddHandle(dump->is_made, VIR_EVENT_HANDLE_READABLE, end_dump, dump, NULL);
	if (dump->watch >= 0 && !pthread_create(&dump->thread, NULL, make_dump, dump))
		return dump;
	if (dump->watch >= 0)
		virEventRemoveHandle(dump->watch);
	free_dump(dump);
	return NULL;
}

void domain_dump_forget(struct domain_dump *dump)
{
	dump->done = NULL;
}
