// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Page tables of every machine: the first byte chooses the byte order, the rest is memory, which
 * begins with VMCOREINFO.  It is taken as given, and searched for.
 */
#include "dump/callback.h"
#include "linux_kernel/vmcoreinfo_search.h"
#include "input_fuzz.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

/* @priv is the input, behind its first byte. */
static int read_memory(void *priv, uint64_t paddr, void *buf, size_t size)
{
	const struct bytes *all = priv;

	if (!bytes_has(all, paddr, size))
		return false;
	memcpy(buf, all->data + paddr, size);
	return true;
}

static void look_at(struct vmem *vmem, u64 va)
{
	char text[200];
	u8 data[64];
	u64 paddr, n;
	ssize_t len;

	len = vmem_read(vmem, va, data, sizeof(data));
	MUST(len >= 0 && len <= (ssize_t)sizeof(data));
	MUST(vmem_get(vmem, va, data, sizeof(data)) == (len == sizeof(data)));
	if (!vmem_translate(vmem, va, &paddr))
		MUST(*vmem_why(vmem));
	vmem_number(vmem, va, 4, &n);
	vmem_u64(vmem, va + 4092, &n);
	len = vmem_string(vmem, va, text, sizeof(text));
	MUST(len < (ssize_t)sizeof(text) && (len < 0 || strlen(text) == (size_t)len));
}

static void look_around(struct vmem *vmem, struct bytes *all)
{
	static const u64 places[] = {
		0, 0x1000, 0xffffffff80001000, 0xffff888000000000, 0xffff800000001000,
		0xff11000000000000, 0xc000000000001000, 0xc008000000000000, ~0ULL - 32,
	};

	for (size_t i = 0; i < ARRAY_SIZE(places); i++)
		look_at(vmem, places[i]);
	for (u64 off = 0; off + 8 <= all->size && off < 256; off += 8)
		look_at(vmem, bytes_u64(all, all->size - 8 - off));
	vmem_close(vmem);
}

static void open_it(struct bytes *all, const char *text)
{
	const struct epitaph_segment segment = { 0, all->size };
	const struct epitaph_memory_reader memory = {
		.name = "fuzz", .kind = "memory", .big_endian = all->order == ORDER_BIG, .segments = &segment,
		.nr_segments = 1, .vmcoreinfo = text, .read = read_memory, .arg = all,
	};
	struct err err = ERR_INIT;
	struct dump *in = NULL;
	struct vmem *vmem;
	int ret;

	MUST(!dump_open_callback(&in, &memory, NULL));
	ret = text ? vmem_open(&vmem, in, &err) : vmcoreinfo_search(&vmem, in, &(u64){ 0 }, &err);
	if (!ret)
		look_around(vmem, all);
	else
		MUST(ret == -(int)err.code && *err.msg && err.code != ERR_IO);
	dump_close(in);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct bytes all;
	char *text;

	if (size < 2)
		return 0;
	all = bytes_of(data + 1, size - 1, data[0] & 1 ? ORDER_BIG : ORDER_LITTLE);
	text = strndup((const char *)data + 1, size - 1);
	open_it(&all, text);
	open_it(&all, NULL);
	free(text);
	return 0;
}
