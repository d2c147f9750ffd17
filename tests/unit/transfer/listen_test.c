// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Who gets one of the places of a collector, and who has to go.  Peers come from addresses
 * of 127.0.0.0/8, say "p" when they prove who they are, and are greeted when they are served.
 *
 * build: @extractor
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "transfer/listen.h"
#include "tap.h"

static struct sockaddr_in there;
static pid_t collector;

/* Greets, and stays until its peer is gone. */
static void serve(void *arg, int fd, const char *peer, bool *proved)
{
	char c;

	(void)arg, (void)peer;
	if (write(fd, "g", 1) != 1)
		return;
	while (read(fd, &c, 1) == 1) {
		*proved = c == 'p';
		if (write(fd, "a", 1) != 1)
			return;
	}
}

static void begin(void)
{
	struct listen l = { serve, NULL };
	struct err err = ERR_INIT;
	socklen_t size = sizeof(there);
	int fd = listen_open("127.0.0.1:0", &err);

	CHECK(fd >= 0 && !getsockname(fd, (struct sockaddr *)&there, &size), "%s", err.msg);
	collector = fork();
	if (!collector)
		_exit(listen_serve(&l, fd, &err) != 0);
	close(fd);
}

static void end(void)
{
	kill(collector, SIGKILL);
	waitpid(collector, NULL, 0);
}

/* Its descriptor. */
static int come(unsigned int address)
{
	struct sockaddr_in us = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(0x7f000000 + address) };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	CHECK(!bind(fd, (struct sockaddr *)&us, sizeof(us)) &&
	      !connect(fd, (struct sockaddr *)&there, sizeof(there)), "errno %d", errno);
	return fd;
}

/* The next byte within 5 s, -1: it has been closed. */
static int hear(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	char c;

	return poll(&p, 1, 5000) == 1 && read(fd, &c, 1) == 1 ? c : -1;
}

static bool prove(int fd)
{
	return write(fd, "p", 1) == 1 && hear(fd) == 'a';
}

/* All places, eight to each address from @address on. */
static void fill(int fds[LISTEN_PEERS], unsigned int address)
{
	int i;

	for (i = 0; i < LISTEN_PEERS; i++) {
		fds[i] = come(address + i / LISTEN_OF_ONE);
		CHECK(hear(fds[i]) == 'g', "number %d", i);
	}
}

static void listen__an_address_has_its_places_and_no_more(void)
{
	int fds[LISTEN_OF_ONE + 1], i;

	begin();
	for (i = 0; i <= LISTEN_OF_ONE; i++) {
		fds[i] = come(2);
		CHECK(hear(fds[i]) == (i < LISTEN_OF_ONE ? 'g' : -1), "number %d", i);
	}
	close(fds[0]);
	/* Until the collector knows that it has gone. */
	for (i = 0; i < 50; i++) {
		fds[0] = come(2);
		if (hear(fds[0]) == 'g')
			break;
		close(fds[0]);
		usleep(100000);
	}
	CHECK(i < 50, "its place is not free");
	end();
}

static void listen__eight_addresses_do_not_keep_out_a_ninth(void)
{
	int fds[LISTEN_PEERS], one, two, i, gone = 0;

	begin();
	fill(fds, 2);
	one = come(20);
	CHECK(hear(one) == 'g', "it is not served");
	CHECK(prove(one), "it was thrown out");
	two = come(21);
	CHECK(hear(two) == 'g', "the tenth is not served");
	CHECK(hear(fds[0]) == -1, "the oldest is served");
	for (i = 1; i < LISTEN_PEERS; i++)
		gone += !prove(fds[i]);
	CHECK(gone == 1, "%d went", gone);
	end();
}

static void listen__who_has_proved_who_it_is_keeps_its_place(void)
{
	int fds[LISTEN_PEERS], i, late;

	begin();
	fill(fds, 2);
	for (i = 0; i < LISTEN_PEERS; i++)
		CHECK(prove(fds[i]), "number %d", i);
	late = come(20);
	CHECK(hear(late) == -1, "somebody had to go");
	for (i = 0; i < LISTEN_PEERS; i++)
		CHECK(prove(fds[i]), "number %d", i);
	end();
}

/* Who throws out others is an address with less places than they have. */
static void listen__an_address_never_gets_more_than_others_have(void)
{
	int fds[LISTEN_PEERS], more[LISTEN_OF_ONE], i, n = 0;

	begin();
	for (i = 0; i < LISTEN_PEERS; i++) {
		fds[i] = come(2 + i / 2);
		CHECK(hear(fds[i]) == 'g', "number %d", i);
	}
	for (i = 0; i < LISTEN_OF_ONE; i++) {
		more[i] = come(100);
		n += hear(more[i]) == 'g';
	}
	CHECK(n == 2, "%d of its connections are served", n);
	end();
}

int main(void)
{
	signal(SIGPIPE, SIG_IGN);
	TAP_RUN(listen__an_address_has_its_places_and_no_more);
	TAP_RUN(listen__eight_addresses_do_not_keep_out_a_ninth);
	TAP_RUN(listen__who_has_proved_who_it_is_keeps_its_place);
	TAP_RUN(listen__an_address_never_gets_more_than_others_have);
	return tap_done();
}
