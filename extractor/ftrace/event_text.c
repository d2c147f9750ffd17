// SPDX-License-Identifier: GPL-2.0-or-later
#include "event_text.h"

#include <string.h>

#include "base/text.h"
#include "bprint.h"
#include "event/trampoline.h"
#include "print_names.h"
#include "syscall.h"

#define STACK_END	(~0ULL)
#define STACK_TRAMPOLINE	0x7fffffffULL	/* stands for whatever called the function tracer */
#define NR_USER_STACK	8
#define MAX_TEXT	4096

/* What one of them is written from. @b: the event behind the common fields */
struct event {
	struct ftrace *ftrace;
	const struct ftrace_buffer *buf;
	FILE *f;
	const struct item *item;
	struct bytes b;
};

void ftrace_put_symbol(struct ftrace *ftrace, FILE *f, u64 addr)
{
	char name[KALLSYMS_NAME_MAX + 128];

	if (!addr) {
		putc('0', f);
	} else if (!kernel_symbol(ftrace->kernel, addr, name, sizeof(name))) {
		fprintf(f, "0x%08llx", addr);
	} else {
		size_t len = strcspn(name, "+");

		if (is_trampoline(name))
			fputs(TRAMPOLINE_NAME, f);
		else
			text_put(f, name, len);
	}
}

/* Code of the boot before, in a buffer that outlived it, lay elsewhere. */
static void put_code(const struct event *e, u64 addr)
{
	u64 now = addr + e->buf->text_delta;
	struct ksym sym;

	/* A module is not where its kernel is. */
	if (e->buf->text_delta && !kallsyms_find(e->ftrace->mem.kallsyms, now, &sym))
		fprintf(e->f, "0x%08llx", addr);
	else
		ftrace_put_symbol(e->ftrace, e->f, addr ? now : 0);
}

static bool read_kernel_string(const struct event *e, u64 addr, char *buf, size_t size)
{
	return ftrace_read_string(e->ftrace, e->buf->text_delta, addr, buf, size);
}

/* A text up to its end, without the newline that mostly ends it. */
static void put_plain_text(FILE *f, const void *text, size_t size)
{
	size_t len = strnlen(text, size);

	if (len && ((const char *)text)[len - 1] == '\n')
		len--;
	text_put(f, text, len);
}

static void put_functions(struct event *e)
{
	u64 parent = bytes_u64(&e->b, 8);

	put_code(e, bytes_u64(&e->b, 0));
	if (!parent)
		return;
	fputs(" <-", e->f);
	put_code(e, parent);
}

static void put_repeats(struct event *e)
{
	u64 delta = (u64)bytes_u16(&e->b, 18) << 32 | bytes_u32(&e->b, 20);
	u64 us = (e->item->raw - delta + 500) / 1000;

	put_functions(e);
	fprintf(e->f, " (repeats: %u, last_ts: %5llu.%06llu)", bytes_u16(&e->b, 16),
		us / 1000000, us % 1000000);
}

static void put_print_event(struct event *e)
{
	put_code(e, bytes_u64(&e->b, 0));
	fputs(": ", e->f);
	if (e->b.size > 8)
		put_plain_text(e->f, e->b.data + 8, e->b.size - 8);
}

/* A string of the kernel's, of which the event has the address. */
static void put_bputs(struct event *e)
{
	char text[MAX_TEXT];

	put_code(e, bytes_u64(&e->b, 0));
	fputs(": ", e->f);
	if (read_kernel_string(e, bytes_u64(&e->b, 8), text, sizeof(text)))
		put_plain_text(e->f, text, sizeof(text));
	else
		fputs("[text lost]", e->f);
}

static void put_bprint(struct event *e)
{
	char format[MAX_TEXT];
	struct bytes args = e->b.size > 16 ? bytes_sub(&e->b, 16, e->b.size - 16) :
					     bytes_of(NULL, 0, e->b.order);

	put_code(e, bytes_u64(&e->b, 0));
	fputs(": ", e->f);
	if (read_kernel_string(e, bytes_u64(&e->b, 8), format, sizeof(format)))
		ftrace_bprint(e->ftrace, e->buf->text_delta, e->f, format, &args);
	else
		fputs("[format lost]", e->f);
}

static void put_raw_event(struct event *e)
{
	u64 i;

	fprintf(e->f, "# %x buf:", bytes_u32(&e->b, 0));
	for (i = 4; i < e->b.size; i++)
		fprintf(e->f, " %02x", bytes_u8(&e->b, i));
}

/* Of what was returned to.  The boot before may have been of another build. */
static void put_place(struct event *e, u64 addr)
{
	const struct kernel *kernel = e->ftrace->kernel;
	char symbol[KERNEL_SYMBOL_MAX];

	if (kernel && kernel->debuginfo && !e->buf->text_delta &&
	    kernel_symbol(kernel, addr, symbol, sizeof(symbol)))
		debuginfo_put_place(kernel->debuginfo, e->f, symbol);
}

static void put_stack(struct event *e)
{
	u64 off, addr;

	fputs("<stack trace>", e->f);
	for (off = 8; bytes_has(&e->b, off, 8); off += 8) {
		addr = bytes_u64(&e->b, off);
		if (addr == STACK_END)
			break;
		fputs("\n => ", e->f);
		if (addr == STACK_TRAMPOLINE) {
			fputs("[FTRACE TRAMPOLINE]", e->f);
			continue;
		}
		put_code(e, addr);
		put_place(e, addr);
	}
}

static void put_user_stack(struct event *e)
{
	u32 i;

	fputs("<user stack trace>", e->f);
	for (i = 0; i < NR_USER_STACK && bytes_has(&e->b, 8 + i * 8, 8); i++) {
		u64 addr = bytes_u64(&e->b, 8 + i * 8);

		if (!addr)
			break;
		fprintf(e->f, "\n =>  <%016llx>", addr);
	}
}

/* As the kernel numbers the states of a task. */
static char state(u32 index)
{
	static const char states[] = "RSDTtXZPI";

	return index < sizeof(states) - 1 ? states[index] : '?';
}

static void put_context(struct event *e, const char *arrow)
{
	u32 next = bytes_u32(&e->b, 4);
	const char *comm = next ? ftrace_comms_find(&e->ftrace->comms, next) : "<idle>";

	fprintf(e->f, " %7d:%3d:%c %s [%03u] %7d:%3d:%c ", (s32)bytes_u32(&e->b, 0),
		bytes_u8(&e->b, 12), state(bytes_u8(&e->b, 13)), arrow, bytes_u32(&e->b, 8), (s32)next,
		bytes_u8(&e->b, 14), state(bytes_u8(&e->b, 15)));
	put_plain_text(e->f, comm ? comm : "<...>", TASK_COMM);
}

static void put_switch(struct event *e)
{
	put_context(e, "==>");
}

static void put_wakeup(struct event *e)
{
	put_context(e, "  +");
}

/* @least: bytes behind the common fields */
static const struct {
	const char *name;
	u32 least;
	void (*put)(struct event *e);
} writers[] = {
	{ "ftrace:function", 16, put_functions },
	{ "ftrace:func_repeats", 24, put_repeats },
	{ "ftrace:print", 8, put_print_event },
	{ "ftrace:bprint", 16, put_bprint },
	{ "ftrace:bputs", 16, put_bputs },
	{ "ftrace:raw_data", 4, put_raw_event },
	{ "ftrace:kernel_stack", 8, put_stack },
	{ "ftrace:user_stack", 8, put_user_stack },
	{ "ftrace:context_switch", 16, put_switch },
	{ "ftrace:wakeup", 16, put_wakeup },
};

static bool put_builtin(struct event *e)
{
	const char *name = formats_name(e->ftrace->formats, e->item->id);
	u32 i;

	for (i = 0; i < ARRAY_SIZE(writers); i++) {
		if (strcmp(writers[i].name, name) || e->b.size < writers[i].least)
			continue;
		writers[i].put(e);
		return true;
	}
	return false;
}

bool ftrace_text(struct ftrace *ftrace, const struct ftrace_buffer *buf, FILE *f,
		 const struct item *item)
{
	struct event e = {
		.ftrace = ftrace, .buf = buf, .f = f, .item = item,
		.b = bytes_of(item->payload, item->size, ftrace->mem.order),
	};
	u64 call;

	if (!ftrace->texts)
		return put_builtin(&e);
	switch (ftrace_formats_style(ftrace->texts, item->id, &call)) {
	case FTRACE_BUILTIN:
		return put_builtin(&e);
	case FTRACE_SYSCALL_ENTER:
		return ftrace_syscall_enter(&ftrace->mem, f, call, &e.b);
	case FTRACE_SYSCALL_EXIT:
		return ftrace_syscall_exit(&ftrace->mem, f, call, &e.b);
	case FTRACE_FORMAT:
		break;
	}
	return false;
}
