// SPDX-License-Identifier: GPL-2.0-or-later
#include "wire.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

u64 wire_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (u64)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void set_nonblocking(int fd)
{
	int flags = fcntl(fd, F_GETFL);

	if (flags >= 0)
		fcntl(fd, F_SETFL, flags | O_NONBLOCK);
}

void wire_init(struct wire *w, int in, int out, u64 deadline)
{
	w->in = in;
	w->out = out;
	w->deadline = deadline;
	w->start = 0;
	w->end = 0;
	set_nonblocking(in);
	set_nonblocking(out);
}

void wire_close(struct wire *w)
{
	if (w->out != w->in)
		close(w->out);
	close(w->in);
}

static int wait_for(const struct wire *w, int fd, short events, struct err *err)
{
	struct pollfd p = { .fd = fd, .events = events };
	u64 now = wire_now();
	u64 left = w->deadline > now ? w->deadline - now : 0;
	int n;

	do {
		n = poll(&p, 1, left < WIRE_SILENCE ? (int)left : WIRE_SILENCE);
	} while (n < 0 && errno == EINTR);
	if (n > 0)
		return 0;
	if (n < 0)
		return err_sys(err, "poll");
	if (left < WIRE_SILENCE)
		return err_set(err, ERR_IO, ERR_NO_OFF, "its time is over");
	return err_set(err, ERR_IO, ERR_NO_OFF, "nothing moves for %d s", WIRE_SILENCE / 1000);
}

/* The deadline also ends a peer that always has one more byte. */
static bool is_over(const struct wire *w)
{
	return wire_now() >= w->deadline;
}

static ssize_t read_some(struct wire *w, void *buf, size_t size, struct err *err)
{
	ssize_t n;
	int ret;

	for (;;) {
		if (is_over(w))
			return err_set(err, ERR_IO, ERR_NO_OFF, "its time is over");
		n = read(w->in, buf, size);
		if (n > 0)
			return n;
		if (!n)
			return err_set(err, ERR_IO, ERR_NO_OFF,
				       "the other side has closed the connection");
		if (errno == EINTR)
			continue;
		if (errno != EAGAIN)
			return err_sys(err, "cannot read");
		ret = wait_for(w, w->in, POLLIN, err);
		if (ret)
			return ret;
	}
}

static int fill(struct wire *w, struct err *err)
{
	ssize_t n = read_some(w, w->buf, sizeof(w->buf), err);

	if (n < 0)
		return n;
	w->start = 0;
	w->end = n;
	return 0;
}

int wire_line(struct wire *w, char *line, size_t size, struct err *err)
{
	size_t n = 0;
	char c;
	int ret;

	for (;;) {
		if (w->start == w->end) {
			ret = fill(w, err);
			if (ret)
				return ret;
		}
		c = w->buf[w->start++];
		if (c == '\n')
			break;
		if (c < ' ' || c > '~')
			return err_set(err, ERR_CORRUPT, ERR_NO_OFF, "what comes is no line");
		if (n + 1 >= size)
			return err_set(err, ERR_CORRUPT, ERR_NO_OFF, "a line of more than %zu",
				       size - 1);
		line[n++] = c;
	}
	line[n] = 0;
	return 0;
}

ssize_t wire_read(struct wire *w, void *buf, size_t size, struct err *err)
{
	size_t n = w->end - w->start;

	if (!n)
		return read_some(w, buf, size, err);
	n = n < size ? n : size;
	memcpy(buf, w->buf + w->start, n);
	w->start += n;
	return n;
}

int wire_write(struct wire *w, const void *data, size_t size, struct err *err)
{
	const u8 *p = data;
	ssize_t n;
	int ret;

	while (size) {
		if (is_over(w))
			return err_set(err, ERR_IO, ERR_NO_OFF, "its time is over");
		n = write(w->out, p, size);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno != EAGAIN)
			return err_sys(err, "cannot write");
		if (n < 0) {
			ret = wait_for(w, w->out, POLLOUT, err);
			if (ret)
				return ret;
			continue;
		}
		p += n;
		size -= n;
	}
	return 0;
}

int wire_say(struct wire *w, struct err *err, const char *fmt, ...)
{
	char text[4096];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return wire_write(w, text, strlen(text), err);
}
