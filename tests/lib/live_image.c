// SPDX-License-Identifier: GPL-2.0-or-later
#include "live_image.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <epitaph/ring.h>

#define FIXED	16	/* test:fixed: a number of 32 bits, a value of 64 */
#define LATE	17	/* in the place of test:varied: the table has no room for another */

int live_image_fd;
uint32_t live_written[IMAGE_CPUS];

static uint8_t *data;
static size_t size;
static struct epitaph_ring rings[IMAGE_CPUS];
static struct epitaph_rec claimed[IMAGE_CPUS];

static const char late_text[] =
	"system: test\nname: late\nID: 17\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:u32 number;\toffset:8;\tsize:4;\tsigned:0;\n\n"
	"print fmt: \"number=%u\", REC->number\n";

static const struct epitaph_section *section(uint32_t type)
{
	const struct epitaph_section *s = (const void *)(data + sizeof(struct epitaph_header));

	while (le32_to_cpu(s->type) != type)
		s++;
	return s;
}

static struct epitaph_event_size *size_of_kind(void)
{
	return (void *)(data + le64_to_cpu(section(EPITAPH_SEC_EVENTS)->off) + LATE * 8);
}

static void forget_kind(void)
{
	memset(size_of_kind(), 0, sizeof(struct epitaph_event_size));
}

void live_image_start(void)
{
	struct image *image = image_make(7);
	uint32_t cpu;

	memset(live_written, 0, sizeof(live_written));
	size = image->size;
	live_image_fd = memfd_create("region", 0);
	if (ftruncate(live_image_fd, image->size))
		abort();
	data = mmap(NULL, image->size, PROT_READ | PROT_WRITE, MAP_SHARED, live_image_fd, 0);
	memcpy(data, image->data, image->size);
	image_use_real_clock();
	for (cpu = 0; cpu < IMAGE_CPUS; cpu++) {
		struct epitaph_ring *ring = &rings[cpu];

		ring->data = data + image->rings[cpu].off;
		ring->size = IMAGE_SUB * IMAGE_SUBS;
		ring->sub_size = IMAGE_SUB;
		ring->salt = ((struct epitaph_header *)data)->salt;
		ring->pid = 100 + cpu;
		ring->counters = calloc(1, sizeof(*ring->counters));
		memset(ring->data, 0, ring->size);
		if (epitaph_ring_init(ring))
			abort();
	}
	forget_kind();
	image_free(image);
}

void live_image_end(void)
{
	uint32_t cpu;

	for (cpu = 0; cpu < IMAGE_CPUS; cpu++)
		free(rings[cpu].counters);
	munmap(data, size);
}

static void claim(uint32_t cpu, struct epitaph_rec *rec)
{
	uint32_t *payload = epitaph_ring_reserve(&rings[cpu], rec, FIXED, 12, false);
	uint64_t value = live_written[cpu] * LIVE_FACTOR;

	payload[0] = live_written[cpu]++;
	memcpy(payload + 1, &value, 8);
}

void live_record(uint32_t cpu)
{
	struct epitaph_rec rec;

	claim(cpu, &rec);
	epitaph_ring_commit(&rec);
}

uint32_t live_subbuf(uint32_t cpu)
{
	return (uint32_t)rings[cpu].head / IMAGE_SUB;
}

void live_claim(uint32_t cpu)
{
	claim(cpu, &claimed[cpu]);
}

void live_commit(uint32_t cpu)
{
	epitaph_ring_commit(&claimed[cpu]);
}

/* As the recorder has it: the format, the size, the first event. */
void live_add_format(void)
{
	uint64_t salt = ((struct epitaph_header *)data)->salt;
	uint8_t *base = data + le64_to_cpu(section(EPITAPH_SEC_FORMATS)->off);
	struct epitaph_event_size *e = size_of_kind();
	struct epitaph_batch *b = (void *)base;
	uint32_t size = sizeof(late_text) - 1;

	b = (void *)(base + sizeof(*b) + (le32_to_cpu(b->size) + 7) / 8 * 8);
	b->size = b->raw_size = cpu_to_le32(size);
	b->nr_events = cpu_to_le32(1);
	memcpy(b + 1, late_text, size);
	b->check = cpu_to_le64(epitaph_check(epitaph_check(salt, b, 24), b + 1, size));
	e->id = cpu_to_le16(LATE);
	e->words = cpu_to_le16(1);
	e->check = cpu_to_le32((u32)epitaph_check(salt, e, 4));
}

void live_record_late(uint32_t cpu)
{
	struct epitaph_rec rec;

	memset(epitaph_ring_reserve(&rings[cpu], &rec, LATE, 4, false), 1, 4);
	epitaph_ring_commit(&rec);
}
