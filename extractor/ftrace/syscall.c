// SPDX-License-Identifier: GPL-2.0-or-later
#include "syscall.h"

#include <ctype.h>
#include <string.h>

#include "base/text.h"
#include "event/formats.h"

#define MAX_ARGS	6
#define MAX_NAME	128
#define OPENAT		"sys_openat"	/* from 6.19 on it has a writer of its own */

/*
 * One call.
 * @meta: its syscall_metadata
 * @nr: arguments
 * @user_mask: bit n: what argument n points to was recorded
 * @user_size: the argument that says how long that is; -1: it ends at a NUL
 * @user_text: it is text all the same
 * @user: bytes into what was recorded of user space
 */
struct syscall_call {
	const struct ftrace_memory *mem;
	FILE *f;
	u64 meta;
	char name[MAX_NAME];
	u32 nr;
	u32 user_mask;
	int user_size;
	bool user_text;
	u32 user;
	struct bytes *b;
};

static bool find_call(struct syscall_call *call, const struct ftrace_memory *mem, FILE *f, u64 va,
		      struct bytes *b)
{
	*call = (struct syscall_call){ .mem = mem, .f = f, .b = b };
	if (!ftrace_get(mem, va, CALL_DATA, &call->meta) ||
	    !ftrace_string(mem, call->meta, SYSCALL_NAME, call->name, sizeof(call->name)))
		return false;
	call->nr = ftrace_value(mem, call->meta, SYSCALL_NR_ARGS);
	call->user_mask = ftrace_value(mem, call->meta, SYSCALL_USER_MASK);
	call->user_size = (int8_t)ftrace_value(mem, call->meta, SYSCALL_USER_SIZE);
	call->user_text = ftrace_value(mem, call->meta, SYSCALL_USER_TEXT);
	return call->nr <= MAX_ARGS;
}

static u64 argument(struct syscall_call *call, u32 i)
{
	return bytes_u64(call->b, 8 + i * 8);
}

static void put_argument_name(struct syscall_call *call, u32 i)
{
	char name[MAX_NAME];
	u64 names;

	if (!ftrace_get(call->mem, call->meta, SYSCALL_ARGS, &names) ||
	    !vmem_u64(call->mem->vmem, names + i * 8, &names) ||
	    vmem_string(call->mem->vmem, names, name, sizeof(name)) < 0)
		strcpy(name, "?");
	text_put(call->f, name, sizeof(name));
}

/* The next of what was recorded of user space; its place counts from the common fields on. */
static struct bytes next_user(struct syscall_call *call)
{
	u32 loc = bytes_u32(call->b, 8 + call->nr * 8 + call->user);
	u32 off = loc & 0xffff;

	call->user += 4;
	return off < FORMATS_COMMON ? bytes_of(NULL, 0, call->b->order) :
				      bytes_sub(call->b, off - FORMATS_COMMON, loc >> 16);
}

static bool any_printable(const struct bytes *user)
{
	size_t i;

	for (i = 0; i < user->size; i++)
		if (isascii(user->data[i]) && isprint(user->data[i]))
			return true;
	return false;
}

static void put_user_bytes(struct syscall_call *call, const struct bytes *user, u64 wanted)
{
	const char *more = user->size < (u32)wanted ? "..." : "";
	size_t i;

	fputs(" (", call->f);
	for (i = 0; i < user->size; i++)
		fprintf(call->f, "%s%02x", i ? ":" : "", user->data[i]);
	fprintf(call->f, "%s%s)", *more ? ", " : "", more);
	if (!any_printable(user))
		return;
	fputs(" \"", call->f);
	for (i = 0; i < user->size; i++)
		putc(isascii(user->data[i]) && isprint(user->data[i]) ? user->data[i] : '.', call->f);
	fprintf(call->f, "\"%s", more);
}

static void put_user_text(struct syscall_call *call, const struct bytes *user)
{
	fputs(" \"", call->f);
	if (user->size)
		text_put(call->f, (const char *)user->data, user->size);
	putc('"', call->f);
}

/* Up to 6.18 all numbers are hexadecimal, and nothing says so. */
static void put_argument(struct syscall_call *call, u32 i)
{
	u64 value = argument(call, i);
	struct bytes user;

	put_argument_name(call, i);
	if (!call->mem->is_there[SYSCALL_USER_MASK])
		fprintf(call->f, ": %llx", value);
	else
		fprintf(call->f, value < 10 ? ": %llu" : ": 0x%llx", value);
	if (!(call->user_mask >> i & 1))
		return;
	user = next_user(call);
	if (call->user_size < 0 || call->user_text)
		put_user_text(call, &user);
	else
		put_user_bytes(call, &user, argument(call, call->user_size));
}

/* Numbers of x86 and of arm64 differ in four flags: O_DIRECTORY and its like. */
static const struct {
	u32 bits;
	const char *name;
} open_flags[] = {
	{ 020200000, "O_TMPFILE" },
	{ 01, "O_WRONLY" },
	{ 02, "O_RDWR" },
	{ 0100, "O_CREAT" },
	{ 0200, "O_EXCL" },
	{ 0400, "O_NOCTTY" },
	{ 01000, "O_TRUNC" },
	{ 02000, "O_APPEND" },
	{ 04000, "O_NONBLOCK" },
	{ 010000, "O_DSYNC" },
	{ 040000, "O_DIRECT" },
	{ 0100000, "O_LARGEFILE" },
	{ 0200000, "O_DIRECTORY" },
	{ 0400000, "O_NOFOLLOW" },
	{ 01000000, "O_NOATIME" },
	{ 02000000, "O_CLOEXEC" },
};

static void put_open_flags(FILE *f, u32 bits)
{
	const char *bar = "";
	u32 i;

	if (!(bits & 3)) {
		fputs("O_RDONLY", f);
		bar = "|";
	}
	for (i = 0; i < ARRAY_SIZE(open_flags) && bits; i++) {
		if ((bits & open_flags[i].bits) != open_flags[i].bits)
			continue;
		bits &= ~open_flags[i].bits;
		fprintf(f, "%s%s", bar, open_flags[i].name);
		bar = "|";
	}
	if (bits)
		fprintf(f, "%s0x%x", bar, bits);
}

/* The mode only where a file may be made, as the kernel has it. */
static void put_openat(struct syscall_call *call)
{
	u32 flags = argument(call, 2);
	u32 i;

	for (i = 0; i < 2; i++) {
		put_argument_name(call, i);
		fprintf(call->f, ": %llu", argument(call, i));
		if (call->user_mask >> i & 1) {
			struct bytes user = next_user(call);

			put_user_text(call, &user);
		}
		fputs(", ", call->f);
	}
	fputs("flags: ", call->f);
	put_open_flags(call->f, flags);
	if (flags & (0100 | 020200000)) {
		fputs(", ", call->f);
		put_argument_name(call, 3);
		fprintf(call->f, ": 0%03o", (u32)argument(call, 3));
	}
}

bool ftrace_syscall_enter(const struct ftrace_memory *mem, FILE *f, u64 va, struct bytes *b)
{
	struct syscall_call call;
	u32 i;

	if (!find_call(&call, mem, f, va, b) || !bytes_has(b, 8, call.nr * 8))
		return false;
	text_put(f, call.name, sizeof(call.name));
	putc('(', f);
	if (mem->is_there[SYSCALL_USER_MASK] && !strcmp(call.name, OPENAT) && call.nr == 4) {
		put_openat(&call);
	} else {
		for (i = 0; i < call.nr; i++) {
			fputs(i ? ", " : "", f);
			put_argument(&call, i);
		}
	}
	putc(')', f);
	return true;
}

bool ftrace_syscall_exit(const struct ftrace_memory *mem, FILE *f, u64 va, struct bytes *b)
{
	struct syscall_call call;

	if (!find_call(&call, mem, f, va, b) || !bytes_has(b, 8, 8))
		return false;
	text_put(f, call.name, sizeof(call.name));
	fprintf(f, " -> 0x%llx", bytes_u64(b, 8));
	return true;
}
