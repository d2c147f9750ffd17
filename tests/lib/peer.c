// SPDX-License-Identifier: GPL-2.0-or-later
#include "peer.h"

#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "transfer/receive.h"
#include "transfer/transmit.h"

char peer_top[64];
struct depot peer_depot;
const struct secret peer_no_key;
const struct secret peer_key = { 16, "0123456789abcdef" };
const struct secret peer_other_key = { 16, "0123456789abcdeg" };
char peer_answer[4096];
char peer_given[4096];

static char path[256];
static unsigned int entries;

const char *peer_path(const char *name)
{
	snprintf(path, sizeof(path), "%s/%s", peer_top, name);
	return path;
}

static int remove_one(const char *name, const struct stat *st, int type, struct FTW *at)
{
	(void)st, (void)type, (void)at;
	return remove(name);
}

bool peer_begin(const char *name)
{
	signal(SIGPIPE, SIG_IGN);
	/* Where a sync costs nothing. */
	snprintf(peer_top, sizeof(peer_top), "/dev/shm/%s.XXXXXX", name);
	if (mkdtemp(peer_top))
		return true;
	snprintf(peer_top, sizeof(peer_top), "/tmp/%s.XXXXXX", name);
	return mkdtemp(peer_top);
}

void peer_end(void)
{
	nftw(peer_top, remove_one, 16, FTW_PHYS | FTW_DEPTH);
}

static int count_one(const char *name, const struct stat *st, int type, struct FTW *at)
{
	(void)name, (void)st, (void)type;
	entries += at->level > 0;
	return 0;
}

unsigned int peer_left(unsigned int hosts)
{
	entries = 0;
	nftw(peer_path("depot"), count_one, 16, FTW_PHYS);
	return entries - hosts;
}

void peer_put(const char *name, const char *text)
{
	FILE *f = fopen(peer_path(name), "w");

	fputs(text, f);
	fclose(f);
}

int peer_open(const char *name)
{
	return open(peer_path(name), O_RDONLY | O_DIRECTORY);
}

void peer_fresh(void)
{
	nftw(peer_path("depot"), remove_one, 16, FTW_PHYS | FTW_DEPTH);
	nftw(peer_path(PEER_NAME), remove_one, 16, FTW_PHYS | FTW_DEPTH);
	mkdir(peer_path("depot"), 0700);
	mkdir(peer_path(PEER_NAME), 0700);
	peer_put(PEER_NAME "/region", PEER_REGION);
	peer_put(PEER_NAME "/trace.txt", PEER_TRACE);
	if (peer_depot.fd > 0)
		close(peer_depot.fd);
	depot_open(&peer_depot, peer_path("depot"), NULL);
}

struct manifest peer_manifest(void)
{
	struct manifest m = { .nr = 0 };
	int dir = peer_open(PEER_NAME);

	manifest_set_host(&m, "web1");
	manifest_of_dir(&m, dir, PEER_NAME, false, NULL);
	close(dir);
	return m;
}

size_t peer_script(char *script, size_t size, const struct manifest *m)
{
	char nonce[DIGEST_TEXT];
	size_t i, n;

	digest_text(nonce, "x", 1);
	n = snprintf(script, size, "epitaph-send 1\nnonce %s\nhost %s\nname %s\n", nonce, m->host,
		     m->name);
	for (i = 0; i < m->nr_generations; i++)
		n += snprintf(script + n, size - n, "generation %s\n", m->generations[i]);
	for (i = 0; i < m->nr; i++)
		n += snprintf(script + n, size - n, "file %s %llu %s\n", m->files[i].name,
			      m->files[i].size, m->files[i].sum);
	n += snprintf(script + n, size - n, "mac -\n%s%s", PEER_REGION, PEER_TRACE);
	return n;
}

size_t peer_fresh_script(char *script, size_t size, struct manifest *ret_m)
{
	peer_fresh();
	*ret_m = peer_manifest();
	return peer_script(script, size, ret_m);
}

int peer_collect(const struct secret *secret, const char *host, const void *script, size_t size,
		 struct err *err)
{
	struct receive r = { &peer_depot, secret, host, "a test", NULL };
	char said[1024];
	struct wire w;
	int fds[2], ret;
	ssize_t n;

	socketpair(AF_UNIX, SOCK_STREAM, 0, fds);
	if (write(fds[0], script, size) != (ssize_t)size)
		return -1;
	shutdown(fds[0], SHUT_WR);
	*err = (struct err)ERR_INIT;
	wire_init(&w, fds[1], fds[1], 0);
	ret = receive(&r, &w, said, sizeof(said), err);
	close(fds[1]);
	n = read(fds[0], peer_answer, sizeof(peer_answer) - 1);
	peer_answer[n > 0 ? n : 0] = 0;
	close(fds[0]);
	return ret;
}

bool peer_has(const char *name, const char *file, const char *text)
{
	char buf[256], whole[512];
	int fd;
	ssize_t n;

	snprintf(whole, sizeof(whole), "%s/depot/web1/%s/%s", peer_top, name, file);
	fd = open(whole, O_RDONLY);
	n = fd < 0 ? -1 : read(fd, buf, sizeof(buf));
	if (fd >= 0)
		close(fd);
	return n == (ssize_t)strlen(text) && !memcmp(buf, text, n);
}

size_t peer_collector(char *script, size_t size, const char *end)
{
	char nonce[DIGEST_TEXT];

	digest_text(nonce, "y", 1);
	return snprintf(script, size, "epitaph-collect 1 %s\n%s", nonce, end);
}

int peer_transmit(const char *script, size_t size, const struct secret *secret, struct err *err)
{
	struct manifest m = peer_manifest();
	int fds[2], dir = peer_open(PEER_NAME), ret;
	struct placed placed;
	struct wire w;
	ssize_t n;

	*err = (struct err)ERR_INIT;
	socketpair(AF_UNIX, SOCK_STREAM, 0, fds);
	if (write(fds[1], script, size) != (ssize_t)size)
		return -1;
	shutdown(fds[1], SHUT_WR);
	wire_init(&w, fds[0], fds[0], wire_now() + 10000);
	ret = transmit(&w, &m, dir, secret, &placed, err);
	close(fds[0]);
	n = read(fds[1], peer_given, sizeof(peer_given) - 1);
	peer_given[n > 0 ? n : 0] = 0;
	close(fds[1]);
	close(dir);
	return ret;
}
