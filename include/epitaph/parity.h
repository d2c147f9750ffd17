/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * DOC: Parity of a page
 *
 * Memory without refresh, as during a reset, loses bits anywhere.  Each page of a generation has
 * a parity of EPITAPH_PARITY_SIZE bytes, which brings back up to 8 wrong bytes of each of its
 * EPITAPH_PARITY_CODEWORDS codewords.  They are interleaved: byte i of the page is of codeword
 * i % 19, so that up to 152 bytes in a row may be wrong.  19 is prime, so that a fault that
 * repeats, as a stuck bit in each 64th byte, hits all alike.
 *
 * The code is Reed and Solomon's over GF(256), with the polynomial x^8 + x^4 + x^3 + x^2 + 1
 * (0x11d), which 2 generates, and the roots 2^0 .. 2^15.  A codeword is its bytes of the page
 * (216, or 215), then 16 of parity; the first byte is the coefficient of the highest degree.
 * Any other implementation with these numbers has the same code.
 *
 * Both sides use this file: the module, and who reads a region.  All functions: any context;
 * nothing sleeps, and nothing is allocated.
 */
#ifndef _EPITAPH_PARITY_H
#define _EPITAPH_PARITY_H

#include <epitaph/format.h>

#define EPITAPH_PARITY_ROOTS	16	/* bytes of parity of a codeword; it corrects half as many */
#define EPITAPH_PARITY_LONGEST	(EPITAPH_PAGE / EPITAPH_PARITY_CODEWORDS + 1 + EPITAPH_PARITY_ROOTS)

/**
 * struct epitaph_gf - GF(256)
 * @exp: powers of 2, twice
 * @log: of a number that is not 0
 * @step: what a byte that leaves the encoder's register adds to it, its first 8 bytes and its last
 */
struct epitaph_gf {
	__u8 exp[510];
	__u8 log[256];
	__u64 step[256][2];
};

static inline __u8 epitaph_gf_mul(const struct epitaph_gf *gf, __u8 a, __u8 b)
{
	return a && b ? gf->exp[gf->log[a] + gf->log[b]] : 0;
}

/* @b: not 0 */
static inline __u8 epitaph_gf_div(const struct epitaph_gf *gf, __u8 a, __u8 b)
{
	return a ? gf->exp[gf->log[a] + 255 - gf->log[b]] : 0;
}

/* epitaph_gf_init() - fill in the tables; once, before anything else */
static inline void epitaph_gf_init(struct epitaph_gf *gf)
{
	__u8 generator[EPITAPH_PARITY_ROOTS + 1] = { 1 };	/* of the highest degree first */
	unsigned int i, k, x = 1;

	for (i = 0; i < 255; i++) {
		gf->exp[i] = gf->exp[i + 255] = x;
		gf->log[x] = i;
		x = x << 1 ^ (x & 0x80 ? 0x11d : 0);
	}
	gf->log[0] = 0;
	for (i = 0; i < EPITAPH_PARITY_ROOTS; i++)
		for (k = i + 1; k > 0; k--)
			generator[k] ^= epitaph_gf_mul(gf, generator[k - 1], gf->exp[i]);
	for (x = 0; x < 256; x++) {
		gf->step[x][0] = gf->step[x][1] = 0;
		for (i = 0; i < EPITAPH_PARITY_ROOTS; i++)
			gf->step[x][i / 8] |= (__u64)epitaph_gf_mul(gf, x, generator[i + 1]) << i % 8 * 8;
	}
}

/* The parity of each @step-th of @size bytes. */
static inline void epitaph_parity_of(const struct epitaph_gf *gf, const volatile __u8 *bytes,
				     unsigned int size, unsigned int step, __u8 *parity)
{
	__u64 first = 0, last = 0;
	unsigned int i;

	for (i = 0; i < size; i += step) {
		const __u64 *add = gf->step[(first ^ bytes[i]) & 0xff];

		first = (first >> 8 | last << 56) ^ add[0];
		last = last >> 8 ^ add[1];
	}
	for (i = 0; i < EPITAPH_PARITY_ROOTS; i++)
		parity[i] = (i < 8 ? first : last) >> i % 8 * 8;
}

/**
 * epitaph_parity_encode() - make the parity of a page
 * @page: EPITAPH_PAGE bytes, which may change meanwhile: then the parity is of no page
 * @parity: EPITAPH_PARITY_SIZE bytes
 */
static inline void epitaph_parity_encode(const struct epitaph_gf *gf, const void *page, void *parity)
{
	const volatile __u8 *bytes = page;
	unsigned int word;

	for (word = 0; word < EPITAPH_PARITY_CODEWORDS; word++)
		epitaph_parity_of(gf, bytes + word, EPITAPH_PAGE - word, EPITAPH_PARITY_CODEWORDS,
				  (__u8 *)parity + word * EPITAPH_PARITY_ROOTS);
}

/*
 * What a codeword of @n bytes is at each root: as what is left of it, divided by the generator.
 * Returns whether it is a codeword.
 */
static inline _Bool epitaph_parity_syndromes(const struct epitaph_gf *gf, const __u8 *word,
					     unsigned int n, __u8 syndromes[EPITAPH_PARITY_ROOTS])
{
	__u8 rest[EPITAPH_PARITY_ROOTS], any = 0;
	unsigned int i, root;

	n -= EPITAPH_PARITY_ROOTS;
	epitaph_parity_of(gf, word, n, 1, rest);
	for (i = 0; i < EPITAPH_PARITY_ROOTS; i++)
		any |= rest[i] ^= word[n + i];
	if (!any)
		return 1;
	for (root = 0; root < EPITAPH_PARITY_ROOTS; root++) {
		__u8 at = 0;

		for (i = 0; i < EPITAPH_PARITY_ROOTS; i++)
			at = epitaph_gf_mul(gf, at, gf->exp[root]) ^ rest[i];
		syndromes[root] = at;
	}
	return 0;
}

/*
 * The error locator, by Berlekamp and Massey: of the lowest degree first.  Returns its degree, which
 * is more than half of the roots if there are too many errors.
 */
static inline unsigned int epitaph_parity_locator(const struct epitaph_gf *gf, const __u8 *syndromes,
						  __u8 locator[EPITAPH_PARITY_ROOTS + 1])
{
	__u8 before[EPITAPH_PARITY_ROOTS + 1] = { 1 }, now[EPITAPH_PARITY_ROOTS + 1];
	unsigned int n, i, degree = 0, gap = 1;
	__u8 last = 1;

	__builtin_memset(locator, 0, EPITAPH_PARITY_ROOTS + 1);
	locator[0] = 1;
	for (n = 0; n < EPITAPH_PARITY_ROOTS; n++, gap++) {
		__u8 wrong = syndromes[n], factor;

		for (i = 1; i <= degree; i++)
			wrong ^= epitaph_gf_mul(gf, locator[i], syndromes[n - i]);
		if (!wrong)
			continue;
		__builtin_memcpy(now, locator, sizeof(now));
		factor = epitaph_gf_div(gf, wrong, last);
		for (i = gap; i <= EPITAPH_PARITY_ROOTS; i++)
			locator[i] ^= epitaph_gf_mul(gf, factor, before[i - gap]);
		if (2 * degree > n)
			continue;
		degree = n + 1 - degree;
		__builtin_memcpy(before, now, sizeof(before));
		last = wrong;
		gap = 0;
	}
	return degree;
}

/* What to add to the byte whose locator is 2^@power, by Forney. */
static inline __u8 epitaph_parity_error(const struct epitaph_gf *gf, const __u8 *syndromes,
					const __u8 *locator, unsigned int degree, unsigned int power)
{
	__u8 root = gf->exp[(255 - power) % 255], value = 0, slope = 0, at = 1;
	unsigned int i, k;

	for (i = 0; i < degree; i++) {
		__u8 term = 0;

		for (k = 0; k <= i; k++)
			term ^= epitaph_gf_mul(gf, syndromes[i - k], locator[k]);
		value ^= epitaph_gf_mul(gf, term, at);
		/* The derivative has the odd terms alone. */
		if (i % 2 == 0)
			slope ^= epitaph_gf_mul(gf, locator[i + 1], at);
		at = epitaph_gf_mul(gf, at, root);
	}
	if (!slope)
		return 0;
	return epitaph_gf_mul(gf, gf->exp[power % 255], epitaph_gf_div(gf, value, slope));
}

/* Corrects a codeword of @n bytes.  Returns how many were wrong; -1: too many, nothing is changed. */
static inline int epitaph_parity_correct(const struct epitaph_gf *gf, __u8 *word, unsigned int n)
{
	__u8 syndromes[EPITAPH_PARITY_ROOTS], locator[EPITAPH_PARITY_ROOTS + 1];
	__u8 errors[EPITAPH_PARITY_ROOTS / 2], places[EPITAPH_PARITY_ROOTS / 2];
	unsigned int degree, found = 0, i, k;

	if (epitaph_parity_syndromes(gf, word, n, syndromes))
		return 0;
	degree = epitaph_parity_locator(gf, syndromes, locator);
	if (degree > EPITAPH_PARITY_ROOTS / 2)
		return -1;
	for (i = 0; i < n; i++) {
		unsigned int power = n - 1 - i;
		__u8 at = 0;

		for (k = degree + 1; k-- > 0;)
			at = epitaph_gf_mul(gf, at, gf->exp[(255 - power) % 255]) ^ locator[k];
		if (at)
			continue;
		if (found == degree)
			return -1;
		places[found] = i;
		errors[found] = epitaph_parity_error(gf, syndromes, locator, degree, power);
		if (!errors[found++])
			return -1;
	}
	if (found != degree)
		return -1;
	for (i = 0; i < found; i++)
		word[places[i]] ^= errors[i];
	return found;
}

/**
 * epitaph_parity_decode() - correct a page by its parity
 * @page: EPITAPH_PAGE bytes, which are corrected
 * @parity: EPITAPH_PARITY_SIZE bytes, which are corrected too
 * @nr_failed: how many codewords have more wrong bytes than can be corrected; they stay as they were
 *
 * A parity that was made of another content of the page, as of a page that was written to since,
 * makes codewords fail, or gives the other content.  So the caller needs another proof, as a check
 * of what lies in the page, before it believes a byte.
 *
 * Return: how many bytes were corrected.
 */
static inline unsigned int epitaph_parity_decode(const struct epitaph_gf *gf, void *page, void *parity,
						 unsigned int *nr_failed)
{
	__u8 word[EPITAPH_PARITY_LONGEST], *bytes = page, *rest = parity;
	unsigned int i, k, n, corrected = 0;
	int ret;

	*nr_failed = 0;
	for (i = 0; i < EPITAPH_PARITY_CODEWORDS; i++, rest += EPITAPH_PARITY_ROOTS) {
		for (n = 0, k = i; k < EPITAPH_PAGE; k += EPITAPH_PARITY_CODEWORDS)
			word[n++] = bytes[k];
		__builtin_memcpy(word + n, rest, EPITAPH_PARITY_ROOTS);
		ret = epitaph_parity_correct(gf, word, n + EPITAPH_PARITY_ROOTS);
		if (ret < 0) {
			++*nr_failed;
			continue;
		}
		corrected += ret;
		for (n = 0, k = i; ret && k < EPITAPH_PAGE; k += EPITAPH_PARITY_CODEWORDS)
			bytes[k] = word[n++];
		if (ret)
			__builtin_memcpy(rest, word + n, EPITAPH_PARITY_ROOTS);
	}
	return corrected;
}

#endif /* _EPITAPH_PARITY_H */
