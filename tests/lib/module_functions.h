/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The code of a module called MODULE: NR_FUNCTIONS functions of at most ROOM bytes each from CODE on, with the names that
 * the test has in module_functions[], and the bytes that it puts in functions[]. For tests that link with -z muldefs.
 */
#ifndef MODULE_FUNCTIONS_H
#define MODULE_FUNCTIONS_H

#include <string.h>

#include "fault/function_code.h"
#include "instruction/instruction.h"
#include "linux_kernel/modules.h"

static struct function {
	u8 bytes[ROOM];
	u32 len;
} functions[NR_FUNCTIONS];

const struct kernel_module *kernel_modules_at(const struct kernel_modules *modules, u64 addr)
{
	static const struct kernel_module module = { .name = MODULE };

	(void)modules;
	return addr - CODE < ROOM * NR_FUNCTIONS ? &module : NULL;
}

bool kernel_modules_symbol(const struct kernel_modules *modules, const struct kernel_module *module, u32 i, u64 *addr, char *type, char *name)
{
	(void)modules;
	(void)module;
	*addr = CODE + ROOM * i;
	*type = 't';
	strcpy(name, "name");
	return i < NR_FUNCTIONS;
}

bool function_code_read_function(struct function_code *code, const struct kernel *kernel, u64 target)
{
	u64 which = (target - CODE) / ROOM;

	memset(code, 0, sizeof(*code));
	if (which >= NR_FUNCTIONS || !functions[which].len)
		return false;
	strcpy(code->name, module_functions[which]);
	strcpy(code->module, MODULE);
	code->set = &instruction_set_x86_64;
	code->start = CODE + ROOM * which;
	code->size = code->len = functions[which].len;
	code->is_whole = true;
	code->kernel = kernel;
	memcpy(code->bytes, functions[which].bytes, code->len);
	return true;
}

#endif
