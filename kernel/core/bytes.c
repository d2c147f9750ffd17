// SPDX-License-Identifier: GPL-2.0-only
#include "bytes.h"

static unsigned int digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	/* Lower case. */
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 16;
}

/* "0x10", "010" and "10", as the kernel's own functions read them; moves @text behind the prefix. */
static unsigned int take_base(const char **text)
{
	const char *at = *text;

	if (at[0] != '0')
		return 10;
	if ((at[1] | 0x20) != 'x' || digit_of(at[2]) >= 16)
		return 8;
	*text += 2;
	return 16;
}

/* How far it shifts; moves @text behind it. */
static unsigned int take_unit(const char **text)
{
	static const char units[] = "kmgtpe";
	char c = **text | 0x20;
	unsigned int i;

	for (i = 0; i < sizeof(units) - 1; i++) {
		if (c != units[i])
			continue;
		++*text;
		return 10 * (i + 1);
	}
	return 0;
}

int epitaph_bytes_parse(const char *text, const char **end, u64 *bytes)
{
	const char *at = text;
	unsigned int base = take_base(&at), shift;
	bool is_too_large = false, has_digit = false;
	u64 n = 0;

	for (; digit_of(*at) < base; at++) {
		is_too_large |= __builtin_mul_overflow(n, base, &n);
		is_too_large |= __builtin_add_overflow(n, digit_of(*at), &n);
		has_digit = true;
	}
	*end = has_digit ? at : text;
	if (!has_digit)
		return -EINVAL;
	shift = take_unit(end);
	if (is_too_large || n > ~0ULL >> shift)
		return -ERANGE;
	*bytes = n << shift;
	return 0;
}

int epitaph_bytes_only(const char *text, u64 *bytes)
{
	const char *end;
	u64 n;
	int err = epitaph_bytes_parse(text, &end, &n);

	if (*end)
		return -EINVAL;
	if (!err)
		*bytes = n;
	return err;
}
