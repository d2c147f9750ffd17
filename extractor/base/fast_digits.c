// SPDX-License-Identifier: GPL-2.0-or-later
#include "fast_digits.h"

#include <string.h>

/* "00", "01", ... "99". */
static const char *pair(u32 n)
{
	static const char pairs[] =
		"00010203040506070809101112131415161718192021222324"
		"25262728293031323334353637383940414243444546474849"
		"50515253545556575859606162636465666768697071727374"
		"75767778798081828384858687888990919293949596979899";

	return pairs + 2 * n;
}

size_t digits_dec(char buf[DIGITS_MAX], u64 n)
{
	char all[DIGITS_MAX], *p = all + sizeof(all);

	for (; n >= 100; n /= 100)
		p = memcpy(p - 2, pair(n % 100), 2);
	if (n >= 10)
		p = memcpy(p - 2, pair(n), 2);
	else
		*--p = '0' + n;
	memcpy(buf, p, all + sizeof(all) - p);
	return all + sizeof(all) - p;
}

size_t digits_hex(char buf[DIGITS_MAX], u64 n)
{
	size_t len = n ? (67 - __builtin_clzll(n)) / 4 : 1, i;

	for (i = len; i > 0; i--, n >>= 4)
		buf[i - 1] = "0123456789abcdef"[n & 15];
	return len;
}

void digits_fixed(char *buf, u64 n, u32 width)
{
	for (; width > 1; width -= 2, n /= 100)
		memcpy(buf + width - 2, pair(n % 100), 2);
	if (width)
		*buf = '0' + n % 10;
}

void digits_byte(char buf[2], u8 byte)
{
	static const char hex[] = "0123456789abcdef";

	buf[0] = hex[byte >> 4];
	buf[1] = hex[byte & 15];
}
