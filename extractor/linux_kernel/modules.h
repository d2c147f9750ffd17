/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The modules that the dumped kernel had loaded, and their symbols. */
#ifndef EPITAPH_LINUX_KERNEL_MODULES_H
#define EPITAPH_LINUX_KERNEL_MODULES_H

#include "base/damage_notes.h"
#include "kallsyms.h"
#include "btf.h"

#define KMODULES_MAX		4096
#define KMODULE_MAX_RANGES	8	/* 7 in 7.2 */
#define KMODULE_MAX_SYMBOLS	65536
#define KMODULE_NAME_MAX	64	/* with its NUL */
#define KMODULE_ID_MAX		65	/* of a build id in hex, with its NUL */

/**
 * struct kernel_module_range - memory of a module's
 * @text_size: bytes of code, at its start
 * @is_init: it is given back once the module is loaded
 */
struct kernel_module_range {
	u64 start;
	u64 size;
	u64 text_size;
	bool is_init;
};

/**
 * struct kernel_module - a module
 * @va: of its struct module
 * @name: terminated, not escaped
 * @build_id: in hex; "": struct module has none; see kernel_modules_build_id()
 * @state: as in the kernel: 0 live, 1 coming, 2 going
 */
struct kernel_module {
	u64 va;
	char name[KMODULE_NAME_MAX];
	char build_id[KMODULE_ID_MAX];
	u32 state;
	struct kernel_module_range ranges[KMODULE_MAX_RANGES];
	u32 nr_ranges;
	struct kernel_module_symbols *symbols;	/* read when first asked for */
};

/* Members on the way to the symbols of a module. */
enum kernel_module_member {
	KMODULE_KALLSYMS,	/* struct module */
	KMODULE_SYMTAB,		/* struct mod_kallsyms */
	KMODULE_NUM_SYMTAB,
	KMODULE_STRTAB,
	KMODULE_TYPETAB,
	KMODULE_NR_MEMBERS,
};

/**
 * struct kernel_modules - all of them, in the kernel's order
 * @at: by enum kernel_module_member; a member that this kernel does not have has size 0
 * @list: nr of them
 */
struct kernel_modules {
	struct vmem *vmem;
	const struct kernel_btf *ktypes;
	struct btf_member_place at[KMODULE_NR_MEMBERS];
	struct kernel_module *list;
	u32 nr;
};

/**
 * kernel_modules_open() - walk the kernel's list of modules
 * @ret: for kernel_modules_close(); set only on success
 * @notes: what cannot be read
 *
 * Return: 0; -ERR_NOT_OURS if they cannot be found without symbols and types;
 *	-ERR_IO without memory.
 */
int kernel_modules_open(struct kernel_modules **ret, struct vmem *vmem, struct kallsyms *kallsyms,
			const struct kernel_btf *ktypes, struct damage_notes *notes,
			struct err *err);

/* The argument may be NULL. */
void kernel_modules_close(struct kernel_modules *modules);

/* The module that has @addr, or NULL. */
const struct kernel_module *kernel_modules_at(const struct kernel_modules *modules, u64 addr);

/* Its memory that @addr is in, or NULL. */
const struct kernel_module_range *kernel_module_range_at(const struct kernel_module *module,
							 u64 addr);

/* The symbol of the module that @addr is in, with the name that the kernel would print. */
bool kernel_modules_find(const struct kernel_modules *modules, const struct kernel_module *module,
			 u64 addr, struct ksym *ret);

/* Its symbols by number, in its own order; false behind the last one. */
bool kernel_modules_symbol(const struct kernel_modules *modules, const struct kernel_module *module,
			   u32 i, u64 *addr, char *type, char *name);

/* The address of a symbol of any module. */
bool kernel_modules_address(const struct kernel_modules *modules, const char *name, u64 *ret);

/* The build id in hex, where it is not in struct module, out of the module's notes; "": it is nowhere. */
void kernel_modules_build_id(const struct kernel_modules *modules,
			     const struct kernel_module *module, char id[KMODULE_ID_MAX]);

#endif
