// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hooks read arguments of functions that the kernel changes as it likes: __trace_puts() lost one in
 * 7.0, and what was read then was no address.  So each function's prototype is looked up before it
 * is followed.
 *
 * The kernel's BTF begins at a symbol.  The kernel's search for a symbol is not for modules; it finds a
 * kprobe's place with it, and says it also of a probe that it refuses, as it does of data.  Where BTF
 * ends, its header says: a second search would take as many instructions as all of the reading.
 */
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/string.h>
#include <linux/vmalloc.h>
#include "arch/arch.h"
#include "btf.h"
#include "prototype.h"

static struct epitaph_prototype prototypes[] = {
	{ "panic", "char*" },
	{ "vpanic", "char* _" },
	{ "page_fault_oops", "pt_regs* 8 8" },
	{ "die_kernel_fault", "char* 8" },
	{ "do_mem_abort", "8 8 pt_regs*" },
	{ "machine_crash_shutdown", "pt_regs*" },
	{ "crash_save_cpu", "pt_regs* 4" },
	/* The one begins with the other. */
	{ "__print_mce", "mce*/mce_hw_err*" },
	{ "trace_vbprintk", "8 char* _" },
	{ "trace_vprintk", "8 char* _" },
	{ "__trace_puts", "8 char*" },
	{ "__trace_bputs", "8 char*" },
	{ "__unregister_trace_event", "trace_event*" },
	{ "device_add", "device*" },
};

static bool is_read;
static bool is_asked[ARRAY_SIZE(prototypes)];

#ifdef CONFIG_KPROBES
/* Return: NULL if there is no such symbol. */
static const char *find_data(const char *symbol)
{
	struct kprobe probe = { .symbol_name = symbol, .flags = KPROBE_FLAG_DISABLED };
	int err = register_kprobe(&probe);

	if (!err)
		unregister_kprobe(&probe);
	return (const char *)probe.addr;
}
#else
static const char *find_data(const char *symbol)
{
	return NULL;
}
#endif

static bool read_prototypes(void)
{
	const char *start = find_data("__start_BTF");
	size_t size = start ? epitaph_btf_size(start) : 0;
	size_t room = epitaph_btf_room(start, size);
	u32 *at = room ? vmalloc(array_size(room, sizeof(*at))) : NULL;
	bool whole = at && epitaph_btf_read(start, size, at, prototypes, ARRAY_SIZE(prototypes));

	vfree(at);
	return whole;
}

static bool is_other(int i)
{
	return prototypes[i].is_there && !prototypes[i].is_known;
}

bool epitaph_prototype_is_other(const char *function)
{
	int i;

	if (!is_read && !read_prototypes())
		pr_info("the kernel's types cannot be read: no function's arguments are compared\n");
	is_read = true;
	for (i = 0; i < ARRAY_SIZE(prototypes); i++) {
		if (strcmp(prototypes[i].function, function))
			continue;
		if (is_other(i) && !is_asked[i])
			pr_warn("%s() of this kernel takes (%s), not (%s): it is not followed\n", function,
				prototypes[i].found, prototypes[i].takes);
		is_asked[i] = true;
		return is_other(i);
	}
	return false;
}

ssize_t epitaph_prototypes_name_others(char *buf, size_t size)
{
	size_t used = 0;
	int i;

	buf[0] = '\0';
	for (i = 0; i < ARRAY_SIZE(prototypes); i++)
		if (is_asked[i] && is_other(i))
			used += scnprintf(buf + used, size - used, "%s%s", used ? " " : "",
					  prototypes[i].function);
	return used;
}

void epitaph_prototypes_stop(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(prototypes); i++) {
		prototypes[i].is_there = prototypes[i].is_known = is_asked[i] = false;
		prototypes[i].found[0] = '\0';
	}
	is_read = false;
}
