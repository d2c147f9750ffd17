/* SPDX-License-Identifier: BSD-2-Clause */
/**
 * DOC: epitaph-ring
 *
 * A program's own rings in the flight recorder's region: typed events, written without a system
 * call, that outlive the program and the kernel.  Nothing to link; gnu11 or later, not C++.
 *
 *	#include <epitaph-ring.h>
 *
 *	EPITAPH_EVENT(order, (uint64_t, id), (uint32_t, items), (char, who, 16));
 *
 *	if (epitaph_ring_open("shop"))
 *		fprintf(stderr, "no trace: %s\n", epitaph_ring_error());
 *	EPITAPH_WRITE(order, .id = 7, .items = 2, .who = "basket");
 *
 * Any thread may write, and any signal handler: each thread has a ring of its own, which it gets with
 * its first event.  That event may take a lock of malloc(): a thread whose handlers write calls
 * epitaph_ring_open() first.  A child of fork() gets rings of its own as well.  Where there is no
 * recorder, an event costs a call and the coarse clock, and once a second an open().  docs/rings.md
 * has the rest.
 *
 * A handler that leaves by longjmp() in the middle of an event leaves a level of its ring behind:
 * after five of these, the thread records no more.
 */
#ifndef EPITAPH_RING_API_H
#define EPITAPH_RING_API_H

#define EPITAPH_PROGRAM
/* All that is not ours, also what ours include: what is declared behind the pragma is in no library. */
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/types.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#ifdef __aarch64__
#include <sys/auxv.h>
#include <asm/hwcap.h>
#endif
#include <time.h>
#include <unistd.h>

/* All that use this file in one program share them. */
#pragma weak epitaph_ring_init
#pragma weak epitaph_ring_reserve
#pragma weak epitaph_ring_commit
#pragma weak epitaph_ring_max_payload
#pragma weak epitaph_ring_claim
#pragma weak epitaph_ring_settle
#pragma weak epitaph_ring_close
#pragma weak epitaph_ring_ready
#pragma weak epitaph_ring_give
#pragma weak epitaph_ring_too_deep
#pragma weak epitaph_ring_sum
#pragma weak epitaph_ring_move
#pragma weak epitaph_ring_put
#pragma GCC visibility push(hidden)
#include <epitaph/ring_fast.h>
#include <epitaph/rings.h>
/* Names that a program may have itself. */
#define count epitaph_core_count
#define count_dropped epitaph_core_count_dropped
#define drop_full epitaph_core_drop_full
#define write_long epitaph_core_write_long
#define seq_next epitaph_core_seq_next
#define sub_start epitaph_core_sub_start
#define sub_at epitaph_core_sub_at
#define sub_next epitaph_core_sub_next
#define sub_close epitaph_core_sub_close
#define sub_prepare epitaph_core_sub_prepare
#define sub_is_held epitaph_core_sub_is_held
#include "core/ring.c"
#undef count
#undef count_dropped
#undef drop_full
#undef write_long
#undef seq_next
#undef sub_start
#undef sub_at
#undef sub_next
#undef sub_close
#undef sub_prepare
#undef sub_is_held

#define EPITAPH_NAME_SIZE	32
#define EPITAPH_NEW_TYPE	(~0U)
#define EPITAPH_MAX_TYPES	64
#define EPITAPH_SHARED		__attribute__((weak))

/**
 * struct epitaph_type_field - of an event
 * @type: "__data_loc TYPE[]": the field has the length and the place of what lies behind all fields
 * @count: of an array; 0: it is none; of what lies behind the fields, the size of an element
 * @is_hex: it is printed so
 */
struct epitaph_type_field {
	const char *type;
	const char *name;
	uint16_t offset;
	uint16_t size;
	uint16_t count;
	bool is_signed;
	bool is_hex;
};

/**
 * struct epitaph_type - what EPITAPH_EVENT() makes
 * @id: in the rings of this program, or EPITAPH_NEW_TYPE
 * @varies: fields lead to texts or arrays behind them, so its events are of different size
 */
struct epitaph_type {
	uint32_t id;
	const char *name;
	const struct epitaph_type_field *fields;
	uint32_t nr_fields;
	bool varies;
};

/**
 * struct epitaph_thread - of the ring of a thread; a child of fork() finds zeroes
 * @slot: EPITAPH_SLOT_SIZE bytes, mapped; NULL: none yet
 * @known: ids below it have their format in the slot
 * @has, @tried: a bit for each type: it has its format there; it has, or found no room
 * @formats: bytes of formats there
 * @busy: events that are under way beside the short path: the ring stays
 * @retry: CLOCK_MONOTONIC in seconds from which on a ring is asked for again
 */
struct epitaph_thread {
	struct epitaph_ring ring;
	uint8_t *slot;
	uint32_t known;
	uint32_t formats;
	uint64_t has;
	uint64_t tried;
	uint32_t busy;
	uint64_t retry;
};

/* Of the program, or of a library that it loads; @name does not change once it is set. */
struct epitaph_program {
	struct epitaph_type *types[EPITAPH_MAX_TYPES];
	pthread_key_t key;
	bool has_key;
	pthread_once_t once;
	char *name;
	char error[200];
};

EPITAPH_SHARED struct epitaph_program epitaph_program = { .once = PTHREAD_ONCE_INIT };
EPITAPH_SHARED __thread struct epitaph_thread *epitaph_this_thread
	__attribute__((tls_model("initial-exec")));

#define EPITAPH_STATE_SIZE	4096
_Static_assert(sizeof(struct epitaph_thread) <= EPITAPH_STATE_SIZE, "a page holds it");

/* --- formats -------------------------------------------------------------------- */

/* @used grows also beyond @size: then it did not fit. */
__attribute__((format(printf, 4, 5)))
static inline void epitaph_put(char *to, size_t size, size_t *used, const char *format, ...)
{
	size_t room = *used < size ? size - *used : 0;
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(to + (room ? *used : 0), room, format, args);
	va_end(args);
	*used += n > 0 ? n : 0;
}

/* What the field stands for lies behind the fields. */
static inline bool epitaph_is_behind(const struct epitaph_type_field *field)
{
	return !strncmp(field->type, "__data_loc ", 11);
}

static inline void epitaph_put_field(char *to, size_t size, size_t *used,
				     const struct epitaph_type_field *field)
{
	char count[8] = "";

	if (field->count && !epitaph_is_behind(field))
		snprintf(count, sizeof(count), "[%u]", field->count);
	epitaph_put(to, size, used, "\tfield:%s %s%s;\toffset:%u;\tsize:%u;\tsigned:%d;\n", field->type,
		    field->name, count, field->offset + 8, field->size, field->is_signed);
}

static inline const char *epitaph_print_of(const struct epitaph_type_field *field)
{
	if (field->count)
		return "%s";
	if (field->size == 8)
		return field->is_hex ? "0x%llx" : field->is_signed ? "%lld" : "%llu";
	return field->is_hex ? "0x%x" : field->is_signed ? "%d" : "%u";
}

static inline void epitaph_put_value(char *to, size_t size, size_t *used,
				     const struct epitaph_type_field *field)
{
	if (!epitaph_is_behind(field))
		epitaph_put(to, size, used, ", REC->%s", field->name);
	else if (!strcmp(field->type, "__data_loc char[]"))
		epitaph_put(to, size, used, ", __get_str(%s)", field->name);
	else
		epitaph_put(to, size, used, ", __print_array(__get_dynamic_array(%s), "
			    "__get_dynamic_array_len(%s) / %u, %u)", field->name, field->name,
			    field->count, field->count);
}

/* As the kernel's own "format" files are.  Return: bytes, with more than @size for too many. */
static inline size_t epitaph_format_text(char *to, size_t size, const struct epitaph_type *type)
{
	size_t used = 0;
	uint32_t i;

	epitaph_put(to, size, &used, "system: %s\nname: %s\nID: %u\nformat:\n\n", epitaph_program.name,
		    type->name, type->id);
	for (i = 0; i < type->nr_fields; i++)
		epitaph_put_field(to, size, &used, &type->fields[i]);
	epitaph_put(to, size, &used, "\nprint fmt: \"");
	for (i = 0; i < type->nr_fields; i++)
		epitaph_put(to, size, &used, "%s%s=%s", i ? " " : "", type->fields[i].name,
			    epitaph_print_of(&type->fields[i]));
	epitaph_put(to, size, &used, "\"");
	for (i = 0; i < type->nr_fields; i++)
		epitaph_put_value(to, size, &used, &type->fields[i]);
	epitaph_put(to, size, &used, "\n");
	return used;
}

/* In front of the first event of @type.  The check is last: without it there is no batch. */
static inline bool epitaph_put_format(struct epitaph_thread *thread, const struct epitaph_type *type)
{
	uint8_t *at = thread->slot + EPITAPH_SLOT_FORMATS + thread->formats;
	size_t room = EPITAPH_SLOT_DATA - EPITAPH_SLOT_FORMATS - thread->formats, size;
	struct epitaph_batch *batch = (struct epitaph_batch *)at;
	char text[2048];

	size = epitaph_format_text(text, sizeof(text), type);
	if (size >= sizeof(text) || size + sizeof(*batch) + 8 > room)
		return false;
	memcpy(at + sizeof(*batch), text, size);
	batch->size = cpu_to_le32(size);
	batch->raw_size = cpu_to_le32(size);
	batch->method = cpu_to_le32(EPITAPH_STORED);
	batch->nr_events = cpu_to_le32(1);
	smp_wmb();
	WRITE_ONCE(batch->check, cpu_to_le64(epitaph_check(epitaph_check(0, batch,
			offsetof(struct epitaph_batch, check)), text, size)));
	smp_wmb();
	thread->formats += sizeof(*batch) + (size + 7) / 8 * 8;
	return true;
}

/* An id for it, the same for all threads. */
static inline void epitaph_name_type(struct epitaph_type *type)
{
	uint32_t i;

	for (i = 0; i < EPITAPH_MAX_TYPES; i++) {
		struct epitaph_type *other = NULL;

		if (__atomic_compare_exchange_n(&epitaph_program.types[i], &other, type, false,
						__ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) || other == type) {
			__atomic_store_n(&type->id, EPITAPH_ID_FIRST + i, __ATOMIC_RELEASE);
			return;
		}
	}
}

static inline uint64_t epitaph_bit_of(uint32_t id)
{
	return id - EPITAPH_ID_FIRST < EPITAPH_MAX_TYPES ? 1ULL << (id - EPITAPH_ID_FIRST) : 0;
}

/* Another thread may be about to store the id. */
static inline void epitaph_learn_type(struct epitaph_thread *thread, const struct epitaph_type *type)
{
	uint64_t bit = type ? epitaph_bit_of(__atomic_load_n(&type->id, __ATOMIC_ACQUIRE)) : 0;

	if (!bit || (thread->tried & bit))
		return;
	if (epitaph_put_format(thread, type))
		thread->has |= bit;
	thread->tried |= bit;
}

/* This one first: there may be no room for all. */
static inline void epitaph_learn_types(struct epitaph_thread *thread, struct epitaph_type *type)
{
	uint32_t i;

	if (__atomic_load_n(&type->id, __ATOMIC_ACQUIRE) == EPITAPH_NEW_TYPE)
		epitaph_name_type(type);
	epitaph_learn_type(thread, type);
	for (i = 0; i < EPITAPH_MAX_TYPES; i++)
		epitaph_learn_type(thread, __atomic_load_n(&epitaph_program.types[i], __ATOMIC_ACQUIRE));
	while (thread->has & epitaph_bit_of(thread->known))
		thread->known++;
}

/* --- a ring --------------------------------------------------------------------- */

/* Why, for epitaph_ring_error(); -1. */
static inline int epitaph_fail(int error, const char *why)
{
	snprintf(epitaph_program.error, sizeof(epitaph_program.error), "%s", why);
	errno = error;
	return -1;
}

static inline int epitaph_check_cpu(void)
{
#ifdef __x86_64__
	int mode = 0;

	if (!prctl(PR_GET_TSC, &mode, 0, 0, 0) && mode == PR_TSC_SIGSEGV)
		return epitaph_fail(EOPNOTSUPP, "this process must not read the TSC (PR_SET_TSC), which is the recorder's clock");
#endif
	if (EPITAPH_HAS_CRC32C && !plat_has_crc32())
		return epitaph_fail(EOPNOTSUPP, "this CPU has no instruction for CRC-32C: expected SSE 4.2");
	return 0;
}

/* No thread is cancelled in an event, as it could be in open() and close(). */
static inline void epitaph_close(int fd)
{
	syscall(SYS_close, fd);
}

/* The file of a ring, and where in it; tests have their own. */
#ifndef EPITAPH_RING_AT
#define EPITAPH_RING_AT 0
#endif
#ifndef EPITAPH_RING_ASK
static inline int epitaph_ring_ask(struct epitaph_ring_request *request)
{
	int fd = syscall(SYS_openat, AT_FDCWD, EPITAPH_RING_DEVICE, O_RDWR | O_CLOEXEC);

	if (fd < 0)
		return epitaph_fail(errno, errno == ENOENT || errno == ENXIO || errno == ENODEV ?
				    "there is no " EPITAPH_RING_DEVICE ": expected the recorder to be loaded (modprobe epitaph)" :
				    "cannot open " EPITAPH_RING_DEVICE);
	if (ioctl(fd, EPITAPH_RING_OPEN, request)) {
		int error = errno;

		epitaph_close(fd);
		return epitaph_fail(error, *request->error ? request->error : "no ring");
	}
	return fd;
}
#define EPITAPH_RING_ASK epitaph_ring_ask
#endif

static inline int epitaph_map_slot(struct epitaph_thread *thread)
{
	struct epitaph_ring_request request = { };
	void *slot;
	int fd, error;

	if (epitaph_check_cpu())
		return -1;
	memcpy(request.name, epitaph_program.name, strlen(epitaph_program.name));
	fd = EPITAPH_RING_ASK(&request);
	if (fd < 0)
		return -1;
	if (!PLAT_COUNTER_ID || request.clock_id != PLAT_COUNTER_ID) {
		epitaph_close(fd);
		return epitaph_fail(EOPNOTSUPP, "the recorder's clock cannot be read by programs");
	}
	slot = mmap(NULL, EPITAPH_SLOT_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, EPITAPH_RING_AT);
	error = errno;
	epitaph_close(fd);
	if (slot == MAP_FAILED)
		return epitaph_fail(error, "the ring cannot be mapped");
	thread->ring = (struct epitaph_ring){
		.data = (u8 *)slot + EPITAPH_SLOT_DATA, .size = EPITAPH_SLOT_SIZE - EPITAPH_SLOT_DATA,
		.sub_size = EPITAPH_SLOT_SUB_SIZE, .salt = request.salt, .shift = request.clock_shift,
		.pid = request.pid, .counters = slot,
	};
	if (epitaph_ring_init(&thread->ring)) {
		munmap(slot, EPITAPH_SLOT_SIZE);
		return epitaph_fail(EINVAL, "the ring is of a kind that this program does not know");
	}
	thread->formats = 0;
	thread->has = thread->tried = 0;
	thread->slot = slot;
	thread->known = EPITAPH_ID_FIRST;
	return 0;
}

static inline void epitaph_unmap_slot(struct epitaph_thread *thread)
{
	uint32_t busy = thread->busy;

	thread->known = 0;
	if (thread->slot)
		munmap(thread->slot, EPITAPH_SLOT_SIZE);
	memset(thread, 0, sizeof(*thread));
	thread->busy = busy;
}

/* The end of a thread: the kernel hears of it by the mapping. */
static inline void epitaph_thread_end(void *arg)
{
	struct epitaph_thread *thread = arg;

	epitaph_this_thread = NULL;
	epitaph_unmap_slot(thread);
	munmap(thread, EPITAPH_STATE_SIZE);
}

static inline void epitaph_make_key(void)
{
	epitaph_program.has_key = !pthread_key_create(&epitaph_program.key, epitaph_thread_end);
}

/*
 * dlclose(), or exit().  The rings of other threads stay until the process ends: at exit() they may
 * be writing.  Each file that includes this one has it called.
 */
EPITAPH_SHARED __attribute__((destructor))
void epitaph_program_end(void)
{
	if (!epitaph_program.has_key)
		return;
	epitaph_program.has_key = false;
	pthread_key_delete(epitaph_program.key);
	if (epitaph_this_thread)
		epitaph_thread_end(epitaph_this_thread);
}

static inline struct epitaph_thread *epitaph_new_thread(void)
{
	struct epitaph_thread *thread = mmap(NULL, EPITAPH_STATE_SIZE, PROT_READ | PROT_WRITE,
					     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (thread == MAP_FAILED)
		return NULL;
	/* What a child must not have: the slot is not mapped there. */
	if (madvise(thread, EPITAPH_STATE_SIZE, MADV_WIPEONFORK)) {
		munmap(thread, EPITAPH_STATE_SIZE);
		return NULL;
	}
	pthread_once(&epitaph_program.once, epitaph_make_key);
	if (epitaph_program.has_key)
		pthread_setspecific(epitaph_program.key, thread);
	epitaph_this_thread = thread;
	return thread;
}

/* The kernel put zeroes in its place: docs/rings.md, "A slot's life". */
static inline bool epitaph_is_over(const struct epitaph_thread *thread)
{
	return thread->slot && !thread->ring.nest && thread->busy <= 1 && !READ_ONCE(thread->ring.counters->too_large) &&
	       !READ_ONCE(thread->ring.counters->too_large_not);
}

static inline uint64_t epitaph_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	return now.tv_sec;
}

/* Signals are blocked: no handler finds a ring that is half open. */
static inline int epitaph_get_ring(struct epitaph_thread *thread, struct epitaph_type *type)
{
	if (epitaph_is_over(thread))
		epitaph_unmap_slot(thread);
	if (!thread->slot) {
		if (epitaph_seconds() < thread->retry) {
			errno = EAGAIN;
			return -1;
		}
		if (epitaph_map_slot(thread)) {
			thread->retry = epitaph_seconds() + 1;
			return -1;
		}
	}
	if (type)
		epitaph_learn_types(thread, type);
	return 0;
}

/* Return: with @busy, which the caller takes back; or NULL. */
static inline struct epitaph_thread *epitaph_ready(struct epitaph_type *type)
{
	struct epitaph_thread *thread = epitaph_this_thread;
	sigset_t all, old;
	int error;

	if (thread) {
		thread->busy++;
		barrier();
		if (thread->slot && (!type || (thread->tried & epitaph_bit_of(type->id))) &&
		    !epitaph_is_over(thread))
			return thread;
		thread->busy--;
		if (!thread->slot && epitaph_seconds() < thread->retry) {
			errno = EAGAIN;
			return NULL;
		}
	}
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	thread = epitaph_this_thread ? epitaph_this_thread : epitaph_new_thread();
	if (thread) {
		thread->busy++;
		if (epitaph_get_ring(thread, type)) {
			thread->busy--;
			thread = NULL;
		}
	}
	error = errno;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	errno = error;
	return thread;
}

/* All that is not easy: the first event, a new type, the end of a sub-buffer. */
EPITAPH_SHARED __attribute__((__noinline__, __cold__))
void epitaph_write_slow(struct epitaph_type *type, const void *payload, uint32_t size)
{
	int error = errno;
	struct epitaph_thread *thread = epitaph_program.name ? epitaph_ready(type) : NULL;
	struct epitaph_claim claim;

	if (thread && (thread->has & epitaph_bit_of(type->id))) {
		claim = epitaph_ring_claim(&thread->ring, type->id, epitaph_ring_words(size), type->varies);
		if (claim.w) {
			memcpy(epitaph_claim_payload(claim), payload, size);
			epitaph_ring_settle(&thread->ring, claim);
		}
	} else if (thread) {
		/* No room for its format: it is lost, and counted. */
		ring_drop(&thread->ring, &thread->ring.counters->full);
	}
	if (thread) {
		barrier();
		thread->busy--;
	}
	errno = error;
}

/* @size: of the type, a constant; or it @varies. */
static __always_inline void epitaph_write(struct epitaph_type *type, const void *payload, uint32_t size,
					  bool varies)
{
	struct epitaph_thread *thread = epitaph_this_thread;
	uint32_t before = varies ? 2 : 1, words = before + (size + 3) / 4, id = READ_ONCE(type->id);
	struct epitaph_fast fast;

	if (likely(thread && id < thread->known && words < EPITAPH_FAST_WORDS &&
		   epitaph_fast_claim(&thread->ring, &fast, words))) {
		if (varies)
			epitaph_fast_long(&fast, id, words);
		memcpy(fast.w + before, payload, size);
		epitaph_fast_commit(&thread->ring, &fast,
				    (varies ? EPITAPH_ID_LONG : id) << EPITAPH_ID_SHIFT, words);
		return;
	}
	epitaph_write_slow(type, payload, size);
}

/* --- what programs call ----------------------------------------------------------- */

/**
 * epitaph_ring_name() - of the rings of this process, of which none is opened yet
 * @name: 1 to 31 letters, digits or _; the first call decides
 *
 * Each thread gets its ring with its first event.
 *
 * Return: 0; or -1 with errno.
 */
static inline int epitaph_ring_name(const char *name)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
	char *copy, *none = NULL;

	if (!*name || strlen(name) >= EPITAPH_NAME_SIZE || name[strspn(name, letters)])
		return epitaph_fail(EINVAL, "no name of a ring: expected 1 to 31 letters, digits or _");
	if (__atomic_load_n(&epitaph_program.name, __ATOMIC_ACQUIRE))
		return 0;
	copy = strdup(name);
	if (!copy)
		return epitaph_fail(ENOMEM, "memory for the name of a ring");
	if (!__atomic_compare_exchange_n(&epitaph_program.name, &none, copy, false,
					 __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		free(copy);
	return 0;
}

/**
 * epitaph_ring_open() - a ring for this thread, and later for each that writes
 * @name: as epitaph_ring_name() has it
 *
 * Return: 0; or -1 with errno, and epitaph_ring_error() says what to do.  Events are not recorded
 *	then, and it is tried again once a second.
 */
static inline int epitaph_ring_open(const char *name)
{
	struct epitaph_thread *thread = epitaph_this_thread;

	if (epitaph_ring_name(name))
		return -1;
	if (thread)
		thread->retry = 0;
	thread = epitaph_ready(NULL);
	if (thread)
		thread->busy--;
	return thread ? 0 : -1;
}

/* Why there is no ring: a line without a newline; of the last attempt of any thread. */
static inline const char *epitaph_ring_error(void)
{
	return epitaph_program.error;
}

/*
 * This thread needs its ring no more; its next event opens another.  In a handler that interrupted an
 * event it does nothing.
 */
static inline void epitaph_ring_end(void)
{
	struct epitaph_thread *thread = epitaph_this_thread;
	sigset_t all, old;

	if (!thread)
		return;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	if (!thread->busy && !thread->ring.nest)
		epitaph_unmap_slot(thread);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
}

#define EPITAPH_TEXT_MAX	1000	/* bytes */

static const struct epitaph_type_field epitaph_text_fields[] = {
	{ "uint32_t", "level", 0, 4, 0, false, false },
	{ "__data_loc char[]", "text", 4, 4, 1, false, false },
};
EPITAPH_SHARED struct epitaph_type epitaph_text_type = {
	EPITAPH_NEW_TYPE, "text", epitaph_text_fields, 2, true
};

/**
 * epitaph_ring_text() - a line of text, as a log has it
 * @level: as syslog's: 3 an error, 4 a warning, 6 of interest, 7 for debugging
 * @text: @size bytes; what is behind EPITAPH_TEXT_MAX or a NUL byte is left out
 */
static inline void epitaph_ring_text(uint32_t level, const char *text, size_t size)
{
	struct {
		uint32_t level;
		uint32_t text;
		char bytes[EPITAPH_TEXT_MAX + 1];
	} event = { .level = level };

	size = strnlen(text, size < EPITAPH_TEXT_MAX ? size : EPITAPH_TEXT_MAX);
	event.text = (uint32_t)(size + 1) << 16 | (8 + 8);
	memcpy(event.bytes, text, size);
	epitaph_write(&epitaph_text_type, &event, 8 + size + 1, true);
}

/*
 * EPITAPH_EVENT(NAME, (TYPE, FIELD), (char, FIELD, BYTES), ...): an event of up to 8 fields, whole
 * numbers and texts.  EPITAPH_WRITE(NAME, .FIELD = VALUE, ...): one happened.
 */
#define EPITAPH_COUNT_(a, b, c, d, e, f, g, h, n, ...) n
#define EPITAPH_COUNT(...) EPITAPH_COUNT_(__VA_ARGS__, 8, 7, 6, 5, 4, 3, 2, 1)
#define EPITAPH_JOIN_(a, b) a##b
#define EPITAPH_JOIN(a, b) EPITAPH_JOIN_(a, b)
#define EPITAPH_EACH_1(m, s, x) m(s, x)
#define EPITAPH_EACH_2(m, s, x, ...) m(s, x) EPITAPH_EACH_1(m, s, __VA_ARGS__)
#define EPITAPH_EACH_3(m, s, x, ...) m(s, x) EPITAPH_EACH_2(m, s, __VA_ARGS__)
#define EPITAPH_EACH_4(m, s, x, ...) m(s, x) EPITAPH_EACH_3(m, s, __VA_ARGS__)
#define EPITAPH_EACH_5(m, s, x, ...) m(s, x) EPITAPH_EACH_4(m, s, __VA_ARGS__)
#define EPITAPH_EACH_6(m, s, x, ...) m(s, x) EPITAPH_EACH_5(m, s, __VA_ARGS__)
#define EPITAPH_EACH_7(m, s, x, ...) m(s, x) EPITAPH_EACH_6(m, s, __VA_ARGS__)
#define EPITAPH_EACH_8(m, s, x, ...) m(s, x) EPITAPH_EACH_7(m, s, __VA_ARGS__)
#define EPITAPH_EACH(m, s, ...) EPITAPH_JOIN(EPITAPH_EACH_, EPITAPH_COUNT(__VA_ARGS__))(m, s, __VA_ARGS__)
#define EPITAPH_PICK_(a, b, c, n, ...) n
#define EPITAPH_BARE(...) __VA_ARGS__
#define EPITAPH_MEMBER_2(type, name) type name;
#define EPITAPH_MEMBER_3(type, name, n) type name[n];
#define EPITAPH_MEMBER_N(...) EPITAPH_PICK_(__VA_ARGS__, EPITAPH_MEMBER_3, EPITAPH_MEMBER_2, 0)(__VA_ARGS__)
#define EPITAPH_MEMBER(s, x) EPITAPH_MEMBER_N x
#define EPITAPH_FIELD_2(s, type, name) \
	{ #type, #name, offsetof(struct s, name), sizeof(type), 0, (type)-1 < (type)1, false },
#define EPITAPH_FIELD_3(s, type, name, n) \
	{ #type, #name, offsetof(struct s, name), sizeof(type) * (n), (n), false, false },
#define EPITAPH_FIELD_N(s, ...) \
	EPITAPH_PICK_(__VA_ARGS__, EPITAPH_FIELD_3, EPITAPH_FIELD_2, 0)(s, __VA_ARGS__)
#define EPITAPH_FIELD(s, x) EPITAPH_FIELD_N(s, EPITAPH_BARE x)

#define EPITAPH_EVENT(name_, ...)						\
	struct epitaph_event_##name_ {						\
		EPITAPH_EACH(EPITAPH_MEMBER, , __VA_ARGS__)			\
	} __attribute__((packed, aligned(4)));					\
	static const struct epitaph_type_field epitaph_fields_##name_[] = {	\
		EPITAPH_EACH(EPITAPH_FIELD, epitaph_event_##name_, __VA_ARGS__)	\
	};									\
	static struct epitaph_type epitaph_type_##name_ = {			\
		.id = EPITAPH_NEW_TYPE, .name = #name_, .fields = epitaph_fields_##name_, \
		.nr_fields = sizeof(epitaph_fields_##name_) / sizeof(epitaph_fields_##name_[0]), \
	}

#define EPITAPH_WRITE(name_, ...) \
	epitaph_write(&epitaph_type_##name_, &(struct epitaph_event_##name_){ __VA_ARGS__ }, \
		      sizeof(struct epitaph_event_##name_), false)

#pragma GCC visibility pop

/* As above. */
#undef noinline
#undef likely
#undef unlikely
#undef barrier
#undef data_race
#undef crash_point
#undef READ_ONCE
#undef WRITE_ONCE
#undef cmpxchg_local
#undef smp_wmb
#undef smp_rmb
#undef smp_load_acquire
#undef smp_store_release

#endif /* EPITAPH_RING_API_H */
