// SPDX-License-Identifier: GPL-2.0-or-later
/* A kernel of a few hostile pages: its tables, symbols, types, log and modules. */
#include "linux_kernel/linux_kernel.h"
#include "kernel_file.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static void look_at_symbols(struct kernel *kernel)
{
	char buf[KERNEL_SYMBOL_MAX], name[KALLSYMS_NAME_MAX], id[KMODULE_ID_MAX], type;
	u64 addr;

	for (u64 at = 0; at < SEED_SIZE; at += 48)
		MUST(kernel_symbol(kernel, AT(at), buf, sizeof(buf)) < sizeof(buf));
	for (u64 at = 0; at < 64; at += 8)
		kernel_symbol(kernel, SEED_MODULE + at, buf, sizeof(buf));
	kernel_modules_address(kernel->modules, "two", &addr);
	for (u32 i = 0; kernel->kallsyms && i < kallsyms_nr(kernel->kallsyms) && i < 100; i++) {
		MUST(kallsyms_symbol(kernel->kallsyms, i, &addr, &type, name));
		MUST(strlen(name) < KALLSYMS_NAME_MAX);
	}
	for (u32 k = 0; kernel->modules && k < kernel->modules->nr && k < 10; k++) {
		for (u32 i = 0; i < 10; i++)
			kernel_modules_symbol(kernel->modules, &kernel->modules->list[k], i, &addr, &type,
					      name);
		kernel_modules_build_id(kernel->modules, &kernel->modules->list[k], id);
		MUST(strlen(id) < KMODULE_ID_MAX);
	}
}

static void look_at_types(const struct kernel_btf *kt)
{
	struct btf_member_place m;
	u32 size;

	kernel_btf_member(kt, "module", "list.next", &m);
	kernel_btf_member(kt, "task_struct", "nothing", &m);
	kernel_btf_size(kt, "tk_fast", &size);
	kernel_btf_enum_name(kt, "mod_mem_type", 1);
	kernel_btf_enum_value(kt, NULL, "nothing", &(s64){ 0 });
	if (kernel_btf_member(kt, "tk_fast", "base", &m))
		MUST(kernel_btf_of(kt, &m));
}

static void look_at_log(const struct kernel *kernel)
{
	struct aux_events extras = { 0 };
	u64 real;

	for (u32 i = 0; i < kernel->log.nr; i++) {
		const struct klog_line *line = &kernel->log.records[i].line;

		MUST(!line->len || line->text[0] + line->text[line->len - 1] < 1000);
		timekeeping_real(&kernel->clock, line->mono_ns, &real);
		timekeeping_bound(&kernel->clock, line->mono_ns);
	}
	MUST(!printk_ringbuffer_add(&kernel->log, &extras, NULL));
	aux_events_sort(&extras);
	aux_events_free(&extras);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct err err = ERR_INIT;
	struct dump *in = NULL;
	struct kernel *kernel;

	if (dump_open_fd(&in, kernel_file(data, size), &err))
		return 0;
	if (!kernel_open(&kernel, in, &err)) {
		look_at_symbols(kernel);
		look_at_types(kernel->ktypes);
		look_at_log(kernel);
		kernel_close(kernel);
	} else {
		MUST(err.code != ERR_IO);
	}
	dump_close(in);
	return 0;
}
