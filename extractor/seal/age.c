// SPDX-License-Identifier: GPL-2.0-or-later
#include "age.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "os/program.h"

#define AGE		"age"
#define FIRST_LINE	"age-encryption.org/v1\n"
#define ARMOR		"-----BEGIN AGE ENCRYPTED FILE-----"
#define HEAD		65536	/* bytes; 600 keys */
#define PIECE		65536	/* bytes that it encrypts at once */
#define LONG		(24 * 3600 * 1000ULL)	/* ms: a person types a passphrase */

bool age_is_there(void)
{
	const char *at = getenv("PATH");
	char path[4096];
	size_t n;

	for (; at && *at; at += n + (at[n] == ':')) {
		n = strcspn(at, ":");
		if (snprintf(path, sizeof(path), "%.*s/" AGE, (int)n, at) < (int)sizeof(path) && !access(path, X_OK))
			return true;
	}
	return false;
}

/* @ret_size: bytes of the head, up to its last newline */
static int read_age_head(int fd, size_t *ret_size, struct err *err)
{
	static char head[HEAD + 1];
	ssize_t n = pread(fd, head, HEAD, 0);
	const char *line, *next;
	int nr = 0;

	if (n < 0)
		return err_sys(err, "cannot read");
	head[n] = 0;
	if (!strncmp(head, ARMOR, strlen(ARMOR)))
		return err_set(err, ERR_NOT_OURS, 0, "armored by age -a; sealed traces are not: age -d reads it");
	if (strncmp(head, FIRST_LINE, strlen(FIRST_LINE)))
		return err_set(err, ERR_NOT_OURS, 0, "no file of age: it does not begin with age-encryption.org/v1; name a trace that epitaph seal wrote");
	for (line = head + strlen(FIRST_LINE); (next = strchr(line, '\n')); line = next + 1) {
		*ret_size = next + 1 - head;
		if (!strncmp(line, "--- ", 4))
			return nr;
		nr += !strncmp(line, "-> ", 3);
	}
	return err_set(err, ERR_CORRUPT, n, "its head is cut off after %zd bytes", n);
}

int age_count_recipients(int fd, struct err *err)
{
	size_t ignored;

	return read_age_head(fd, &ignored, err);
}

/* Behind the head: a nonce, and pieces with a tag each, one at least. */
bool age_is_whole(int fd, u64 plain, unsigned int nr)
{
	u64 pieces = plain ? (plain + PIECE - 1) / PIECE : 1;
	struct err ignored = ERR_INIT;
	struct stat st;
	size_t head;

	return read_age_head(fd, &head, &ignored) == (int)nr && !fstat(fd, &st) && S_ISREG(st.st_mode) &&
	       (u64)st.st_size == head + 16 + plain + 16 * pieces;
}

static int no_age(struct err *err)
{
	if (err->errnum != ENOENT)
		return -ERR_IO;
	if (age_is_there())
		return err_while(err, "age is there, and a library that it needs is not");
	return err_set(err, ERR_IO, ERR_NO_OFF, "there is no age in PATH, which encrypts and decrypts; install the package age");
}

/* A copy of the keys, which age inherits and opens by its name. */
static int copy_keys(const struct recipients *keys, struct err *err)
{
	int fd = memfd_create("recipients", 0);

	if (fd >= 0 && write(fd, keys->text, keys->size) == (ssize_t)keys->size)
		return fd;
	if (fd >= 0)
		close(fd);
	return err_sys(err, "memory for the recipients");
}

int age_encrypt(int in, int out, const struct recipients *keys, struct err *err)
{
	struct program p = { .in = in, .out = out };
	struct err head = ERR_INIT;
	char path[40];
	int ret, fd;

	if (lseek(in, 0, SEEK_SET))
		return err_sys(err, "cannot seek");
	fd = copy_keys(keys, err);
	if (fd < 0)
		return fd;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	program_add(&p, NULL, AGE);
	program_add(&p, "-R", path);
	ret = program_run(&p, monotonic_ms() + AGE_SECONDS * 1000, err);
	close(fd);
	if (ret < 0)
		return no_age(err);
	if (ret)
		return err_set(err, ERR_IO, ERR_NO_OFF, "age ended with status %d: %s", ret, p.said);
	ret = age_count_recipients(out, &head);
	if (ret < 0)
		return err_set(err, ERR_IO, ERR_NO_OFF, "what age wrote is not sealed: %s", head.msg);
	return ret == (int)keys->nr ? 0 :
	       err_set(err, ERR_IO, ERR_NO_OFF, "age wrote for %d keys instead of %u", ret, keys->nr);
}

/* Is it a private key that age protects by a passphrase, with no terminal to type it on? */
static bool needs_terminal(const char *identity)
{
	char head[sizeof(ARMOR)] = "";
	int fd = open(identity, O_RDONLY | O_CLOEXEC), terminal;
	bool is_protected;

	if (fd < 0)
		return false;
	is_protected = read(fd, head, sizeof(head) - 1) > 0 &&
		       (!strncmp(head, ARMOR, strlen(ARMOR)) || !strncmp(head, FIRST_LINE, strlen(FIRST_LINE)));
	close(fd);
	if (!is_protected)
		return false;
	terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
	if (terminal >= 0)
		close(terminal);
	return terminal < 0;
}

/* The words of age 1.0 to 1.2; of others, what it said is enough. */
static int explain_failure(const char *said, struct err *err)
{
	if (strstr(said, "no identity matched"))
		return err_set(err, ERR_USAGE, ERR_NO_OFF,
			       "this identity is for none of its keys: it needs the private key of a recipient of that machine");
	if (strstr(said, "payload chunk") || strstr(said, "unexpected EOF") || strstr(said, "bad header MAC") ||
	    strstr(said, "failed to read header") || strstr(said, "failed to read nonce"))
		return err_set(err, ERR_CORRUPT, ERR_NO_OFF, "cut off or damaged, and nothing is kept: %s", said);
	return err_set(err, ERR_USAGE, ERR_NO_OFF, "%s", said);
}

int age_decrypt(const char *path, const char *identity, int out, struct err *err)
{
	struct program p = { .in = STDIN_FILENO, .out = out };
	char plain_path[4100];
	int fd = open(path, O_RDONLY | O_CLOEXEC), ret;

	if (fd < 0)
		return err_sys(err, "cannot open");
	ret = age_count_recipients(fd, err);
	close(fd);
	if (ret < 0)
		return ret;
	if (strcmp(identity, "-") && access(identity, R_OK))
		return err_sys(err, "identity %s", identity);
	if (strcmp(identity, "-") && needs_terminal(identity))
		return err_set(err, ERR_USAGE, ERR_NO_OFF,
			       "identity %s is protected by a passphrase, and there is no terminal to type it on; try: age -d %s | epitaph unseal -i - ...",
			       identity, identity);
	snprintf(plain_path, sizeof(plain_path), "%s%.4096s", *path == '-' ? "./" : "", path);
	program_add(&p, NULL, AGE);
	program_add(&p, NULL, "-d");
	program_add(&p, "-i", identity);
	program_add(&p, NULL, plain_path);
	ret = program_run(&p, monotonic_ms() + LONG, err);
	if (ret < 0)
		return no_age(err);
	return ret ? explain_failure(p.said, err) : 0;
}
