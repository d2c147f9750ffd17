// SPDX-License-Identifier: GPL-2.0-or-later
#include "contents.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "os/sandboxed_child.h"
#include "region/generation.h"
#include "spool/saved_text.h"

#define MAX_TAKEN	4096	/* bytes of marks; there are 512 */

/* What the process that reads has found. */
struct found {
	size_t nr;
	char digests[MANIFEST_GENERATIONS][DIGEST_TEXT];
};

struct job {
	int fd;
	struct found *found;
};

/* Who has saved a generation marks it, so the marks differ between two copies. */
static void blank_marks(u8 *buf, u64 off, size_t size, const struct section *marks)
{
	u64 start = off > marks->off ? off : marks->off;
	u64 end = off + size < marks->off + marks->size ? off + size : marks->off + marks->size;

	if (start < end)
		memset(buf + (start - off), 0, end - start);
}

static bool take_digest(char ret[DIGEST_TEXT], const struct generation *generation)
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

static bool take_all(struct found *found, const struct generation_set *generations)
{
	u32 i;

	if (generations->nr_overwritten || generations->nr > MANIFEST_GENERATIONS)
		return false;
	for (i = 0; i < generations->nr; i++)
		if (generations->gen[i].notes.nr || !take_digest(found->digests[i], &generations->gen[i]))
			return false;
	return true;
}

/* In the process that reads. */
static int look(void *arg)
{
	const struct job *job = arg;
	struct generation_set *generations = NULL;
	struct dump *in = NULL;

	if (!dump_open_fd(&in, fcntl(job->fd, F_DUPFD_CLOEXEC, 3), NULL) && !generation_set_find(&generations, in, NULL) &&
	    take_all(job->found, generations))
		job->found->nr = generations->nr;
	generation_set_free(generations);
	dump_close(in);
	return ERR_OK;
}

static void take_found(struct manifest *m, const struct found *found)
{
	size_t i;

	for (i = 0; i < found->nr && i < MANIFEST_GENERATIONS; i++) {
		memcpy(m->generations[i], found->digests[i], DIGEST_TEXT);
		m->generations[i][DIGEST_TEXT - 1] = 0;
		if (!digest_is_text(m->generations[i]))
			return;
	}
	m->nr_generations = i;
}

void contents_read(struct manifest *m, int dir, bool verbose)
{
	struct job job = {
		.fd = openat(dir, SAVED_REGION, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC),
	};
	struct sandboxed_child child = {
		.name = "send", .verbose = verbose, .sandbox = { .make_dir = -1 }, .run = look, .arg = &job,
	};

	m->nr_generations = 0;
	job.found = mmap(NULL, sizeof(*job.found), PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (job.fd >= 0 && job.found != MAP_FAILED && sandboxed_child_run(&child) == ERR_OK)
		take_found(m, job.found);
	if (job.found != MAP_FAILED)
		munmap(job.found, sizeof(*job.found));
	if (job.fd >= 0)
		close(job.fd);
}
