// SPDX-License-Identifier: GPL-2.0-or-later
#include "raw_place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "os/new_file.h"
#include "age.h"

#define FIRST_LINE	"epitaph sealed traces 1\n"
#define SLOT_LINE	"epitaph sealed trace 1\n"
#define MIB		(1ULL << 20)
#define FIRST_SLOT	MIB
#define SMALLEST_SLOT	MIB
#define LARGEST_SLOT	(512 * MIB)
#define PIECE		65536

#define LINE_DIGEST	"head "

static int read_part(int fd, u8 *buf, size_t size, u64 off, struct err *err)
{
	size_t done = 0;

	while (done < size) {
		ssize_t n = pread(fd, buf + done, size - done, off + done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_sys(err, "cannot read at byte %llu", off + done);
		if (!n)
			return err_set(err, ERR_IO, ERR_NO_OFF, "it ends at byte %llu", off + done);
		done += n;
	}
	return 0;
}

static int write_part(int fd, const u8 *buf, size_t size, u64 off, struct err *err)
{
	return new_file_write(fd, buf, size, off) == size ? 0 : err_sys(err, "cannot write at byte %llu", off);
}

static int sync_place(int fd, struct err *err)
{
	return fsync(fd) ? err_sys(err, "fsync") : 0;
}

/* Lines with the digest of those before as the last. */
static void end_head(char head[RAW_HEAD])
{
	char digest[DIGEST_TEXT];
	size_t n = strlen(head);

	digest_text(digest, head, n);
	snprintf(head + n, RAW_HEAD - n, LINE_DIGEST "%s\n", digest);
}

/* Is it as end_head() made it, and does it begin with @first?  Then it ends before the digest. */
static bool check_head(char head[RAW_HEAD + 1], const char *first)
{
	char digest[DIGEST_TEXT], *last;

	head[RAW_HEAD] = 0;
	last = strstr(head, "\n" LINE_DIGEST);
	if (strncmp(head, first, strlen(first)) || !last)
		return false;
	last++;
	digest_text(digest, head, last - head);
	if (strncmp(last + strlen(LINE_DIGEST), digest, DIGEST_TEXT - 1) || strcmp(last + strlen(LINE_DIGEST) + DIGEST_TEXT - 1, "\n"))
		return false;
	*last = 0;
	return true;
}

static u64 slot_offset(const struct raw_place *place, unsigned int nr)
{
	return FIRST_SLOT + nr * place->slot_size;
}

u64 raw_place_room(const struct raw_place *place)
{
	return place->slot_size - RAW_HEAD;
}

/* Bytes of a device or a file. */
static int size_of(int fd, u64 *ret, struct err *err)
{
	off_t end = lseek(fd, 0, SEEK_END);

	if (end < 0)
		return err_sys(err, "its size");
	*ret = end;
	return 0;
}

/* What file systems and others write, so that a person knows what he has; any byte counts. */
static const struct known_content {
	u64 off;
	size_t size;
	const char *bytes;
	const char *what;
} known_contents[] = {
	{ 0, 6, "LUKS\xba\xbe", "an encrypted disk (LUKS)" },
	{ 512, 8, "LABELONE", "a part of LVM" },
	{ 1080, 2, "\x53\xef", "an ext file system" },
	{ 0, 4, "XFSB", "an XFS file system" },
	{ 65600, 8, "_BHRfS_M", "a btrfs file system" },
	{ 4086, 10, "SWAPSPACE2", "swap" },
	{ 3, 8, "NTFS    ", "an NTFS file system" },
	{ 82, 5, "FAT32", "a FAT file system" },
	{ 54, 4, "FAT1", "a FAT file system" },
	{ 512, 8, "EFI PART", "a partition table" },
	{ 4096, 4, "\xfc\x4e\x2b\xa9", "a part of a RAID" },
	{ 0, 4, "\xfc\x4e\x2b\xa9", "a part of a RAID" },
	{ 510, 2, "\x55\xaa", "a boot sector or a partition table" },
};

static bool name_signature(int fd, char what[RAW_WORDS])
{
	struct err ignored = ERR_INIT;
	u8 bytes[16];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(known_contents); i++)
		if (!read_part(fd, bytes, known_contents[i].size, known_contents[i].off, &ignored) &&
		    !memcmp(bytes, known_contents[i].bytes, known_contents[i].size)) {
			snprintf(what, RAW_WORDS, "it has %s", known_contents[i].what);
			return true;
		}
	return false;
}

/* The first byte of [@from, @to) that is not zero; @to: none. */
static int find_data(int fd, u64 from, u64 to, u64 *ret, struct err *err)
{
	static u8 buf[PIECE];
	size_t n, i;
	int error;

	for (; from < to; from += n) {
		n = to - from < sizeof(buf) ? to - from : sizeof(buf);
		error = read_part(fd, buf, n, from, err);
		if (error)
			return error;
		if (!buf[0] && !memcmp(buf, buf + 1, n - 1))
			continue;
		for (i = 0; !buf[i]; i++)
			;
		*ret = from + i;
		return 0;
	}
	*ret = to;
	return 0;
}

/* Return: 0; -ERR_CORRUPT: the message says what it has. */
static int check_blank(int fd, u64 size, u64 used, struct err *err)
{
	u64 off, last = size - MIB > used ? size - MIB : used;
	char what[RAW_WORDS];
	int ret = find_data(fd, 0, used, &off, err);

	if (!ret && off == used)
		ret = find_data(fd, last, size, &off, err);
	if (ret || off == size)
		return ret;
	if (name_signature(fd, what))
		return err_set(err, ERR_CORRUPT, off, "%s", what);
	return err_set(err, ERR_CORRUPT, off, "it has data: byte %llu is not zero", off);
}

int raw_place_attach(struct raw_place *place, int fd, struct err *err)
{
	char head[RAW_HEAD + 1], what[RAW_WORDS];
	unsigned long long slot = 0;
	u64 size = 0;
	int ret = size_of(fd, &size, err);

	*place = (struct raw_place){ .fd = fd };
	memset(head, 0, sizeof(head));
	if (!ret && size >= RAW_HEAD)
		ret = read_part(fd, (u8 *)head, RAW_HEAD, 0, err);
	if (ret)
		return ret;
	if (!check_head(head, FIRST_LINE))
		return err_set(err, ERR_NOT_OURS, 0, "it is not prepared for sealed traces%s%s",
			       name_signature(fd, what) ? ": " : "", name_signature(fd, what) ? what : "");
	if (sscanf(head, FIRST_LINE "slot-size %llu\n", &slot) != 1 || slot % RAW_HEAD || slot < SMALLEST_SLOT ||
	    slot > LARGEST_SLOT || size < FIRST_SLOT + RAW_SLOTS * slot)
		return err_set(err, ERR_NOT_OURS, 0, "its slots do not fit: it has become smaller");
	place->slot_size = slot;
	return 0;
}

/* A file is one for tests, and where a device was copied to. */
static int open_raw(const char *path, int flags, struct err *err)
{
	int fd = open(path, flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;

	if (fd < 0 && errno == EBUSY)
		return err_set(err, ERR_IO, ERR_NO_OFF, "it is in use: mounted, or a part of a RAID, of LVM or of an encrypted disk");
	if (fd < 0 || fstat(fd, &st)) {
		err_sys(err, "cannot be opened");
	} else if (!S_ISBLK(st.st_mode) && !S_ISREG(st.st_mode)) {
		err_set(err, ERR_IO, ERR_NO_OFF, "it is no block device");
	} else {
		return fd;
	}
	if (fd >= 0)
		close(fd);
	return -ERR_IO;
}

bool raw_place_is_one(const char *path)
{
	struct err ignored = ERR_INIT;
	struct raw_place place;
	struct stat st;
	int fd, ret;

	/* Nothing is made where a device is missing. */
	if (stat(path, &st))
		return !strncmp(path, "/dev/", 5);
	if (!S_ISREG(st.st_mode))
		return S_ISBLK(st.st_mode);
	fd = open_raw(path, O_RDONLY, &ignored);
	if (fd < 0)
		return false;
	ret = raw_place_attach(&place, fd, &ignored);
	close(fd);
	return !ret;
}

int raw_place_open(struct raw_place *place, const char *path, bool write, struct err *err)
{
	int fd = open_raw(path, write ? O_RDWR : O_RDONLY, err), ret;

	if (fd < 0)
		return fd;
	ret = write && flock(fd, LOCK_EX) ? err_sys(err, "cannot lock") : raw_place_attach(place, fd, err);
	if (ret)
		close(fd);
	return ret;
}

void raw_place_close(struct raw_place *place)
{
	close(place->fd);
}

/* Zeros over what is erased, as far as a check looks, so that nothing is taken for what was there. */
static int erase_place(int fd, u64 size, u64 used, struct err *err)
{
	static const u8 zeros[PIECE];
	u64 off, last = size - MIB > used ? size - MIB : used;
	int ret = 0;

	for (off = 0; !ret && off < size; off += PIECE) {
		if (off >= FIRST_SLOT && off + PIECE <= last)
			off = last / PIECE * PIECE;
		ret = write_part(fd, zeros, size - off < PIECE ? size - off : PIECE, off, err);
	}
	return ret;
}

static int write_place_head(int fd, u64 slot, struct err *err)
{
	char head[RAW_HEAD] = "";
	struct raw_place place = { fd, slot };
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < RAW_SLOTS; i++)
		ret = raw_place_remove(&place, i, err);
	snprintf(head, sizeof(head), FIRST_LINE "slot-size %llu\n", slot);
	end_head(head);
	if (!ret)
		ret = write_part(fd, (u8 *)head, sizeof(head), 0, err);
	return ret ? ret : sync_place(fd, err);
}

static int prepare_device(int fd, bool erase, struct err *err)
{
	struct raw_place place;
	u64 size = 0, slot;
	int ret = raw_place_attach(&place, fd, err);

	if (ret != -ERR_NOT_OURS)
		return ret ? ret : 1;
	*err = (struct err)ERR_INIT;
	ret = size_of(fd, &size, err);
	if (ret)
		return ret;
	slot = size < 2 * MIB ? 0 : (size - 2 * MIB) / RAW_SLOTS / RAW_HEAD * RAW_HEAD;
	if (slot > LARGEST_SLOT)
		slot = LARGEST_SLOT;
	if (slot < SMALLEST_SLOT)
		return err_set(err, ERR_IO, ERR_NO_OFF, "it has %llu KiB, which is too small: twice the region and 3 MiB are needed",
			       size >> 10);
	if (erase)
		ret = erase_place(fd, size, FIRST_SLOT + RAW_SLOTS * slot, err);
	else
		ret = check_blank(fd, size, FIRST_SLOT + RAW_SLOTS * slot, err);
	return ret ? ret : write_place_head(fd, slot, err);
}

int raw_place_prepare(const char *path, bool erase, struct err *err)
{
	int fd = open_raw(path, O_RDWR | O_EXCL, err), ret;

	if (fd < 0)
		return fd;
	ret = flock(fd, LOCK_EX) ? err_sys(err, "cannot lock") : prepare_device(fd, erase, err);
	close(fd);
	return ret;
}

/* Of @size bytes; to @to as well, if it is none of -1. */
static int digest_content(char ret_digest[DIGEST_TEXT], int fd, u64 off, u64 size, int to, u64 to_off, struct err *err)
{
	static u8 buf[PIECE];
	struct sha256_ctx ctx;
	u64 done = 0;
	size_t n;
	int ret;

	sha256_init(&ctx);
	for (; done < size; done += n) {
		n = size - done < sizeof(buf) ? size - done : sizeof(buf);
		ret = read_part(fd, buf, n, off + done, err);
		if (!ret && to >= 0)
			ret = write_part(to, buf, n, to_off + done, err);
		if (ret)
			return ret;
		sha256_update(&ctx, n, buf);
	}
	digest_end(ret_digest, &ctx);
	return 0;
}

static bool parse_slot(struct raw_slot *slot, const struct raw_place *place, const char *head)
{
	unsigned long long sequence, saved, size;
	char name[SEALED_NAME];

	if (sscanf(head, SLOT_LINE "sequence %llu\nsaved %llu\nsize %llu\nname %255[^\n]\ncontent %64[0-9a-f]\n",
		   &sequence, &saved, &size, name, slot->content) != 5)
		return false;
	if (size > raw_place_room(place) || !sealed_file_parse(&slot->file, name) || strlen(slot->content) != DIGEST_TEXT - 1)
		return false;
	slot->sequence = sequence;
	slot->file.size = size;
	slot->file.saved = (struct timespec){ saved / 1000000000, saved % 1000000000 };
	return true;
}

/* Its keys, by the head that age wrote. */
static unsigned int count_keys(const struct raw_place *place, unsigned int nr, u64 size)
{
	struct err ignored = ERR_INIT;
	char digest[DIGEST_TEXT];
	int fd = memfd_create("head", MFD_CLOEXEC), keys = -1;

	if (fd < 0)
		return 0;
	if (!digest_content(digest, place->fd, slot_offset(place, nr) + RAW_HEAD, size < PIECE ? size : PIECE, fd, 0, &ignored))
		keys = age_count_recipients(fd, &ignored);
	close(fd);
	return keys < 0 ? 0 : keys;
}

int raw_place_read(const struct raw_place *place, unsigned int nr, struct raw_slot *slot, struct err *err)
{
	char head[RAW_HEAD + 1], digest[DIGEST_TEXT];
	int ret;

	*slot = (struct raw_slot){ 0 };
	ret = read_part(place->fd, (u8 *)head, RAW_HEAD, slot_offset(place, nr), err);
	if (ret)
		return ret;
	if (!check_head(head, SLOT_LINE) || !parse_slot(slot, place, head)) {
		*slot = (struct raw_slot){ 0 };
		return 0;
	}
	ret = digest_content(digest, place->fd, slot_offset(place, nr) + RAW_HEAD, slot->file.size, -1, 0, err);
	if (ret || strcmp(digest, slot->content)) {
		*slot = (struct raw_slot){ 0 };
		return ret;
	}
	slot->is_whole = true;
	slot->file.recipients = count_keys(place, nr, slot->file.size);
	return 0;
}

int raw_place_take(const struct raw_place *place, unsigned int nr, int to, struct err *err)
{
	char digest[DIGEST_TEXT];
	struct raw_slot slot;
	int ret = raw_place_read(place, nr, &slot, err);

	if (ret)
		return ret;
	if (!slot.is_whole)
		return err_set(err, ERR_CORRUPT, slot_offset(place, nr), "slot %u has no whole trace; epitaph list names those that are there", nr);
	ret = digest_content(digest, place->fd, slot_offset(place, nr) + RAW_HEAD, slot.file.size, to, 0, err);
	if (!ret && strcmp(digest, slot.content))
		ret = err_set(err, ERR_CORRUPT, slot_offset(place, nr), "the trace in slot %u was changed while it was read: its digest is another one now; read it again", nr);
	return ret;
}

/* The slot that a new trace takes: one that has none, or the older. */
static int choose_slot(const struct raw_place *place, unsigned int *ret_nr, u64 *ret_sequence, struct err *err)
{
	struct raw_slot slot[RAW_SLOTS];
	unsigned int i;
	int ret = 0;

	*ret_nr = 0;
	*ret_sequence = 1;
	for (i = 0; !ret && i < RAW_SLOTS; i++) {
		ret = raw_place_read(place, i, &slot[i], err);
		if (!ret && slot[i].is_whole && slot[i].sequence >= *ret_sequence)
			*ret_sequence = slot[i].sequence + 1;
	}
	for (i = 1; !ret && i < RAW_SLOTS; i++)
		if (slot[*ret_nr].is_whole && (!slot[i].is_whole || slot[i].sequence < slot[*ret_nr].sequence))
			*ret_nr = i;
	return ret;
}

int raw_place_remove(const struct raw_place *place, unsigned int nr, struct err *err)
{
	static const u8 zeros[RAW_HEAD];
	int ret = write_part(place->fd, zeros, sizeof(zeros), slot_offset(place, nr), err);

	return ret ? ret : sync_place(place->fd, err);
}

int raw_place_put(const struct raw_place *place, const struct sealed_file *file, int from, u64 size, struct err *err)
{
	char head[RAW_HEAD] = "", content[DIGEST_TEXT];
	struct timespec now;
	unsigned int nr;
	u64 sequence;
	int ret;

	if (size > raw_place_room(place))
		return err_set(err, ERR_IO, ERR_NO_OFF, "no room: the sealed trace needs %llu KiB, and a slot has %llu KiB",
			       size >> 10, raw_place_room(place) >> 10);
	if (strchr(file->name, '\n'))
		return err_set(err, ERR_IO, ERR_NO_OFF, "the name of this trace has a newline");
	ret = choose_slot(place, &nr, &sequence, err);
	if (!ret)
		ret = digest_content(content, from, 0, size, place->fd, slot_offset(place, nr) + RAW_HEAD, err);
	if (!ret)
		ret = sync_place(place->fd, err);
	if (ret)
		return ret;
	clock_gettime(CLOCK_REALTIME, &now);
	snprintf(head, sizeof(head), SLOT_LINE "sequence %llu\nsaved %llu\nsize %llu\nname %s\ncontent %s\n", sequence,
		 now.tv_sec * 1000000000ULL + now.tv_nsec, size, file->name, content);
	end_head(head);
	ret = write_part(place->fd, (u8 *)head, sizeof(head), slot_offset(place, nr), err);
	return ret ? ret : sync_place(place->fd, err);
}
