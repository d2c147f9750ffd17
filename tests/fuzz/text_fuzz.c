// SPDX-License-Identifier: GPL-2.0-or-later
/* Hostile texts, escaped for every output, and read as VMCOREINFO. */
#include <ctype.h>

#include "base/escape.h"
#include "base/json.h"
#include "base/text.h"
#include "dump/callback.h"
#include "dump/vmcoreinfo.h"
#include "print_fuzz.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static int no_memory(void *priv, uint64_t paddr, void *buf, size_t size)
{
	(void)priv;
	(void)paddr;
	(void)buf;
	(void)size;
	return false;
}

/* Well-formed UTF-8 without C0, C1, DEL and a backslash that is none of ours; cut between characters. */
static void check_escaped(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		u8 c = text[i];

		MUST(c >= 32 && c != 127);
		if (c == '\\')
			MUST(len - i >= 4 && text[i + 1] == 'x' && isxdigit((u8)text[i + 2]) &&
			     isxdigit((u8)text[i + 3]));
		MUST(c != 0xc2 || (i + 1 < len && (u8)text[i + 1] >= 0xa0));
		MUST(c < 0x80 || c >= 0xc2 || i);
	}
}

static void escape(const u8 *data, size_t size)
{
	static char all[4 * 4096 + 1];
	char few[64];
	size_t n;

	size = size < 4096 ? size : 4096;
	n = escape_text(all, sizeof(all), data, size);
	MUST(n < sizeof(all) && strlen(all) == n && n >= size);
	MUST(escape_plain(data, size) <= size && !memcmp(all, data, escape_plain(data, size)));
	check_escaped(all, n);
	n = escape_text(few, size % sizeof(few), data, size);
	MUST(!(size % sizeof(few)) || (n < size % sizeof(few) && strlen(few) == n));
	check_escaped(few, n);
	MUST(!memcmp(few, all, n));
}

/* A text of JSON that holds no quote but its own, and that a page may hold. */
static void to_json(const u8 *data, size_t size)
{
	static char text[1 << 16];
	struct json j = { .f = fmemopen(text, sizeof(text), "w") };
	size_t n;

	json_open(&j, NULL, '{');
	json_text(&j, "key", data, size < 2048 ? size : 2048);
	json_hex(&j, "hex", data, size < 64 ? size : 64);
	json_close(&j, '}');
	json_flush(&j);
	fflush(j.f);
	n = ftell(j.f);
	fuzz_check_text(text, n);
	for (size_t i = 8; i + 1 < n && text[i] != '"'; i++)
		if (text[i] == '\\')
			i++;
	fclose(j.f);
}

static void read_vmcoreinfo(const u8 *data, size_t size)
{
	const struct epitaph_segment all = { 0, 4096 };
	char *text = strndup((const char *)data, size);
	const struct epitaph_memory_reader memory = {
		.name = "text", .kind = "memory", .segments = &all,
		.nr_segments = 1, .vmcoreinfo = text, .read = no_memory,
	};
	struct dump *in = NULL;
	char release[16];
	u64 n;

	MUST(text && !dump_open_callback(&in, &memory, NULL));
	vmcoreinfo_symbol(in, "a", &n);
	vmcoreinfo_number(in, "a", &n);
	vmcoreinfo_offset(in, "a.b", &n);
	vmcoreinfo_size(in, "a", &n);
	vmcoreinfo_hex(in, "KERNELOFFSET", &n);
	vmcoreinfo_decimal(in, "PAGESIZE", &n);
	MUST(vmcoreinfo_text(in, "OSRELEASE", release, sizeof(release)) < sizeof(release));
	MUST(strlen(release) < sizeof(release));
	dump_close(in);
	free(text);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	escape(data, size);
	to_json(data, size);
	read_vmcoreinfo(data, size);
	return 0;
}
