// SPDX-License-Identifier: GPL-2.0-or-later
#include "recipients.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sha256.h"

#define KEY_PREFIX	"age1"
#define KEY_LENGTH	62	/* "age1", 52 characters of 32 bytes, 6 of the checksum */

/* One step of bech32's checksum (BIP 173). */
static u32 bech32_step(u32 sum, u32 value)
{
	static const u32 generator[] = { 0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3 };
	u32 top = sum >> 25;
	size_t i;

	sum = (sum & 0x1ffffff) << 5 ^ value;
	for (i = 0; i < ARRAY_SIZE(generator); i++)
		if (top >> i & 1)
			sum ^= generator[i];
	return sum;
}

static bool has_good_checksum(const char *key)
{
	static const char digits[] = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
	static const u32 age[] = { 'a' >> 5, 'g' >> 5, 'e' >> 5, 0, 'a' & 31, 'g' & 31, 'e' & 31 };
	const char *at, *digit;
	u32 sum = 1;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(age); i++)
		sum = bech32_step(sum, age[i]);
	for (at = key + strlen(KEY_PREFIX); *at; at++) {
		digit = strchr(digits, *at);
		if (!digit)
			return false;
		sum = bech32_step(sum, digit - digits);
	}
	return sum == 1;
}

/* What is wrong with a line, or NULL. */
static const char *find_fault(const char *line)
{
	if (!strncasecmp(line, "AGE-SECRET-KEY-", 15))
		return "this is a private key, which must not be on this machine; remove it and make a new one elsewhere: who copied it can read all traces";
	if (!strncmp(line, "ssh-", 4))
		return "an ssh key; expected age1..., as age-keygen prints it";
	if (strncmp(line, KEY_PREFIX, strlen(KEY_PREFIX)))
		return "no public key; expected age1..., as age-keygen prints it, or a comment that begins with #";
	if (strlen(line) != KEY_LENGTH)
		return strlen(line) < KEY_LENGTH ? "a key that is too short: it has 62 characters" :
						   "a key that is too long: it has 62 characters";
	return has_good_checksum(line) ? NULL : "a typo in this key: its checksum is wrong";
}

/* A private key is not printed. */
static int fail_line(const char *path, unsigned int nr, const char *line, const char *fault,
		     struct err *err)
{
	return err_set(err, ERR_USAGE, ERR_NO_OFF, "%s: line %u (%.12s...): %s", path, nr, line, fault);
}

static int check_lines(struct recipients *r, const char *path, char *text, struct err *err)
{
	const char *fault;
	unsigned int nr;
	char *line, *next;
	size_t n;

	for (line = text, nr = 1; line; line = next, nr++) {
		next = strchr(line, '\n');
		if (next)
			*next++ = 0;
		n = strlen(line);
		if (n && line[n - 1] == '\r')
			line[n - 1] = 0;
		if (!*line || *line == '#')
			continue;
		fault = find_fault(line);
		if (fault)
			return fail_line(path, nr, line, fault, err);
		r->nr++;
	}
	return r->nr ? 0 : err_set(err, ERR_USAGE, ERR_NO_OFF,
				   "%s: no key in it; expected a line age1..., as age-keygen prints it", path);
}

/* Who may change it reads the next trace. */
static int check_owner(int fd, const char *path, struct err *err)
{
	struct stat st;

	if (fstat(fd, &st))
		return err_sys(err, "%s", path);
	if (!S_ISREG(st.st_mode))
		return err_set(err, ERR_USAGE, ERR_NO_OFF, "%s: expected a file with a public key of age(1) in each line", path);
	if ((st.st_uid && st.st_uid != geteuid()) || (st.st_mode & 022))
		return err_set(err, ERR_USAGE, ERR_NO_OFF,
			       "%s: it may be changed by others than root, who could read all traces then; chmod 644", path);
	return 0;
}

static ssize_t read_keys(const char *path, char *text, struct err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	int ret = fd < 0 ? 0 : check_owner(fd, path, err);
	ssize_t n = fd < 0 || ret ? -1 : read(fd, text, RECIPIENTS_SIZE);

	if (ret) {
		close(fd);
		return ret;
	}
	if (n < 0)
		err_sys(err, "%s", path);
	if (fd >= 0)
		close(fd);
	if (n == RECIPIENTS_SIZE || (n > 0 && memchr(text, 0, n)))
		return err_set(err, ERR_USAGE, ERR_NO_OFF, "%s: no text of less than 64 KiB", path);
	return n < 0 ? -ERR_IO : n;
}

int recipients_read(struct recipients *r, const char *path, struct err *err)
{
	static char text[RECIPIENTS_SIZE + 1], lines[RECIPIENTS_SIZE + 1];
	ssize_t n = read_keys(path, text, err);

	*r = (struct recipients){ .text = text };
	if (n < 0)
		return n;
	text[n] = 0;
	r->size = n;
	digest_text(r->digest, text, n);
	memcpy(lines, text, n + 1);
	return check_lines(r, path, lines, err);
}
