// SPDX-License-Identifier: GPL-2.0-or-later
/* Types of modules: the kernel keeps a copy of each one's BTF (CONFIG_DEBUG_INFO_BTF_MODULES). */
#include <stdlib.h>
#include <string.h>

#include "linux_kernel.h"

#define MOST_BYTES	(16U << 20)

/* Where the kernel has the members on the way. */
struct types_layout {
	u32 list, module, btf;		/* struct btf_module */
	u32 data, size;			/* struct btf */
	u32 name;			/* struct module */
};

static bool find_types_layout(struct types_layout *at, const struct kernel_btf *kt)
{
	return kernel_btf_offset(kt, "btf_module", "list", KKIND_STRUCT, &at->list) &&
	       kernel_btf_offset(kt, "btf_module", "module", KKIND_POINTER, &at->module) &&
	       kernel_btf_offset(kt, "btf_module", "btf", KKIND_POINTER, &at->btf) &&
	       kernel_btf_offset(kt, "btf", "data", KKIND_POINTER, &at->data) &&
	       kernel_btf_offset(kt, "btf", "data_size", KKIND_INT, &at->size) &&
	       kernel_btf_offset(kt, "module", "name", KKIND_ARRAY, &at->name);
}

/* The struct btf of the module; false: the list does not have it. */
static bool find_types(const struct kernel *kernel, const struct types_layout *at, const char *name, u64 *ret)
{
	char found[KMODULE_NAME_MAX];
	u64 head, node, module;

	if (!kallsyms_address(kernel->kallsyms, "btf_modules", &head) || !vmem_u64(kernel->vmem, head, &node))
		return false;
	for (u32 i = 0; i < KMODULES_MAX && node != head; i++) {
		u64 entry = node - at->list;

		if (!vmem_u64(kernel->vmem, entry + at->module, &module))
			return false;
		if (vmem_string(kernel->vmem, module + at->name, found, sizeof(found)) > 0 && !strcmp(found, name))
			return vmem_u64(kernel->vmem, entry + at->btf, ret);
		if (!vmem_u64(kernel->vmem, node, &node))
			return false;
	}
	return false;
}

int kernel_open_module_types(const struct kernel *kernel, const char *module, struct kernel_btf **ret,
			     struct err *err)
{
	struct types_layout at;
	void *data;
	u64 btf, va;
	u32 size;
	int res;

	if (!find_types_layout(&at, kernel->ktypes) || !find_types(kernel, &at, module, &btf) ||
	    !vmem_u64(kernel->vmem, btf + at.data, &va) || !vmem_u32(kernel->vmem, btf + at.size, &size) ||
	    !size || size > MOST_BYTES)
		return err_set(err, ERR_NOT_OURS, ERR_NO_OFF, "the module has no BTF, or the dump lacks it: its types are not known");
	data = malloc(size);
	if (!data)
		return err_sys(err, "memory for %u bytes of BTF", size);
	if (vmem_get(kernel->vmem, va, data, size))
		res = kernel_btf_parse_module(ret, data, size, kernel->ktypes, err);
	else
		res = err_set(err, ERR_CORRUPT, ERR_NO_OFF, "the module's BTF is not all there: %s",
			      vmem_why(kernel->vmem));
	free(data);
	return res;
}
