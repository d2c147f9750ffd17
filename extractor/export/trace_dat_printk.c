// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace_dat_printk.h"

#include <string.h>

#include "base/byte_writer.h"
#include "linux_kernel/linux_kernel.h"

#define MAX_TEXTS	65536
#define MAX_TEXT	1024
#define MODULE_FMT	16	/* of struct recording_bprintk_fmt, behind its list_head */

/* A reader takes a line for an entry; what a terminal would obey is '?'. */
static void put_quoted_format(struct pack *p, const char *text)
{
	for (; *text; text++) {
		if (*text == '\n')
			pack_bytes(p, "\\n", 2);
		else if (*text == '\t')
			pack_bytes(p, "\\t", 2);
		else if (*text == '"' || *text == '\\')
			pack_fmt(p, "\\%c", *text);
		else
			pack_fmt(p, "%c", *text < ' ' || *text > '~' ? '?' : *text);
	}
}

static void put_printk_format(struct pack *p, struct vmem *vmem, u64 addr)
{
	char text[MAX_TEXT];

	if (vmem_string(vmem, addr, text, sizeof(text)) <= 0)
		return;
	pack_fmt(p, "0x%llx : \"", addr);
	put_quoted_format(p, text);
	pack_bytes(p, "\"\n", 2);
}

/* A section of the kernel's that holds addresses of texts. */
static void put_table(struct pack *p, const struct kernel *kernel, const char *from,
		      const char *to)
{
	u64 start, end, addr, i;

	if (!kallsyms_address(kernel->kallsyms, from, &start) ||
	    !kallsyms_address(kernel->kallsyms, to, &end))
		return;
	for (i = 0; i < MAX_TEXTS && start + 8 * i + 8 <= end; i++)
		if (vmem_u64(kernel->vmem, start + 8 * i, &addr))
			put_printk_format(p, kernel->vmem, addr);
}

/* Copies that the kernel made of modules' formats. */
static void put_modules(struct pack *p, const struct kernel *kernel)
{
	u64 list, at, addr;
	u32 i;

	if (!kallsyms_address(kernel->kallsyms, "trace_bprintk_fmt_list", &list))
		return;
	for (i = 0, at = list; i < MAX_TEXTS; i++) {
		if (!vmem_u64(kernel->vmem, at, &at) || at == list)
			return;
		if (vmem_u64(kernel->vmem, at + MODULE_FMT, &addr))
			put_printk_format(p, kernel->vmem, addr);
	}
}

void trace_dat_put_printk(struct pack *p, const struct exporter *ex)
{
	const struct kernel *kernel = ex->pm->kernel;

	if (!kernel || !kernel->kallsyms)
		return;
	put_table(p, kernel, "__start___trace_bprintk_fmt", "__stop___trace_bprintk_fmt");
	put_table(p, kernel, "__start___tracepoint_str", "__stop___tracepoint_str");
	put_modules(p, kernel);
}
