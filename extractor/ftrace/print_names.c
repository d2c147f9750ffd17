// SPDX-License-Identifier: GPL-2.0-or-later
#include "print_names.h"

#include <ctype.h>
#include <string.h>

#include "linux_kernel/linux_kernel.h"

_Static_assert(PRINT_NAME_MAX >= KERNEL_SYMBOL_MAX, "a name has room for the longest symbol");

/* Of a kernel that lay elsewhere, only the image is still what it was. */
bool ftrace_read_string(const struct ftrace *ftrace, u64 delta, u64 addr, char *buf, size_t size)
{
	const struct kernel *kernel = ftrace->kernel;
	struct ksym sym;

	addr += delta;
	return kernel && (!delta || kallsyms_find(kernel->kallsyms, addr, &sym)) &&
	       vmem_string(kernel->vmem, addr, buf, size) >= 0;
}

static bool find_enumerator(void *priv, const char *name, s64 *ret)
{
	const struct ftrace *ftrace = priv;

	return isupper((u8)*name) && kernel_btf_enum_value(ftrace->mem.types, NULL, name, ret);
}

/* "name+0x1/0x20 [module]", or without what lies in between. */
/* The dump has one moment only. */
static bool name_symbol(void *priv, u64 addr, u64 raw, bool has_offset, char buf[PRINT_NAME_MAX])
{
	const struct ftrace *ftrace = priv;
	char *plus, *module;

	(void)raw;
	if (!kernel_symbol(ftrace->kernel, addr + ftrace->text_delta, buf, PRINT_NAME_MAX))
		return false;
	if (has_offset)
		return true;
	plus = strchrnul(buf, '+');
	module = strstr(plus, " [");
	if (module)
		memmove(plus, module, strlen(module) + 1);
	else
		*plus = 0;
	return true;
}

static bool read_string(void *priv, u64 addr, char buf[PRINT_NAME_MAX])
{
	const struct ftrace *ftrace = priv;

	return ftrace_read_string(ftrace, ftrace->text_delta, addr, buf, PRINT_NAME_MAX);
}

void ftrace_use_print_names(struct ftrace *ftrace)
{
	const struct print_names names = {
		.enumerator = find_enumerator, .symbol = name_symbol, .string = read_string,
		.pads_pointers = true, .priv = ftrace,
	};

	formats_use_names(ftrace->formats, &names);
}
