// SPDX-License-Identifier: GPL-2.0-or-later
#include "sha256.h"

#include <errno.h>
#include <fcntl.h>
#include <nettle/hmac.h>
#include <nettle/memops.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#define MIN_SECRET	16

static void put_hex(char ret[DIGEST_TEXT], const u8 bytes[SHA256_DIGEST_SIZE])
{
	size_t i;

	for (i = 0; i < SHA256_DIGEST_SIZE; i++)
		sprintf(ret + 2 * i, "%02x", bytes[i]);
}

void digest_end(char ret[DIGEST_TEXT], struct sha256_ctx *ctx)
{
	u8 sum[SHA256_DIGEST_SIZE];

	sha256_digest(ctx, sizeof(sum), sum);
	put_hex(ret, sum);
}

void digest_text(char ret[DIGEST_TEXT], const void *data, size_t size)
{
	struct sha256_ctx ctx;

	sha256_init(&ctx);
	sha256_update(&ctx, size, data);
	digest_end(ret, &ctx);
}

int digest_file(char ret[DIGEST_TEXT], int fd, u64 *ret_size, struct err *err)
{
	static u8 buf[65536];
	struct sha256_ctx ctx;
	u64 off = 0;
	ssize_t n;

	sha256_init(&ctx);
	while ((n = pread(fd, buf, sizeof(buf), off)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_sys(err, "cannot read at byte %llu", off);
		sha256_update(&ctx, n, buf);
		off += n;
	}
	digest_end(ret, &ctx);
	*ret_size = off;
	return 0;
}

bool digest_is_text(const char *text)
{
	return strspn(text, "0123456789abcdef") == DIGEST_TEXT - 1 && !text[DIGEST_TEXT - 1];
}

/* The group may: so does the mask of a credential that systemd hands out look. */
static int check_secret(int fd, const char *path, struct err *err)
{
	struct stat st;

	if (fstat(fd, &st))
		return err_sys(err, "%s", path);
	if (st.st_mode & 027)
		return err_set(err, ERR_USAGE, ERR_NO_OFF,
			       "%s: others can read this key; chmod 600 it, and make another if they did",
			       path);
	return 0;
}

int secret_read(struct secret *secret, const char *path, struct err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = -1;
	int ret;

	if (fd < 0)
		return err_sys(err, "%s", path);
	ret = check_secret(fd, path, err);
	if (!ret) {
		n = read(fd, secret->bytes, sizeof(secret->bytes));
		if (n < 0)
			ret = err_sys(err, "%s", path);
	}
	close(fd);
	if (ret)
		return ret;
	if (n && secret->bytes[n - 1] == '\n')
		n--;
	if (n < MIN_SECRET)
		return err_set(err, ERR_USAGE, ERR_NO_OFF,
			       "%s: a key of %zd bytes, %d or more are wanted: openssl rand -hex 32 makes one",
			       path, n, MIN_SECRET);
	secret->size = n;
	return 0;
}

void secret_mac(char ret[DIGEST_TEXT], const struct secret *secret, const char *text)
{
	struct hmac_sha256_ctx ctx;
	u8 sum[SHA256_DIGEST_SIZE];

	strcpy(ret, "-");
	if (!secret->size)
		return;
	hmac_sha256_set_key(&ctx, secret->size, secret->bytes);
	hmac_sha256_update(&ctx, strlen(text), (const u8 *)text);
	hmac_sha256_digest(&ctx, sizeof(sum), sum);
	put_hex(ret, sum);
}

/* Who has no key cannot tell a right one from a wrong one. */
bool secret_agrees(const struct secret *secret, const char *text, const char *mac)
{
	char ours[DIGEST_TEXT];

	if (!secret->size)
		return true;
	secret_mac(ours, secret, text);
	return digest_is_text(mac) && memeql_sec(ours, mac, DIGEST_TEXT);
}

int digest_nonce(char ret[DIGEST_TEXT], struct err *err)
{
	u8 bytes[32];

	if (getrandom(bytes, sizeof(bytes), 0) != sizeof(bytes))
		return err_sys(err, "no random bytes");
	put_hex(ret, bytes);
	return 0;
}
