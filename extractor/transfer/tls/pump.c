// SPDX-License-Identifier: GPL-2.0-or-later
#include "pump.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#define SILENCE_MS	60000
#define RECORD		16384

/**
 * struct flow - bytes that one side has given and the other has not taken
 * @closed: no more will come
 */
struct flow {
	u8 buf[RECORD];
	size_t start;
	size_t end;
	bool closed;
};

/**
 * struct pump - one
 * @up: from plain to TLS
 * @down: from TLS to plain
 * @said_bye: TLS was told that no more comes
 */
struct pump {
	gnutls_session_t session;
	int connection;
	int in;
	int out;
	struct flow up;
	struct flow down;
	bool said_bye;
};

static bool is_empty(const struct flow *f)
{
	return f->start == f->end;
}

static void got(struct flow *f, ssize_t n)
{
	f->start = 0;
	f->end = n > 0 ? n : 0;
}

static void read_plain(struct pump *p)
{
	ssize_t n = read(p->in, p->up.buf, RECORD);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	p->up.closed = n <= 0;
	got(&p->up, n);
}

static void read_tls(struct pump *p)
{
	ssize_t n = gnutls_record_recv(p->session, p->down.buf, RECORD);

	if (n < 0 && !gnutls_error_is_fatal(n))
		return;
	p->down.closed = n <= 0;
	got(&p->down, n);
}

/* False: the other side is gone. */
static bool write_plain(struct pump *p)
{
	ssize_t n = write(p->out, p->down.buf + p->down.start, p->down.end - p->down.start);

	if (n < 0)
		return errno == EAGAIN || errno == EINTR;
	p->down.start += n;
	return true;
}

static bool write_tls(struct pump *p)
{
	ssize_t n = gnutls_record_send(p->session, p->up.buf + p->up.start, p->up.end - p->up.start);

	if (n < 0)
		return !gnutls_error_is_fatal(n);
	p->up.start += n;
	return true;
}

static bool await(struct pump *p, struct pollfd fds[3])
{
	bool waits = !gnutls_record_check_pending(p->session) || !is_empty(&p->down);

	fds[0] = (struct pollfd){ .fd = is_empty(&p->up) && !p->up.closed ? p->in : -1, .events = POLLIN };
	fds[1] = (struct pollfd){ .fd = is_empty(&p->down) ? -1 : p->out, .events = POLLOUT };
	fds[2] = (struct pollfd){ .fd = p->connection };
	if (is_empty(&p->down) && !p->down.closed)
		fds[2].events |= POLLIN;
	if (!is_empty(&p->up))
		fds[2].events |= POLLOUT;
	/* Or a connection that is gone wakes us until its last bytes are taken. */
	if (!fds[2].events)
		fds[2].fd = -1;
	return poll(fds, 3, waits ? SILENCE_MS : 0) != 0 || !waits;
}

static bool move(struct pump *p, const struct pollfd fds[3])
{
	if (fds[0].revents)
		read_plain(p);
	if (fds[2].revents & (POLLIN | POLLHUP | POLLERR) || gnutls_record_check_pending(p->session))
		if (is_empty(&p->down) && !p->down.closed)
			read_tls(p);
	if (!is_empty(&p->down) && !write_plain(p))
		return false;
	if (!is_empty(&p->up) && !write_tls(p))
		return false;
	if (p->up.closed && is_empty(&p->up) && !p->said_bye) {
		gnutls_bye(p->session, GNUTLS_SHUT_WR);
		p->said_bye = true;
	}
	return !p->down.closed || !is_empty(&p->down);
}

static void set_nonblocking(int fd)
{
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
}

void pump(gnutls_session_t session, int connection, int in, int out)
{
	static struct pump p;
	struct pollfd fds[3];

	p = (struct pump){ .session = session, .connection = connection, .in = in, .out = out };
	set_nonblocking(connection);
	set_nonblocking(in);
	set_nonblocking(out);
	while (await(&p, fds) && move(&p, fds))
		;
	shutdown(out, SHUT_RDWR);
}
