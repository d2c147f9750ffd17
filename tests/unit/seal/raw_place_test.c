// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A device of sealed traces: what it takes for blank, and what a power cut leaves.  Between two
 * fsyncs a disk writes what it likes, sector by sector; at any cut the newest whole trace is there,
 * and no half one.
 *
 * build: @extractor
 * build: -Wl,--wrap=fsync,--wrap=pwrite64
 * only: plain
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "seal/raw_place.h"
#include "tap.h"

#define SIZE	(4 << 20)
#define SECTOR	512
#define MOST	64

#define BOOT	"00010203-0405-0607-0809-0a0b0c0d0e0f-20261126T18310"

/* Writes since the last fsync, of the file that is watched. */
static struct written {
	u64 off;
	size_t size;
	unsigned char *bytes;
} written[MOST];
static size_t nr_written;
static int watched = -1;

/* What is on the disk for certain. */
static unsigned char *disk;

static unsigned int cuts;
static void (*on_cut)(void);

ssize_t __real_pwrite64(int fd, const void *buf, size_t size, off_t off);
ssize_t __wrap_pwrite64(int fd, const void *buf, size_t size, off_t off);
ssize_t __wrap_pwrite64(int fd, const void *buf, size_t size, off_t off)
{
	if (on_cut && fd == watched && nr_written < MOST) {
		struct written *w = &written[nr_written++];

		*w = (struct written){ off, size, malloc(size) };
		memcpy(w->bytes, buf, size);
		on_cut();
		/* Which may have read into the same buffer. */
		if (memcmp(buf, w->bytes, size))
			memcpy((void *)(uintptr_t)buf, w->bytes, size);
	}
	return __real_pwrite64(fd, buf, size, off);
}

int __real_fsync(int fd);
int __wrap_fsync(int fd);
int __wrap_fsync(int fd)
{
	size_t i;

	if (on_cut && fd == watched) {
		on_cut();
		for (i = 0; i < nr_written; i++) {
			memcpy(disk + written[i].off, written[i].bytes, written[i].size);
			free(written[i].bytes);
		}
		nr_written = 0;
		on_cut();
	}
	return __real_fsync(fd);
}

static void put_file(const char *path, const void *bytes, size_t size)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd < 0 || write(fd, bytes, size) != (ssize_t)size)
		exit(99);
	close(fd);
}

static void blank(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd < 0 || ftruncate(fd, SIZE))
		exit(99);
	close(fd);
}

/* Trace @nr: 200000 bytes of that digit. */
static int trace_of(int nr)
{
	static char bytes[200000];
	int fd = memfd_create("trace", MFD_CLOEXEC);

	memset(bytes, '0' + nr, sizeof(bytes));
	if (fd < 0 || write(fd, bytes, sizeof(bytes)) != sizeof(bytes))
		exit(99);
	return fd;
}

static int put_trace(const struct raw_place *place, int nr)
{
	struct sealed_file file = { .name = "" };
	struct err err = ERR_INIT;
	int fd = trace_of(nr), ret;

	snprintf(file.name, sizeof(file.name), "epitaph-" BOOT "%dZ.web1.age", nr);
	ret = raw_place_put(place, &file, fd, 200000, &err);
	if (ret)
		printf("# %s\n", err.msg);
	close(fd);
	return ret;
}

/* Bit N: trace N is there; -1: there is half a one, or it is no place. */
static int traces_in(const char *path)
{
	struct err err = ERR_INIT;
	struct raw_place place;
	struct raw_slot slot;
	int found = 0, fd;
	char first;
	unsigned int i;

	if (raw_place_open(&place, path, false, &err))
		return -1;
	for (i = 0; i < RAW_SLOTS && found >= 0; i++) {
		if (raw_place_read(&place, i, &slot, &err)) {
			found = -1;
		} else if (slot.is_whole) {
			fd = memfd_create("taken", MFD_CLOEXEC);
			if (raw_place_take(&place, i, fd, &err) || pread(fd, &first, 1, 100) != 1 || slot.file.size != 200000 ||
			    slot.file.name[strlen("epitaph-" BOOT)] != first)
				found = -1;
			else
				found |= 1 << (first - '0');
			close(fd);
		}
	}
	raw_place_close(&place);
	return found;
}

static int prepare(const char *path, bool erase, struct err *err)
{
	*err = (struct err)ERR_INIT;
	return raw_place_prepare(path, erase, err);
}

static void prepare__what_is_blank(void)
{
	struct err err = ERR_INIT;

	blank("dev");
	CHECK(!prepare("dev", false, &err), "zeros are prepared: %s", err.msg);
	CHECK(traces_in("dev") == 0, "nothing is in it");
	CHECK(prepare("dev", false, &err) == 1, "a place is left alone");
	CHECK(raw_place_is_one("dev"), "it is known as one");
	put_file("small", "", 0);
	CHECK(prepare("small", false, &err) == -ERR_IO && strstr(err.msg, "too small"), "%s", err.msg);
	CHECK(!raw_place_is_one("small") && !raw_place_is_one("."), "a file and a directory are none");
	CHECK(raw_place_is_one("/dev/disk/by-id/missing"), "where a device is missing, no directory is made");
}

/* poke() - @text at @off of a blank device, and what is said of it */
static int poke(u64 off, const char *text, size_t size, struct err *err)
{
	int fd, ret;

	blank("dev");
	fd = open("dev", O_WRONLY | O_CLOEXEC);
	if (fd < 0 || pwrite(fd, text, size, off) != (ssize_t)size)
		exit(99);
	close(fd);
	ret = prepare("dev", false, err);
	CHECK(!raw_place_is_one("dev"), "byte %llu: nothing was written", off);
	return ret;
}

static void prepare__names_what_it_found(void)
{
	static const struct {
		u64 off;
		const char *bytes;
		const char *what;
	} cases[] = {
		{ 0, "LUKS\xba\xbe", "an encrypted disk" }, { 1080, "\x53\xef", "an ext file system" },
		{ 0, "XFSB", "an XFS file system" }, { 65600, "_BHRfS_M", "a btrfs file system" },
		{ 4086, "SWAPSPACE2", "swap" }, { 512, "LABELONE", "LVM" }, { 54, "FAT16", "a FAT" },
		{ 512, "EFI PART", "a partition table" }, { 4096, "\xfc\x4e\x2b\xa9", "a RAID" },
		{ 777, "x", "byte 777 is not zero" }, { SIZE / 2 + 5, "x", "is not zero" },
		{ (1 << 20) - 1, "x", "is not zero" }, { SIZE - 1, "x", "is not zero" },
	};
	struct err err;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		CHECK(poke(cases[i].off, cases[i].bytes, strlen(cases[i].bytes), &err) == -ERR_CORRUPT, "case %zu is refused", i);
		CHECK(strstr(err.msg, cases[i].what), "case %zu: %s", i, err.msg);
	}
	CHECK(!prepare("dev", true, &err) && traces_in("dev") == 0, "erased, it is a place: %s", err.msg);
}

/* What a place with trace 1 has, when a bit at @off is another one. */
static int traces_with_a_change(u64 off)
{
	struct raw_place place;
	struct err err;
	char byte;
	int fd;

	blank("dev");
	if (prepare("dev", false, &err) || raw_place_open(&place, "dev", true, &err))
		exit(99);
	put_trace(&place, 1);
	raw_place_close(&place);
	fd = open("dev", O_RDWR | O_CLOEXEC);
	if (fd < 0 || pread(fd, &byte, 1, off) != 1)
		exit(99);
	byte ^= 1;
	if (pwrite(fd, &byte, 1, off) != 1)
		exit(99);
	close(fd);
	return traces_in("dev");
}

static void read__what_is_damaged_does_not_count(void)
{
	const u64 slot = 1 << 20;
	u64 off;

	CHECK(traces_with_a_change(SIZE - 1) == 2, "behind it nothing counts");
	for (off = 0; off < 100; off += 7)
		CHECK(traces_with_a_change(off) == -1, "byte %llu: it is no place", off);
	for (off = slot; off < slot + 250; off += 3)
		CHECK(traces_with_a_change(off) == 0, "byte %llu of a head", off - slot);
	for (off = slot + RAW_HEAD; off < slot + RAW_HEAD + 200000; off += 49999)
		CHECK(traces_with_a_change(off) == 0, "byte %llu of a trace", off - slot);
	CHECK(traces_with_a_change(slot + RAW_HEAD + 200000) == 2, "behind the trace");
}

/* Every cut of this moment, or some of them: each sector of what is not synced is there or not. */
static int before, after;
static unsigned int half;

static void cut_now(void)
{
	unsigned char *copy = malloc(SIZE);
	unsigned int times, sectors = 0;
	size_t i;
	u64 off;
	int found;

	for (times = 0; copy && times < (nr_written ? 6 : 1); times++) {
		memcpy(copy, disk, SIZE);
		for (i = 0; i < nr_written; i++)
			for (off = 0; off < written[i].size; off += SECTOR, sectors++)
				if (times == 0 || (times > 1 && rand() % 2))
					memcpy(copy + written[i].off + off, written[i].bytes + off,
					       written[i].size - off < SECTOR ? written[i].size - off : SECTOR);
		put_file("cut", copy, SIZE);
		found = traces_in("cut");
		half += found == -1;
		CHECK(found >= 0 && (found & before || found & after), "cut %u: neither the old newest nor the new one: %d", cuts, found);
		cuts++;
	}
	free(copy);
}

static void put__a_power_cut_leaves_the_old_or_the_new_one(void)
{
	struct raw_place place;
	struct err err;
	int nr;

	srand(19);
	blank("dev");
	if (prepare("dev", false, &err) || raw_place_open(&place, "dev", true, &err))
		exit(99);
	disk = malloc(SIZE);
	put_trace(&place, 1);
	for (nr = 2; nr < 6; nr++) {
		if (!disk || pread(place.fd, disk, SIZE, 0) != SIZE)
			exit(99);
		watched = place.fd;
		before = 1 << (nr - 1);
		after = 1 << nr;
		on_cut = cut_now;
		CHECK(!put_trace(&place, nr), "trace %d", nr);
		/* What was said to be on disk is. */
		before = 0;
		cut_now();
		on_cut = NULL;
		CHECK(traces_in("dev") == (1 << nr | 1 << (nr - 1)), "the newest two: %d", traces_in("dev"));
	}
	CHECK(!half, "%u cuts left a half one", half);
	CHECK(cuts > 50, "%u cuts", cuts);
	printf("# %u power cuts\n", cuts);
	raw_place_close(&place);
}

static void put__what_does_not_fit_is_refused(void)
{
	struct sealed_file file = { .name = "epitaph-" BOOT "1Z.web1.age" };
	struct raw_place place;
	struct err err;
	int fd = memfd_create("large", MFD_CLOEXEC);

	blank("dev");
	if (prepare("dev", false, &err) || raw_place_open(&place, "dev", true, &err) || ftruncate(fd, SIZE))
		exit(99);
	put_trace(&place, 1);
	CHECK(raw_place_put(&place, &file, fd, raw_place_room(&place) + 1, &err) == -ERR_IO && strstr(err.msg, "no room"), "%s", err.msg);
	CHECK(traces_in("dev") == 2, "and the one before is there");
	CHECK(!raw_place_remove(&place, 0, &err) && traces_in("dev") == 0, "removed, it is gone");
	raw_place_close(&place);
	close(fd);
}

int main(void)
{
	char dir[] = "/tmp/raw_place.XXXXXX", command[64];
	int status;

	if (!mkdtemp(dir) || chdir(dir))
		return 99;
	TAP_RUN(prepare__what_is_blank);
	TAP_RUN(prepare__names_what_it_found);
	TAP_RUN(read__what_is_damaged_does_not_count);
	TAP_RUN(put__a_power_cut_leaves_the_old_or_the_new_one);
	TAP_RUN(put__what_does_not_fit_is_refused);
	status = tap_done();
	snprintf(command, sizeof(command), "rm -rf %s", dir);
	return system(command) ? 99 : status;
}
