// SPDX-License-Identifier: GPL-2.0-or-later
#include "pstore_record.h"

#include <endian.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/checksum.h"

#define WHY	160

/* Only here in its plain form, and only in a register. */
static u64 pstore_record_magic(void)
{
	volatile u64 inverted = EPITAPH_PART_MAGIC_INVERTED;

	return ~inverted;
}

__attribute__((format(printf, 2, 3)))
static enum pstore_record_verdict bad_record(char *why, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(why, WHY, fmt, ap);
	va_end(ap);
	return PART_BAD;
}

static void record_to_host(struct pstore_record *part, const struct epitaph_part *raw)
{
	part->of.number = le64toh(raw->number);
	part->of.salt = le64toh(raw->salt);
	part->of.gen_size = le64toh(raw->gen_size);
	memcpy(part->of.boot_id, raw->boot_id, sizeof(part->of.boot_id));
	part->index = le32toh(raw->index);
	part->nr_parts = le32toh(raw->nr_parts);
	part->off = le64toh(raw->off);
	part->size = le64toh(raw->size);
	part->skip = le32toh(raw->header_size);
}

static ssize_t pread_record(int fd, void *buf, size_t size, u64 off)
{
	size_t done = 0;

	while (done < size) {
		ssize_t n = pread(fd, (u8 *)buf + done, size - done, off + done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		done += n;
	}
	return done;
}

static enum pstore_record_verdict check_record_bytes(const struct pstore_record *part, int fd,
					      const struct epitaph_part *raw, char *why)
{
	u8 buf[16384];
	u64 seed = checksum(0, raw, offsetof(struct epitaph_part, check));
	u64 h = checksum_begin(seed, part->size), done;
	size_t n;

	for (done = 0; done < part->size; done += n) {
		n = part->size - done < sizeof(buf) ? part->size - done : sizeof(buf);
		if (pread_record(fd, buf, n, part->skip + done) != (ssize_t)n)
			return bad_record(why, "it ends before byte %llu", part->skip + part->size);
		h = checksum_add(h, buf, n);
	}
	if (!checksum_ok(checksum_end(h), le64toh(raw->check)))
		return bad_record(why, "its check does not hold");
	return PART_GOOD;
}

/* Before the check is computed, so that no number decides how long that takes. */
static enum pstore_record_verdict check_record_numbers(const struct pstore_record *part, char *why)
{
	if (part->skip < sizeof(struct epitaph_part) || part->skip > PART_MAX)
		return bad_record(why, "its header has %llu bytes, %zu or more are possible",
			   part->skip, sizeof(struct epitaph_part));
	if (!part->size || part->size > PART_MAX)
		return bad_record(why, "it says that %llu bytes follow, up to %u are possible",
			   part->size, PART_MAX);
	if (part->off > part->of.gen_size || part->size > part->of.gen_size - part->off)
		return bad_record(why, "its %llu bytes at %llu lie outside the generation of %llu",
			   part->size, part->off, part->of.gen_size);
	return PART_GOOD;
}

enum pstore_record_verdict pstore_record_read(struct pstore_record *part, int fd, char *why)
{
	struct epitaph_part raw;
	enum pstore_record_verdict verdict;

	if (pread_record(fd, &raw, sizeof(raw), 0) != sizeof(raw) ||
	    le64toh(raw.magic) != pstore_record_magic())
		return PART_NOT_OURS;
	if (le16toh(raw.major) != EPITAPH_MAJOR)
		return bad_record(why, "the format is version %u.%u, this reads %u.x",
			   le16toh(raw.major), le16toh(raw.minor), EPITAPH_MAJOR);
	record_to_host(part, &raw);
	verdict = check_record_numbers(part, why);
	return verdict == PART_GOOD ? check_record_bytes(part, fd, &raw, why) : verdict;
}
