// SPDX-License-Identifier: GPL-2.0-or-later
#include "fast_digits.h"

#include <endian.h>
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

static size_t nr_digits(u64 n)
{
	static const u64 least[] = {
		0, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000, 10000000000,
		100000000000, 1000000000000, 10000000000000, 100000000000000, 1000000000000000,
		10000000000000000, 100000000000000000, 1000000000000000000, 10000000000000000000ULL,
	};
	/* log2 * 1233 / 4096 is log10, or one more. */
	size_t len = (64 - __builtin_clzll(n | 1)) * 1233 >> 12;

	return len + (len == 0 || n >= least[len]);
}

size_t digits_dec(char buf[DIGITS_MAX], u64 n)
{
	size_t len = nr_digits(n);
	char *p = buf + len;

	for (; n >= 100; n /= 100)
		p = memcpy(p - 2, pair(n % 100), 2);
	if (n >= 10)
		memcpy(p - 2, pair(n), 2);
	else
		*--p = '0' + n;
	return len;
}

/* Eight digits, the highest in the lowest byte. */
static u64 hex_digits(u32 n)
{
	const u64 ones = 0x0101010101010101ULL;
	u64 all = n;

	all = (all | all << 16) & 0x0000ffff0000ffffULL;
	all = (all | all << 8) & 0x00ff00ff00ff00ffULL;
	all = (all | all << 4) & 0x0f0f0f0f0f0f0f0fULL;
	/* 6 more than 9 carries into the next four bits: a letter. */
	all += ones * '0' + ((all + ones * 6) >> 4 & ones) * ('a' - '0' - 10);
	return __builtin_bswap64(all);
}

static void put_hex_digits(char *to, u64 digits)
{
	digits = htole64(digits);
	memcpy(to, &digits, 8);
}

size_t digits_hex(char buf[DIGITS_MAX], u64 n)
{
	size_t len = n ? (67 - __builtin_clzll(n)) / 4 : 1;

	if (len <= 8) {
		put_hex_digits(buf, hex_digits(n) >> 8 * (8 - len));
		return len;
	}
	put_hex_digits(buf, hex_digits(n >> 32) >> 8 * (16 - len));
	put_hex_digits(buf + len - 8, hex_digits(n));
	return len;
}

void digits_fixed(char *buf, u64 n, u32 width)
{
	for (; width > 1; width -= 2, n /= 100)
		memcpy(buf + width - 2, pair(n % 100), 2);
	if (width)
		*buf = '0' + n % 10;
}

void digits_six(char buf[6], u32 n)
{
	memcpy(buf, pair(n / 10000 % 100), 2);
	memcpy(buf + 2, pair(n / 100 % 100), 2);
	memcpy(buf + 4, pair(n % 100), 2);
}

void digits_byte(char buf[2], u8 byte)
{
	static const char hex[] = "0123456789abcdef";

	buf[0] = hex[byte >> 4];
	buf[1] = hex[byte & 15];
}
