// SPDX-License-Identifier: GPL-2.0-or-later
#include "generation_digests.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/text.h"
#include "os/sandboxed_child.h"
#include "region/generation.h"
#include "spool/side_files.h"

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
