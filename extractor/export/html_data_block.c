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

int html_blocks_begin(struct html_blocks *blocks, FILE *f, struct err *err)
{
	blocks->f = f;
	blocks->compressor = libdeflate_alloc_compressor(LEVEL);
	return blocks->compressor ? 0 : err_sys(err, "memory");
}

void html_blocks_end(struct html_blocks *blocks)
{
	libdeflate_free_compressor(blocks->compressor);
	free(blocks->packed);
}

static bool grow_packed(struct html_blocks *blocks, size_t size)
{
	void *packed;

	if (size <= blocks->room)
		return true;
	packed = realloc(blocks->packed, size);
	if (!packed)
		return false;
	blocks->packed = packed;
	blocks->room = size;
	return true;
}

int html_block(struct html_blocks *blocks, const char *name, const void *data, size_t size, struct err *err)
{
	size_t packed;

	if (size > HTML_BLOCK_MAX)
		return err_set(err, ERR_IO, ERR_NO_OFF, "%s of %zu bytes is too large for a page",
			       name, size);
	if (!grow_packed(blocks, libdeflate_zlib_compress_bound(blocks->compressor, size)))
		return err_sys(err, "memory");
	packed = libdeflate_zlib_compress(blocks->compressor, data, size, blocks->packed, blocks->room);
	fprintf(blocks->f, "<script type=\"text/plain\" data-block=\"%s\">", name);
	put_base64(blocks->f, blocks->packed, packed);
	fputs("</script>\n", blocks->f);
	return 0;
}
