// SPDX-License-Identifier: GPL-2.0-or-later
#include "data_search_impl.h"

#include <ctype.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "dump/vmcoreinfo.h"

#define IMAGE_MAX	(64U << 20)	/* bytes from _stext on; Debian's arm64 has 32 MiB */
#define HOLE_MAX	(16U << 20)	/* init memory that was freed; after a larger hole nothing follows */
#define PAGE		4096U
#define SYMBOLS_LEAST	4096	/* any kernel has more functions: a smaller table is no kernel's */
#define CLASSES_MAX	4096	/* of devices */
#define PERCPU_FIRST_MAX (4U << 20)	/* bytes of a CPU's first memory; Debian's arm64 has 100 KiB */
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

/* Memory may have others, as those of a module's file: the kernel's have its first function. */
static bool has_first_function(const struct data_search_image *image, u64 off, u64 size)
{
	static const char name[] = "\0start_kernel";

	return memmem(image->data + off, size, name, sizeof(name));
}

void data_search_types(struct data_search_image *image)
{
	u64 off, size;

	if (data_search_knows(image, "__start_BTF") && data_search_knows(image, "__stop_BTF"))
		return;
	for (off = 0; off + BTF_HEADER < image->bytes.size; off += 4) {
		size = btf_at(&image->bytes, off);
		if (!size || !has_first_function(image, off, size))
			continue;
		data_search_learn(image, "__start_BTF", image->start + off);
		data_search_learn(image, "__stop_BTF", image->start + off + size);
		return;
	}
}

/* --- exported symbols ---------------------------------------------------- */

/* Types have names and small numbers too, of which some look like an entry. */
static void find_extent_of_types(struct data_search_image *image)
{
	u64 start, stop;

	if (!kallsyms_address(image->kallsyms, "__start_BTF", &start) || !data_search_is_in(image, start) ||
	    !kallsyms_address(image->kallsyms, "__stop_BTF", &stop) || stop < start)
		return;
	image->types = start - image->start;
	image->types_end = stop - image->start;
}

static bool is_in_types(const struct data_search_image *image, u64 off)
{
	return off >= image->types && off < image->types_end;
}

/*
 * An entry of the export table has two words: the distance to the symbol, and to its name.  Without
 * CONFIG_HAVE_ARCH_PREL32_RELOCATIONS, as on s390x, it has their addresses.
 */
static bool find_export(struct data_search_image *image, u64 name_off, u64 *ret)
{
	struct bytes *b = &image->bytes;
	u64 off;

	for (off = 8; off + 8 <= b->size; off += 4) {
		if ((s64)off + (s32)bytes_u32(b, off) == (s64)name_off)
			*ret = image->start + off - 4 + (s64)(s32)bytes_u32(b, off - 4);
		else if (off % 8 == 0 && bytes_u64(b, off) == image->start + name_off)
			*ret = bytes_u64(b, off - 8);
		else
			continue;
		if (data_search_is_in(image, *ret) && !is_in_types(image, off))
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
		if (at > data && !at[-1] && !is_in_types(image, at - data) && find_export(image, at - data, &va))
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

/* --- classes of devices --------------------------------------------------- */

static bool has_text(const struct data_search_image *image, u64 va, const char *expected)
{
	char text[DATA_SEARCH_NAME_MAX];
	u64 at;

	return data_search_pointer(image, va, &at) && vmem_string(image->vmem, at, text, sizeof(text)) > 0 &&
	       !strcmp(text, expected);
}

/* The class of that name, among those of the kset. */
static bool find_class_of(const struct data_search_image *image, u64 kset, const char *name, u64 *ret)
{
	u32 list, entry, class, at_name;
	u64 at, head;

	if (!data_search_offset(image, "kset", "list", KKIND_STRUCT, &list) ||
	    !data_search_offset(image, "subsys_private", "subsys.kobj.entry", KKIND_STRUCT, &entry) ||
	    !data_search_offset(image, "subsys_private", "class", KKIND_POINTER, &class) ||
	    !data_search_offset(image, "class", "name", KKIND_POINTER, &at_name))
		return false;
	at = head = kset + list;
	for (u32 i = 0; i < CLASSES_MAX && data_search_pointer(image, at, &at) && at != head; i++)
		if (data_search_pointer(image, at - entry + class, ret) && data_search_is_in(image, *ret) &&
		    has_text(image, *ret + at_name, name))
			return true;
	return false;
}

/* Find a pointer to a kset of the name "class" that has the class of disks. */
static void learn_classes(struct data_search_image *image)
{
	u64 off, kset, class;
	u32 name;

	if ((data_search_knows(image, "class_kset") && data_search_knows(image, "block_class")) ||
	    !data_search_offset(image, "kset", "kobj.name", KKIND_POINTER, &name))
		return;
	for (off = 0; off + 8 <= image->bytes.size; off += 8) {
		kset = bytes_u64(&image->bytes, off);
		if (kset % 8 || data_search_is_in(image, kset) || kset < 1ULL << 20 ||
		    !has_text(image, kset + name, "class") || !find_class_of(image, kset, "block", &class))
			continue;
		data_search_learn(image, "class_kset", image->start + off);
		return data_search_learn(image, "block_class", class);
	}
}

/* --- variables of each CPU ----------------------------------------------- */

/*
 * The types say where in its section each variable lies; all symbols of the section move alike. That of
 * x86-64, whose image lies in the last 2 GiB, begins at 0.
 */
static bool learn_percpu(struct data_search_image *image, u64 *start)
{
	static const char * const needed[] = { "cyc2ns", "runqueues", "irq_stack_ptr", "overflow_stack" };
	static const char * const known[] = {
		"cpu_number", "current_task", "cpu_info", "cpu_tlbstate", "kstat",
	};
	bool is_known = image->start >= -(2ULL << 30);
	u64 va;
	u32 i, off;

	*start = 0;
	for (i = 0; i < ARRAY_SIZE(known) && !*start; i++) {
		if (!kernel_btf_percpu(image->ktypes, known[i], &off))
			continue;
		learn_export(image, known[i]);
		if (kallsyms_address(image->kallsyms, known[i], &va)) {
			*start = va - off;
			is_known = true;
		}
	}
	for (i = 0; i < ARRAY_SIZE(needed); i++)
		if (is_known && kernel_btf_percpu(image->ktypes, needed[i], &off))
			data_search_learn(image, needed[i], *start + off);
	return is_known;
}

/* A note of the name "CORE", with registers. */
static bool is_crash_note(struct vmem *vmem, u64 va)
{
	u32 head[3];
	char name[5];

	for (u32 i = 0; i < ARRAY_SIZE(head); i++)
		if (!vmem_u32(vmem, va + 4 * i, &head[i]))
			return false;
	return head[0] == sizeof(name) && head[2] == NT_PRSTATUS && vmem_get(vmem, va + 12, name, sizeof(name)) &&
	       !memcmp(name, "CORE", sizeof(name));
}

/*
 * Find the pointer to the notes in which CPUs leave their registers when the kernel dies.  They are
 * allocated at boot, in the first memory for what each CPU has: behind @start.
 */
static void learn_crash_notes(struct data_search_image *image, u64 start)
{
	u64 off, note, offsets, of_first;

	if (data_search_knows(image, "crash_notes") ||
	    !kallsyms_address(image->kallsyms, "__per_cpu_offset", &offsets) ||
	    !vmem_u64(image->vmem, offsets, &of_first))
		return;
	for (off = 0; off + 8 <= image->bytes.size; off += 8) {
		note = bytes_u64(&image->bytes, off);
		if (note % 4 || note - start >= PERCPU_FIRST_MAX)
			continue;
		if (is_crash_note(image->vmem, note + of_first))
			return data_search_learn(image, "crash_notes", image->start + off);
	}
}

void data_search_data(struct data_search_image *image, const struct kernel_btf *ktypes,
		      struct damage_notes *notes)
{
	static const char * const exports[] = {
		"__per_cpu_offset", "nr_cpu_ids", "__num_online_cpus", "__cpu_online_mask", "__cpu_active_mask",
		"elfcorehdr_addr", "init_task", "init_pid_ns",
	};
	u64 va, percpu;
	u32 i;

	image->ktypes = ktypes;
	find_extent_of_types(image);
	for (i = 0; i < ARRAY_SIZE(exports); i++)
		learn_export(image, exports[i]);
	if (learn_percpu(image, &percpu))
		learn_crash_notes(image, percpu);
	data_search_trace(image);
	learn_modules(image);
	learn_classes(image);
	data_search_clocks(image);
	if (!kallsyms_lost(image->kallsyms) &&
	    !kallsyms_address(image->kallsyms, "ftrace_trace_arrays", &va) &&
	    kallsyms_address(image->kallsyms, "ring_buffer_lock_reserve", &va))
		damage_notes_add(notes, NOTE_NOWHERE,
				 "the kernel's own trace is not found: its symbols are functions only (CONFIG_KALLSYMS_ALL)");
}
