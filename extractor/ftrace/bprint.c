// SPDX-License-Identifier: GPL-2.0-or-later
#include "bprint.h"

#include <ctype.h>
#include <string.h>

#include "base/text.h"

#define MAX_WIDTH	256

/* @flags: of printf: "-+ #0", those that are there */
struct spec {
	char flags[8];
	int width;
	int precision;		/* -1: none */
	u32 size;		/* bytes of the number */
	char conversion;
};

struct printing {
	struct ftrace *ftrace;
	u64 text_delta;
	FILE *f;
	struct bytes *args;
	u64 at;
};

/* The next argument of @size bytes, at a multiple of its size or of 4. */
static u64 take_argument(struct printing *p, u32 size)
{
	u32 align = size < 4 ? size : 4;
	u64 off = (p->at + align - 1) / align * align;

	p->at = off + size;
	return bytes_number(p->args, off, size, false);
}

static const char *read_spec_number(struct printing *p, const char *s, int *ret)
{
	int n = 0;

	if (*s == '*') {
		n = (s32)take_argument(p, 4);
		s++;
	} else {
		for (; isdigit((u8)*s); s++)
			n = n < MAX_WIDTH ? n * 10 + *s - '0' : n;
	}
	*ret = n < -MAX_WIDTH ? -MAX_WIDTH : n > MAX_WIDTH ? MAX_WIDTH : n;
	return s;
}

static const char *read_size(const char *s, u32 *size)
{
	*size = 4;
	if (s[0] == 'h')
		return *size = s[1] == 'h' ? 1 : 2, s[1] == 'h' ? s + 2 : s + 1;
	if (strchr("lLzt", s[0]) && *s)
		return *size = 8, s[0] == 'l' && s[1] == 'l' ? s + 2 : s + 1;
	return s;
}

/* Behind the '%'; returns what follows the conversion. */
static const char *read_spec(struct printing *p, const char *s, struct spec *spec)
{
	size_t n = 0;

	*spec = (struct spec){ .precision = -1 };
	for (; *s && strchr("-+ #0", *s); s++)
		if (n + 1 < sizeof(spec->flags) && !strchr(spec->flags, *s))
			spec->flags[n++] = *s;
	s = read_spec_number(p, s, &spec->width);
	if (*s == '.')
		s = read_spec_number(p, s + 1, &spec->precision);
	s = read_size(s, &spec->size);
	spec->conversion = *s;
	return *s ? s + 1 : s;
}

static s64 extend(u64 value, u32 size)
{
	switch (size) {
	case 1:
		return (int8_t)value;
	case 2:
		return (int16_t)value;
	case 4:
		return (s32)value;
	default:
		return (s64)value;
	}
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static void put_bprint_number(struct printing *p, const struct spec *spec)
{
	u64 value = take_argument(p, spec->size);
	bool is_signed = spec->conversion == 'd' || spec->conversion == 'i';
	char format[32];

	snprintf(format, sizeof(format), spec->precision < 0 ? "%%%s*ll%c" : "%%%s*.*ll%c",
		 spec->flags, spec->conversion);
	if (is_signed)
		value = extend(value, spec->size);
	if (spec->precision < 0)
		fprintf(p->f, format, spec->width, value);
	else
		fprintf(p->f, format, spec->width, spec->precision, value);
}
#pragma GCC diagnostic pop

/* A text in place, with its NUL. */
static void put_bprint_string(struct printing *p, const struct spec *spec)
{
	size_t len = bytes_strlen(p->args, p->at, ~0ULL);
	const char *text = bytes_ptr(p->args, p->at, len + 1);
	int pad;

	p->at += len + 1;
	if (!text)
		return;
	if (spec->precision >= 0 && len > (size_t)spec->precision)
		len = spec->precision;
	pad = spec->width - (int)len;
	if (!strchr(spec->flags, '-') && pad > 0)
		fprintf(p->f, "%*s", pad, "");
	text_put(p->f, text, len);
	if (strchr(spec->flags, '-') && pad > 0)
		fprintf(p->f, "%*s", pad, "");
}

/* "name+0x1/0x20 [module]", or without what lies in between. */
static void put_bprint_symbol(FILE *f, const char *name, bool with_offset)
{
	const char *module = strstr(name, " [");

	text_put(f, name, with_offset ? strlen(name) : strcspn(name, "+"));
	if (module && !with_offset)
		text_put(f, module, strlen(module));
}

/* What is behind %p decides: addresses are there as numbers, all else as a text. */
static const char *put_bprint_pointer(struct printing *p, const struct spec *spec, const char *s)
{
	const char *extension = s;
	char name[KALLSYMS_NAME_MAX + 128];
	u64 value;

	while (isalnum((u8)*s))
		s++;
	if (extension != s && !strchr("SsxKe", *extension)) {
		put_bprint_string(p, spec);
		return s;
	}
	value = take_argument(p, 8);
	if ((*extension == 'S' || *extension == 's') &&
	    kernel_symbol(p->ftrace->kernel, value + p->text_delta, name, sizeof(name)))
		put_bprint_symbol(p->f, name, *extension == 'S');
	else
		fprintf(p->f, *extension == 'x' ? "%llx" : "%016llx", value);
	return s;
}

static const char *put_conversion(struct printing *p, const char *s)
{
	struct spec spec;

	s = read_spec(p, s, &spec);
	switch (spec.conversion) {
	case '%':
		putc('%', p->f);
		return s;
	case 'c':
		text_put_all(p->f, &(char){ take_argument(p, 1) }, 1);
		return s;
	case 's':
		put_bprint_string(p, &spec);
		return s;
	case 'p':
		return put_bprint_pointer(p, &spec, s);
	case 'd':
	case 'i':
	case 'u':
	case 'o':
	case 'x':
	case 'X':
		put_bprint_number(p, &spec);
		return s;
	default:
		p->args->overrun = true;
		return s;
	}
}

void ftrace_bprint(struct ftrace *ftrace, u64 text_delta, FILE *f, const char *format,
		   struct bytes *args)
{
	struct printing p = { .ftrace = ftrace, .text_delta = text_delta, .f = f, .args = args };
	const char *s = format;

	while (*s && !args->overrun) {
		size_t n = strcspn(s, "%");

		if (n && !s[n] && s[n - 1] == '\n')
			return text_put(f, s, n - 1);
		text_put(f, s, n);
		s += n;
		if (*s)
			s = put_conversion(&p, s + 1);
	}
	if (args->overrun)
		fputs("[cut]", f);
}
