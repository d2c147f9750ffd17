// SPDX-License-Identifier: GPL-2.0-or-later
#include "address.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "wire.h"

#define ADDRESS_MAX	8	/* of one name that are tried */

/* One, for connect(). */
struct address {
	struct sockaddr_storage to;
	socklen_t size;
};

/* How many there are of @host and @port. */

#ifdef EPITAPH_NO_NAMES
static int find(struct address list[ADDRESS_MAX], const char *host, const char *port,
		struct err *err)
{
	struct sockaddr_in *v4 = (struct sockaddr_in *)&list[0].to;
	struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)&list[0].to;

	memset(list, 0, sizeof(*list));
	if (inet_pton(AF_INET, host, &v4->sin_addr) == 1) {
		v4->sin_family = AF_INET;
		v4->sin_port = htons(atoi(port));
		list[0].size = sizeof(*v4);
	} else if (inet_pton(AF_INET6, host, &v6->sin6_addr) == 1) {
		v6->sin6_family = AF_INET6;
		v6->sin6_port = htons(atoi(port));
		list[0].size = sizeof(*v6);
	} else {
		return err_set(err, ERR_IO, ERR_NO_OFF,
			       "%s: this build looks up no names; a capture kernel is given the address in numbers",
			       host);
	}
	return 1;
}
#else
static int find(struct address list[ADDRESS_MAX], const char *host, const char *port,
		struct err *err)
{
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM }, *all, *a;
	int ret = getaddrinfo(host, port, &hints, &all), n = 0;

	if (ret)
		return err_set(err, ERR_IO, ERR_NO_OFF, "%s: %s", host, gai_strerror(ret));
	for (a = all; a && n < ADDRESS_MAX; a = a->ai_next) {
		memcpy(&list[n].to, a->ai_addr, a->ai_addrlen);
		list[n++].size = a->ai_addrlen;
	}
	freeaddrinfo(all);
	return n;
}
#endif

static int await_connection(int fd, u64 deadline)
{
	struct pollfd p = { .fd = fd, .events = POLLOUT };
	u64 now = wire_now(), left = deadline > now ? deadline - now : 0;
	int failed = 0;
	socklen_t size = sizeof(failed);
	int n;

	do {
		n = poll(&p, 1, left < WIRE_SILENCE ? (int)left : WIRE_SILENCE);
	} while (n < 0 && errno == EINTR);
	if (!n)
		errno = ETIMEDOUT;
	if (n <= 0 || getsockopt(fd, SOL_SOCKET, SO_ERROR, &failed, &size))
		return -1;
	errno = failed;
	return failed ? -1 : 0;
}

/* A descriptor; -1: errno says why. */
static int connect_one(const struct address *a, u64 deadline)
{
	int fd = socket(a->to.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	int failed;

	if (fd < 0)
		return -1;
	if (!connect(fd, (const struct sockaddr *)&a->to, a->size) ||
	    (errno == EINPROGRESS && !await_connection(fd, deadline)))
		return fd;
	failed = errno;
	close(fd);
	errno = failed;
	return -1;
}

int address_connect(const char *host, const char *port, u64 deadline, struct err *err)
{
	struct address list[ADDRESS_MAX];
	int nr = find(list, host, port, err), i, fd = -1;

	if (nr < 0)
		return nr;
	errno = EADDRNOTAVAIL;
	for (i = 0; i < nr && fd < 0; i++)
		fd = connect_one(&list[i], deadline);
	return fd < 0 ? err_sys(err, "cannot connect") : fd;
}
