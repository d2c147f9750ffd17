// SPDX-License-Identifier: GPL-2.0-or-later
#include "listen.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define SYSTEMD_FD	3

/**
 * struct peer - one that is served
 * @pid: of the process; 0: the place is free
 * @network: its address, or what of it one machine cannot choose
 * @began: by number of connection
 */
struct peer {
	pid_t pid;
	char network[LISTEN_PEER];
	u64 began;
};

/**
 * struct peers - all places
 * @proved: of each; the processes' as well
 */
struct peers {
	struct peer list[LISTEN_PEERS];
	bool *proved;
	u64 nr_ever;
};

/* Without an address: any of @family. */
static int find_address(const char *where, int family, struct addrinfo **ret, struct err *err)
{
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE };
	const char *colon = strrchr(where, ':');
	const char *port = colon ? colon + 1 : where;
	char host[256] = "";
	int failed;

	if (colon && *where == '[' && colon > where + 1 && colon[-1] == ']')
		snprintf(host, sizeof(host), "%.*s", (int)(colon - where - 2), where + 1);
	else if (colon)
		snprintf(host, sizeof(host), "%.*s", (int)(colon - where), where);
	hints.ai_family = *host ? AF_UNSPEC : family;
	failed = getaddrinfo(*host ? host : NULL, port, &hints, ret);
	return failed ? err_set(err, ERR_USAGE, ERR_NO_OFF, "%s: %s", where, gai_strerror(failed)) : 0;
}

static int open_one(const struct addrinfo *a)
{
	int fd = socket(a->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	int on = 1, off = 0;

	if (fd < 0)
		return -1;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	/* IPv4 as well, whatever is the rule of this machine. */
	if (a->ai_family == AF_INET6)
		setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof(off));
	if (!bind(fd, a->ai_addr, a->ai_addrlen) && !listen(fd, LISTEN_PEERS))
		return fd;
	close(fd);
	return -1;
}

static int open_of(const char *where, int family, struct err *err)
{
	struct addrinfo *a;
	int ret = find_address(where, family, &a, err), fd;

	if (ret)
		return ret;
	fd = open_one(a);
	if (fd < 0)
		ret = err_sys(err, "cannot listen on %s", where);
	freeaddrinfo(a);
	return fd < 0 ? ret : fd;
}

int listen_open(const char *where, struct err *err)
{
	int fd = open_of(where, AF_INET6, err);

	/* A kernel may have no IPv6. */
	return fd == -ERR_IO && err->errnum == EAFNOSUPPORT ? open_of(where, AF_INET, err) : fd;
}

int listen_inherited(void)
{
	const char *pid = getenv("LISTEN_PID"), *nr = getenv("LISTEN_FDS");

	if (!pid || !nr || atol(pid) != (long)getpid() || atoi(nr) < 1)
		return -1;
	fcntl(SYSTEMD_FD, F_SETFD, FD_CLOEXEC);
	fcntl(SYSTEMD_FD, F_SETFL, O_NONBLOCK);
	return SYSTEMD_FD;
}

static void reap(struct peers *peers)
{
	unsigned int i;
	pid_t pid;

	while ((pid = waitpid(-1, NULL, WNOHANG)) > 0)
		for (i = 0; i < LISTEN_PEERS; i++)
			if (peers->list[i].pid == pid)
				peers->list[i].pid = 0;
}

static unsigned int count_of(const struct peers *peers, const char *network, bool unproved)
{
	unsigned int i, n = 0;

	for (i = 0; i < LISTEN_PEERS; i++)
		n += peers->list[i].pid && !strcmp(peers->list[i].network, network) &&
		     !(unproved && peers->proved[i]);
	return n;
}

static int free_place(const struct peers *peers)
{
	int i;

	for (i = 0; i < LISTEN_PEERS; i++)
		if (!peers->list[i].pid)
			return i;
	return -1;
}

static bool is_older(const struct peers *peers, int a, int b)
{
	return peers->list[a].began < peers->list[b].began;
}

static bool is_idle(const struct peers *peers)
{
	int i;

	for (i = 0; i < LISTEN_PEERS && !peers->list[i].pid; i++)
		;
	return i == LISTEN_PEERS;
}

/* Whose place a newcomer gets: the oldest of the network with the most, or nobody's, -1. */
static int find_victim(const struct peers *peers, const char *network)
{
	unsigned int n, most = count_of(peers, network, true) + 1;
	int i, victim = -1;

	for (i = 0; i < LISTEN_PEERS; i++) {
		if (peers->proved[i])
			continue;
		n = count_of(peers, peers->list[i].network, true);
		if (n > most || (n == most && (victim < 0 || is_older(peers, i, victim)))) {
			most = n;
			victim = i;
		}
	}
	return victim;
}

/* It has taken no room yet, and what it has started dies with it. */
static int make_place(struct peers *peers, const char *network)
{
	int place = find_victim(peers, network);

	if (place < 0)
		return -1;
	kill(peers->list[place].pid, SIGKILL);
	while (waitpid(peers->list[place].pid, NULL, 0) < 0 && errno == EINTR)
		;
	peers->list[place].pid = 0;
	return place;
}

static void start(const struct listen *l, struct peers *peers, int place, int fds[2],
		  const char *address)
{
	struct peer *new = &peers->list[place];

	peers->proved[place] = false;
	new->began = peers->nr_ever++;
	fflush(NULL);
	new->pid = fork();
	if (!new->pid) {
		close(fds[0]);
		l->serve(l->arg, fds[1], address, &peers->proved[place]);
		fflush(NULL);
		_exit(0);
	}
	if (new->pid < 0)
		new->pid = 0;
}

static void put_address(char text[LISTEN_PEER], const struct sockaddr_storage *from, socklen_t size)
{
	if (getnameinfo((const struct sockaddr *)from, size, text, LISTEN_PEER, NULL, 0, NI_NUMERICHOST))
		strcpy(text, "?");
}

/* The lower half of an address of IPv6 is any machine's to choose. */
static void put_network(char text[LISTEN_PEER], struct sockaddr_storage from, socklen_t size)
{
	struct in6_addr *address = &((struct sockaddr_in6 *)&from)->sin6_addr;

	if (from.ss_family == AF_INET6 && !IN6_IS_ADDR_V4MAPPED(address))
		memset(&address->s6_addr[8], 0, 8);
	put_address(text, &from, size);
}

static void take(const struct listen *l, struct peers *peers, int listening)
{
	struct sockaddr_storage from;
	socklen_t size = sizeof(from);
	char address[LISTEN_PEER], network[LISTEN_PEER];
	int fd = accept4(listening, (struct sockaddr *)&from, &size, SOCK_CLOEXEC), place;

	if (fd < 0)
		return;
	put_address(address, &from, size);
	put_network(network, from, size);
	reap(peers);
	place = free_place(peers);
	if (count_of(peers, network, false) >= LISTEN_OF_ONE)
		place = -1;
	else if (place < 0)
		place = make_place(peers, network);
	if (place >= 0) {
		strcpy(peers->list[place].network, network);
		start(l, peers, place, (int[2]){ listening, fd }, address);
	}
	close(fd);
}

int listen_serve(const struct listen *l, int fd, struct err *err)
{
	static struct peers peers;
	struct pollfd p = { .fd = fd, .events = POLLIN };
	int n;

	peers.proved = mmap(NULL, LISTEN_PEERS * sizeof(*peers.proved), PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (peers.proved == MAP_FAILED)
		return err_sys(err, "no memory");
	for (;;) {
		n = poll(&p, 1, is_idle(&peers) ? -1 : 1000);
		if (n < 0 && errno != EINTR)
			return err_sys(err, "poll");
		if (n > 0)
			take(l, &peers, fd);
		reap(&peers);
	}
}
