// SPDX-License-Identifier: GPL-2.0-or-later
#include "html_data_block.h"

#include <libdeflate.h>
#include <stdlib.h>

#define LEVEL	1

#define PIECE	(3U << 10)	/* bytes that are written at once, whole groups of base64 */

static size_t base64(char *text, const u8 *data, size_t size)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	size_t i, len = 0;

	for (i = 0; i < size; i += 3) {
		size_t n = size - i;
		u32 bits = data[i] << 16 | (n > 1 ? data[i + 1] << 8 : 0) | (n > 2 ? data[i + 2] : 0);

		text[len++] = letters[bits >> 18];
		text[len++] = letters[bits >> 12 & 63];
		text[len++] = n > 1 ? letters[bits >> 6 & 63] : '=';
		text[len++] = n > 2 ? letters[bits & 63] : '=';
	}
	return len;
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
