// SPDX-License-Identifier: GPL-2.0-or-later
#include "data_search_impl.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "dump/vmcoreinfo.h"

#define IMAGE_MAX	(64U << 20)	/* bytes from _stext on; Debian's arm64 has 32 MiB */
#define HOLE_MAX	(16U << 20)	/* init memory that was freed; after a larger hole nothing follows */
#define PAGE		4096U
#define SYMBOLS_LEAST	4096	/* any kernel has more functions: a smaller table is no kernel's */
#define BTF_MAGIC_NUMBER 0xeb9f
#define BTF_HEADER	24

/* --- the image ----------------------------------------------------------- */

/* There are holes: init memory was freed. */
static void read_image(struct data_search_image *image)
{
	u64 at = 0, end = 0;

	while (at < IMAGE_MAX && at - end < HOLE_MAX) {
		ssize_t n = vmem_read(image->vmem, image->start + at, image->data + at, IMAGE_MAX - at);

		if (n > 0)
			end = at + n;
		at = (at + (n > 0 ? n : 0)) / PAGE * PAGE + PAGE;
	}
	image->bytes = bytes_of(image->data, end, dump_byte_order(vmem_input(image->vmem)));
}

int data_search_image(struct data_search_image **ret, struct vmem *vmem, struct kallsyms *kallsyms,
		      struct err *err)
{
	struct data_search_image *image;
	u64 start;

	*ret = NULL;
	if (kallsyms_nr(kallsyms) < SYMBOLS_LEAST ||
	    (kallsyms_address(kallsyms, "init_task", &start) && !kallsyms_lost(kallsyms)) ||
	    !vmcoreinfo_symbol(vmem_input(vmem), "_stext", &start))
		return 0;
	image = calloc(1, sizeof(*image));
	if (image)
		image->data = calloc(1, IMAGE_MAX);
	if (!image || !image->data) {
		data_search_close(image);
		return err_sys(err, "memory for the kernel's image");
	}
	image->vmem = vmem;
	image->kallsyms = kallsyms;
	image->start = start / PAGE * PAGE;
	read_image(image);
	*ret = image;
	return 0;
}

void data_search_close(struct data_search_image *image)
{
	if (!image)
		return;
	free(image->data);
	free(image);
}

bool data_search_is_in(const struct data_search_image *image, u64 va)
{
	return va - image->start < image->bytes.size;
}

bool data_search_knows(const struct data_search_image *image, const char *name)
{
	u64 va;

	return kallsyms_address(image->kallsyms, name, &va);
}

void data_search_learn(struct data_search_image *image, const char *name, u64 va)
{
	kallsyms_learn(image->kallsyms, name, va);
}

/* --- types --------------------------------------------------------------- */

/* Size of the BTF whose header is at @off; 0: there is none. */
static u64 btf_at(struct bytes *b, u64 off)
{
	u64 types, strings;

	if (bytes_u16(b, off) != BTF_MAGIC_NUMBER || bytes_u8(b, off + 2) != 1 ||
	    bytes_u32(b, off + 4) != BTF_HEADER || bytes_u32(b, off + 8))
		return 0;
	types = bytes_u32(b, off + 12);
	strings = bytes_u32(b, off + 20);
	if (bytes_u32(b, off + 16) != types || !types || !strings ||
	    !bytes_has(b, off, BTF_HEADER + types + strings) ||
	    bytes_u8(b, off + BTF_HEADER + types))
		return 0;
	return BTF_HEADER + types + strings;
}

void data_search_types(struct data_search_image *image)
{
	u64 off, size;

	if (data_search_knows(image, "__start_BTF") && data_search_knows(image, "__stop_BTF"))
		return;
	for (off = 0; off + BTF_HEADER < image->bytes.size; off += 4) {
		size = btf_at(&image->bytes, off);
		if (!size)
			continue;
		data_search_learn(image, "__start_BTF", image->start + off);
		data_search_learn(image, "__stop_BTF", image->start + off + size);
		return;
	}
}

/* --- exported symbols ---------------------------------------------------- */

/* An entry of the export table has two words: the distance to the symbol, and to its name. */
static bool find_export(struct data_search_image *image, u64 name_off, u64 *ret)
{
	struct bytes *b = &image->bytes;
	u64 off;

	for (off = 4; off + 4 <= b->size; off += 4) {
		if ((s64)off + (s32)bytes_u32(b, off) != (s64)name_off)
			continue;
		*ret = image->start + off - 4 + (s64)(s32)bytes_u32(b, off - 4);
		if (data_search_is_in(image, *ret))
			return true;
	}
	return false;
}

static void learn_export(struct data_search_image *image, const char *name)
{
	const u8 *data = image->bytes.data, *at = data;
	size_t len = strlen(name) + 1, size = image->bytes.size;
	u64 va;

	if (data_search_knows(image, name))
		return;
	while ((at = memmem(at, size - (at - data), name, len))) {
		if (at > data && !at[-1] && find_export(image, at - data, &va))
			return data_search_learn(image, name, va);
		at++;
	}
}

/* --- structs ------------------------------------------------------------- */

bool data_search_offset(const struct data_search_image *image, const char *type, const char *path,
		   enum btf_kind kind, u32 *ret)
{
	return kernel_btf_offset(image->ktypes, type, path, kind, ret);
}

bool data_search_pointer(const struct data_search_image *image, u64 va, u64 *ret)
{
	return va % 8 == 0 && vmem_u64(image->vmem, va, ret);
}

bool data_search_is_word(const char *text, ssize_t len)
{
	ssize_t i;

	for (i = 0; i < len; i++)
		if (!isalnum((unsigned char)text[i]) && !strchr("_-.", text[i]))
			return false;
	return len > 0;
}

/* --- modules ------------------------------------------------------------- */

static bool is_module(const struct data_search_image *image, u64 va)
{
	char name[DATA_SEARCH_NAME_MAX];
	ssize_t len;
	u64 state;
	u32 off;

	if (!data_search_offset(image, "module", "name", KKIND_ARRAY, &off) ||
	    !vmem_number(image->vmem, va, 4, &state) || state > 3)
		return false;
	len = vmem_string(image->vmem, va + off, name, sizeof(name));
	return len > 1 && data_search_is_word(name, len);
}

/* Find the head of a list in the image that leads to a module and back. */
static void learn_modules(struct data_search_image *image)
{
	u64 off, node, back;
	u32 list;

	if (data_search_knows(image, "modules") ||
	    !data_search_offset(image, "module", "list", KKIND_STRUCT, &list))
		return;
	for (off = 0; off + 16 <= image->bytes.size; off += 8) {
		node = bytes_u64(&image->bytes, off);
		if (node % 8 || data_search_is_in(image, node) || node < 1ULL << 20 ||
		    data_search_is_in(image, bytes_u64(&image->bytes, off + 8)) ||
		    !data_search_pointer(image, node + 8, &back) || back != image->start + off ||
		    !is_module(image, node - list))
			continue;
		return data_search_learn(image, "modules", image->start + off);
	}
}

/* --- variables of each CPU ----------------------------------------------- */

/* The types say where in its section each variable lies; all symbols of the section move alike. */
static void learn_percpu(struct data_search_image *image)
{
	static const char * const needed[] = { "cyc2ns", "runqueues" };
	static const char * const known[] = { "cpu_number", "current_task", "cpu_info", "cpu_tlbstate" };
	u64 start = 0, va;
	u32 i, off;

	for (i = 0; i < ARRAY_SIZE(known); i++) {
		if (kallsyms_address(image->kallsyms, known[i], &va) &&
		    kernel_btf_percpu(image->ktypes, known[i], &off)) {
			start = va - off;
			break;
		}
	}
	for (i = 0; i < ARRAY_SIZE(needed); i++)
		if (kernel_btf_percpu(image->ktypes, needed[i], &off))
			data_search_learn(image, needed[i], start + off);
}

void data_search_data(struct data_search_image *image, const struct kernel_btf *ktypes,
		      struct damage_notes *notes)
{
	static const char * const exports[] = {
		"__per_cpu_offset", "nr_cpu_ids", "__num_online_cpus", "__cpu_online_mask", "__cpu_active_mask",
		"elfcorehdr_addr",
	};
	u64 va;
	u32 i;

	image->ktypes = ktypes;
	for (i = 0; i < ARRAY_SIZE(exports); i++)
		learn_export(image, exports[i]);
	learn_percpu(image);
	data_search_trace(image);
	learn_modules(image);
	data_search_clocks(image);
	if (!kallsyms_lost(image->kallsyms) &&
	    !kallsyms_address(image->kallsyms, "ftrace_trace_arrays", &va) &&
	    kallsyms_address(image->kallsyms, "ring_buffer_lock_reserve", &va))
		damage_notes_add(notes, NOTE_NOWHERE,
				 "the kernel's own trace is not found: its symbols are functions only (CONFIG_KALLSYMS_ALL)");
}
