// SPDX-License-Identifier: GPL-2.0-or-later
#include "sha256.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void digest_end(char ret[DIGEST_TEXT], struct sha256_ctx *ctx)
{
	u8 sum[SHA256_DIGEST_SIZE];
	size_t i;

	sha256_digest(ctx, sizeof(sum), sum);
	for (i = 0; i < sizeof(sum); i++)
		sprintf(ret + 2 * i, "%02x", sum[i]);
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
	u8 buf[16384];
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
