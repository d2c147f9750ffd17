// SPDX-License-Identifier: GPL-2.0-or-later
#include "html_data_block.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

#define LEVEL	1

#define PIECE	(3U << 10)	/* bytes that are written at once, whole groups of base64 */

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void put_letters(char text[4], u32 bits)
{
	text[0] = letters[bits >> 18];
	text[1] = letters[bits >> 12 & 63];
	text[2] = letters[bits >> 6 & 63];
	text[3] = letters[bits & 63];
}

static size_t base64(char *text, const u8 *data, size_t size)
{
	char *at = text;

	for (; size >= 3; data += 3, size -= 3, at += 4)
		put_letters(at, data[0] << 16 | data[1] << 8 | data[2]);
	if (size) {
		put_letters(at, data[0] << 16 | (size > 1 ? data[1] << 8 : 0));
		memset(at + 1 + size, '=', 3 - size);
		at += 4;
	}
	return at - text;
}

/* Lines of 76 letters would be one in seventy of the file: there is one line. */
static void put_base64(FILE *f, const u8 *data, size_t size)
{
	char text[PIECE / 3 * 4];

	for (; size > PIECE; data += PIECE, size -= PIECE)
		fwrite(text, 1, base64(text, data, PIECE), f);
	fwrite(text, 1, base64(text, data, size), f);
}

/* For free(); NULL if there was no memory. */
static u8 *compress(const void *data, size_t size, size_t *packed_size)
{
	struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(LEVEL);
	u8 *packed = NULL;

	if (!compressor)
		return NULL;
	*packed_size = libdeflate_zlib_compress_bound(compressor, size);
	packed = malloc(*packed_size);
	if (packed)
		*packed_size = libdeflate_zlib_compress(compressor, data, size, packed, *packed_size);
	libdeflate_free_compressor(compressor);
	return packed;
}

int html_block(FILE *f, const char *name, const void *data, size_t size, struct err *err)
{
	size_t packed_size;
	u8 *packed;

	if (size > HTML_BLOCK_MAX)
		return err_set(err, ERR_IO, ERR_NO_OFF, "%s of %zu bytes is too large for a page",
			       name, size);
	packed = compress(data, size, &packed_size);
	if (!packed)
		return err_sys(err, "memory");
	fprintf(f, "<script type=\"text/plain\" data-block=\"%s\">", name);
	put_base64(f, packed, packed_size);
	fputs("</script>\n", f);
	free(packed);
	return 0;
}
