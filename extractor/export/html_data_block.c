// SPDX-License-Identifier: GPL-2.0-or-later
#include "html_data_block.h"

#include <stdlib.h>
#include <zlib.h>

#define LEVEL	5

/* Lines of 76 letters would be one in seventy of the file: there is one line. */
static void put_base64(FILE *f, const u8 *data, size_t size)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	size_t i;

	for (i = 0; i < size; i += 3) {
		size_t n = size - i;
		u32 bits = data[i] << 16 | (n > 1 ? data[i + 1] << 8 : 0) | (n > 2 ? data[i + 2] : 0);
		char four[4] = {
			letters[bits >> 18],
			letters[bits >> 12 & 63],
			n > 1 ? letters[bits >> 6 & 63] : '=',
			n > 2 ? letters[bits & 63] : '=',
		};

		fwrite(four, 1, 4, f);
	}
}

int html_block(FILE *f, const char *name, const void *data, size_t size, struct err *err)
{
	uLongf packed_size = compressBound(size);
	u8 *packed;

	if (size > HTML_BLOCK_MAX)
		return err_set(err, ERR_IO, ERR_NO_OFF, "%s of %zu bytes is too large for a page",
			       name, size);
	packed = malloc(packed_size);
	if (!packed || compress2(packed, &packed_size, data, size, LEVEL) != Z_OK) {
		free(packed);
		return err_sys(err, "memory");
	}
	fprintf(f, "<script type=\"text/plain\" data-block=\"%s\">", name);
	put_base64(f, packed, packed_size);
	fputs("</script>\n", f);
	free(packed);
	return 0;
}
