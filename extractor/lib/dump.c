// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "handle.h"
#include "os/progress.h"

#define MAX_GENERATIONS	(1U << 16)	/* that an answer may list */

struct epitaph_dump *handle_ref(struct epitaph_dump *dump)
{
	atomic_fetch_add(&dump->users, 1);
	return dump;
}

void handle_unref(struct epitaph_dump *dump)
{
	if (atomic_fetch_sub(&dump->users, 1) > 1)
		return;
	free(dump->where);
	free(dump->kind);
	free(dump->numbers);
	pack_free(&dump->guest);
	free(dump);
}

/* --- one thread at a time ------------------------------------------------ */

static bool take_dump(struct epitaph_dump *dump, struct epitaph_error **error)
{
	struct error_parts parts = { .code = EPITAPH_ERROR_BUSY, .where = dump->where };

	if (!atomic_flag_test_and_set(&dump->busy))
		return true;
	error_set(error, &parts, "another thread uses this dump now");
	return false;
}

#ifdef EPITAPH_DEBUG
bool handle_enter(struct epitaph_dump *dump, struct epitaph_error **error)
{
	return take_dump(dump, error);
}

void handle_leave(struct epitaph_dump *dump)
{
	atomic_flag_clear(&dump->busy);
}
#endif

/* --- questions ----------------------------------------------------------- */

static int fail_dead(struct epitaph_dump *dump, struct epitaph_error **error)
{
	struct error_parts parts = { .code = EPITAPH_ERROR_READER, .where = dump->where };

	return error_set(error, &parts, "%s", dump->death);
}

static int fail_cancelled(struct epitaph_dump *dump, struct epitaph_error **error)
{
	struct error_parts parts = { .code = EPITAPH_ERROR_CANCELLED, .where = dump->where };

	return error_set(error, &parts, "the progress callback asked to stop");
}

int handle_bad_answer(struct epitaph_dump *dump, struct epitaph_error **error)
{
	struct error_parts parts = { .code = EPITAPH_ERROR_READER, .where = dump->where };

	if (!dump->engine)
		reader_close(&dump->link);
	snprintf(dump->death, sizeof(dump->death), "the reader gave an answer that cannot be");
	return error_set(error, &parts, "%s", dump->death);
}

static int ask_reader(struct epitaph_dump *dump, enum wire_message_type type, const struct pack *question,
		      struct pack *answer, struct epitaph_error **error)
{
	struct err err = ERR_INIT;
	struct wire_head head;

	if (dump->is_cancelled)
		return fail_cancelled(dump, error);
	if (*dump->death)
		return fail_dead(dump, error);
	switch (reader_ask(&dump->link, type, question, &head, answer, dump->progress, dump->arg)) {
	case LINK_ANSWER:
		break;
	case LINK_DEAD:
		reader_death(&dump->link, dump->death, sizeof(dump->death));
		return fail_dead(dump, error);
	case LINK_CANCELLED:
		reader_close(&dump->link);
		dump->is_cancelled = true;
		return fail_cancelled(dump, error);
	}
	if (!head.status)
		return 0;
	err.code = head.status;
	err.errnum = head.errnum;
	snprintf(err.msg, sizeof(err.msg), "%.*s", (int)answer->size, (const char *)answer->data);
	return error_take(error, &err, dump->where);
}

static void note_progress(void *arg, const char *what, u64 done, u64 total)
{
	struct epitaph_dump *dump = arg;

	/* Parsing cannot be left here: the question fails when it is answered.  The caller is not asked again. */
	if (!dump->is_cancelled && dump->progress(dump->arg, what, done, total))
		dump->is_cancelled = true;
}

static int ask_engine(struct epitaph_dump *dump, enum wire_message_type type, const struct pack *question,
		      struct pack *answer, struct epitaph_error **error)
{
	struct bytes b = bytes_of(question->data, question->size, ORDER_HOST);
	struct err err = ERR_INIT;
	int ret = 0;

	if (dump->progress)
		progress_call(note_progress, dump);
	if (type == WIRE_OPEN)
		ret = engine_prepare(dump->engine, &b, &err);
	if (!ret)
		ret = engine_answer(dump->engine, type, &b, answer, &err);
	progress_call(NULL, NULL);
	if (dump->is_cancelled) {
		dump->is_cancelled = false;
		return fail_cancelled(dump, error);
	}
	return ret ? error_take(error, &err, dump->where) : 0;
}

static int ask_either(struct epitaph_dump *dump, enum wire_message_type type, const struct pack *question,
	       struct pack *answer, struct epitaph_error **error)
{
	struct error_parts closed = { .code = EPITAPH_ERROR_CLOSED, .where = dump->where };
	struct error_parts other = { .code = EPITAPH_ERROR_CLOSED, .where = dump->where };
	struct error_parts full = {
		.code = EPITAPH_ERROR_IO, .errnum = ENOMEM, .where = dump->where,
	};

	if (dump->is_closed)
		return error_set(error, &closed, "the dump was closed");
	if (!dump->engine && dump->link.pid != getpid())
		return error_set(error, &other, "the dump was opened by another process, which its reader answers");
	if (question->failed)
		return error_set(error, &full, "there is no memory for a question to the reader");
	return dump->engine ? ask_engine(dump, type, question, answer, error) :
			      ask_reader(dump, type, question, answer, error);
}

static void end_walks(struct epitaph_dump *dump)
{
	u32 ended = atomic_exchange(&dump->ended, 0);

	for (u32 i = 0; i < WIRE_WALKS; i++) {
		struct pack question = { .order = ORDER_HOST }, answer = { .order = ORDER_HOST };

		if (!(ended & 1U << i))
			continue;
		pack_u32(&question, i);
		ask_either(dump, WIRE_END, &question, &answer, NULL);
		pack_free(&question);
		pack_free(&answer);
	}
}

void handle_end_walk(struct epitaph_dump *dump, u32 number)
{
	atomic_fetch_or(&dump->ended, 1U << number);
	if (!take_dump(dump, NULL))
		return;
	end_walks(dump);
	atomic_flag_clear(&dump->busy);
}

int handle_ask(struct epitaph_dump *dump, enum wire_message_type type, struct pack *question,
	     struct pack *answer, struct epitaph_error **error)
{
	int ret;

	*answer = (struct pack){ .order = ORDER_HOST };
#ifndef EPITAPH_DEBUG
	if (!take_dump(dump, error)) {
		pack_free(question);
		return -1;
	}
#endif
	end_walks(dump);
	ret = ask_either(dump, type, question, answer, error);
#ifndef EPITAPH_DEBUG
	atomic_flag_clear(&dump->busy);
#endif
	pack_free(question);
	if (ret)
		pack_free(answer);
	return ret;
}

/* --- opening ------------------------------------------------------------- */

static const struct epitaph_options defaults;

static int take_opened(struct epitaph_dump *dump, struct pack *answer,
		       struct epitaph_error **error)
{
	struct bytes b = bytes_of(answer->data, answer->size, ORDER_HOST);
	u64 off = 0;
	const char *kind = wire_take_text(&b, &off, NULL);

	dump->region_address = wire_take_u64(&b, &off);
	dump->region_size = wire_take_u64(&b, &off);
	dump->nr = wire_take_u32(&b, &off);
	if (b.overrun || !dump->nr || dump->nr > MAX_GENERATIONS)
		return handle_bad_answer(dump, error);
	dump->kind = strdup(kind);
	dump->numbers = calloc(dump->nr, sizeof(*dump->numbers));
	if (!dump->kind || !dump->numbers)
		return handle_bad_answer(dump, error);
	for (u32 i = 0; i < dump->nr; i++)
		dump->numbers[i] = wire_take_u64(&b, &off);
	return b.overrun ? handle_bad_answer(dump, error) : 0;
}

/*
 * struct dump_place - what is opened
 * @where: what errors call it
 * @memory: NULL: @nr paths
 * @fd: of the file; -1: none
 */
struct dump_place {
	const char *where;
	const struct epitaph_memory_reader *memory;
	const char *const *paths;
	size_t nr;
	int fd;
};

static int begin_dump(struct epitaph_dump *dump, const struct dump_place *place,
		      const struct epitaph_options *options, struct epitaph_error **error)
{
	struct pack question = { .order = ORDER_HOST }, answer;
	u32 i;
	int ret;

	if (options->sandbox)
		ret = reader_start(&dump->link, place->fd, error);
	else
		ret = (dump->engine = engine_new()) ? 0 : -1;
	if (ret)
		return error_set(error, &(struct error_parts){ .code = EPITAPH_ERROR_IO,
				 .errnum = ENOMEM, .where = dump->where }, "there is no memory");
	if (place->memory)
		engine_set_memory(dump->engine, place->memory);
	pack_u32(&question, options->sources);
	wire_text(&question, options->guest ? options->guest : "", options->guest ? strlen(options->guest) : 0);
	pack_u32(&question, place->nr);
	for (i = 0; i < place->nr; i++)
		wire_text(&question, place->paths[i], strlen(place->paths[i]));
	pack_u32(&question, options->nr_places);
	for (i = 0; i < options->nr_places; i++)
		wire_text(&question, options->places[i], strlen(options->places[i]));
	ret = handle_ask(dump, WIRE_OPEN, &question, &answer, error);
	if (ret)
		return ret;
	ret = take_opened(dump, &answer, error);
	pack_free(&answer);
	return ret;
}

static struct epitaph_dump *open_dump(const struct dump_place *place,
				      const struct epitaph_options *options,
				      struct epitaph_error **error)
{
	struct epitaph_dump *dump = calloc(1, sizeof(*dump));

	if (dump)
		dump->where = strdup(place->where);
	if (!dump || !dump->where) {
		free(dump);
		error_set(error, &(struct error_parts){ .code = EPITAPH_ERROR_IO, .errnum = ENOMEM,
			  .where = place->where }, "there is no memory");
		return NULL;
	}
	options = options ? options : &defaults;
	atomic_init(&dump->users, 1);
	atomic_flag_clear(&dump->busy);
	dump->link = (struct reader_link){ -1, -1, 0 };
	dump->fd = place->fd;
	dump->progress = options->progress;
	dump->arg = options->arg;
	if (!begin_dump(dump, place, options, error))
		return dump;
	epitaph_dump_close(dump);
	return NULL;
}

struct epitaph_dump *epitaph_dump_open_parts(const char *const *paths, size_t nr,
					     const struct epitaph_options *options,
					     struct epitaph_error **error)
{
	bool is_whole = paths && nr;

	for (size_t i = 0; is_whole && i < nr; i++)
		is_whole = paths[i];
	if (!is_whole) {
		error_usage(error, "epitaph_dump_open()", "the path is NULL", "the path of a dump");
		return NULL;
	}
	return open_dump(&(struct dump_place){ paths[0], NULL, paths, nr, -1 }, options, error);
}

struct epitaph_dump *epitaph_dump_open(const char *path, const struct epitaph_options *options,
				       struct epitaph_error **error)
{
	return epitaph_dump_open_parts(&path, 1, options, error);
}

struct epitaph_dump *epitaph_dump_open_fd(int fd, const struct epitaph_options *options,
					  struct epitaph_error **error)
{
	char path[40], where[40];
	const char *paths[] = { path };
	int copy = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 3);
	int errnum = errno;

	snprintf(where, sizeof(where), "descriptor %d", fd);
	if (copy < 0) {
		error_set(error, &(struct error_parts){
			.code = EPITAPH_ERROR_USAGE, .where = where,
			.expected = "a descriptor that is open for reading",
		}, "it cannot be used: %s", fd < 0 ? "it is negative" : strerror(errnum));
		return NULL;
	}
	snprintf(path, sizeof(path), "/proc/self/fd/%d",
		 options && options->sandbox ? WIRE_FD_DUMP : copy);
	return open_dump(&(struct dump_place){ where, NULL, paths, 1, copy }, options, error);
}

struct epitaph_dump *epitaph_dump_open_memory(const struct epitaph_memory_reader *memory,
					      const struct epitaph_options *options,
					      struct epitaph_error **error)
{
	const char *wrong = !memory ? "memory is NULL" :
			    options && options->guest ? "the options ask for a guest" :
			    !memory->name || !memory->kind || !memory->read ||
			    (memory->nr_segments && !memory->segments) ?
				"a name, kind, segments or read function is NULL" :
			    options && options->sandbox ? "the options ask for a sandbox" : NULL;

	if (!wrong)
		return open_dump(&(struct dump_place){ memory->name, memory, NULL, 0, -1 }, options,
				 error);
	error_usage(error, "epitaph_dump_open_memory()", wrong,
		    "memory of the machine itself with its read function, which runs in the calling process");
	return NULL;
}

void epitaph_dump_close(struct epitaph_dump *dump)
{
	if (!dump)
		return;
	if (!dump->is_closed) {
		engine_free(dump->engine);
		dump->engine = NULL;
		reader_close(&dump->link);
		if (dump->fd >= 0)
			close(dump->fd);
		dump->is_closed = true;
	}
	handle_unref(dump);
}

/* --- facts and memory ---------------------------------------------------- */

const char *epitaph_dump_kind(const struct epitaph_dump *dump)
{
	return dump ? dump->kind : "";
}

size_t epitaph_dump_nr_generations(const struct epitaph_dump *dump)
{
	return dump ? dump->nr : 0;
}

int epitaph_dump_region(const struct epitaph_dump *dump, uint64_t *address, uint64_t *size)
{
	if (!dump || !dump->region_size)
		return 0;
	*address = dump->region_address;
	*size = dump->region_size;
	return 1;
}

int epitaph_dump_guest(struct epitaph_dump *dump, size_t i, int64_t *pid, const char **name,
		       const char **uuid, struct epitaph_error **error)
{
	struct pack question = { .order = ORDER_HOST }, answer;
	struct bytes b;
	u64 off = 0;
	u32 there;
	int ret;

	if (!dump || !pid || !name || !uuid)
		return error_usage(error, "epitaph_dump_guest()", dump ? "a place is NULL" : "dump is NULL",
				   "an open dump and places for process, name and UUID");
	if (!handle_enter(dump, error))
		return -1;
	pack_u32(&question, i < UINT32_MAX ? i : UINT32_MAX);
	ret = handle_ask(dump, WIRE_GUEST, &question, &answer, error);
	handle_leave(dump);
	if (ret)
		return -1;
	b = bytes_of(answer.data, answer.size, ORDER_HOST);
	there = wire_take_u32(&b, &off);
	*pid = wire_take_u64(&b, &off);
	*name = wire_take_text(&b, &off, NULL);
	*uuid = wire_take_text(&b, &off, NULL);
	pack_free(&dump->guest);
	dump->guest = answer;
	return b.overrun || there > 1 ? handle_bad_answer(dump, error) : (int)there;
}

/* One answer has at most so many bytes: a larger read is several. */
#define READ_STEP	(1U << 20)

static ssize_t read_memory_step(struct epitaph_dump *dump, bool is_virtual, u64 address, u8 *buffer,
			 size_t size, struct epitaph_error **error)
{
	struct pack question = { .order = ORDER_HOST }, answer;
	ssize_t n;

	pack_u32(&question, is_virtual);
	pack_u64(&question, address);
	pack_u64(&question, size);
	if (handle_ask(dump, WIRE_READ, &question, &answer, error))
		return -1;
	n = answer.size;
	if (answer.size <= size)
		memcpy(buffer, answer.data, answer.size);
	else
		n = handle_bad_answer(dump, error);
	pack_free(&answer);
	return n;
}

static ssize_t read_memory(const char *function, struct epitaph_dump *dump, bool is_virtual,
			   u64 address, u8 *buffer, size_t size, struct epitaph_error **error)
{
	size_t done = 0, step = 1;
	ssize_t n = 0;

	if (!dump || (!buffer && size))
		return error_usage(error, function, dump ? "buffer is NULL" : "dump is NULL",
				   "an open dump and room for size bytes");
	if (!handle_enter(dump, error))
		return -1;
	for (; done < size && step; done += step) {
		size_t ask_for = size - done < READ_STEP ? size - done : READ_STEP;

		n = read_memory_step(dump, is_virtual, address + done, buffer + done, ask_for, error);
		if (n < 0)
			break;
		step = n;
	}
	handle_leave(dump);
	return n < 0 ? -1 : (ssize_t)done;
}

ssize_t epitaph_read_physical(struct epitaph_dump *dump, uint64_t address, void *buffer,
			      size_t size, struct epitaph_error **error)
{
	return read_memory("epitaph_read_physical()", dump, false, address, buffer, size, error);
}

ssize_t epitaph_read_virtual(struct epitaph_dump *dump, uint64_t address, void *buffer,
			     size_t size, struct epitaph_error **error)
{
	return read_memory("epitaph_read_virtual()", dump, true, address, buffer, size, error);
}
