// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What "epitaph record" does with the bytes: they go from the ring, which is mapped where that can
 * be, to the file, and only then are they given back.  A process that is killed at any moment
 * leaves them in the ring, in the file, or in both.
 */
#include "record.h"

#include <dirent.h>
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <epitaph/format.h>

#include "base/checksum.h"
#include "live.h"

/* Given back at once: enough for a call of write(), and writers get their room soon. */
#define MOST_SUBS	64
/* What is written to is closed so often, if it has an event. */
#define CLOSE_MS	1000
#define PAUSE_MS	100

/*
 * The state of record_channel().
 * @rings: mapped; NULL: what is read comes by way of @buffer, of MOST_SUBS
 * @piece: descriptor; @size: of it; @begun: when
 * @number: of the piece; @oldest: of those that are there
 */
struct recording_out {
	const struct record_request *request;
	struct record_counts *counts;
	struct err *err;
	const u8 *rings;
	u8 *buffer;
	int piece;
	u64 size;
	u64 begun;
	u32 number;
	u32 oldest;
};

static void name_piece(char name[32], u32 number)
{
	snprintf(name, 32, "%06u.sub", number);
}

/* --- pieces -------------------------------------------------------------------- */

/* The numbers of the oldest and the newest piece; 0: there is none. */
static int find_pieces(int dir, u32 *oldest, u32 *newest, struct err *err)
{
	int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *entries = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	*oldest = *newest = 0;
	if (!entries) {
		err_sys(err, "the directory");
		if (fd >= 0)
			close(fd);
		return -ERR_IO;
	}
	while ((entry = readdir(entries))) {
		u32 number = strtoul(entry->d_name, NULL, 10);
		char name[32];

		name_piece(name, number);
		if (!number || strcmp(name, entry->d_name))
			continue;
		if (!*oldest || number < *oldest)
			*oldest = number;
		if (number > *newest)
			*newest = number;
	}
	closedir(entries);
	return 0;
}

static int begin_piece(struct recording_out *out)
{
	char name[32];

	if (out->piece >= 0 && close(out->piece))
		return err_sys(out->err, "%06u.sub", out->number);
	out->number++;
	name_piece(name, out->number);
	out->piece = openat(out->request->dir, name,
			    O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (out->piece < 0)
		return err_sys(out->err, "%s", name);
	/* Its name before what is in it is given back. */
	if (out->request->sync && fsync(out->request->dir))
		return err_sys(out->err, "%s: fsync", name);
	out->size = 0;
	out->begun = live_now();
	out->counts->pieces++;
	if (!out->oldest)
		out->oldest = out->number;
	while (out->request->keep && out->number - out->oldest >= out->request->keep) {
		name_piece(name, out->oldest++);
		unlinkat(out->request->dir, name, 0);
	}
	return 0;
}

static bool piece_is_full(const struct recording_out *out, u64 more)
{
	const struct record_request *r = out->request;

	if (!out->size)
		return false;
	return (r->rotate_size && out->size + more > r->rotate_size) ||
	       (r->rotate_ns && live_now() - out->begun >= r->rotate_ns);
}

/* All of it or nothing: what was cut is taken back, so that the next chunk is found. */
static int append_chunk(struct recording_out *out, const struct epitaph_chunk *chunk,
			const u8 *data, u64 size)
{
	u64 all = sizeof(*chunk) + size, done = 0;

	while (done < all) {
		u64 skip = done < sizeof(*chunk) ? 0 : done - sizeof(*chunk);
		struct iovec parts[2] = {
			{ (u8 *)chunk + done, sizeof(*chunk) - done },
			{ (u8 *)data + skip, size - skip },
		};
		bool has_header = done < sizeof(*chunk);
		ssize_t n = writev(out->piece, parts + !has_header, 1 + has_header);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			err_sys(out->err, "%06u.sub: cannot write at byte %llu", out->number,
				out->size + done);
			if (ftruncate(out->piece, out->size))
				return -ERR_IO;
			return -ERR_IO;
		}
		done += n;
	}
	if (out->request->sync && fdatasync(out->piece))
		return err_sys(out->err, "%06u.sub: fdatasync", out->number);
	out->size += all;
	return 0;
}

/* --- rings --------------------------------------------------------------------- */

/* NULL: an error. */
static const u8 *bytes_of_ring(struct recording_out *out, u64 at, u64 size)
{
	const struct record_request *r = out->request;
	u64 done;
	ssize_t n;

	if (out->rings)
		return out->rings + at;
	for (done = 0; done < size; done += n) {
		n = pread(r->fd, out->buffer + done, size - done, r->take.off + at + done);
		if (n <= 0) {
			err_sys(out->err, "cannot read the rings at byte %llu", at + done);
			return NULL;
		}
	}
	return out->buffer;
}

static int store_subs(struct recording_out *out, u32 cpu, u32 off, u32 nr)
{
	const struct record_request *r = out->request;
	u64 size = (u64)nr * r->take.unit;
	struct epitaph_chunk chunk = {
		.magic = EPITAPH_CHUNK_MAGIC, .salt = htole64(r->salt), .off = htole64(off),
		.ring_size = htole64(r->take.ring_size), .channel = htole32(r->take.id),
		.cpu = htole32(cpu), .unit = htole32(r->take.unit), .nr = htole32(nr),
	};
	const u8 *data = bytes_of_ring(out, cpu * r->take.ring_size + off, size);
	int ret = 0;

	if (!data)
		return -ERR_IO;
	chunk.check = htole64(checksum(r->salt, &chunk, offsetof(struct epitaph_chunk, check)));
	if (piece_is_full(out, sizeof(chunk) + size))
		ret = begin_piece(out);
	if (!ret)
		ret = append_chunk(out, &chunk, data, size);
	if (ret)
		return ret;
	out->counts->subs += nr;
	out->counts->bytes += size;
	return 0;
}

/* EAGAIN: the machine hibernates, or has come back and looks whether the region is still there. */
static int give_back(struct recording_out *out, const struct epitaph_consume_give *give)
{
	while (ioctl(out->request->fd, EPITAPH_CONSUME_GIVE, give)) {
		if (errno != EAGAIN)
			return err_sys(out->err, "CPU %u, sub-buffers up to byte %u", give->cpu, give->to);
		poll(NULL, 0, PAUSE_MS);
	}
	return 0;
}

/* Sets @any if there was something. */
static int read_ready_subs(struct recording_out *out, u32 cpu, bool close, bool *any)
{
	const struct record_request *r = out->request;
	struct epitaph_consume_ready ready = { .cpu = cpu, .flags = close ? EPITAPH_CONSUME_CLOSE : 0 };
	struct epitaph_consume_give give = { .cpu = cpu };
	int ret = 0;

	if (ioctl(r->fd, EPITAPH_CONSUME_READY, &ready))
		return errno == EINVAL ? 0 : err_sys(out->err, "CPU %u", cpu);
	while (ready.begin != ready.end) {
		u32 end = ready.end > ready.begin ? ready.end : r->take.ring_size;
		u32 nr = (end - ready.begin) / r->take.unit;

		if (nr > MOST_SUBS)
			nr = MOST_SUBS;
		ret = store_subs(out, cpu, ready.begin, nr);
		if (ret)
			return ret;
		give.from = ready.begin;
		give.to = (ready.begin + nr * r->take.unit) % r->take.ring_size;
		ret = give_back(out, &give);
		if (ret)
			return ret;
		ready.begin = give.to;
		*any = true;
	}
	return 0;
}

static int read_all_rings(struct recording_out *out, bool close, bool *any)
{
	u32 cpu;
	int ret = 0;

	*any = false;
	for (cpu = 0; cpu < out->request->take.nr_rings && !ret; cpu++)
		ret = read_ready_subs(out, cpu, close, any);
	return ret;
}

/* How long poll() may wait: until @at, a time of live_now(); 0: never. */
static int ms_until(u64 at, u64 now, int most)
{
	u64 ms = at > now ? (at - now) / 1000000 + 1 : 0;

	return !at || ms > (u64)most ? most : (int)ms;
}

static int read_until_stopped(struct recording_out *out)
{
	const struct record_request *r = out->request;
	struct pollfd events = { .fd = r->fd, .events = POLLIN };
	u64 begun = live_now(), refreshed = begun, closed = begun, now = begun;
	u64 end = r->for_ns ? begun + r->for_ns : 0;
	bool any = false, close;
	int ret = 0, n;

	while (!ret && !*r->stop && (!end || now < end)) {
		n = poll(&events, 1, any ? 0 : ms_until(end, now, CLOSE_MS));
		if (n < 0 && errno != EINTR)
			return err_sys(out->err, "poll");
		if (n > 0 && (events.revents & ~POLLIN))
			return err_set(out->err, ERR_IO, ERR_NO_OFF, "the channel cannot be read any more");
		now = live_now();
		close = now - closed >= CLOSE_MS * 1000000ULL;
		if (close)
			closed = now;
		ret = read_all_rings(out, close, &any);
		/* A writer was interrupted in what comes next. */
		if (!ret && n > 0 && !any)
			poll(NULL, 0, 1);
		if (now - refreshed >= RECORD_REFRESH_NS) {
			refreshed = now;
			r->refresh(r->priv);
		}
	}
	return ret;
}

/* What was written up to now.  Events go on: two rounds have those of the beginning. */
static int read_to_the_end(struct recording_out *out)
{
	bool any;
	int ret = read_all_rings(out, true, &any);

	return ret ? ret : read_all_rings(out, true, &any);
}

/* Some memory has no pages that could be mapped: EOPNOTSUPP. */
static int map_rings(struct recording_out *out, u64 size)
{
	const struct record_request *r = out->request;
	void *rings = mmap(NULL, size, PROT_READ, MAP_SHARED, r->fd, 0);

	if (rings != MAP_FAILED) {
		out->rings = rings;
		return 0;
	}
	if (errno != EOPNOTSUPP)
		return err_sys(out->err, "cannot map the rings");
	out->buffer = malloc((u64)MOST_SUBS * r->take.unit);
	return out->buffer ? 0 : err_sys(out->err, "memory for %u sub-buffers", MOST_SUBS);
}

int record_channel(const struct record_request *request, struct record_counts *counts,
		   struct err *err)
{
	struct recording_out out = { .request = request, .counts = counts, .err = err, .piece = -1 };
	struct epitaph_consume_wait wait = { .ms = CLOSE_MS };
	u64 size = request->take.nr_rings * request->take.ring_size;
	int ret;

	*counts = (struct record_counts){ 0 };
	ret = map_rings(&out, size);
	if (ret)
		return ret;
	wait.watermark = request->take.ring_size / request->take.unit / 8;
	ret = ioctl(request->fd, EPITAPH_CONSUME_WAIT, &wait) ? err_sys(err, "watermark") : 0;
	if (!ret)
		ret = find_pieces(request->dir, &out.oldest, &out.number, err);
	if (!ret)
		ret = begin_piece(&out);
	if (!ret)
		ret = read_until_stopped(&out);
	if (!ret)
		ret = read_to_the_end(&out);
	if (out.piece >= 0 && close(out.piece) && !ret)
		ret = err_sys(err, "%06u.sub", out.number);
	if (out.rings)
		munmap((void *)out.rings, size);
	free(out.buffer);
	return ret;
}

bool record_dir_channel(int dir, u32 *channel)
{
	struct epitaph_chunk chunk;
	u32 oldest, newest;
	char name[32];
	bool found = false;
	int fd;

	if (find_pieces(dir, &oldest, &newest, NULL))
		return false;
	for (; oldest && oldest <= newest && !found; oldest++) {
		name_piece(name, oldest);
		fd = openat(dir, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
		if (fd < 0)
			continue;
		found = pread(fd, &chunk, sizeof(chunk), 0) == sizeof(chunk) &&
			!memcmp(chunk.magic, EPITAPH_CHUNK_MAGIC, sizeof(chunk.magic));
		close(fd);
	}
	if (found)
		*channel = le32toh(chunk.channel);
	return found;
}
