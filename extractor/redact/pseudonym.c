// SPDX-License-Identifier: GPL-2.0-or-later
#include "pseudonym.h"

#include <stdlib.h>
#include <string.h>

#include "base/byte_reader.h"

#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
#define MAX_PID		(1U << 12)	/* large permutations take most of a fuzzer's time */
#else
#define MAX_PID		(1U << 22)	/* PID_MAX_LIMIT of 64-bit kernels */
#endif
#define KERNEL		0xff00000000000000ULL	/* with five levels of pages; else 0xffff... */
#define USER_MASK	0x00007fffffffffffULL
#define NO_ADDRESS	4096

/* The kind of the hashed bytes. The same bytes of two kinds get unrelated pseudonyms. */
enum pseudonym_kind {
	KIND_TEXT = 1,
	KIND_PID,
	KIND_SLOT,
	KIND_ROW,
	KIND_ADDRESS,
	KIND_BYTES,
	KIND_NUMBER,
};

/* @slot, @row: permutations of pid % nr_slots and pid / nr_slots */
struct pseudonyms {
	u64 key[2];
	u32 nr_slots;
	u32 nr_rows;
	u32 *slot;
	u32 *row;
};

/* --- SipHash-2-4 ---------------------------------------------------------- */

static u64 rotate(u64 x, u32 n)
{
	return x << n | x >> (64 - n);
}

static void rounds(u64 v[4], u32 n)
{
	while (n--) {
		v[0] += v[1];
		v[2] += v[3];
		v[1] = rotate(v[1], 13) ^ v[0];
		v[3] = rotate(v[3], 16) ^ v[2];
		v[0] = rotate(v[0], 32) + v[3];
		v[2] += v[1];
		v[1] = rotate(v[1], 17) ^ v[2];
		v[3] = rotate(v[3], 21) ^ v[0];
		v[2] = rotate(v[2], 32);
	}
}

static u64 word_of(const u8 *data, size_t n)
{
	u64 word = 0;
	size_t i;

	for (i = 0; i < n; i++)
		word |= (u64)data[i] << 8 * i;
	return word;
}

static void absorb(u64 v[4], u64 word)
{
	v[3] ^= word;
	rounds(v, 2);
	v[0] ^= word;
}

static u64 siphash(const struct pseudonyms *names, enum pseudonym_kind kind, const void *data, size_t size)
{
	u64 v[4] = { names->key[0] ^ 0x736f6d6570736575, names->key[1] ^ 0x646f72616e646f6d,
		     names->key[0] ^ 0x6c7967656e657261, names->key[1] ^ 0x7465646279746573 };
	const u8 *p = data;
	size_t left = size;

	absorb(v, kind);
	for (; left >= 8; left -= 8, p += 8)
		absorb(v, word_of(p, 8));
	absorb(v, word_of(p, left) | (u64)(size + 8) << 56);
	v[2] ^= 0xff;
	rounds(v, 4);
	return v[0] ^ v[1] ^ v[2] ^ v[3];
}

static u64 hash_number(const struct pseudonyms *names, enum pseudonym_kind kind, u64 number)
{
	u8 data[8];
	u32 i;

	for (i = 0; i < 8; i++)
		data[i] = number >> 8 * i;
	return siphash(names, kind, data, sizeof(data));
}

/* --- pids ----------------------------------------------------------------- */

/* A permutation of 0 .. n - 1 by the key. */
static u32 *permutation(const struct pseudonyms *names, enum pseudonym_kind kind, u32 n)
{
	u32 *list = malloc(n * sizeof(*list));
	u32 i;

	if (!list)
		return NULL;
	for (i = 0; i < n; i++)
		list[i] = i;
	for (i = n; i > 1; i--) {
		u32 k = hash_number(names, kind, i) % i, last = list[i - 1];

		list[i - 1] = list[k];
		list[k] = last;
	}
	return list;
}

static u32 permute(const struct pseudonyms *names, u32 pid)
{
	return names->row[pid / names->nr_slots] * names->nr_slots +
	       names->slot[pid % names->nr_slots];
}

int pseudonyms_new(struct pseudonyms **ret, const u8 key[PSEUDONYM_KEY], u32 nr_slots,
		   struct err *err)
{
	struct pseudonyms *names = calloc(1, sizeof(*names));

	if (!names)
		return err_sys(err, "no memory");
	names->key[0] = word_of(key, 8);
	names->key[1] = word_of(key + 8, 8);
	names->nr_slots = nr_slots && nr_slots <= MAX_PID ? nr_slots : 4096;
	names->nr_rows = (MAX_PID + names->nr_slots - 1) / names->nr_slots;
	names->slot = permutation(names, KIND_SLOT, names->nr_slots);
	names->row = permutation(names, KIND_ROW, names->nr_rows);
	if (!names->slot || !names->row) {
		pseudonyms_free(names);
		return err_sys(err, "no memory");
	}
	*ret = names;
	return 0;
}

void pseudonyms_free(struct pseudonyms *names)
{
	if (!names)
		return;
	free(names->slot);
	free(names->row);
	explicit_bzero(names, sizeof(*names));
	free(names);
}

/* 0 stays the idle task. The pid that would become 0 gets the pseudonym of 0. */
static u32 positive_pid(const struct pseudonyms *names, u32 pid)
{
	u32 other;

	if (pid >= names->nr_rows * names->nr_slots)
		return MAX_PID + hash_number(names, KIND_PID, pid) % (1U << 29);
	other = permute(names, pid);
	return other ? other : permute(names, 0);
}

u32 pseudonym_pid(const struct pseudonyms *names, u32 pid)
{
	if (!pid || pid == ~0U)
		return pid;
	if (pid >> 31)
		return 0 - positive_pid(names, 0 - pid);
	return positive_pid(names, pid);
}

/* --- all else ------------------------------------------------------------- */

u64 pseudonym_address(const struct pseudonyms *names, u64 addr)
{
	u64 h = hash_number(names, KIND_ADDRESS, addr);

	/* Small numbers and small negative ones are no addresses. */
	if (addr < NO_ADDRESS || addr > 0ULL - NO_ADDRESS)
		return addr;
	if ((addr & KERNEL) == KERNEL)
		return ~USER_MASK | (h & USER_MASK);
	return (h & USER_MASK) | NO_ADDRESS;
}

u64 pseudonym_number(const struct pseudonyms *names, u64 number)
{
	return number ? hash_number(names, KIND_NUMBER, number) : 0;
}

bool pseudonym_keeps_thread(const char *text, size_t n)
{
	static const char *const begins[] = {
		"swapper/", "kworker/", "ksoftirqd/", "migration/", "cpuhp/", "kswapd",
		"watchdog/", "kthreadd", "rcu_preempt", "rcu_sched", "khungtaskd",
	};
	size_t i, len;

	for (i = 0; i < ARRAY_SIZE(begins); i++) {
		len = strlen(begins[i]);
		if (n < len || memcmp(text, begins[i], len))
			continue;
		while (len < n && strchr("0123456789u:H", text[len]))
			len++;
		if (len == n)
			return true;
	}
	return false;
}

void pseudonym_text(const struct pseudonyms *names, char *buf, size_t room, const char *text,
		    size_t size)
{
	static const char letters[] = "abcdefghijkmnpqrstuvwxyz23456789";
	size_t n = strnlen(text, size), i;
	u64 h = siphash(names, KIND_TEXT, text, n);
	bool keep = n < room && n < 16 && pseudonym_keeps_thread(text, n);

	if (keep)
		memmove(buf, text, n);
	memset(buf + (keep ? n : 0), 0, room - (keep ? n : 0));
	if (keep || !n || room < 2)
		return;
	buf[0] = 'x';
	for (i = 1; i < PSEUDONYM_TEXT && i < room - 1; i++, h >>= 5)
		buf[i] = letters[h & 31];
}

void pseudonym_bytes(const struct pseudonyms *names, void *buf, const void *data, size_t size)
{
	u64 seed = siphash(names, KIND_BYTES, data, size), h = seed;
	u8 *out = buf;
	size_t i;

	if (all_zero(data, size)) {
		memset(buf, 0, size);
		return;
	}
	for (i = 0; i < size; i++, h >>= 8) {
		if (i && i % 8 == 0)
			h = hash_number(names, KIND_BYTES, seed + i);
		out[i] = h;
	}
}
