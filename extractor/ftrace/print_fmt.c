// SPDX-License-Identifier: GPL-2.0-or-later
#include "print_fmt.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <trace-seq.h>

#include "base/strbuf.h"
#include "event/format_lexer.h"
#include "event/print_name.h"

#define MAX_ARGS	64

/* A piece of the text. */
struct piece {
	const char *at;
	size_t len;
};

/*
 * A print format in pieces.
 * @fields: the text before it
 * @format: what is in the quotes of its first strings, together
 * @args: what stands between the commas behind, nr_args of them
 */
struct print {
	const char *fields;
	struct strbuf format;
	struct piece args[MAX_ARGS];
	u32 nr_args;
};

/* Behind a string whose quote is at @p. */
static const char *skip_string(const char *p)
{
	for (p++; *p && *p != '"'; p++)
		if (*p == '\\' && p[1])
			p++;
	return *p ? p + 1 : p;
}

static bool is_name(char c)
{
	return isalnum((u8)c) || c == '_';
}

/* "(0x1 | 0x2)": the library takes "a & (b | c)" for "a & b | c". */
static const char *fold(const char *p, u64 *ret)
{
	u64 value = 0;
	char *end;

	for (p++;;) {
		p += strspn(p, " ");
		if (!isdigit((u8)*p))
			return NULL;
		value |= strtoull(p, &end, 0);
		p = end + strspn(end, "uUlL ");
		if (*p == ')')
			return *ret = value, p + 1;
		if (*p++ != '|' || *p == '|')
			return NULL;
	}
}

/* What BTF has a number for; a member's name is never one. */
static bool is_enumerator(const struct kernel_btf *types, const char *start, const char *p, size_t len,
			  s64 *value)
{
	char name[128];

	if (!isupper((u8)*p) || len >= sizeof(name) || (p > start && p[-1] == '>') ||
	    p[len] == '(' || !strncmp(p, "REC", len))
		return false;
	memcpy(name, p, len);
	name[len] = 0;
	return kernel_btf_enum_value(types, NULL, name, value);
}

static void put_resolved(struct strbuf *out, const struct kernel_btf *types, const char *p)
{
	const char *start = p, *end, *folded_end;
	u64 folded;
	s64 value;

	for (; *p; p = end) {
		size_t len = 0;

		if (*p == '"') {
			end = skip_string(p);
			strbuf_add(out, p, end - p);
			continue;
		}
		while (is_name(p[len]))
			len++;
		end = p + (len ? len : 1);
		/* Not what a function is called with. */
		folded_end = *p == '(' && (p == start || !is_name(p[-1])) ? fold(p, &folded) : NULL;
		if (folded_end) {
			end = folded_end;
			strbuf_put(out, "0x%llx", folded);
		} else if (len && is_enumerator(types, start, p, len, &value)) {
			strbuf_put(out, value < 0 ? "(%lld)" : "%lld", value);
		} else {
			strbuf_add(out, p, end - p);
		}
	}
}

static void trim(struct piece *piece)
{
	while (piece->len && isspace((u8)*piece->at))
		piece->at++, piece->len--;
	while (piece->len && isspace((u8)piece->at[piece->len - 1]))
		piece->len--;
}

/* Up to a comma that is in no parentheses. */
static const char *skip_arg(const char *p)
{
	u32 depth = 0;

	while (*p && (depth || *p != ',')) {
		if (*p == '"') {
			p = skip_string(p);
			continue;
		}
		if (strchr("([{", *p))
			depth++;
		else if (strchr(")]}", *p) && depth)
			depth--;
		p++;
	}
	return p;
}

static bool split(struct print *print, const char *p)
{
	while (*(p += strspn(p, " ")) == '"') {
		const char *end = skip_string(p);

		if (end - p < 2)
			return false;
		strbuf_add(&print->format, p + 1, end - p - 2);
		p = end;
	}
	while (*p == ',') {
		const char *end = skip_arg(p + 1);
		struct piece *arg = &print->args[print->nr_args];

		if (++print->nr_args == MAX_ARGS)
			return false;
		*arg = (struct piece){ p + 1, end - p - 1 };
		trim(arg);
		p = end;
	}
	return print->format.data && !strspn(p, " ") && (!*p || *p == '\n');
}

static bool is(const struct piece *piece, const char *text)
{
	return piece->len == strlen(text) && !memcmp(piece->at, text, piece->len);
}

/* Is it a member that points to a string of the kernel's? */
static bool is_string_pointer(const struct print *print, const struct piece *arg)
{
	char field[160];

	if (arg->len < 6 || arg->len > 100 || memcmp(arg->at, "REC->", 5))
		return false;
	snprintf(field, sizeof(field), "field:const char * %.*s;", (int)arg->len - 5, arg->at + 5);
	if (strstr(print->fields, field))
		return true;
	snprintf(field, sizeof(field), "field:const char *%.*s;", (int)arg->len - 5, arg->at + 5);
	return strstr(print->fields, field) != NULL;
}

/* One conversion, and the function that its argument goes through. */
struct conversion {
	struct piece spec;
	const char *format;	/* NULL: as it is */
	const char *function;	/* NULL: none */
};

static void choose(const struct print *print, const struct piece *arg, char kind,
		   const struct piece *extension, struct conversion *c)
{
	char how = extension->len ? *extension->at : 0;

	if (kind == 'p' && (how == 'S' || how == 'B'))
		c->format = "%s", c->function = PRINT_NAME_WHERE;
	else if (kind == 'p' && (how == 's' || how == 'f' || how == 'F'))
		c->format = "%s", c->function = PRINT_NAME_FUNCTION;
	else if (kind == 'p' && (!how || how == 'K'))
		c->format = "%016lx";
	else if (kind == 'p' && how == 'x')
		c->format = "%lx";
	else if (kind == 's' && is_string_pointer(print, arg))
		c->function = PRINT_NAME_STRING;
	else if (kind == 'x' && (is(arg, "REC->__probe_ip") || is(arg, "REC->__probe_ret_ip")))
		c->format = "%s", c->function = PRINT_NAME_WHERE;
	else if (kind == 'x' && is(arg, "REC->__probe_func"))
		c->format = "%s", c->function = PRINT_NAME_FUNCTION;
}

/* A return probe names who was returned to first. */
static void swap_return(struct print *print)
{
	struct piece first = print->args[0];

	if (print->nr_args < 2 || !is(&first, "REC->__probe_func") ||
	    !is(&print->args[1], "REC->__probe_ret_ip"))
		return;
	print->args[0] = print->args[1];
	print->args[1] = first;
}

static void put_arg(struct strbuf *out, const struct piece *arg, const char *function)
{
	strbuf_put(out, function ? ", %s(%.*s)" : ", %s%.*s", function ? function : "",
		   (int)arg->len, arg->at);
}

/* The conversion at @p; its arguments go to @args.  NULL: there are not so many. */
static const char *convert(struct print *print, const char *p, u32 *next, struct strbuf *format,
			   struct strbuf *args)
{
	struct conversion c = { .spec.at = p };
	struct piece extension;

	for (p++; *p && strchr("-+ #0.*123456789hlLzt", *p); p++) {
		if (*p != '*')
			continue;
		if (*next >= print->nr_args)
			return NULL;
		put_arg(args, &print->args[(*next)++], NULL);
	}
	if (!*p || *next >= print->nr_args)
		return NULL;
	extension = (struct piece){ p + 1, 0 };
	while (*p == 'p' && isalnum((u8)extension.at[extension.len]))
		extension.len++;
	c.spec.len = extension.at + extension.len - c.spec.at;
	choose(print, &print->args[*next], *p, &extension, &c);
	if (c.format)
		strbuf_put(format, "%s", c.format);
	else
		strbuf_add(format, c.spec.at, c.spec.len);
	put_arg(args, &print->args[(*next)++], c.function);
	return c.spec.at + c.spec.len;
}

static bool put_converted(struct strbuf *out, struct print *print)
{
	struct strbuf format = { 0 }, args = { 0 };
	const char *p = print->format.data;
	u32 next = 0;

	strbuf_add(&format, "", 0);
	strbuf_add(&args, "", 0);
	while (p && *p) {
		size_t n = strcspn(p, "%");

		strbuf_add(&format, p, n);
		p += n;
		if (p[0] == '%' && p[1] == '%') {
			strbuf_add(&format, p, 2);
			p += 2;
		} else if (*p) {
			p = convert(print, p, &next, &format, &args);
		}
	}
	if (p && !format.failed && !args.failed)
		strbuf_put(out, "\"%s\"%s", format.data, args.data);
	free(format.data);
	free(args.data);
	return p != NULL;
}

char *ftrace_print_rewrite(const struct kernel_btf *types, const char *text)
{
	const char *line = strstr(text, "\nprint fmt: ");
	struct strbuf out = { 0 }, resolved = { 0 };
	struct print print = { .fields = text };

	if (!line)
		return NULL;
	line += strlen("\nprint fmt: ");
	strbuf_add(&out, text, line - text);
	put_resolved(&resolved, types, line);
	if (resolved.data && !resolved.failed && split(&print, resolved.data)) {
		swap_return(&print);
		if (!put_converted(&out, &print))
			strbuf_put(&out, "%s", resolved.data);
	} else if (resolved.data) {
		strbuf_put(&out, "%s", resolved.data);
	}
	strbuf_put(&out, "\n");
	free(resolved.data);
	free(print.format.data);
	return strbuf_take(&out);
}

/* Whose addresses the functions are asked for. */
static const struct kernel *kernel;
static u64 delta;

/* Of a kernel that lay elsewhere only its image is still what it was. */
bool ftrace_print_string(const struct kernel *of, u64 of_delta, u64 addr, char *buf, size_t size)
{
	struct ksym sym;

	addr += of_delta;
	return of && (!of_delta || kallsyms_find(of->kallsyms, addr, &sym)) &&
	       vmem_string(of->vmem, addr, buf, size) >= 0;
}

static bool symbol_of(u64 addr, char *buf, size_t size)
{
	return kernel_symbol(kernel, addr + delta, buf, size);
}

static bool string_of(u64 addr, char *buf, size_t size)
{
	return ftrace_print_string(kernel, delta, addr, buf, size);
}

void ftrace_print_use(const struct kernel *of, u64 of_delta)
{
	static const struct print_name_memory memory = { symbol_of, string_of };

	kernel = of;
	delta = of_delta;
	print_name_use(&memory);
}

/* A text has room for the longest name of a symbol. */
_Static_assert(PRINT_NAME_MAX == KERNEL_SYMBOL_MAX, "texts of addresses");

/* The library calls these with the event's numbers and nothing else. */
static unsigned long long put_said(struct trace_seq *s, unsigned long long *args, print_name_fn *say)
{
	char buf[PRINT_NAME_MAX];

	say(args[0], buf, sizeof(buf));
	trace_seq_puts(s, buf);
	return 0;
}

static unsigned long long put_where(struct trace_seq *s, unsigned long long *args)
{
	return put_said(s, args, print_name_where);
}

static unsigned long long put_function(struct trace_seq *s, unsigned long long *args)
{
	return put_said(s, args, print_name_function_at);
}

static unsigned long long put_string(struct trace_seq *s, unsigned long long *args)
{
	return put_said(s, args, print_name_string);
}

bool ftrace_print_register(struct tep_handle *tep)
{
	static const struct {
		char *name;
		tep_func_handler put;
	} functions[] = {
		{ PRINT_NAME_WHERE, put_where },
		{ PRINT_NAME_FUNCTION, put_function },
		{ PRINT_NAME_STRING, put_string },
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(functions); i++)
		if (tep_register_print_function(tep, functions[i].put, TEP_FUNC_ARG_STRING,
						functions[i].name, TEP_FUNC_ARG_LONG,
						TEP_FUNC_ARG_VOID))
			return false;
	return true;
}
