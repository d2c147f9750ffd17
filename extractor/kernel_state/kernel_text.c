// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel_text.h"

bool kernel_text_find(struct kernel_text *ret, const struct kernel *kernel)
{
	struct kallsyms *kallsyms = kernel->kallsyms;

	*ret = (struct kernel_text){ .kernel = kernel };
	if (!kallsyms_address(kallsyms, "_sinittext", &ret->init_text[0]) ||
	    !kallsyms_address(kallsyms, "_einittext", &ret->init_text[1]))
		ret->init_text[0] = ret->init_text[1] = 0;
	return kallsyms_address(kallsyms, "_stext", &ret->text[0]) &&
	       kallsyms_address(kallsyms, "_etext", &ret->text[1]);
}

bool kernel_text_is_builtin(const struct kernel_text *text, u64 va)
{
	return (va >= text->text[0] && va < text->text[1]) ||
	       (va >= text->init_text[0] && va < text->init_text[1]);
}

const struct kernel_module *kernel_text_module(const struct kernel_text *text, u64 va)
{
	const struct kernel_module *module = kernel_modules_at(text->kernel->modules, va);
	const struct kernel_module_range *range = module ? kernel_module_range_at(module, va) : NULL;

	return range && va - range->start < range->text_size ? module : NULL;
}

bool kernel_text_has(const struct kernel_text *text, u64 va)
{
	return kernel_text_is_builtin(text, va) || kernel_text_module(text, va);
}
