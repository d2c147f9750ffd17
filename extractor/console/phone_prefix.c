// SPDX-License-Identifier: GPL-2.0-or-later
#include "phone_prefix.h"

#include <string.h>

static bool is_phone_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* A number, which becomes @number. */
static bool phone_number(const char **at, const char *end, u32 *number)
{
	const char *begin = *at;

	for (*number = 0; *at < end && is_phone_digit(**at) && *at - begin < 7; ++*at)
		*number = 10 * *number + (**at - '0');
	return *at > begin;
}

static bool phone_char(const char **at, const char *end, char c)
{
	if (*at == end || **at != c)
		return false;
	++*at;
	return true;
}

/* "-(2)[123:kworker/2:1]" of MediaTek's kernels; "-" where interrupts are off. */
static bool take_mediatek(const char **at, const char *end, u32 *cpu)
{
	u32 pid;
	const char *close;

	phone_char(at, end, '-');
	if (!phone_char(at, end, '(') || !phone_number(at, end, cpu) || !phone_char(at, end, ')') || !phone_char(at, end, '[') ||
	    !phone_number(at, end, &pid) || !phone_char(at, end, ':'))
		return false;
	close = memchr(*at, ']', end - *at);
	if (!close || close - *at > 20)
		return false;
	*at = close + 1;
	return true;
}

/* "I[2:    kworker/2:1:  123] " of Samsung's; "I" within an interrupt. */
static bool take_samsung(const char **at, const char *end, u32 *cpu)
{
	const char *close, *digits;

	phone_char(at, end, 'I');
	if (!phone_char(at, end, '[') || !phone_number(at, end, cpu) || !phone_char(at, end, ':'))
		return false;
	close = memchr(*at, ']', end - *at);
	if (!close || close - *at > 32)
		return false;
	for (digits = close; digits > *at && is_phone_digit(digits[-1]); digits--)
		;
	while (digits < close && digits > *at && digits[-1] == ' ')
		digits--;
	if (digits == *at || digits[-1] != ':')
		return false;
	*at = close + 1;
	return phone_char(at, end, ' ');
}

/* "c2 123 (kworker/2:1) " of Marvell's and Spreadtrum's */
static bool take_marvell(const char **at, const char *end, u32 *cpu)
{
	const char *close;
	u32 pid;

	if (!phone_char(at, end, 'c') || !phone_number(at, end, cpu) || !phone_char(at, end, ' '))
		return false;
	while (phone_char(at, end, ' '))
		;
	if (!phone_number(at, end, &pid) || !phone_char(at, end, ' ') || !phone_char(at, end, '('))
		return false;
	close = memchr(*at, ')', end - *at);
	if (!close || close - *at > 17)
		return false;
	*at = close + 1;
	return phone_char(at, end, ' ');
}

bool phone_prefix_skip(const char **at, const char *end, u32 *cpu)
{
	static bool (*const forms[])(const char **, const char *, u32 *) = { take_mediatek, take_samsung, take_marvell };
	const char *begin = *at;

	while (begin < end && *begin == ' ')
		begin++;
	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		const char *behind = begin;

		if (!forms[i](&behind, end, cpu))
			continue;
		*at = behind;
		return true;
	}
	return false;
}
