// SPDX-License-Identifier: GPL-2.0-or-later
#include "turns.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "descriptor.h"

#define PIPE_SIZE	(1U << 20)	/* what the kernel gives to any user */
#define PIECE_MAX	65536

/**
 * struct turn_piece - before each part of a turn in the pipe
 * @size: bytes that follow; 0: the turn ends
 * @sum: of all steps, where it ends
 */
struct turn_piece {
	u32 size;
	u32 zero;
	u64 sum;
};

static bool open_pipe(int ends[2])
{
	if (pipe2(ends, O_CLOEXEC))
		return false;
	ends[0] = descriptor_above_standard(ends[0]);
	ends[1] = descriptor_above_standard(ends[1]);
	if (ends[0] >= 0 && ends[1] >= 0)
		return true;
	close(ends[0]);
	close(ends[1]);
	return false;
}

int turns_open(struct turns *turns, u32 nr, struct err *err)
{
	turns->nr = 1;
	if (!open_pipe(turns->go)) {
		turns->nr = 0;
		return err_sys(err, "a pipe");
	}
	for (; turns->nr < nr; turns->nr++) {
		int *ends = turns->pipes[turns->nr];

		if (!open_pipe(ends)) {
			err_sys(err, "a pipe");
			turns_close(turns);
			return -ERR_IO;
		}
		/* A smaller one will do. */
		fcntl(ends[1], F_SETPIPE_SZ, PIPE_SIZE);
	}
	turns->now = turns->nr;
	return 0;
}

void turns_close(struct turns *turns)
{
	for (u32 i = 1; i < turns->nr; i++) {
		close(turns->pipes[i][0]);
		close(turns->pipes[i][1]);
	}
	close(turns->go[0]);
	close(turns->go[1]);
	turns->nr = 0;
}

static bool read_whole_size(int fd, void *data, size_t size)
{
	char *at = data;

	while (size) {
		ssize_t n = read(fd, at, size);

		if (!n || (n < 0 && errno != EINTR))
			return false;
		at += n > 0 ? n : 0;
		size -= n > 0 ? n : 0;
	}
	return true;
}

static ssize_t put_turn_piece(void *cookie, const char *data, size_t size)
{
	struct turns *turns = cookie;
	struct turn_piece piece = { .size = size < PIECE_MAX ? size : PIECE_MAX };
	int fd = turns->pipes[turns->own][1];

	if (turns->now != turns->own)
		return size;
	if (!descriptor_write(fd, &piece, sizeof(piece)) || !descriptor_write(fd, data, piece.size))
		return 0;
	return piece.size;
}

/*
 * The ends of other processes are theirs: the writer sees it when one is gone. It keeps both ends of
 * @go: with no reader, a write would end it by a signal.
 */
static void keep_own_ends(struct turns *turns)
{
	if (turns->own)
		close(turns->go[1]);
	for (u32 i = 1; i < turns->nr; i++) {
		if (turns->own)
			close(turns->pipes[i][0]);
		if (i != turns->own)
			close(turns->pipes[i][1]);
	}
}

bool turns_be(struct turns *turns, u32 own)
{
	static const cookie_io_functions_t to_pipe = { .write = put_turn_piece };
	char *buffer;
	int null;

	turns->own = own;
	keep_own_ends(turns);
	if (!own)
		return true;
	/* Until the process ends. */
	buffer = malloc(PIECE_MAX);
	turns->file = fopencookie(turns, "w", to_pipe);
	null = descriptor_above_standard(open("/dev/null", O_WRONLY | O_CLOEXEC));
	if (!buffer || !turns->file || dup2(null, STDOUT_FILENO) < 0 || dup2(null, STDERR_FILENO) < 0)
		return false;
	close(null);
	setvbuf(turns->file, buffer, _IOFBF, PIECE_MAX);
	stdout = turns->file;
	return true;
}

FILE *turns_file(const struct turns *turns, FILE *f)
{
	return turns_is_writer(turns) ? f : turns->file;
}

/* Outside of a turn, what was printed goes nowhere. */
static void drop_printed(struct turns *turns)
{
	if (turns->own)
		fflush(turns->file);
}

bool turns_wait(const struct turns *turns)
{
	char go;

	return turns->asked || read_whole_size(turns->go[0], &go, 1);
}

void turns_begin(struct turns *turns)
{
	static const char go[TURNS_MAX];

	if (!turns)
		return;
	/* Who does not hear it sends no turn, and that is seen. */
	if (!turns->own && !turns->begun)
		descriptor_write(turns->go[1], go, turns->nr - 1);
	turns->begun = true;
	drop_printed(turns);
	turns->now = 0;
	turns->steps = 0;
}

static int send_turn(struct turns *turns, FILE *f, struct err *err)
{
	const struct turn_piece end = { .sum = turns->sum };

	if (fflush(f) || !descriptor_write(turns->pipes[turns->own][1], &end, sizeof(end)))
		return err_sys(err, "the process that writes");
	return 0;
}

static int copy_turn(struct turns *turns, FILE *f, struct err *err)
{
	int fd = turns->pipes[turns->now][0];
	char data[PIECE_MAX];
	struct turn_piece piece;

	for (;;) {
		if (!read_whole_size(fd, &piece, sizeof(piece)) || piece.size > PIECE_MAX ||
		    !read_whole_size(fd, data, piece.size))
			return err_set(err, ERR_IO, ERR_NO_OFF,
				       "one of the processes that print ended, and its part is missing; try --jobs 1");
		if (!piece.size)
			break;
		fwrite(data, 1, piece.size, f);
	}
	if (piece.sum != turns->sum)
		return err_set(err, ERR_IO, ERR_NO_OFF,
			       "two processes saw different events: the file changed while it was read");
	return 0;
}

int turns_end(struct turns *turns, FILE *f, struct err *err)
{
	int ret = 0;

	if (!turns)
		return 0;
	if (turns->own && turns->now == turns->own)
		ret = send_turn(turns, f, err);
	else if (!turns->own && turns->now)
		ret = copy_turn(turns, f, err);
	/* The turns that still come are of this walk: the writer is alone in later ones. */
	if (ret && !turns->own)
		turns->nr = 1;
	drop_printed(turns);
	turns->now = (turns->now + 1) % turns->nr;
	turns->steps = 0;
	return ret;
}

int turns_finish(struct turns *turns, FILE *f, struct err *err)
{
	int ret = turns && turns->steps ? turns_end(turns, f, err) : 0;

	if (turns)
		turns->now = turns->nr;
	return ret;
}
