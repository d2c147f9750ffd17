// SPDX-License-Identifier: GPL-2.0-or-later
#include "escape.h"

#include <endian.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* The length of the UTF-8 character at @s, its code point in @ret; 0 if it is none. */
static size_t utf8_char(const u8 *s, size_t len, u32 *ret)
{
	static const u32 least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t n = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 :
		   s[0] < 0xf0 ? 3 : s[0] < 0xf5 ? 4 : 0;
	u32 c = n < 2 ? s[0] : s[0] & (0x7fU >> n);

	if (!n || n > len)
		return 0;
	for (size_t i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (s[i] & 0x3f);
	}
	if (c < least[n] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
		return 0;
	*ret = c;
	return n;
}

/* Characters that move, hide or turn round what a reader sees. */
static bool is_harmful(u32 c)
{
	return c < 0x20 || c == '\\' || (c >= 0x7f && c < 0xa0) ||
	       c == 0xad || c == 0x61c || c == 0xfeff ||
	       (c >= 0x200b && c <= 0x200f) ||	/* zero width, marks of direction */
	       (c >= 0x2028 && c <= 0x202e) ||	/* line separators, embeddings */
	       (c >= 0x2060 && c <= 0x206f) ||	/* joiners, isolates */
	       (c >= 0xfff9 && c <= 0xfffb) ||	/* interlinear annotation */
	       (c >= 0xe0000 && c <= 0xe0fff);	/* tags */
}

static size_t put_hex_escapes(char *dst, const u8 *s, size_t n)
{
	static const char hex[] = "0123456789abcdef";

	for (size_t i = 0; i < n; i++) {
		*dst++ = '\\';
		*dst++ = 'x';
		*dst++ = hex[s[i] >> 4];
		*dst++ = hex[s[i] & 15];
	}
	return 4 * n;
}

size_t escape_text(char *dst, size_t size, const void *src, size_t len)
{
	const u8 *s = src;
	size_t out = 0;

	if (!size)
		return 0;
	while (len) {
		size_t n = escape_plain(s, len < size - out ? len : size - out - 1);
		bool plain = true;
		u32 c = 0;

		if (!n) {
			n = utf8_char(s, len, &c);
			plain = n && !is_harmful(c);
			n = n ? n : 1;
		}
		if (size - out <= (plain ? n : 4 * n))
			break;
		if (plain)
			memcpy(dst + out, s, n);
		else
			put_hex_escapes(dst + out, s, n);
		out += plain ? n : 4 * n;
		s += n;
		len -= n;
	}
	dst[out] = '\0';
	return out;
}

/* How many of the eight bytes of @word, from the lowest on, are 0x20..0x7e without the backslash and @c. */
static inline size_t nr_plain(u64 word, char c)
{
	const u64 ones = 0x0101010101010101ULL;
	u64 slash = word ^ ones * '\\';
	u64 is_c = word ^ ones * c;
	u64 other = (word | (word + ones) | (word - ones * 0x20) | ((slash - ones) & ~slash) |
		     ((is_c - ones) & ~is_c)) & ones * 0x80;

	/* A carry or a borrow comes from a byte that is not plain, and from below. */
	return other ? __builtin_ctzll(other) / 8 : 8;
}

static u64 first_8(const u8 *p)
{
	u64 word;

	memcpy(&word, p, sizeof(word));
	return le64toh(word);
}

#ifdef __SSE2__
static inline bool are_16_plain(const u8 *p, char c)
{
	__m128i bytes = _mm_loadu_si128((const __m128i *)p);
	/* As signed numbers, those from 0x80 on are less than 0. */
	__m128i other = _mm_or_si128(_mm_cmplt_epi8(bytes, _mm_set1_epi8(0x20)),
				     _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(0x7f)),
						  _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'))));

	if (c != '\\')
		other = _mm_or_si128(other, _mm_cmpeq_epi8(bytes, _mm_set1_epi8(c)));
	return !_mm_movemask_epi8(other);
}

/* All @len bytes, or as many of the first as 16 at a time are plain. */
static inline size_t plain_pieces(const u8 *p, size_t len, char c)
{
	size_t n = 0;

	while (n + 16 <= len && are_16_plain(p + n, c))
		n += 16;
	return n && n + 16 > len && are_16_plain(p + len - 16, c) ? len : n;
}
#else
static inline size_t plain_pieces(const u8 *p, size_t len, char c)
{
	(void)p, (void)len, (void)c;
	return 0;
}
#endif

static inline size_t plain_but(const void *text, size_t len, char c)
{
	const u8 *p = text;
	size_t n = plain_pieces(p, len, c), more;
	u32 words[2];

	for (; n + 8 <= len; n += more) {
		more = nr_plain(first_8(p + n), c);
		if (more < 8)
			return n + more;
	}
	/* The rest of a text that is plain so far, with some bytes in front of the rest. */
	if (n && n < len)
		return len - 8 + nr_plain(first_8(p + len - 8), c);
	/* Of 4 to 7 bytes, the first four and the last four. */
	if (!n && len >= 4) {
		memcpy(words, p, 4);
		memcpy(words + 1, p + len - 4, 4);
		n = nr_plain((u64)le32toh(words[1]) << 32 | le32toh(words[0]), c);
		return n < 4 ? n : n + len - 8;
	}
	while (n < len && p[n] - 0x20U < 0x5f && p[n] != '\\' && p[n] != c)
		n++;
	return n;
}

size_t escape_plain(const void *text, size_t len)
{
	return plain_but(text, len, '\\');
}

size_t escape_plain_unquoted(const void *text, size_t len)
{
	return plain_but(text, len, '"');
}
