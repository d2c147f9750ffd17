// SPDX-License-Identifier: GPL-2.0-or-later
#include "modules.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/byte_reader.h"

#define UNFORMED	3	/* MODULE_STATE_UNFORMED: the module is not set up yet */
#define BUILD_ID_MAX	32	/* bytes */
#define MAX_NOTES	8	/* ELF sections with notes in a module */

/* --- a module ------------------------------------------------------------ */

#define MAX_PIECES	8

/* Where struct module describes its memory for one purpose, or all of its memory. */
struct module_piece {
	u32 offset;
	bool is_text;
	bool is_init;
};

/*
 * Where the members of a struct module are; looked up once, as a search in the types is slow.
 * @pieces: nr_pieces descriptions, each with @base and @size
 * @text_size: in kernels before 6.4, whose pieces begin with code
 */
struct module_layout {
	u32 list;
	struct btf_member_place name, state, build_id;
	bool has_state, has_build_id;
	struct module_piece pieces[MAX_PIECES];
	u32 nr_pieces;
	struct btf_member_place base, size, text_size;
	bool has_text_size;
};

static void add_module_piece(struct module_layout *at, u32 offset, bool is_text, bool is_init)
{
	if (at->nr_pieces < MAX_PIECES)
		at->pieces[at->nr_pieces++] = (struct module_piece){ offset, is_text, is_init };
}

/* Since 6.4 a module has one piece of memory for each purpose. */
static bool find_module_pieces(struct module_layout *at, const struct kernel_btf *kt)
{
	static const char * const kinds[] = {
		"MOD_TEXT", "MOD_DATA", "MOD_RODATA", "MOD_RO_AFTER_INIT",
		"MOD_INIT_TEXT", "MOD_INIT_DATA", "MOD_INIT_RODATA",
	};
	struct btf_member_place mem;
	s64 kind;

	if (!kernel_btf_member(kt, "module", "mem", &mem) || mem.kind != KKIND_ARRAY || !mem.nr)
		return false;
	for (u32 i = 0; i < ARRAY_SIZE(kinds); i++)
		if (kernel_btf_enum_value(kt, "mod_mem_type", kinds[i], &kind) && kind >= 0 &&
		    kind < mem.nr)
			add_module_piece(at, mem.offset + kind * (mem.size / mem.nr),
				  strstr(kinds[i], "TEXT") != NULL, strstr(kinds[i], "INIT_") != NULL);
	return kernel_btf_member(kt, "module_memory", "base", &at->base) &&
	       kernel_btf_member(kt, "module_memory", "size", &at->size);
}

/* Before 6.4 it has two. */
static void find_module_halves(struct module_layout *at, const struct kernel_btf *kt)
{
	struct btf_member_place half;

	at->nr_pieces = 0;
	at->has_text_size = kernel_btf_member(kt, "module_layout", "text_size", &at->text_size);
	if (!at->has_text_size || !kernel_btf_member(kt, "module_layout", "base", &at->base) ||
	    !kernel_btf_member(kt, "module_layout", "size", &at->size))
		return;
	if (kernel_btf_member(kt, "module", "core_layout", &half))
		add_module_piece(at, half.offset, true, false);
	if (kernel_btf_member(kt, "module", "init_layout", &half))
		add_module_piece(at, half.offset, true, true);
}

static bool find_module_layout(struct module_layout *at, const struct kernel_btf *kt)
{
	*at = (struct module_layout){ 0 };
	at->has_state = kernel_btf_member(kt, "module", "state", &at->state);
	at->has_build_id = kernel_btf_member(kt, "module", "build_id", &at->build_id);
	if (!find_module_pieces(at, kt))
		find_module_halves(at, kt);
	return kernel_btf_offset(kt, "module", "list", KKIND_STRUCT, &at->list) &&
	       kernel_btf_member(kt, "module", "name", &at->name) && at->name.kind == KKIND_ARRAY;
}

static bool at_member(const struct kernel_modules *m, const struct btf_member_place *member, u64 va,
		      u64 *ret)
{
	return vmem_number(m->vmem, va + member->offset, member->size, ret);
}

static void read_ranges(const struct kernel_modules *m, const struct module_layout *at,
			struct kernel_module *module)
{
	u64 start, size, text;

	for (u32 i = 0; i < at->nr_pieces && module->nr_ranges < KMODULE_MAX_RANGES; i++) {
		const struct module_piece *piece = &at->pieces[i];
		u64 va = module->va + piece->offset;

		if (!at_member(m, &at->base, va, &start) || !at_member(m, &at->size, va, &size))
			continue;
		text = piece->is_text ? size : 0;
		if (at->has_text_size && !at_member(m, &at->text_size, va, &text))
			continue;
		if (!start || !size || start + size < start)
			continue;
		module->ranges[module->nr_ranges++] = (struct kernel_module_range){
			.start = start, .size = size, .is_init = piece->is_init,
			.text_size = text < size ? text : size,
		};
	}
}

static void write_build_id(char id[KMODULE_ID_MAX], const u8 *raw, u32 n)
{
	static const char hex[] = "0123456789abcdef";
	u8 any = 0;

	for (u32 i = 0; i < n; i++) {
		id[2 * i] = hex[raw[i] >> 4];
		id[2 * i + 1] = hex[raw[i] & 15];
		any |= raw[i];
	}
	id[any ? 2 * n : 0] = '\0';
}

static bool read_module(const struct kernel_modules *m, const struct module_layout *at, u64 va,
			struct kernel_module *module)
{
	u8 id[BUILD_ID_MAX];
	u32 id_size = at->build_id.size;
	u64 state = 0;
	u32 room = at->name.size < KMODULE_NAME_MAX ? at->name.size : KMODULE_NAME_MAX - 1;

	memset(module, 0, sizeof(*module));
	module->va = va;
	if (!vmem_get(m->vmem, va + at->name.offset, module->name, room))
		return false;
	if (at->has_state && !vmem_number(m->vmem, va + at->state.offset, at->state.size, &state))
		return false;
	module->state = state;
	read_ranges(m, at, module);
	if (at->has_build_id && id_size <= sizeof(id) &&
	    vmem_get(m->vmem, va + at->build_id.offset, id, id_size))
		write_build_id(module->build_id, id, id_size);
	return true;
}

/* --- the list ------------------------------------------------------------ */

static bool is_listed(const struct kernel_modules *m, u64 va)
{
	for (u32 i = 0; i < m->nr; i++)
		if (m->list[i].va == va)
			return true;
	return false;
}

static void walk_modules(struct kernel_modules *m, const struct module_layout *at, u64 head,
			 struct damage_notes *notes)
{
	u32 looked_at = 0;
	u64 next;

	if (!vmem_u64(m->vmem, head, &next)) {
		damage_notes_add(notes, NOTE_NOWHERE, "the list of modules cannot be read: %s",
				 vmem_why(m->vmem));
		return;
	}
	/* A module that is left out counts too: a circle of such modules would have no end. */
	while (next != head && looked_at++ < KMODULES_MAX && !is_listed(m, next - at->list)) {
		struct kernel_module *module = &m->list[m->nr];

		if (!read_module(m, at, next - at->list, module) ||
		    !vmem_u64(m->vmem, next, &next)) {
			damage_notes_add(notes, NOTE_NOWHERE, "the list of modules breaks off behind %u: %s",
					 m->nr, vmem_why(m->vmem));
			return;
		}
		if (module->state != UNFORMED)
			m->nr++;
	}
	if (next != head)
		damage_notes_add(notes, NOTE_NOWHERE, "the list of modules is damaged behind %u of them",
				 m->nr);
}

int kernel_modules_open(struct kernel_modules **ret, struct vmem *vmem, struct kallsyms *kallsyms,
			const struct kernel_btf *ktypes, struct damage_notes *notes,
			struct err *err)
{
	static const struct {
		const char *type;
		const char *path;
	} members[] = {
		[KMODULE_KALLSYMS] = { "module", "kallsyms" },
		[KMODULE_SYMTAB] = { "mod_kallsyms", "symtab" },
		[KMODULE_NUM_SYMTAB] = { "mod_kallsyms", "num_symtab" },
		[KMODULE_STRTAB] = { "mod_kallsyms", "strtab" },
		[KMODULE_TYPETAB] = { "mod_kallsyms", "typetab" },
	};
	struct module_layout at;
	struct kernel_modules *m;
	u64 head;

	if (!kallsyms_address(kallsyms, "modules", &head) || !find_module_layout(&at, ktypes))
		return err_set(err, ERR_NOT_OURS, ERR_NO_OFF,
			       "modules cannot be found without the kernel's symbols and types");
	m = calloc(1, sizeof(*m));
	if (m)
		m->list = calloc(KMODULES_MAX, sizeof(*m->list));
	if (!m || !m->list) {
		kernel_modules_close(m);
		return err_sys(err, "memory for modules");
	}
	m->vmem = vmem;
	m->ktypes = ktypes;
	for (u32 i = 0; i < ARRAY_SIZE(members); i++)
		if (!kernel_btf_member(ktypes, members[i].type, members[i].path, &m->at[i]))
			m->at[i].size = 0;
	walk_modules(m, &at, head, notes);
	*ret = m;
	return 0;
}

void kernel_modules_close(struct kernel_modules *m)
{
	if (!m)
		return;
	for (u32 i = 0; m->list && i < m->nr; i++)
		free(m->list[i].symbols);
	free(m->list);
	free(m);
}

const struct kernel_module_range *kernel_module_range_at(const struct kernel_module *module,
							 u64 addr)
{
	for (u32 i = 0; i < module->nr_ranges; i++)
		if (addr - module->ranges[i].start < module->ranges[i].size)
			return &module->ranges[i];
	return NULL;
}

const struct kernel_module *kernel_modules_at(const struct kernel_modules *m, u64 addr)
{
	for (u32 i = 0; m && i < m->nr; i++)
		if (kernel_module_range_at(&m->list[i], addr))
			return &m->list[i];
	return NULL;
}

/* --- build ids ----------------------------------------------------------- */

/* An ELF note: sizes of name and text, type, "GNU", text. */
static bool read_note(const struct kernel_modules *m, u64 va, char id[KMODULE_ID_MAX])
{
	u8 raw[16 + BUILD_ID_MAX];
	struct bytes b = bytes_of(raw, sizeof(raw), dump_byte_order(vmem_input(m->vmem)));
	u32 n;

	if (!vmem_get(m->vmem, va, raw, 16))
		return false;
	n = bytes_u32(&b, 4);
	if (bytes_u32(&b, 0) != 4 || bytes_u32(&b, 8) != NT_GNU_BUILD_ID ||
	    memcmp(raw + 12, "GNU", 4) || n > BUILD_ID_MAX ||
	    !vmem_get(m->vmem, va + 16, raw + 16, n))
		return false;
	write_build_id(id, raw + 16, n);
	return *id;
}

/* Each ELF section with notes has an attribute in sysfs, which has its address. */
static void read_notes(const struct kernel_modules *m, const struct kernel_module *module,
		       char id[KMODULE_ID_MAX])
{
	struct btf_member_place all, attrs, place;
	u64 at, note;
	u32 step;

	if (!kernel_btf_member(m->ktypes, "module", "notes_attrs", &all) ||
	    !kernel_btf_member(m->ktypes, "module_notes_attrs", "attrs", &attrs) ||
	    !kernel_btf_member(m->ktypes, "bin_attribute", "private", &place) ||
	    !kernel_btf_size(m->ktypes, "bin_attribute", &step) ||
	    !at_member(m, &all, module->va, &at) || !at)
		return;
	at += attrs.offset;
	for (u32 i = 0; i < MAX_NOTES; i++, at += step)
		if (!at_member(m, &place, at, &note) || !note || read_note(m, note, id))
			return;
}

void kernel_modules_build_id(const struct kernel_modules *m, const struct kernel_module *module,
			     char id[KMODULE_ID_MAX])
{
	memcpy(id, module->build_id, KMODULE_ID_MAX);
	if (!*id)
		read_notes(m, module, id);
}
