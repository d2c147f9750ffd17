// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A hostile region, exported as Perfetto's protobuf and as a page.  Checks all
 * hold in this build, as in region_fuzz.c.
 */
#include "input_fuzz.h"

#include <ctype.h>

#include "export/export.h"
#include "export/html_page.h"
#include "html_with_why.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);
static bool read_varint(const u8 *data, size_t size, size_t *at, u64 *ret)
{
	u32 shift;

	*ret = 0;
	for (shift = 0; shift < 64 && *at < size; shift += 7) {
		u8 byte = data[(*at)++];

		*ret |= (u64)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return true;
	}
	return false;
}

/* Packets one after the other, each with fields that fill it. */
static void check_perfetto(const char *text, size_t size)
{
	const u8 *data = (const u8 *)text;
	size_t at = 0, end;
	u64 tag, len;

	while (at < size) {
		MUST(read_varint(data, size, &at, &tag) && tag == (1 << 3 | 2));
		MUST(read_varint(data, size, &at, &len) && len <= size - at);
		for (end = at + len; at < end;) {
			MUST(read_varint(data, end, &at, &tag) && !(tag & 5));
			MUST(read_varint(data, end, &at, &len));
			MUST(!(tag & 2) || len <= end - at);
			at += tag & 2 ? len : 0;
		}
		MUST(at == end);
	}
}

/* Between what the build made: letters that neither end a block nor begin another. */
static void check_html(const char *text, size_t size)
{
	static const char begin[] = "<script type=\"text/plain\" data-block=\"";
	const char *end = text + size - html_page_tail_size;
	const char *at = text + html_page_head_size;

	MUST(size >= html_page_head_size + html_page_tail_size);
	MUST(!memcmp(text, html_page_head, html_page_head_size));
	MUST(!memcmp(end, html_page_tail, html_page_tail_size));
	while (at < end) {
		MUST(!strncmp(at, begin, strlen(begin)));
		for (at += strlen(begin); islower((u8)*at); at++)
			;
		MUST(!strncmp(at, "\">", 2));
		for (at += 2; isalnum((u8)*at) || *at == '+' || *at == '/' || *at == '='; at++)
			;
		MUST(!strncmp(at, "</script>\n", 10));
		at += 10;
	}
}

static void export(struct postmortem *pm,
		   int (*to)(FILE *f, struct postmortem *pm, const struct window *window,
			     struct err *err),
		   void (*check)(const char *text, size_t size))
{
	struct window window = WINDOW_INIT;
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);
	int ret;

	MUST(f);
	window.kind = WINDOW_ALL;
	MUST(!window_choose(&window, pm, NULL));
	window.damaged = true;
	ret = to(f, pm, &window, NULL);
	fclose(f);
	if (!ret)
		check(text, size);
	free(text);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct postmortem pm;
	struct err err = ERR_INIT;
	struct dump *in = NULL;

	if (size < 4096 || dump_open_fd(&in, fuzz_file("", data, size), &err))
		return 0;
	if (!pm_open_dump(&pm, in, POSTMORTEM_REGION, GENERATION_NEWEST, &err) &&
	    !pm_scan(&pm, NULL)) {
		export(&pm, export_perfetto, check_perfetto);
		export(&pm, html_with_why, check_html);
	}
	pm_close(&pm);
	return 0;
}
