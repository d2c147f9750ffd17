// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The sender against a collector that is none, and what it is made of: connections that
 * have an end, marks, targets.
 *
 * build: tests/lib/peer.c @extractor
 */
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "spool/sent.h"
#include "transfer/receive.h"
#include "transfer/target.h"
#include "transfer/transmit.h"
#include "peer.h"
#include "tap.h"

struct side {
	int fd;
	const struct secret *key;
	int ret;
	struct err err;
};

static void *collector(void *arg)
{
	struct side *s = arg;
	struct receive r = { &peer_depot, s->key, "", "a test", NULL };
	char said[1024];
	struct wire w;

	wire_init(&w, s->fd, s->fd, 0);
	s->ret = receive(&r, &w, said, sizeof(said), &s->err);
	close(s->fd);
	return NULL;
}

/* A whole exchange; what the sender has of it. */
static int exchange(const struct secret *ours, const struct secret *theirs, struct placed *placed,
		    struct err *err)
{
	struct side s = { .key = theirs, .err = ERR_INIT };
	struct manifest m = peer_manifest();
	int fds[2], dir = peer_open(PEER_NAME), ret;
	pthread_t thread;
	struct wire w;

	*err = (struct err)ERR_INIT;
	socketpair(AF_UNIX, SOCK_STREAM, 0, fds);
	s.fd = fds[1];
	pthread_create(&thread, NULL, collector, &s);
	wire_init(&w, fds[0], fds[0], wire_now() + 10000);
	ret = transmit(&w, &m, dir, ours, placed, err);
	close(fds[0]);
	close(dir);
	pthread_join(thread, NULL);
	return ret;
}

static void send__both_sides_must_have_the_key(void)
{
	struct placed placed;
	struct err err;

	peer_fresh();
	CHECK(!exchange(&peer_key, &peer_key, &placed, &err) && !placed.was_there, "%s", err.msg);
	CHECK(!exchange(&peer_key, &peer_key, &placed, &err) && placed.was_there, "%s", err.msg);
	CHECK(exchange(&peer_other_key, &peer_key, &placed, &err) == -ERR_CORRUPT, "%s", err.msg);
	CHECK(exchange(&peer_no_key, &peer_key, &placed, &err) == -ERR_CORRUPT, "%s", err.msg);
	CHECK(exchange(&peer_key, &peer_no_key, &placed, &err) == -ERR_CORRUPT, "%s", err.msg);
	CHECK(!exchange(&peer_no_key, &peer_no_key, &placed, &err), "%s", err.msg);
}

static void send__only_the_whole_answer_is_one(void)
{
	struct manifest m;
	char script[1024], end[512], digest[DIGEST_TEXT];
	struct err err;
	size_t n, i;

	peer_fresh();
	m = peer_manifest();
	manifest_digest(&m, digest);
	snprintf(end, sizeof(end), "send -\nstored %s -\n", digest);
	n = peer_collector(script, sizeof(script), end);
	for (i = 0; i < n; i++)
		CHECK(peer_transmit(script, i, &peer_no_key, &err), "%zu bytes", i);
	CHECK(!peer_transmit(script, n, &peer_no_key, &err), "%s", err.msg);
	CHECK(peer_transmit(script, n, &peer_key, &err) == -ERR_CORRUPT, "without the key: %s", err.msg);
	for (i = 0; i < n - 2; i++) {
		script[i] ^= 1;
		/* A nonce is any; who has no key does not look at what follows the digest. */
		if (!peer_transmit(script, n, &peer_no_key, &err))
			CHECK((i > 17 && i < 83) || script[i] == ('-' ^ 1), "byte %zu", i);
		script[i] ^= 1;
	}
}

/* It may have seen one of the collector's MACs: that was for another sender's nonce. */
static void send__an_impostor_without_the_key_gets_no_byte_of_a_file(void)
{
	char scripts[4][1024], ours[DIGEST_TEXT], old[DIGEST_TEXT], text[256], mac[DIGEST_TEXT];
	struct err err;
	size_t n, i;
	char *end;

	peer_fresh();
	digest_text(ours, "y", 1);
	digest_text(old, "x", 1);
	snprintf(text, sizeof(text), "%s\n%s\nsend", ours, old);
	secret_mac(mac, &peer_key, text);
	peer_collector(scripts[0], sizeof(scripts[0]), "send\n");
	peer_collector(scripts[1], sizeof(scripts[1]), "send -\n");
	n = peer_collector(scripts[2], sizeof(scripts[2]), "send ");
	snprintf(scripts[2] + n, sizeof(scripts[2]) - n, "%s\n", mac);
	peer_collector(scripts[3], sizeof(scripts[3]), "send \nstored\n");
	for (i = 0; i < ARRAY_SIZE(scripts); i++) {
		CHECK(peer_transmit(scripts[i], strlen(scripts[i]), &peer_key, &err) == -ERR_CORRUPT, "%zu: %s",
		      i, err.msg);
		end = strstr(peer_given, "\nmac ");
		CHECK(end && strlen(end) == strlen("\nmac \n") + DIGEST_TEXT - 1, "%zu: %s", i, peer_given);
	}
}

static void send__words_of_a_collector_are_told_and_escaped(void)
{
	char script[1024];
	struct err err;
	size_t n;

	peer_fresh();
	n = peer_collector(script, sizeof(script), "failed no \\x1b room\n");
	CHECK(peer_transmit(script, n, &peer_no_key, &err) == -ERR_IO && strstr(err.msg, "room"), "%s", err.msg);
	n = peer_collector(script, sizeof(script), "refused no \x1b room\n");
	CHECK(peer_transmit(script, n, &peer_no_key, &err) && !strchr(err.msg, 0x1b), "%s", err.msg);
	n = peer_collector(script, sizeof(script), "have 00 -\n");
	CHECK(peer_transmit(script, n, &peer_no_key, &err) == -ERR_IO, "%s", err.msg);
	n = peer_collector(script, sizeof(script), "within a -\n");
	CHECK(peer_transmit(script, n, &peer_no_key, &err) == -ERR_CORRUPT, "of no generation: %s", err.msg);
	n = peer_collector(script, sizeof(script), "within ../a -\n");
	CHECK(peer_transmit(script, n, &peer_no_key, &err) == -ERR_CORRUPT && strstr(err.msg, "no name"),
	      "%s", err.msg);
	n = peer_collector(script, sizeof(script), "ready -\n");
	CHECK(peer_transmit(script, n, &peer_no_key, &err) == -ERR_CORRUPT, "%s", err.msg);
}

/* Its size is told before it is read; whatever the collector says of the rest is why. */
static void send__a_file_that_has_become_shorter_is_told(void)
{
	struct manifest m;
	struct placed placed;
	struct err err = ERR_INIT;
	char script[1024];
	int fds[2], dir;
	struct wire w;
	size_t n;

	for (int says = 0; says < 2; says++) {
		peer_fresh();
		m = peer_manifest();
		peer_put(PEER_NAME "/region", "");
		dir = peer_open(PEER_NAME);
		n = peer_collector(script, sizeof(script), says ? "send -\nfailed no room\n" : "send -\n");
		socketpair(AF_UNIX, SOCK_STREAM, 0, fds);
		CHECK(write(fds[1], script, n) == (ssize_t)n, "%zu bytes", n);
		shutdown(fds[1], SHUT_WR);
		wire_init(&w, fds[0], dup(fds[0]), wire_now() + 10000);
		CHECK(transmit(&w, &m, dir, &peer_no_key, &placed, &err) == -ERR_IO, "it was sent");
		CHECK(strstr(err.msg, says ? "no room" : "region has become shorter"), "%s", err.msg);
		wire_close(&w);
		CHECK(read(fds[0], script, 1) < 0 && errno == EBADF, "it is open");
		close(fds[1]);
		close(dir);
	}
}

static void *dribble(void *arg)
{
	int fd = *(int *)arg, i;

	for (i = 0; i < 60 && write(fd, "a", 1) == 1; i++)
		usleep(20000);
	return NULL;
}

static void wire__a_peer_that_dribbles_has_an_end(void)
{
	struct err err = ERR_INIT;
	u64 begin = wire_now();
	char line[512];
	pthread_t thread;
	struct wire w;
	int fds[2];

	socketpair(AF_UNIX, SOCK_STREAM, 0, fds);
	pthread_create(&thread, NULL, dribble, &fds[1]);
	wire_init(&w, fds[0], fds[0], begin + 300);
	CHECK(wire_line(&w, line, sizeof(line), &err) == -ERR_IO, "%s", line);
	CHECK(wire_now() - begin < 1500, "after %llu ms", wire_now() - begin);
	close(fds[0]);
	pthread_join(thread, NULL);
	close(fds[1]);
}

static void wire__a_peer_that_does_not_read_has_an_end(void)
{
	static char much[4 << 20];
	struct err err = ERR_INIT;
	u64 begin = wire_now();
	struct wire w;
	int fds[2];

	socketpair(AF_UNIX, SOCK_STREAM, 0, fds);
	wire_init(&w, fds[0], fds[0], begin + 300);
	CHECK(wire_write(&w, much, sizeof(much), &err) == -ERR_IO, "it was written");
	CHECK(wire_now() - begin < 1500, "after %llu ms", wire_now() - begin);
	close(fds[0]);
	close(fds[1]);
}

static void sent__a_mark_is_for_one_target_and_these_files(void)
{
	static const struct placed nowhere;
	struct manifest m;
	int dir;

	peer_fresh();
	m = peer_manifest();
	dir = peer_open(PEER_NAME);
	CHECK(!sent_is(dir, "tcp://a:1"), "without a mark");
	CHECK(!sent_mark(dir, "tcp://a:1", &m, &nowhere, NULL), "mark");
	CHECK(sent_is(dir, "tcp://a:1") && !sent_is(dir, "tcp://a:11") && !sent_is(dir, "tcp://a"),
	      "another target");
	CHECK(!sent_mark(dir, "dir:/mnt/a b", &m, &nowhere, NULL) && sent_is(dir, "tcp://a:1") &&
	      sent_is(dir, "dir:/mnt/a b"), "two");
	CHECK(!sent_mark(dir, "tcp://a:1", &m, &nowhere, NULL) && sent_is(dir, "dir:/mnt/a b"), "again");
	peer_put(PEER_NAME "/mce.txt", "came later");
	CHECK(!sent_is(dir, "tcp://a:1"), "of other files");
	close(dir);
}

static void target__only_what_is_one_is_taken(void)
{
	static const char *const good[] = {
		"dir:/mnt/x", "ssh://h", "ssh://u@h:22", "tcp://1.2.3.4:7788", "tls://[::1]:1",
		"tls://a.b:65535",
	};
	static const char *const bad[] = {
		"", "dir:", "dir:mnt", "ssh://", "ssh://-oProxyCommand=x", "ssh://-l@h", "ssh://u@", "tcp://h",
		"tcp://h:", "tcp://h:0", "tcp://h:65536", "tcp://h:1x", "tls://h:-1", "http://h:1",
		"tcp://[::1:7", "ssh://h/x", "tcp://a b:1", "dir:/a\nb",
	};
	struct target t;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(good); i++)
		CHECK(!target_parse(&t, good[i], NULL), "%s", good[i]);
	for (i = 0; i < ARRAY_SIZE(bad); i++)
		CHECK(target_parse(&t, bad[i], NULL), "%s", bad[i]);
}

int main(void)
{
	if (!peer_begin("transmit_test"))
		return 1;
	TAP_RUN(send__both_sides_must_have_the_key);
	TAP_RUN(send__only_the_whole_answer_is_one);
	TAP_RUN(send__an_impostor_without_the_key_gets_no_byte_of_a_file);
	TAP_RUN(send__words_of_a_collector_are_told_and_escaped);
	TAP_RUN(send__a_file_that_has_become_shorter_is_told);
	TAP_RUN(wire__a_peer_that_dribbles_has_an_end);
	TAP_RUN(wire__a_peer_that_does_not_read_has_an_end);
	TAP_RUN(sent__a_mark_is_for_one_target_and_these_files);
	TAP_RUN(target__only_what_is_one_is_taken);
	peer_end();
	return tap_done();
}
