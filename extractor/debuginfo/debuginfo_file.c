// SPDX-License-Identifier: GPL-2.0-or-later
#include "debuginfo_file.h"

#ifndef EPITAPH_NO_DWARF

#include <dwarf.h>
#include <elfutils/libdwelf.h>
#include <elfutils/libdwfl.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "debuginfo_symtab.h"

#define ROWS_MAX	1000000	/* of line tables that are kept, about 50 bytes each */
#define UNITS_MAX	100000	/* compilation units that are looked at */

/**
 * struct debug_file - an ELF file with debuginfo
 * @elf: mapped, never written to
 * @dwfl: of a module: it puts the sections somewhere and relocates what it reads
 * @dwarf: NULL before debug_file_load(), and after it failed for memory
 * @units: whose line tables are in memory, by offset: nr_units of them with nr_rows
 */
struct debug_file {
	int fd;
	Elf *elf;
	Dwfl *dwfl;
	Dwarf *dwarf;
	bool is_module;
	char build_id[DEBUG_ID_MAX];
	struct debug_symbols symbols;
	Dwarf_Off *units;
	u32 nr_units;
	u64 nr_rows;
};

/* --- what it is ---------------------------------------------------------- */

static int read_kind(struct debug_file *file, struct err *err)
{
	struct stat st;
	const void *id;
	GElf_Ehdr ehdr;
	ssize_t n;

	elf_version(EV_CURRENT);
	file->elf = elf_begin(file->fd, ELF_C_READ_MMAP, NULL);
	if (!file->elf || elf_kind(file->elf) != ELF_K_ELF || !gelf_getehdr(file->elf, &ehdr))
		return err_set(err, ERR_CORRUPT, ERR_NO_OFF, "is no ELF file");
	if (ehdr.e_ident[EI_CLASS] != ELFCLASS64)
		return err_set(err, ERR_CORRUPT, ERR_NO_OFF, "is a 32-bit ELF file");
	/* Section headers are usually at the end, and libelf ignores missing ones. */
	if (!fstat(file->fd, &st) &&
	    ehdr.e_shoff + (u64)ehdr.e_shnum * ehdr.e_shentsize > (u64)st.st_size)
		return err_set(err, ERR_CORRUPT, ERR_NO_OFF, "is truncated");
	file->is_module = ehdr.e_type == ET_REL;
	n = dwelf_elf_gnu_build_id(file->elf, &id);
	if (n > 0 && 2 * n < DEBUG_ID_MAX)
		text_hex(file->build_id, sizeof(file->build_id), id, n);
	return 0;
}

int debug_file_open(struct debug_file **ret, int fd, struct err *err)
{
	struct debug_file *file = calloc(1, sizeof(*file));
	int res;

	if (!file) {
		close(fd);
		return err_sys(err, "memory for debuginfo");
	}
	file->fd = fd;
	res = read_kind(file, err);
	if (res)
		debug_file_close(file);
	else
		*ret = file;
	return res;
}

void debug_file_close(struct debug_file *file)
{
	if (!file)
		return;
	debug_symbols_free(&file->symbols);
	if (file->dwfl)
		dwfl_end(file->dwfl);
	else if (file->dwarf)
		dwarf_end(file->dwarf);
	if (file->elf)
		elf_end(file->elf);
	close(file->fd);
	free(file->units);
	free(file);
}

const char *debug_file_build_id(const struct debug_file *file)
{
	return file->build_id;
}

bool debug_file_is_module(const struct debug_file *file)
{
	return file->is_module;
}

/* --- libdw without memory ------------------------------------------------ */

/* libdw's own handler ends the program.  Where to go on; what it holds is lost. */
static _Thread_local jmp_buf *no_memory;

__attribute__((noreturn))
static void on_no_memory(void)
{
	if (!no_memory)
		abort();
	longjmp(*no_memory, 1);
}

/* --- symbols and lines --------------------------------------------------- */

/* Nothing is looked for anywhere else. */
static int find_no_elf(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
		       char **file, Elf **elf)
{
	(void)module, (void)data, (void)name, (void)base, (void)file, (void)elf;
	return -1;
}

static int find_no_debuginfo(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
			     const char *file, const char *link, GElf_Word crc, char **ret)
{
	(void)module, (void)data, (void)name, (void)base, (void)file, (void)link, (void)crc, (void)ret;
	return -1;
}

static const Dwfl_Callbacks callbacks = {
	.find_elf = find_no_elf,
	.find_debuginfo = find_no_debuginfo,
	.section_address = dwfl_offline_section_address,
};

static int load_module(struct debug_file *file, struct err *err)
{
	Dwfl_Module *module = NULL;
	Dwarf_Addr bias;
	int fd = dup(file->fd), ret;

	file->dwfl = dwfl_begin(&callbacks);
	if (file->dwfl && fd >= 0)
		module = dwfl_report_offline(file->dwfl, "module", "module", fd);
	if (!module) {
		close(fd);
		return err_set(err, ERR_CORRUPT, ERR_NO_OFF, "cannot be read: %s", dwfl_errmsg(-1));
	}
	dwfl_report_end(file->dwfl, NULL, NULL);
	ret = debug_symbols_of_module(&file->symbols, module, err);
	if (ret)
		return ret;
	file->dwarf = dwfl_module_getdwarf(module, &bias);
	if (!file->dwarf)
		return err_set(err, ERR_CORRUPT, ERR_NO_OFF, "cannot be read: %s", dwfl_errmsg(-1));
	return 0;
}

static bool has_section(const struct debug_file *file, const char *wanted)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;
	const char *name;
	size_t names;

	if (elf_getshdrstrndx(file->elf, &names))
		return false;
	while ((scn = elf_nextscn(file->elf, scn))) {
		if (!gelf_getshdr(scn, &shdr) || shdr.sh_type != SHT_PROGBITS)
			continue;
		name = elf_strptr(file->elf, names, shdr.sh_name);
		if (name && !strcmp(name, wanted))
			return true;
	}
	return false;
}

int debug_file_load(struct debug_file *file, struct err *err)
{
	int ret;

	if (file->dwarf)
		return 0;
	if (!has_section(file, ".debug_info"))
		return err_set(err, ERR_CORRUPT, ERR_NO_OFF,
			       "is stripped: it has no .debug_info");
	if (file->is_module) {
		ret = load_module(file, err);
	} else {
		ret = debug_symbols_of_kernel(&file->symbols, file->elf, err);
		if (ret)
			return ret;
		file->dwarf = dwarf_begin_elf(file->elf, DWARF_C_READ, NULL);
		if (!file->dwarf)
			return err_set(err, ERR_CORRUPT, ERR_NO_OFF, "cannot be read: %s",
				       dwarf_errmsg(-1));
	}
	if (file->dwarf)
		dwarf_new_oom_handler(file->dwarf, on_no_memory);
	return ret;
}

bool debug_file_symbol(struct debug_file *file, const char *name, size_t len, u64 size, u64 *ret)
{
	return debug_symbols_find(&file->symbols, name, len, size, ret);
}

/* Line tables of many units would fill the memory: begin anew. */
static void note_unit(struct debug_file *file, Dwarf_Die *cu, size_t nr_rows)
{
	Dwarf_Off off = dwarf_dieoffset(cu);
	Dwarf_Off *units;
	u32 i;

	for (i = 0; i < file->nr_units; i++)
		if (file->units[i] == off)
			return;
	units = reallocarray(file->units, file->nr_units + 1, sizeof(*units));
	if (!units)
		return;
	file->units = units;
	units[file->nr_units++] = off;
	file->nr_rows += nr_rows;
}

static void forget_rows(struct debug_file *file)
{
	if (file->nr_rows < ROWS_MAX || file->dwfl)
		return;
	dwarf_end(file->dwarf);
	file->dwarf = dwarf_begin_elf(file->elf, DWARF_C_READ, NULL);
	if (file->dwarf)
		dwarf_new_oom_handler(file->dwarf, on_no_memory);
	file->nr_units = 0;
	file->nr_rows = 0;
}

/* By .debug_aranges, which not every compiler writes; else each unit is asked. */
static bool find_compile_unit(struct debug_file *file, u64 addr, Dwarf_Die *cu)
{
	Dwarf_Off off = 0, next, abbrev;
	u8 addr_size, off_size;
	size_t head;
	u32 n;

	if (dwarf_addrdie(file->dwarf, addr, cu))
		return true;
	for (n = 0; n < UNITS_MAX; n++, off = next) {
		if (dwarf_nextcu(file->dwarf, off, &next, &head, &abbrev, &addr_size, &off_size))
			return false;
		if (dwarf_offdie(file->dwarf, off + head, cu) && dwarf_haspc(cu, addr) == 1)
			return true;
	}
	return false;
}

/* "kernel/fork.c", not "/build/linux/kernel/fork.c", nor with "./" in front. */
static const char *relative(Dwarf_Die *cu, const char *path)
{
	Dwarf_Attribute attr;
	const char *dir = dwarf_formstring(dwarf_attr(cu, DW_AT_comp_dir, &attr));
	size_t len = dir ? strlen(dir) : 0;

	if (!path)
		return "";
	if (len && !strncmp(path, dir, len) && path[len] == '/')
		path += len + 1;
	while (!strncmp(path, "./", 2))
		path += 2;
	return path;
}

/* File and line of the call that was inlined. */
static void take_inlined_call(Dwarf_Die *cu, Dwarf_Die *inlined, struct debug_frame *frame)
{
	Dwarf_Attribute attr;
	Dwarf_Files *files;
	Dwarf_Word n;
	size_t nr;

	*frame = (struct debug_frame){ .function = "", .file = "" };
	if (!dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &attr), &n) &&
	    !dwarf_getsrcfiles(cu, &files, &nr) && n < nr)
		frame->file = relative(cu, dwarf_filesrc(files, n, NULL, NULL));
	if (!dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &attr), &n))
		frame->line = n;
}

/* From the innermost scope outwards up to the function proper. */
static u32 take_scopes(Dwarf_Die *cu, Dwarf_Die *scopes, int nr, struct debug_frame *frames)
{
	const char *name;
	u32 n = 0;
	int i;

	for (i = 0; i < nr; i++) {
		int tag = dwarf_tag(&scopes[i]);

		if (tag != DW_TAG_subprogram && tag != DW_TAG_inlined_subroutine)
			continue;
		name = dwarf_diename(&scopes[i]);
		frames[n].function = name ? name : "";
		frames[n++].is_inlined = tag == DW_TAG_inlined_subroutine;
		if (tag == DW_TAG_subprogram || n == DEBUG_FRAMES_MAX)
			return n;
		take_inlined_call(cu, &scopes[i], &frames[n]);
	}
	return n ? n : 1;
}

static u32 find_frames(struct debug_file *file, u64 addr, struct debug_frame *frames)
{
	Dwarf_Die cu, *scopes = NULL, *outer = NULL;
	Dwarf_Lines *lines;
	Dwarf_Line *line;
	size_t nr_rows;
	u32 n = 1;
	int nr, number = 0;

	forget_rows(file);
	if (!file->dwarf || !find_compile_unit(file, addr, &cu))
		return 0;
	if (!dwarf_getsrclines(&cu, &lines, &nr_rows))
		note_unit(file, &cu, nr_rows);
	frames[0] = (struct debug_frame){ .function = "", .file = "" };
	line = dwarf_getsrc_die(&cu, addr);
	if (line) {
		frames[0].file = relative(&cu, dwarf_linesrc(line, NULL, NULL));
		frames[0].line = !dwarf_lineno(line, &number) && number > 0 ? number : 0;
	}
	nr = dwarf_getscopes(&cu, addr, &scopes);
	/* What encloses the innermost one in code, not in the source. */
	if (nr > 0)
		nr = dwarf_getscopes_die(&scopes[0], &outer);
	if (nr > 0)
		n = take_scopes(&cu, outer, nr, frames);
	free(scopes);
	free(outer);
	return *frames[0].file || *frames[0].function ? n : 0;
}

u32 debug_file_frames(struct debug_file *file, u64 addr,
		      struct debug_frame frames[DEBUG_FRAMES_MAX])
{
	jmp_buf back;
	u32 n = 0;

	if (setjmp(back)) {
		/* It may be in the middle of anything. */
		file->dwarf = NULL;
		file->dwfl = NULL;
		no_memory = NULL;
		return 0;
	}
	no_memory = &back;
	if (file->dwarf)
		n = find_frames(file, addr, frames);
	no_memory = NULL;
	return n;
}

#endif
