// SPDX-License-Identifier: GPL-2.0-or-later
#include "region_image.h"

#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <epitaph/parity.h>
#include <epitaph/ring.h>

#define SALT	0x5a17c0ffee123457ULL
#define KHZ	1000000		/* a tick is a ns */
#define IMAGE_PAGES	9
#define LARGE_SUB	4096
#define LARGE_EVENT	16	/* bytes of an event in the ring */

static uint64_t now;
static uint32_t rng;
static bool is_real;
/* Of the rings that are made: bytes of a sub-buffer, and how many. */
static uint32_t sub_size = IMAGE_SUB, nr_subs = IMAGE_SUBS;
static uint32_t parity_size = IMAGE_PAGES * EPITAPH_PARITY_SIZE;

u64 epitaph_clock(void)
{
	struct timespec ts;

	if (!is_real)
		return now;
	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ULL + ts.tv_nsec;
}

void image_use_real_clock(void)
{
	is_real = true;
}

uint32_t image_random(uint32_t below)
{
	rng ^= rng << 13;
	rng ^= rng >> 17;
	rng ^= rng << 5;
	return rng % below;
}

static const char formats_text[] =
	"system: test\nname: fixed\nID: 16\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:u32 number;\toffset:8;\tsize:4;\tsigned:0;\n"
	"\tfield:u64 value;\toffset:12;\tsize:8;\tsigned:0;\n\n"
	"print fmt: \"number=%u value=%llx\", REC->number, REC->value\n"
	"system: test\nname: varied\nID: 17\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:u32 number;\toffset:8;\tsize:4;\tsigned:0;\n\n"
	"print fmt: \"number=%u\", REC->number\n";

/* Sections, in the order in which they lie. */
enum { PARITY, CHANNELS, EVENTS, FORMATS, CLOCK, COUNTERS, RINGS, NR = RINGS + IMAGE_CPUS };

static const struct {
	uint32_t type, unit, size;
} plan[RINGS] = {
	{ EPITAPH_SEC_PARITY, EPITAPH_PARITY_SIZE, 0 },		/* parity_size */
	{ EPITAPH_SEC_CHANNELS, 64, 64 },
	{ EPITAPH_SEC_EVENTS, 8, 18 * 8 },
	{ EPITAPH_SEC_FORMATS, 0, 2048 },
	{ EPITAPH_SEC_CLOCK, 64, 4 * 64 },
	{ EPITAPH_SEC_COUNTERS, 64, IMAGE_CPUS * 64 },
};

static void write_event_size(uint8_t *base, uint32_t id, uint32_t words)
{
	struct epitaph_event_size *e = (void *)(base + id * 8);

	e->id = cpu_to_le16(id);
	e->words = cpu_to_le16(words);
	e->check = cpu_to_le32((u32)epitaph_check(SALT, e, 4));
}

static void write_formats(uint8_t *base)
{
	struct epitaph_batch *b = (void *)base;
	uint32_t size = sizeof(formats_text) - 1;

	b->size = b->raw_size = cpu_to_le32(size);
	b->nr_events = cpu_to_le32(2);
	memcpy(b + 1, formats_text, size);
	b->check = cpu_to_le64(epitaph_check(epitaph_check(SALT, b, 24), b + 1, size));
}

static void write_clock(uint8_t *base)
{
	struct epitaph_anchor *a = (void *)base;

	a->clock = cpu_to_le64(1000);
	a->width = cpu_to_le64(20);
	a->mono_ns = cpu_to_le64(1000);
	a->real_ns = cpu_to_le64(1700000000000001000);
	a->check = cpu_to_le64(epitaph_check(SALT, a, 56));
}

static void write_metadata(uint8_t *data, const uint64_t *off)
{
	struct epitaph_channel *c = (void *)(data + off[CHANNELS]);

	memcpy(c->name, "main", 4);
	c->check = cpu_to_le64(epitaph_check(SALT, c, 56));
	write_event_size(data + off[EVENTS], 16, 3);
	write_event_size(data + off[EVENTS], 17, 0);
	write_formats(data + off[FORMATS]);
	write_clock(data + off[CLOCK]);
}

static uint64_t size_of_section(uint32_t i)
{
	if (i == PARITY)
		return parity_size;
	return i < RINGS ? plan[i].size : (uint64_t)sub_size * nr_subs;
}

static void write_table(struct image *image, const uint64_t *off, uint64_t self)
{
	struct epitaph_header *h = (void *)(image->data + self);
	struct epitaph_section *s = (void *)(h + 1);
	uint32_t i;

	h->magic = cpu_to_le64(~EPITAPH_MAGIC_INVERTED);
	h->major = cpu_to_le16(EPITAPH_MAJOR);
	h->incompat = cpu_to_le64(EPITAPH_INCOMPAT_CRC);
	h->header_size = cpu_to_le32(sizeof(*h));
	h->region_size = h->gen_size = cpu_to_le64(image->size);
	h->nr_gens = cpu_to_le32(1);
	h->self_off = cpu_to_le64(self);
	h->copy_off = cpu_to_le64(image->size - image->table_size);
	h->table_size = cpu_to_le32(image->table_size);
	h->nr_sections = cpu_to_le32(NR);
	h->section_size = cpu_to_le32(sizeof(*s));
	h->machine = cpu_to_le32(BYTE_ORDER == LITTLE_ENDIAN ? EM_X86_64 : EM_S390);
	h->byte_order = BYTE_ORDER == LITTLE_ENDIAN ? EPITAPH_LITTLE_ENDIAN : EPITAPH_BIG_ENDIAN;
	h->long_size = 8;
	h->page_shift = 12;
	h->clock_id = EPITAPH_CLOCK_TEST;
	h->nr_cpus = cpu_to_le32(IMAGE_CPUS);
	h->clock_khz = cpu_to_le32(KHZ);
	h->salt = cpu_to_le64(SALT);
	memcpy(h->release, "6.1-image", 9);
	for (i = 0; i < NR; i++) {
		bool ring = i >= RINGS;

		s[i].type = cpu_to_le32(ring ? EPITAPH_SEC_RING : plan[i].type);
		s[i].off = cpu_to_le64(off[i]);
		s[i].size = cpu_to_le64(size_of_section(i));
		s[i].unit = cpu_to_le32(ring ? sub_size : plan[i].unit);
		s[i].cpu = cpu_to_le32(ring ? i - RINGS : EPITAPH_NO_CPU);
		s[i].index = cpu_to_le32(ring ? i - RINGS : 0);
	}
	h->check = cpu_to_le64(epitaph_check(0, h, image->table_size));
}

/* One event, and what is known of it; @commit as well, or leave it claimed. */
static void write_one(struct image_ring *truth, struct epitaph_ring *ring, bool commit)
{
	uint32_t nr = truth->nr;
	struct image_event *e = &truth->events[nr];
	struct epitaph_rec rec;
	uint8_t *payload;
	uint32_t i;

	e->id = 16 + image_random(2);
	e->size = e->id == 16 ? 12 : 4 + image_random(15) * 4;
	now += image_random(40) ? image_random(3000) : image_random(5000000);
	payload = epitaph_ring_reserve(ring, &rec, e->id, e->size, e->id == 17);
	e->time = now;
	e->slot = (payload - ring->data) / IMAGE_SUB;
	memcpy(e->payload, &nr, 4);
	for (i = 4; i < e->size; i++)
		e->payload[i] = image_random(256);
	memcpy(payload, e->payload, e->size);
	if (!commit)
		return;
	truth->nr++;
	if (!image_random(8) && truth->nr < IMAGE_MAX)
		write_one(truth, ring, true);
	epitaph_ring_commit(&rec);
}

static void begin_rings(struct epitaph_ring *rings, struct image *image, const uint64_t *off)
{
	uint32_t cpu;

	now = 2000;
	for (cpu = 0; cpu < IMAGE_CPUS; cpu++) {
		struct epitaph_ring *ring = &rings[cpu];

		ring->data = image->data + off[RINGS + cpu];
		ring->size = (uint64_t)sub_size * nr_subs;
		ring->sub_size = sub_size;
		ring->salt = SALT;
		ring->pid = 100 + cpu;
		ring->counters = (void *)(image->data + off[COUNTERS] + cpu * 64);
		ring->counters->too_large_not = ring->counters->too_deep_not = ~0ULL;
		image->rings[cpu].off = off[RINGS + cpu];
		if (epitaph_ring_init(ring))
			abort();
	}
}

static void record(struct image *image, const uint64_t *off, uint32_t nr)
{
	struct epitaph_ring rings[IMAGE_CPUS] = { 0 };
	uint32_t cpu, i;

	begin_rings(rings, image, off);
	for (i = 0; i < nr; i++) {
		cpu = image_random(IMAGE_CPUS);
		write_one(&image->rings[cpu], &rings[cpu], true);
	}
	if (nr < IMAGE_WRITES)
		return;
	/* One writer was interrupted, and the interrupting writer has finished. */
	write_one(&image->rings[0], &rings[0], false);
	write_one(&image->rings[0], &rings[0], true);
}

struct image *image_make(uint32_t seed)
{
	return image_make_until(seed, IMAGE_WRITES);
}

static void lay_out(struct image *image, uint64_t *off)
{
	uint64_t at = EPITAPH_PAGE;
	uint32_t i;

	image->table_size = EPITAPH_PAGE;
	for (i = 0; i < NR; i++) {
		off[i] = at;
		at += i < RINGS ? (size_of_section(i) + 63) / 64 * 64 : size_of_section(i);
		if (i == PARITY || i + 1 == RINGS)
			at = (at + 4095) / 4096 * 4096;
	}
	image->size = (at + 4095) / 4096 * 4096 + image->table_size;
}

struct image *image_make_until(uint32_t seed, uint32_t nr)
{
	struct image *image = calloc(1, sizeof(*image));
	uint64_t off[NR];

	rng = seed | 1;
	lay_out(image, off);
	if (image->size != IMAGE_PAGES * EPITAPH_PAGE)
		abort();
	image->parity = off[PARITY];
	image->data = aligned_alloc(4096, image->size);
	memset(image->data, 0, image->size);
	write_metadata(image->data, off);
	record(image, off, nr);
	write_table(image, off, 0);
	write_table(image, off, image->size - image->table_size);
	return image;
}

static void record_large(struct image *image, const uint64_t *off, uint64_t nr, uint32_t step)
{
	struct epitaph_ring rings[IMAGE_CPUS] = { 0 };
	struct epitaph_rec rec;
	uint64_t i;

	begin_rings(rings, image, off);
	for (i = 0; i < nr; i++) {
		uint32_t number = i;
		uint8_t *payload;

		now += step;
		payload = epitaph_ring_reserve(&rings[i % IMAGE_CPUS], &rec, 16, 12, false);
		memcpy(payload, &number, 4);
		memcpy(payload + 4, &i, 8);
		epitaph_ring_commit(&rec);
	}
}

int image_write_large(const char *path, uint64_t nr, uint64_t held, uint32_t step)
{
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0644);
	struct image image = { 0 };
	uint64_t off[NR];

	sub_size = LARGE_SUB;
	nr_subs = held / IMAGE_CPUS / ((LARGE_SUB - sizeof(struct epitaph_sub)) / LARGE_EVENT) * 21 / 20 + 64;
	parity_size = ((uint64_t)sub_size * nr_subs * IMAGE_CPUS / EPITAPH_PAGE + 64) * EPITAPH_PARITY_SIZE;
	lay_out(&image, off);
	if (fd < 0 || ftruncate(fd, image.size))
		return -1;
	image.data = mmap(NULL, image.size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (image.data == MAP_FAILED)
		return -1;
	write_metadata(image.data, off);
	record_large(&image, off, nr, step);
	write_table(&image, off, 0);
	write_table(&image, off, image.size - image.table_size);
	return munmap(image.data, image.size);
}

void image_make_parity(struct image *image)
{
	size_t end = image->parity + IMAGE_PAGES * EPITAPH_PARITY_SIZE;
	struct epitaph_gf gf;
	uint32_t i;

	epitaph_gf_init(&gf);
	for (i = 0; i < IMAGE_PAGES; i++)
		if (i < image->parity / EPITAPH_PAGE || i > (end - 1) / EPITAPH_PAGE)
			epitaph_parity_encode(&gf, image->data + i * EPITAPH_PAGE,
					      image->data + image->parity + i * EPITAPH_PARITY_SIZE);
}

void image_free(struct image *image)
{
	free(image->data);
	free(image);
}

/* Later ones have not taken its sub-buffer, which is recycled as a whole. */
bool image_has(const struct image *image, uint32_t cpu, uint32_t nr)
{
	const struct image_ring *ring = &image->rings[cpu];
	uint32_t slot = ring->events[nr].slot;
	uint32_t i;

	for (i = nr + 1; i < ring->nr; i++)
		if (ring->events[i].slot != slot)
			break;
	for (; i < ring->nr; i++)
		if (ring->events[i].slot == slot)
			return false;
	return true;
}
