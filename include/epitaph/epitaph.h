/* SPDX-License-Identifier: GPL-2.0-or-later */
/**
 * DOC: libepitaph
 *
 * Read what a dead Linux kernel left: a vmcore, a saved region of the Epitaph recorder, or a
 * pstore directory.  The library gives everything that happened as items in the order of time.
 *
 * A **dump** is one open file.  It has **generations**: one for each boot that recorded into the
 * file's memory.  A dump without the recorder has one generation, made of the kernel's own trace
 * and log.  A **walk** goes along the **items** of one generation, oldest first.  A **finding** says
 * why its kernel died, how sure that is, and which items are the evidence.
 *
 * Example, which prints the last second before the crash::
 *
 *	#include <inttypes.h>
 *	#include <stdio.h>
 *	#include <epitaph/epitaph.h>
 *
 *	int main(int argc, char **argv)
 *	{
 *		struct epitaph_error *error = NULL;
 *		struct epitaph_options *options = epitaph_options_new();
 *		struct epitaph_generation *generation;
 *		const struct epitaph_item *item;
 *		struct epitaph_dump *dump;
 *		struct epitaph_walk *walk;
 *		char name[128], text[4096];
 *
 *		epitaph_options_set_sandbox(options, 1);
 *		dump = epitaph_dump_open(argc > 1 ? argv[1] : NULL, options, &error);
 *		generation = epitaph_generation_open(dump, EPITAPH_NEWEST, &error);
 *		walk = epitaph_walk_open(generation, EPITAPH_ALL_KINDS, EPITAPH_WALK_TEXT,
 *					 1000000000, &error);
 *		while ((item = epitaph_walk_next(walk, &error))) {
 *			epitaph_escape(name, sizeof(name), epitaph_item_name(item), SIZE_MAX);
 *			epitaph_item_printable_text(item, text, sizeof(text));
 *			printf("%12" PRId64 " ns before the end: %s %s\n",
 *			       epitaph_item_before_end(item), name, text);
 *		}
 *		if (error)
 *			fprintf(stderr, "%s\n", epitaph_error_message(error));
 *		epitaph_walk_close(walk);
 *		epitaph_generation_close(generation);
 *		epitaph_dump_close(dump);
 *		epitaph_options_free(options);
 *		epitaph_error_free(error);
 *		return error ? 1 : 0;
 *	}
 *
 * **Errors.**  A function that can fail takes a place for an error object as its last argument.
 * The place may be NULL.  If the place already holds an error, the function keeps that first
 * error, so a program may check once, after several calls.  A NULL handle, which is what a failed
 * call returned, is an error of code %EPITAPH_ERROR_USAGE, and no crash.
 *
 * Damage is not an error.  The library skips what is damaged, and says so by items of kind
 * %EPITAPH_LOSS, by flags of items, and by notes.
 *
 * **Texts** are UTF-8 as far as the dumped kernel wrote UTF-8.  They come from the dump: a hostile
 * dump puts control characters into them.  epitaph_escape() makes them safe for a terminal.  Texts
 * of errors, notes, findings and item texts (epitaph_item_text() with %EPITAPH_WALK_TEXT of events)
 * are escaped; epitaph_item_printable_text() escapes the others.
 *
 * **Times** are in nanoseconds (ns).  A kernel time is CLOCK_MONOTONIC of the dumped kernel: ns
 * since its boot.  A real time is UTC, ns since 1970-01-01.
 *
 * **Threads.**  The library is thread-compatible.  Different dumps may be used by different
 * threads at once.  One dump, with all its generations, walks and items, is for one thread at a
 * time; the caller locks.  A call that finds the dump busy in another thread fails with
 * %EPITAPH_ERROR_BUSY where it needs the reader (a batch of items, memory, symbols); a build with
 * EPITAPH_DEBUG checks every call that takes a place for an error.
 *
 * **The host program.**  The library never prints, exits or aborts, and changes neither signal
 * handlers nor the locale.  It needs no fork() of the host: the sandboxed reader is a program of
 * its own, epitaph-reader.  docs/library.md has the details.
 *
 * **ABI.**  Structs are opaque.  A function of this header keeps its meaning as long as the soname
 * stays.  New enum values may join: treat a value that you do not know as "something else".
 */
#ifndef EPITAPH_EPITAPH_H
#define EPITAPH_EPITAPH_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define EPITAPH_API __attribute__((visibility("default")))

struct epitaph_error;
struct epitaph_options;
struct epitaph_dump;
struct epitaph_generation;
struct epitaph_walk;
struct epitaph_item;
struct epitaph_findings;
struct epitaph_finding;
struct epitaph_evidence;

/**
 * EPITAPH_CPU_UNKNOWN - the CPU is not known, or there is none
 */
#define EPITAPH_CPU_UNKNOWN		UINT32_MAX

/**
 * EPITAPH_NEWEST - the newest generation, for epitaph_generation_open()
 */
#define EPITAPH_NEWEST		SIZE_MAX

/**
 * epitaph_version() - version of the library, as "0.1.0"
 *
 * Return: a constant text.
 */
EPITAPH_API const char *epitaph_version(void);

/**
 * epitaph_page_codecs() - which compressions of a dump's pages this build reads
 *
 * A page of a dump that is compressed otherwise is damage.
 *
 * Return: a constant text: names with blanks between them, such as "zlib lzo zstd".
 */
EPITAPH_API const char *epitaph_page_codecs(void);

/**
 * epitaph_escape() - make a text of a dump safe for a terminal, a log or a web page's <pre>
 * @buffer: gets the copy, terminated; NULL with @room 0
 * @room: bytes at @buffer
 * @text: the text; NULL is an empty one
 * @size: its bytes; %SIZE_MAX: up to its NUL
 *
 * Control characters (C0, DEL, C1), the backslash, characters that change the direction of
 * writing, line separators and bytes that are no UTF-8 become \xHH, byte by byte.  A copy that does
 * not fit ends between two characters.
 *
 * Return: bytes at @buffer, without the NUL.
 */
EPITAPH_API size_t epitaph_escape(char *buffer, size_t room, const char *text, size_t size);

/* --- errors --------------------------------------------------------------- */

/**
 * enum epitaph_error_code - what kind of error it is
 * @EPITAPH_ERROR_USAGE: the caller broke a rule of this header
 * @EPITAPH_ERROR_IO: a system call failed; epitaph_error_errno() has its errno
 * @EPITAPH_ERROR_NOT_OURS: the file has nothing that this library reads
 * @EPITAPH_ERROR_CORRUPT: the file has it, and it is damaged beyond use
 * @EPITAPH_ERROR_READER: the sandboxed reader died, or gave an answer that cannot be
 * @EPITAPH_ERROR_CLOSED: the dump of this handle was closed
 * @EPITAPH_ERROR_CANCELLED: the progress callback of the caller asked to stop
 * @EPITAPH_ERROR_BUSY: another thread uses this dump now
 */
enum epitaph_error_code {
	EPITAPH_ERROR_USAGE = 2,
	EPITAPH_ERROR_IO = 3,
	EPITAPH_ERROR_NOT_OURS = 4,
	EPITAPH_ERROR_CORRUPT = 5,
	EPITAPH_ERROR_READER = 6,
	EPITAPH_ERROR_CLOSED = 7,
	EPITAPH_ERROR_CANCELLED = 8,
	EPITAPH_ERROR_BUSY = 9,
};

/**
 * epitaph_error_code() - the kind of an error
 * @error: not NULL
 *
 * Return: one of &enum epitaph_error_code.
 */
EPITAPH_API enum epitaph_error_code epitaph_error_code(const struct epitaph_error *error);

/**
 * epitaph_error_errno() - errno of the system call that failed
 * @error: not NULL
 *
 * Return: errno for %EPITAPH_ERROR_IO, else 0.
 */
EPITAPH_API int epitaph_error_errno(const struct epitaph_error *error);

/**
 * epitaph_error_found() - first part of the message: what was found
 * @error: not NULL
 *
 * Return: one line without a newline, escaped; the error's, as are the next four.
 */
EPITAPH_API const char *epitaph_error_found(const struct epitaph_error *error);

/**
 * epitaph_error_where() - second part: the file, function or argument
 * @error: not NULL
 *
 * Return: as epitaph_error_found(); "" if it is at no place.
 */
EPITAPH_API const char *epitaph_error_where(const struct epitaph_error *error);

/**
 * epitaph_error_expected() - third part: what was expected instead
 * @error: not NULL
 *
 * Return: as epitaph_error_found().
 */
EPITAPH_API const char *epitaph_error_expected(const struct epitaph_error *error);

/**
 * epitaph_error_advice() - fourth part: what to do
 * @error: not NULL
 *
 * Return: as epitaph_error_found().
 */
EPITAPH_API const char *epitaph_error_advice(const struct epitaph_error *error);

/**
 * epitaph_error_message() - all four parts in one line
 * @error: not NULL
 *
 * Return: as epitaph_error_found().
 */
EPITAPH_API const char *epitaph_error_message(const struct epitaph_error *error);

/**
 * epitaph_error_free() - give an error back
 * @error: NULL is fine
 */
EPITAPH_API void epitaph_error_free(struct epitaph_error *error);

/* --- options -------------------------------------------------------------- */

/**
 * enum epitaph_source - who recorded it
 * @EPITAPH_RECORDER: the Epitaph recorder
 * @EPITAPH_FTRACE: the trace buffers of the dumped kernel itself
 * @EPITAPH_KERNEL_LOG: the log buffer of the dumped kernel
 */
enum epitaph_source {
	EPITAPH_RECORDER = 1,
	EPITAPH_FTRACE = 2,
	EPITAPH_KERNEL_LOG = 4,
};

/**
 * typedef epitaph_progress_fn - how far a long step is
 * @arg: as given to epitaph_options_set_progress()
 * @what: the step, in words, in English
 * @done: steps of @total that are done
 * @total: 0: not known, and @done is a number of bytes
 *
 * The library calls it at most ten times a second, in the thread that called the library.  It must
 * not use the dump.
 *
 * Return: 0 to go on.  Another value cancels: the call that is under way fails with
 * %EPITAPH_ERROR_CANCELLED.  With a sandboxed reader it fails at once, and so does each later
 * call on this dump, because the reader is gone.  Without one, the step ends first.
 */
typedef int (*epitaph_progress_fn)(void *arg, const char *what, uint64_t done, uint64_t total);

/**
 * epitaph_options_new() - options for epitaph_dump_open(), with their defaults
 *
 * Return: options for epitaph_options_free(); NULL without memory.
 */
EPITAPH_API struct epitaph_options *epitaph_options_new(void);

/**
 * epitaph_options_free() - give options back; dumps that were opened with them stay open
 * @options: NULL is fine
 */
EPITAPH_API void epitaph_options_free(struct epitaph_options *options);

/**
 * epitaph_options_set_sandbox() - who parses the dump
 * @options: NULL is fine: nothing happens
 * @sandbox: not 0: a process of its own, which can open no file and use at most 240 MiB.  A dump
 *	that is made to break the parser breaks only that process, and the caller gets
 *	%EPITAPH_ERROR_READER.  0, the default: the calling process
 */
EPITAPH_API void epitaph_options_set_sandbox(struct epitaph_options *options, int sandbox);

/**
 * epitaph_options_set_sources() - whose recordings are wanted
 * @options: NULL is fine: nothing happens
 * @sources: bits of &enum epitaph_source.  A source that is asked for and not in the file is an
 *	error.  0, the default: the recorder's, and where it has none, the kernel's own
 */
EPITAPH_API void epitaph_options_set_sources(struct epitaph_options *options, uint32_t sources);

/**
 * epitaph_options_set_guest() - read a virtual machine, whose host the dump is of
 * @options: NULL is an error
 * @guest: the number of its process, its name or its UUID; copied. NULL, the default: the dump's own
 *	kernel
 * @error: place for an error, or NULL
 *
 * The guest's memory is a dump of its own then, as far as the host's dump holds it; what lacks of it
 * is among the notes of its generations.  Hosts are x86-64 with KVM: docs/virtual-machines.md.
 *
 * Return: 0; -1 and an error.
 */
EPITAPH_API int epitaph_options_set_guest(struct epitaph_options *options, const char *guest,
					  struct epitaph_error **error);

/**
 * epitaph_options_add_debuginfo() - a place that may have debuginfo of the dumped kernel
 * @options: NULL is an error
 * @path: a vmlinux with debuginfo, or a directory laid out as /usr/lib/debug; copied
 * @error: place for an error, or NULL
 *
 * Most dumps need none: docs/debuginfo.md.
 *
 * Return: 0; -1 and an error.
 */
EPITAPH_API int epitaph_options_add_debuginfo(struct epitaph_options *options, const char *path,
					      struct epitaph_error **error);

/**
 * epitaph_options_set_progress() - have long steps reported, and be able to cancel them
 * @options: NULL is fine: nothing happens
 * @progress: NULL: none
 * @arg: for @progress; must live as long as each dump that is opened with @options
 */
EPITAPH_API void epitaph_options_set_progress(struct epitaph_options *options,
					      epitaph_progress_fn progress, void *arg);

/* --- dumps ---------------------------------------------------------------- */

/**
 * epitaph_dump_open() - open a dump
 * @path: a vmcore (ELF, kdump-compressed, flattened), a raw region, or a directory of what pstore
 *	shows; a pipe is copied to an unlinked file in $TMPDIR or /var/tmp first
 * @options: NULL: defaults; not needed after the call
 * @error: place for an error, or NULL
 *
 * Return: a dump for epitaph_dump_close(); NULL and an error.
 */
EPITAPH_API struct epitaph_dump *epitaph_dump_open(const char *path,
						   const struct epitaph_options *options,
						   struct epitaph_error **error);

/**
 * epitaph_dump_open_parts() - open a split dump (makedumpfile --split)
 * @paths: @nr of them, in any order
 * @nr: at least 1
 * @options: as for epitaph_dump_open()
 * @error: place for an error, or NULL
 *
 * Return: as epitaph_dump_open().
 */
EPITAPH_API struct epitaph_dump *epitaph_dump_open_parts(const char *const *paths, size_t nr,
							 const struct epitaph_options *options,
							 struct epitaph_error **error);

/**
 * epitaph_dump_open_fd() - open a dump by its descriptor
 * @fd: readable; stays the caller's, and may be closed after the call.  Its offset is not used
 * @options: as for epitaph_dump_open()
 * @error: place for an error, or NULL
 *
 * /proc must be mounted.
 *
 * Return: as epitaph_dump_open().
 */
EPITAPH_API struct epitaph_dump *epitaph_dump_open_fd(int fd,
						      const struct epitaph_options *options,
						      struct epitaph_error **error);

/**
 * struct epitaph_segment - a stretch of physical memory
 * @address: physical, of its first byte
 * @size: bytes
 */
struct epitaph_segment {
	uint64_t address;
	uint64_t size;
};

/**
 * typedef epitaph_read_fn - read a machine's physical memory
 * @arg: of the memory
 * @address: physical
 * @buffer: room for @size bytes
 * @size: bytes; they lie in one segment, and in one page of 4096
 *
 * Return: 1; 0 if they are not there.
 */
typedef int (*epitaph_read_fn)(void *arg, uint64_t address, void *buffer, size_t size);

/**
 * struct epitaph_memory_reader - memory that the caller reads: of a debugger's session, of a guest
 * @name: what errors call it
 * @kind: what epitaph_dump_kind() says of it, as "memory of a crash session"
 * @big_endian: not 0: the machine is
 * @segments: @nr_segments of them, by address, not overlapping; nothing else is read
 * @nr_segments: at least 1
 * @vmcoreinfo: of the kernel, terminated; NULL: not known
 * @read: reads it
 * @arg: for @read
 *
 * The struct does not change as long as the soname stays.
 */
struct epitaph_memory_reader {
	const char *name;
	const char *kind;
	int big_endian;
	const struct epitaph_segment *segments;
	size_t nr_segments;
	const char *vmcoreinfo;
	epitaph_read_fn read;
	void *arg;
};

/**
 * epitaph_dump_open_memory() - open memory that the caller reads
 * @memory: all of it stays the caller's, and must live until epitaph_dump_close()
 * @options: as for epitaph_dump_open(), but without a sandbox: @memory's read function is code of
 *	the calling process
 * @error: place for an error, or NULL
 *
 * Return: as epitaph_dump_open().
 */
EPITAPH_API struct epitaph_dump *epitaph_dump_open_memory(const struct epitaph_memory_reader *memory,
							  const struct epitaph_options *options,
							  struct epitaph_error **error);

/**
 * epitaph_dump_close() - close a dump and end its reader
 * @dump: NULL is fine
 *
 * Its generations, walks and items stay valid handles, and are to be given back as always.  What
 * they hold already can be read; a call that needs the dump fails with %EPITAPH_ERROR_CLOSED.
 */
EPITAPH_API void epitaph_dump_close(struct epitaph_dump *dump);

/**
 * epitaph_dump_kind() - which container the file is
 * @dump: NULL gives ""
 *
 * Return: "ELF vmcore", "kdump-compressed dump (lzo)", "raw file" and so on; the dump's.
 */
EPITAPH_API const char *epitaph_dump_kind(const struct epitaph_dump *dump);

/**
 * epitaph_dump_nr_generations() - how many generations there are
 * @dump: NULL gives 0
 *
 * Return: at least 1.
 */
EPITAPH_API size_t epitaph_dump_nr_generations(const struct epitaph_dump *dump);

/**
 * epitaph_dump_region() - where the recorder's memory lies
 * @dump: NULL gives 0
 * @address: set to the physical address, for epitaph_read_physical(); 0 in a raw region
 * @size: set to the number of bytes
 *
 * These bytes, written to a file with zeroes for what is not in the dump, are a dump of their own:
 * all generations without the vmcore.
 *
 * Return: 1; 0 if the dump has no such memory, or epitaph_options_set_sources() excluded it.
 */
EPITAPH_API int epitaph_dump_region(const struct epitaph_dump *dump, uint64_t *address,
				    uint64_t *size);

/**
 * epitaph_dump_guest() - a virtual machine of the dumped host
 * @dump: NULL is an error
 * @i: from 0
 * @pid: set to the process that runs it; -1 if unknown
 * @name: set to its name, as QEMU's command line says; "" if it does not. The dump's, until the next
 *	call
 * @uuid: the same
 * @error: place for an error, or NULL
 *
 * For epitaph_options_set_guest().  A dump without its kernel, and a kernel without KVM, have none.
 *
 * Return: 1; 0 past the last one; -1 and an error.
 */
EPITAPH_API int epitaph_dump_guest(struct epitaph_dump *dump, size_t i, int64_t *pid,
				   const char **name, const char **uuid,
				   struct epitaph_error **error);

/**
 * epitaph_read_physical() - read physical memory of the dumped machine
 * @dump: NULL is an error
 * @address: physical
 * @buffer: room for @size bytes
 * @size: bytes
 * @error: place for an error, or NULL
 *
 * Return: how many bytes from @address on are in the dump: less than @size where a hole or an
 * excluded page comes first, and 0 if the first byte is not there; -1 and an error.
 */
EPITAPH_API ssize_t epitaph_read_physical(struct epitaph_dump *dump, uint64_t address,
					  void *buffer, size_t size,
					  struct epitaph_error **error);

/**
 * epitaph_read_virtual() - read the dumped kernel's virtual memory
 * @dump: NULL is an error
 * @address: virtual, of the kernel; x86-64 and arm64
 * @buffer: room for @size bytes
 * @size: bytes
 * @error: place for an error, or NULL
 *
 * Return: as epitaph_read_physical(); an error too if the dump has no page tables
 * (%EPITAPH_ERROR_NOT_OURS: a saved region has none).
 */
EPITAPH_API ssize_t epitaph_read_virtual(struct epitaph_dump *dump, uint64_t address,
					 void *buffer, size_t size,
					 struct epitaph_error **error);

/* --- generations ---------------------------------------------------------- */

/**
 * enum epitaph_end - how a kernel ended
 * @EPITAPH_END_UNKNOWN: it stopped without a word, or still ran
 * @EPITAPH_END_CRASHED: it crashed
 * @EPITAPH_END_ORDERLY: a shutdown, or the recorder was unloaded
 */
enum epitaph_end {
	EPITAPH_END_UNKNOWN = 0,
	EPITAPH_END_CRASHED = 1,
	EPITAPH_END_ORDERLY = 2,
};

/**
 * epitaph_generation_open() - one generation of a dump
 * @dump: NULL is an error
 * @index: from 0, the oldest, to epitaph_dump_nr_generations() - 1; or %EPITAPH_NEWEST
 * @error: place for an error, or NULL
 *
 * The first call for a generation reads all of it, but keeps no events.
 *
 * Return: a generation for epitaph_generation_close(); NULL and an error.
 */
EPITAPH_API struct epitaph_generation *epitaph_generation_open(struct epitaph_dump *dump,
							       size_t index,
							       struct epitaph_error **error);

/**
 * epitaph_generation_close() - give a generation back; its walks stay open
 * @generation: NULL is fine
 */
EPITAPH_API void epitaph_generation_close(struct epitaph_generation *generation);

/**
 * epitaph_generation_number() - the recorder's number of this boot
 * @generation: NULL gives 0
 *
 * Return: from 1; 0 where the recorder did not record it.
 */
EPITAPH_API uint64_t epitaph_generation_number(const struct epitaph_generation *generation);

/**
 * epitaph_generation_release() - kernel release, as uname -r
 * @generation: NULL gives ""
 *
 * Return: "" if unknown; the generation's, as all texts here.
 */
EPITAPH_API const char *epitaph_generation_release(const struct epitaph_generation *generation);

/**
 * epitaph_generation_version() - kernel version, as uname -v
 * @generation: NULL gives ""
 *
 * Return: "" if unknown.
 */
EPITAPH_API const char *epitaph_generation_version(const struct epitaph_generation *generation);

/**
 * epitaph_generation_machine() - architecture, as "x86-64"
 * @generation: NULL gives ""
 *
 * Return: "" if unknown.
 */
EPITAPH_API const char *epitaph_generation_machine(const struct epitaph_generation *generation);

/**
 * epitaph_generation_boot_id() - boot id, as /proc/sys/kernel/random/boot_id
 * @generation: NULL gives ""
 *
 * Return: "" if unknown.
 */
EPITAPH_API const char *epitaph_generation_boot_id(const struct epitaph_generation *generation);

/**
 * epitaph_generation_build_id() - build id of the kernel, in hex
 * @generation: NULL gives ""
 *
 * Return: "" if unknown.
 */
EPITAPH_API const char *epitaph_generation_build_id(const struct epitaph_generation *generation);

/**
 * epitaph_generation_nr_cpus() - how many CPUs the machine had
 * @generation: NULL gives 0
 *
 * Return: 0 if unknown.
 */
EPITAPH_API uint32_t epitaph_generation_nr_cpus(const struct epitaph_generation *generation);

/**
 * epitaph_generation_end() - how the kernel ended
 * @generation: NULL gives %EPITAPH_END_UNKNOWN
 *
 * Return: one of &enum epitaph_end.
 */
EPITAPH_API enum epitaph_end epitaph_generation_end(const struct epitaph_generation *generation);

/**
 * epitaph_generation_end_time() - kernel time of the end
 * @generation: NULL gives 0
 *
 * Return: ns of CLOCK_MONOTONIC; without a known end, of the last event.
 */
EPITAPH_API uint64_t epitaph_generation_end_time(const struct epitaph_generation *generation);

/**
 * epitaph_generation_end_real_time() - the same as UTC
 * @generation: NULL gives 0
 *
 * Return: ns since 1970; 0 if unknown.
 */
EPITAPH_API uint64_t epitaph_generation_end_real_time(const struct epitaph_generation *generation);

/**
 * epitaph_generation_end_cpu() - the CPU that went down
 * @generation: NULL gives %EPITAPH_CPU_UNKNOWN
 *
 * Return: %EPITAPH_CPU_UNKNOWN if unknown.
 */
EPITAPH_API uint32_t epitaph_generation_end_cpu(const struct epitaph_generation *generation);

/**
 * epitaph_generation_end_pid() - the task that ran there
 * @generation: NULL gives -1
 *
 * Return: its thread id; -1 if unknown.
 */
EPITAPH_API int64_t epitaph_generation_end_pid(const struct epitaph_generation *generation);

/**
 * epitaph_generation_end_comm() - and the name of that task
 * @generation: NULL gives ""
 *
 * Return: "" if unknown.
 */
EPITAPH_API const char *epitaph_generation_end_comm(const struct epitaph_generation *generation);

/**
 * epitaph_generation_end_reason() - the kernel's words of why it ended
 * @generation: NULL gives ""
 *
 * Return: "" if unknown.
 */
EPITAPH_API const char *epitaph_generation_end_reason(const struct epitaph_generation *generation);

/**
 * epitaph_generation_nr_events() - how many events there are
 * @generation: NULL gives 0
 *
 * Return: events of all rings and buffers; log lines and machine checks do not count.
 */
EPITAPH_API uint64_t epitaph_generation_nr_events(const struct epitaph_generation *generation);

/**
 * epitaph_generation_nr_lost() - how many events are known to lack
 * @generation: NULL gives 0
 *
 * Return: a lower bound.
 */
EPITAPH_API uint64_t epitaph_generation_nr_lost(const struct epitaph_generation *generation);

/**
 * epitaph_generation_note() - what is damaged or lacks, in words
 * @generation: NULL gives NULL
 * @i: from 0
 *
 * Return: the @i-th note, escaped; NULL past the last one.
 */
EPITAPH_API const char *epitaph_generation_note(const struct epitaph_generation *generation,
						size_t i);

/**
 * epitaph_generation_task() - a thread whose name is known
 * @generation: NULL is an error
 * @i: from 0
 * @pid: its thread id
 * @comm: its name; the generation's
 * @error: place for an error, or NULL
 *
 * The first call asks the reader for all of them.
 *
 * Return: 1; 0 past the last one; -1 and an error.
 */
EPITAPH_API int epitaph_generation_task(struct epitaph_generation *generation, size_t i,
					uint32_t *pid, const char **comm,
					struct epitaph_error **error);

/**
 * epitaph_symbol_name() - the name of an address of the dumped kernel
 * @generation: NULL is an error
 * @address: of a function or an object
 * @buffer: gets "name+0x1/0x20" or "name+0x1/0x20 [module]", terminated
 * @size: room at @buffer
 * @error: place for an error, or NULL
 *
 * A region has the names that the recorder resolved; a dump with its kernel has all.
 *
 * Return: 1; 0 if the address has no name; -1 and an error.
 */
EPITAPH_API int epitaph_symbol_name(struct epitaph_generation *generation, uint64_t address,
				    char *buffer, size_t size, struct epitaph_error **error);

/**
 * epitaph_symbol_address() - the address of a symbol of the dumped kernel
 * @generation: NULL is an error
 * @name: without an offset
 * @address: set if there is one
 * @error: place for an error, or NULL
 *
 * Return: 1; 0 if no symbol has that name; -1 and an error.
 */
EPITAPH_API int epitaph_symbol_address(struct epitaph_generation *generation, const char *name,
				       uint64_t *address, struct epitaph_error **error);

/* --- walks ---------------------------------------------------------------- */

/**
 * enum epitaph_kind - what an item is; a bit each, for epitaph_walk_open()
 * @EPITAPH_EVENT: an event of the trace, with the fields of its format
 * @EPITAPH_LOG: a line of the kernel's log; fields level, facility, text
 * @EPITAPH_MACHINE_CHECK: a machine check; fields bank, status, address, ... and, as texts, grade,
 *	what
 * @EPITAPH_MARK: something was done to the recorder, or an oops; fields type, text
 * @EPITAPH_LOSS: something lacks here: unfinished, damaged or lost; fields cause, bytes
 * @EPITAPH_CRASH: the crash; field reason
 * @EPITAPH_ALL_KINDS: all of them, and those that join later
 */
enum epitaph_kind {
	EPITAPH_EVENT = 1,
	EPITAPH_LOG = 2,
	EPITAPH_MACHINE_CHECK = 4,
	EPITAPH_MARK = 8,
	EPITAPH_LOSS = 16,
	EPITAPH_CRASH = 32,
	EPITAPH_ALL_KINDS = 0x7fffffff,
};

/**
 * enum epitaph_walk_flag - how to walk
 * @EPITAPH_WALK_DAMAGED: also give events of damaged sub-buffers, which may be anything
 * @EPITAPH_WALK_TEXT: give each event's text, as the kernel's trace file has it; costs as much as
 *	everything else together
 */
enum epitaph_walk_flag {
	EPITAPH_WALK_DAMAGED = 1,
	EPITAPH_WALK_TEXT = 2,
};

/**
 * epitaph_walk_open() - begin a walk along the items of a generation
 * @generation: NULL is an error
 * @kinds: bits of &enum epitaph_kind
 * @flags: bits of &enum epitaph_walk_flag
 * @last_ns: begin so many ns before the end; %UINT64_MAX: with the oldest item
 * @error: place for an error, or NULL
 *
 * Up to 16 walks of one dump may be open at once.
 *
 * Return: a walk for epitaph_walk_close(); NULL and an error.
 */
EPITAPH_API struct epitaph_walk *epitaph_walk_open(struct epitaph_generation *generation,
						   uint32_t kinds, uint32_t flags,
						   uint64_t last_ns,
						   struct epitaph_error **error);

/**
 * epitaph_walk_next() - the next item
 * @walk: NULL is an error
 * @error: place for an error, or NULL
 *
 * An item that the reader gave before it died is given before the error is.
 *
 * Return: an item, the walk's until the next call, but see epitaph_item_ref(); NULL at the end,
 * where @error is not set, and NULL and an error.
 */
EPITAPH_API const struct epitaph_item *epitaph_walk_next(struct epitaph_walk *walk,
							 struct epitaph_error **error);

/**
 * epitaph_walk_close() - end a walk; items with a reference stay
 * @walk: NULL is fine
 */
EPITAPH_API void epitaph_walk_close(struct epitaph_walk *walk);

/* --- items ---------------------------------------------------------------- */

/**
 * enum epitaph_item_flag - what an item is worth
 * @EPITAPH_UNCERTAIN_ORDER: the clocks do not give its order to items of other CPUs
 * @EPITAPH_DAMAGED: from a damaged sub-buffer
 * @EPITAPH_LOST_BEFORE: something was lost just before it; epitaph_item_nr_lost()
 * @EPITAPH_UNCOMMITTED: its commit was cut off: no checksum covers it
 * @EPITAPH_REPAIRED: its memory was damaged; parity brought it back, and its checksum holds
 */
enum epitaph_item_flag {
	EPITAPH_UNCERTAIN_ORDER = 1,
	EPITAPH_DAMAGED = 2,
	EPITAPH_LOST_BEFORE = 4,
	EPITAPH_UNCOMMITTED = 16,
	EPITAPH_REPAIRED = 128,
};

/**
 * epitaph_item_ref() - keep an item beyond the next call of epitaph_walk_next()
 * @item: NULL gives NULL
 *
 * The item also outlives its walk and its dump.  It keeps a batch of up to 256 KiB in memory.
 *
 * Return: @item, for epitaph_item_unref().
 */
EPITAPH_API const struct epitaph_item *epitaph_item_ref(const struct epitaph_item *item);

/**
 * epitaph_item_unref() - give back what epitaph_item_ref() gave
 * @item: NULL is fine
 */
EPITAPH_API void epitaph_item_unref(const struct epitaph_item *item);

/**
 * epitaph_item_kind() - what it is
 * @item: not NULL, as for all that follow
 *
 * Return: one of &enum epitaph_kind.
 */
EPITAPH_API enum epitaph_kind epitaph_item_kind(const struct epitaph_item *item);

/**
 * epitaph_item_flags() - what it is worth
 * @item: not NULL
 *
 * Return: bits of &enum epitaph_item_flag.
 */
EPITAPH_API uint32_t epitaph_item_flags(const struct epitaph_item *item);

/**
 * epitaph_item_time() - kernel time
 * @item: not NULL
 *
 * Return: ns of CLOCK_MONOTONIC.
 */
EPITAPH_API uint64_t epitaph_item_time(const struct epitaph_item *item);

/**
 * epitaph_item_before_end() - how long before the end of the generation it happened
 * @item: not NULL
 *
 * Return: ns; negative for what happened behind the crash.
 */
EPITAPH_API int64_t epitaph_item_before_end(const struct epitaph_item *item);

/**
 * epitaph_item_real_time() - UTC
 * @item: not NULL
 *
 * Return: ns since 1970; 0 if unknown.
 */
EPITAPH_API uint64_t epitaph_item_real_time(const struct epitaph_item *item);

/**
 * epitaph_item_cpu() - on which CPU
 * @item: not NULL
 *
 * Return: %EPITAPH_CPU_UNKNOWN if unknown.
 */
EPITAPH_API uint32_t epitaph_item_cpu(const struct epitaph_item *item);

/**
 * epitaph_item_pid() - in which thread
 * @item: not NULL
 *
 * Return: its id; -1 if unknown.
 */
EPITAPH_API int64_t epitaph_item_pid(const struct epitaph_item *item);

/**
 * epitaph_item_comm() - name of that thread
 * @item: not NULL
 *
 * Return: NULL if unknown; the item's, as all texts here.
 */
EPITAPH_API const char *epitaph_item_comm(const struct epitaph_item *item);

/**
 * epitaph_item_name() - "system:name"
 * @item: not NULL
 *
 * Return: "sched:sched_switch"; "printk:log" and the like for kinds that are no events.
 */
EPITAPH_API const char *epitaph_item_name(const struct epitaph_item *item);

/**
 * epitaph_item_channel() - the channel of the recorder, or the buffer of ftrace
 * @item: not NULL
 *
 * Return: NULL for what comes out of none.
 */
EPITAPH_API const char *epitaph_item_channel(const struct epitaph_item *item);

/**
 * epitaph_item_nr_lost() - how many items are missing
 * @item: not NULL
 *
 * Return: of a loss, the events that lack here; of others, with %EPITAPH_LOST_BEFORE, what was
 * lost just before; 0 if not counted.
 */
EPITAPH_API uint64_t epitaph_item_nr_lost(const struct epitaph_item *item);

/**
 * epitaph_item_text() - the text of a log line, a mark or a crash, not escaped; of an event or a
 * machine check, escaped, in a walk with %EPITAPH_WALK_TEXT
 * @item: not NULL
 * @size: gets its length, as a text may hold NULs; NULL is fine
 *
 * Return: a terminated text; "" if there is none.
 */
EPITAPH_API const char *epitaph_item_text(const struct epitaph_item *item, size_t *size);

/**
 * epitaph_item_printable_text() - the text of an item, safe for a terminal
 * @item: not NULL
 * @buffer: gets epitaph_item_text(), by epitaph_escape() if it is not escaped yet
 * @room: bytes at @buffer
 *
 * Return: bytes at @buffer, without the NUL.
 */
EPITAPH_API size_t epitaph_item_printable_text(const struct epitaph_item *item, char *buffer,
					       size_t room);

/**
 * enum epitaph_field_kind - what a field holds
 * @EPITAPH_FIELD_ABSENT: the event is shorter than its format says
 * @EPITAPH_FIELD_UNSIGNED: a number, by epitaph_item_field_number()
 * @EPITAPH_FIELD_SIGNED: a number, to be cast to int64_t
 * @EPITAPH_FIELD_TEXT: by epitaph_item_field_data(); not terminated
 * @EPITAPH_FIELD_UNSIGNED_ARRAY: numbers, by epitaph_item_field_element()
 * @EPITAPH_FIELD_SIGNED_ARRAY: numbers, to be cast to int64_t
 * @EPITAPH_FIELD_BYTES: by epitaph_item_field_data()
 */
enum epitaph_field_kind {
	EPITAPH_FIELD_ABSENT = 0,
	EPITAPH_FIELD_UNSIGNED = 1,
	EPITAPH_FIELD_SIGNED = 2,
	EPITAPH_FIELD_TEXT = 3,
	EPITAPH_FIELD_UNSIGNED_ARRAY = 4,
	EPITAPH_FIELD_SIGNED_ARRAY = 5,
	EPITAPH_FIELD_BYTES = 6,
};

/**
 * epitaph_item_nr_fields() - how many fields it has
 * @item: not NULL
 *
 * An event whose format is lost has one, called "raw".
 *
 * Return: their number.
 */
EPITAPH_API size_t epitaph_item_nr_fields(const struct epitaph_item *item);

/**
 * epitaph_item_field_name() - the name of a field
 * @item: not NULL
 * @i: below epitaph_item_nr_fields()
 *
 * Return: NULL if @i is too large.
 */
EPITAPH_API const char *epitaph_item_field_name(const struct epitaph_item *item, size_t i);

/**
 * epitaph_item_find_field() - the number of a field
 * @item: not NULL
 * @name: of the field; NULL is none
 *
 * Items of one kind of event have the same fields, in the same order.
 *
 * Return: its number; -1 if there is none.
 */
EPITAPH_API ssize_t epitaph_item_find_field(const struct epitaph_item *item, const char *name);

/**
 * epitaph_item_field_kind() - what a field of this item holds
 * @item: not NULL
 * @i: number of the field
 *
 * Return: one of &enum epitaph_field_kind.
 */
EPITAPH_API enum epitaph_field_kind epitaph_item_field_kind(const struct epitaph_item *item,
							    size_t i);

/**
 * epitaph_item_field_number() - the value of a number
 * @item: not NULL
 * @i: number of the field
 *
 * Return: sign-extended where it is signed; 0 if the field is no number.
 */
EPITAPH_API uint64_t epitaph_item_field_number(const struct epitaph_item *item, size_t i);

/**
 * epitaph_item_field_data() - the bytes of a text, an array or bytes
 * @item: not NULL
 * @i: number of the field
 * @size: gets their number; a text ends there, without a NUL
 *
 * Numbers of an array are in the byte order of the dumped machine.
 *
 * Return: the item's; NULL if the field is absent or a number.
 */
EPITAPH_API const void *epitaph_item_field_data(const struct epitaph_item *item, size_t i,
						size_t *size);

/**
 * epitaph_item_field_element() - a number of an array
 * @item: not NULL
 * @i: number of the field
 * @element: from 0
 * @value: set, sign-extended where it is signed
 *
 * Return: 1; 0 past the last one, and if the field is no array.
 */
EPITAPH_API int epitaph_item_field_element(const struct epitaph_item *item, size_t i,
					   size_t element, uint64_t *value);

/* --- findings ------------------------------------------------------------- */

/**
 * enum epitaph_strength - how sure a finding is
 * @EPITAPH_NOT_KNOWN: nothing of the dump says why
 * @EPITAPH_POSSIBLE: it fits, and other causes fit as well
 * @EPITAPH_LIKELY: one step is a conclusion, and what would contradict it was not found
 * @EPITAPH_SHOWN: the kernel or the hardware said it, or the trace has every step
 */
enum epitaph_strength {
	EPITAPH_NOT_KNOWN = 0,
	EPITAPH_POSSIBLE = 1,
	EPITAPH_LIKELY = 2,
	EPITAPH_SHOWN = 3,
};

/**
 * epitaph_explain() - why the kernel of a generation died
 * @generation: NULL is an error
 * @error: place for an error, or NULL
 *
 * It reads the generation once more, out of all that the file has unless
 * epitaph_options_set_sources() chose, and keeps nothing in the dump: a program that needs the
 * findings again keeps them.  Walks that are open go on undisturbed.  A long dump takes as long as
 * a walk along all of its items does; the progress callback is called, and may cancel.
 *
 * Where libcapstone is installed, the instruction that faulted is decoded.  Without a sandbox, the
 * library is loaded into the calling process for the length of the call.
 *
 * Return: findings for epitaph_findings_free(); they need neither generation nor dump from now on.
 * NULL and an error.
 */
EPITAPH_API struct epitaph_findings *epitaph_explain(struct epitaph_generation *generation,
						     struct epitaph_error **error);

/**
 * epitaph_findings_free() - give findings back, with all texts and items that they have
 * @findings: NULL is fine
 */
EPITAPH_API void epitaph_findings_free(struct epitaph_findings *findings);

/**
 * epitaph_findings_nr() - how many findings there are
 * @findings: NULL gives 0
 *
 * Return: at least 1.  This version gives one, the answer; more may join behind it.
 */
EPITAPH_API size_t epitaph_findings_nr(const struct epitaph_findings *findings);

/**
 * epitaph_findings_get() - one of them
 * @findings: NULL gives NULL
 * @i: from 0, the answer
 *
 * Return: the findings', as all that follows; NULL past the last one.
 */
EPITAPH_API const struct epitaph_finding *epitaph_findings_get(const struct epitaph_findings *findings,
							       size_t i);

/**
 * epitaph_finding_kind() - what kind of crash it is
 * @finding: NULL gives ""
 *
 * Return: a word of the table in docs/explain.md, as "null-pointer".
 */
EPITAPH_API const char *epitaph_finding_kind(const struct epitaph_finding *finding);

/**
 * epitaph_finding_claim() - why, in one sentence
 * @finding: NULL gives ""
 *
 * Return: escaped, as all texts of findings.
 */
EPITAPH_API const char *epitaph_finding_claim(const struct epitaph_finding *finding);

/**
 * epitaph_finding_strength() - how sure the claim is
 * @finding: NULL gives %EPITAPH_NOT_KNOWN
 *
 * Return: one of &enum epitaph_strength.
 */
EPITAPH_API enum epitaph_strength epitaph_finding_strength(const struct epitaph_finding *finding);

/**
 * epitaph_finding_open_question() - what the claim leaves open
 * @finding: NULL gives ""
 *
 * Return: a sentence; "" if it leaves nothing open.
 */
EPITAPH_API const char *epitaph_finding_open_question(const struct epitaph_finding *finding);

/**
 * epitaph_finding_signature() - the same text for all crashes of one cause
 * @finding: NULL gives ""
 *
 * Return: the kind, a colon, and functions with "<" between them; docs/explain.md.
 */
EPITAPH_API const char *epitaph_finding_signature(const struct epitaph_finding *finding);

/**
 * enum epitaph_finding_list - lists of sentences that a finding has
 * @EPITAPH_NEXT: what to do next: commands, in which FILE stands for the file
 * @EPITAPH_ALSO_FOUND: what else was found; nothing ties it to the crash
 * @EPITAPH_NOT_FOUND: what was looked for, and was not there
 * @EPITAPH_MISSING: what the file does not have
 */
enum epitaph_finding_list {
	EPITAPH_NEXT = 0,
	EPITAPH_ALSO_FOUND = 1,
	EPITAPH_NOT_FOUND = 2,
	EPITAPH_MISSING = 3,
};

/**
 * epitaph_finding_sentence() - a sentence of such a list
 * @finding: NULL gives NULL
 * @list: one of &enum epitaph_finding_list; another value gives NULL
 * @i: from 0
 *
 * Return: NULL past the last one.
 */
EPITAPH_API const char *epitaph_finding_sentence(const struct epitaph_finding *finding,
						 enum epitaph_finding_list list, size_t i);

/**
 * epitaph_finding_evidence() - what the claim rests on
 * @finding: NULL gives NULL
 * @i: from 0, the oldest; what has no time comes last
 *
 * Return: NULL past the last one.
 */
EPITAPH_API const struct epitaph_evidence *epitaph_finding_evidence(const struct epitaph_finding *finding,
								    size_t i);

/**
 * epitaph_evidence_text() - a line of the log, or what an item shows
 * @evidence: NULL gives ""
 *
 * Return: a text without a newline.
 */
EPITAPH_API const char *epitaph_evidence_text(const struct epitaph_evidence *evidence);

/**
 * epitaph_evidence_time() - kernel time of it
 * @evidence: NULL gives 0
 * @time: set to ns of CLOCK_MONOTONIC; NULL gives 0
 *
 * Return: 1; 0 if it has no time.
 */
EPITAPH_API int epitaph_evidence_time(const struct epitaph_evidence *evidence, uint64_t *time);

/**
 * epitaph_evidence_before_end() - how long before the end of the generation it was
 * @evidence: NULL gives 0
 * @ns: set; negative for what happened behind the crash; NULL gives 0
 *
 * Return: 1; 0 if it has no time.
 */
EPITAPH_API int epitaph_evidence_before_end(const struct epitaph_evidence *evidence, int64_t *ns);

/**
 * epitaph_evidence_item() - the event, log line or machine check that it is
 * @evidence: NULL gives NULL
 *
 * It is an item as a walk with %EPITAPH_WALK_TEXT gives it: a walk along the same generation has an
 * item of its kind, name, time and CPU.  A walk of a dump whose sources were not chosen does not
 * have the kernel's own log and trace where there is a recorder's; epitaph_options_set_sources()
 * with all three bits gives them.
 *
 * Return: the findings', unless epitaph_item_ref() keeps it; NULL if it is no item of the timeline,
 * as a state of memory, or a line that the kernel did not print.
 */
EPITAPH_API const struct epitaph_item *epitaph_evidence_item(const struct epitaph_evidence *evidence);

#ifdef __cplusplus
}
#endif

#endif
