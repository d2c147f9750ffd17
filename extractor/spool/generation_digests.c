// SPDX-License-Identifier: GPL-2.0-or-later
#include "generation_digests.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/text.h"
#include "dump/callback.h"
#include "os/sandboxed_child.h"
#include "region/generation.h"
#include "side_files.h"

#define MAX_TAKEN	4096	/* bytes of marks; there are 512 */

/* Shared with the process that reads, which may have been taken over: nothing of it is believed. */
struct found_generations {
	size_t nr;
	u8 boot_ids[MANIFEST_GENERATIONS][16];
	char sums[MANIFEST_GENERATIONS][DIGEST_TEXT];
};

struct digest_job {
	int fd;
	struct found_generations *found;
};

/* Saving a generation marks it as saved, so two copies differ in their marks. */
static void blank_marks(u8 *buf, u64 off, size_t size, const struct section *marks)
{
	u64 start = off > marks->off ? off : marks->off;
	u64 end = off + size < marks->off + marks->size ? off + size : marks->off + marks->size;

	if (start < end)
		memset(buf + (start - off), 0, end - start);
}

static bool digest_generation(char ret[DIGEST_TEXT], const struct generation *generation)
{
	const struct section *marks = generation_section(generation, EPITAPH_SEC_TAKEN);
	u64 off = 0, size = generation->hdr.gen_size;
	struct sha256_ctx ctx;
	static u8 buf[65536];
	size_t want;

	if (marks && marks->size > MAX_TAKEN)
		return false;
	sha256_init(&ctx);
	for (; off < size; off += want) {
		want = size - off < sizeof(buf) ? size - off : sizeof(buf);
		if (generation_read(generation, off, buf, want, NULL) != (ssize_t)want)
			return false;
		if (marks)
			blank_marks(buf, off, want, marks);
		sha256_update(&ctx, want, buf);
	}
	digest_end(ret, &ctx);
	return true;
}

static bool digest_all(struct found_generations *found, const struct generation_set *generations)
{
	u32 i;

	if (generations->nr_overwritten || generations->nr > MANIFEST_GENERATIONS)
		return false;
	for (i = 0; i < generations->nr; i++) {
		memcpy(found->boot_ids[i], generations->gen[i].hdr.boot_id, 16);
		if (generations->gen[i].notes.nr || !digest_generation(found->sums[i], &generations->gen[i]))
			return false;
	}
	return true;
}

/* In the process that reads. */
static int find_generations(void *arg)
{
	const struct digest_job *job = arg;
	struct generation_set *generations = NULL;
	struct dump *in = NULL;

	if (!dump_open_fd(&in, fcntl(job->fd, F_DUPFD_CLOEXEC, 3), NULL) &&
	    !generation_set_find(&generations, in, NULL) && digest_all(job->found, generations))
		job->found->nr = generations->nr;
	generation_set_free(generations);
	dump_close(in);
	return ERR_OK;
}

void generation_digests_read(struct manifest *m, int dir, bool verbose)
{
	struct digest_job job = {
		.fd = openat(dir, SAVED_REGION, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC),
	};
	struct sandboxed_child child = {
		.name = "send", .verbose = verbose, .sandbox = { .make_dir = -1 },
		.run = find_generations, .arg = &job,
	};
	struct found_generations *found;
	struct manifest_generation *gen;
	size_t i;

	m->nr_generations = 0;
	found = mmap(NULL, sizeof(*found), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	job.found = found;
	if (job.fd >= 0 && found != MAP_FAILED && sandboxed_child_run(&child) == ERR_OK)
		for (i = 0; i < found->nr && i < MANIFEST_GENERATIONS; i++) {
			gen = &m->generations[i];
			text_uuid(gen->boot_id, sizeof(gen->boot_id), found->boot_ids[i]);
			memcpy(gen->sum, found->sums[i], DIGEST_TEXT);
			gen->sum[DIGEST_TEXT - 1] = 0;
			if (!digest_is_text(gen->sum))
				break;
			m->nr_generations = i + 1;
		}
	if (found != MAP_FAILED)
		munmap(found, sizeof(*found));
	if (job.fd >= 0)
		close(job.fd);
}

struct compare_job {
	int device;
	u64 off;
	int region;
};

static bool is_same_block(const struct generation *a, const struct generation *b, u64 off, size_t size)
{
	const struct section *marks = generation_section(a, EPITAPH_SEC_TAKEN);
	static u8 x[65536], y[65536];

	if (generation_read(a, off, x, size, NULL) != (ssize_t)size ||
	    generation_read(b, off, y, size, NULL) != (ssize_t)size)
		return false;
	if (marks) {
		blank_marks(x, off, size, marks);
		blank_marks(y, off, size, marks);
	}
	return !memcmp(x, y, size);
}

static bool has_same_bytes(const struct generation *a, const struct generation *b)
{
	const struct section *marks = generation_section(a, EPITAPH_SEC_TAKEN);
	u64 off, size = a->hdr.gen_size;

	if (a->notes.nr || b->notes.nr || a->hdr.number != b->hdr.number || b->hdr.gen_size != size ||
	    (marks && marks->size > MAX_TAKEN))
		return false;
	for (off = 0; off < size; off += 65536)
		if (!is_same_block(a, b, off, size - off < 65536 ? size - off : 65536))
			return false;
	return true;
}

static bool has_same_generation(const struct generation *wanted, const struct generation_set *set)
{
	u32 i;

	for (i = 0; i < set->nr; i++)
		if (has_same_bytes(wanted, &set->gen[i]))
			return true;
	return false;
}

static int read_device(void *arg, uint64_t address, void *buffer, size_t size)
{
	return pread(*(const int *)arg, buffer, size, address) == (ssize_t)size;
}

/*
 * In the process that reads. /dev/epitaph as a file would be copied first, to a file that this
 * process may not make.
 */
static int compare_generations(void *arg)
{
	struct compare_job *job = arg;
	struct epitaph_segment segment = { .size = lseek(job->device, 0, SEEK_END) };
	struct epitaph_memory_reader memory = {
		.name = "the device", .kind = "the recorder's memory", .segments = &segment, .nr_segments = 1,
		.read = read_device, .arg = &job->device,
	};
	struct generation_set *set = NULL;
	struct generation wanted = { 0 };
	struct dump *device = NULL, *region = NULL;
	bool same;

	same = !dump_open_callback(&device, &memory, NULL) &&
	       !dump_open_fd(&region, fcntl(job->region, F_DUPFD_CLOEXEC, 3), NULL) &&
	       !generation_open(&wanted, device, job->off, NULL) &&
	       !generation_set_find(&set, region, NULL) && has_same_generation(&wanted, set);
	generation_set_free(set);
	generation_close(&wanted);
	dump_close(region);
	dump_close(device);
	return same ? ERR_OK : ERR_NOT_OURS;
}

bool generation_is_in(int region, int device, u64 off)
{
	struct compare_job job = { device, off, region };
	struct sandboxed_child child = {
		.name = "harvest", .sandbox = { .make_dir = -1 }, .run = compare_generations, .arg = &job,
	};

	return sandboxed_child_run(&child) == ERR_OK;
}
