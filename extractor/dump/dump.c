// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/escape.h"

#include "dump_impl.h"
#include "callback.h"

/* First bytes of a file, and its container or why it is not read; neither: flattened. */
struct signature {
	const char *bytes;
	size_t len;
	const struct dump_ops *ops;
	const char *refusal;
};

#define BYTES(s) (s), sizeof(s) - 1

static const struct signature signatures[] = {
	{ BYTES("\177ELF"), &dump_elf_ops, NULL },
	{ BYTES("KDUMP   "), &dump_kdump_ops, NULL },
	{ BYTES("makedumpfile\0\0\0\0"), NULL, NULL },
	{ BYTES("EMiL"), &dump_lime_ops, NULL },
	{ BYTES("\xa8\x19\x01\x73\x61\x8f\x23\xfd"), &dump_s390_ops, NULL },
	{ BYTES("\xa8\x19\x01\x73\x61\x8f\x23\xfe"), &dump_s390_ops, NULL },
	{ BYTES("AVML"), NULL, "a compressed image of AVML; convert it first: avml-convert --source-format lime_compressed --format lime" },
	{ BYTES("LibvirtQemudSave"), NULL, "a guest that virsh saved, which is no dump; restore it, then: virsh dump --memory-only" },
	{ BYTES("LibvirtQemudPart"), NULL, "a guest that virsh did not finish to save, which is no dump; expected one of: virsh dump --memory-only" },
	{ BYTES("QEVM"), NULL, "a guest that QEMU saved, which is no dump; restore it, then: dump-guest-memory in QEMU's monitor" },
	{ BYTES("DISKDUMP"), NULL, "a diskdump of Linux 2.6, which is not read" },
	{ BYTES("\x1f\x8b\x08"), NULL, "compressed; unpack it first: gunzip" },
	{ BYTES("\xfd" "7zXZ\0"), NULL, "compressed; unpack it first: unxz" },
	{ BYTES("\x28\xb5\x2f\xfd"), &dump_zstd_ops, NULL },
	{ BYTES("\x04\x22\x4d\x18"), NULL, "compressed; unpack it first: unlz4" },
	{ BYTES("BZh"), NULL, "compressed; unpack it first: bunzip2" },
};

/* @ret: NULL: no known container. Return: 0, or an error: the file is not read. */
static int find_container(struct dump *in, const struct signature **ret, struct err *err)
{
	u8 head[16];
	ssize_t n = file_read(in, 0, head, sizeof(head), err);

	if (n <= 0)
		return n ? n : dump_short_header(in, 0, 1, err);
	*ret = NULL;
	for (size_t i = 0; i < ARRAY_SIZE(signatures) && !*ret; i++)
		if ((size_t)n >= signatures[i].len &&
		    !memcmp(head, signatures[i].bytes, signatures[i].len))
			*ret = &signatures[i];
	if (*ret && (*ret)->refusal)
		return err_set(err, ERR_NOT_OURS, 0, "is %s", (*ret)->refusal);
	return 0;
}

static bool is_flattened(const struct signature *s)
{
	return s && !s->ops;
}

static int open_container(struct dump *in, struct err *err)
{
	const struct signature *s = NULL;
	char kind[sizeof(in->kind)];
	int ret = find_container(in, &s, err);

	if (!ret && is_flattened(s)) {
		ret = flat_open(in, err);
		if (!ret)
			ret = find_container(in, &s, err);
		if (!ret && is_flattened(s))
			ret = err_set(err, ERR_CORRUPT, 0, "is a flattened dump of a flattened dump");
	}
	if (ret)
		return ret;
	in->ops = s ? s->ops : &dump_raw_ops;
	ret = in->ops->open(in, err);
	if (!ret && in->flat) {
		memcpy(kind, in->kind, sizeof(kind));
		snprintf(in->kind, sizeof(in->kind), "flattened %.50s", kind);
	}
	return ret;
}

struct dump *dump_create(struct err *err)
{
	struct dump *in = calloc(1, sizeof(*in));
	struct view *view = view_new();

	if (!in || !view) {
		err_sys(err, "no memory");
		free(in);
		free(view);
		return NULL;
	}
	in->view = view;
	in->order = ORDER_LITTLE;
	in->fd = -1;
	in->dump_level = -1;
	return in;
}

static int attach_fd(struct dump *in, int fd, struct err *err)
{
	struct stat st;

	if (!fstat(fd, &st) && S_ISDIR(st.st_mode)) {
		in->fd = fd;
		in->ops = dump_is_archive_dir(fd) ? &dump_archive_ops : &dump_parts_ops;
		return in->ops->open(in, err);
	}
	in->fd = file_seekable(fd, &in->file_size, err);
	if (in->fd >= 0 && !fstat(in->fd, &st)) {
		in->stored_size = (u64)st.st_blocks * 512;
		if (S_ISREG(st.st_mode))
			in->changed_ns = (u64)st.st_mtim.tv_sec * 1000000000 + (u64)st.st_mtim.tv_nsec;
	}
	return in->fd < 0 ? in->fd : open_container(in, err);
}

int dump_attach(struct dump *in, const char *path, struct err *err)
{
	const struct epitaph_memory_reader *memory = dump_offered_callback(path);
	int fd, ret;

	if (memory) {
		ret = dump_attach_callback(in, memory, err);
	} else {
		fd = file_open(path, err);
		ret = fd < 0 ? fd : attach_fd(in, fd, err);
	}
	return ret ? err_while(err, "%s", strcmp(path, "-") ? path : "standard input") : 0;
}

int dump_open_fd(struct dump **ret, int fd, struct err *err)
{
	struct dump *in = dump_create(err);
	int res;

	if (!in) {
		close(fd);
		return -ERR_IO;
	}
	res = attach_fd(in, fd, err);
	if (res)
		dump_close(in);
	else
		*ret = in;
	return res;
}

int dump_open(struct dump **ret, const char *path, struct err *err)
{
	struct dump *in = dump_create(err);
	int res = in ? dump_attach(in, path, err) : -ERR_IO;

	if (res)
		dump_close(in);
	else
		*ret = in;
	return res;
}

int dump_open_live(struct dump **ret, int fd, struct err *err)
{
	struct dump *in = dump_create(err);
	off_t end = in ? lseek(fd, 0, SEEK_END) : -1;
	int res = -ERR_IO;

	if (!in) {
		close(fd);
		return res;
	}
	in->fd = fd;
	in->changes = true;
	in->file_size = end < 0 ? 0 : end;
	in->ops = &dump_raw_ops;
	res = end > 0 ? in->ops->open(in, err) :
	      err_set(err, ERR_NOT_OURS, ERR_NO_OFF, "has no size: it is no region that is recorded into");
	if (res)
		dump_close(in);
	else
		*ret = in;
	return res;
}

void dump_close(struct dump *in)
{
	size_t i;

	if (!in)
		return;
	if (in->ops)
		in->ops->close(in);
	for (i = 0; i < in->nr_archives; i++)
		dump_close(in->archives[i]);
	if (in->fd >= 0)
		close(in->fd);
	flat_close(in->flat);
	held_close(&in->held);
	free(in->view);
	free(in->heads);
	free(in->segments);
	free(in->vmcoreinfo);
	free(in->cpu_notes);
	free(in);
}

bool dump_changes(const struct dump *in)
{
	return in->changes;
}

bool dump_is_raw(const struct dump *in)
{
	return in->ops == &dump_raw_ops || in->ops == &dump_zstd_ops;
}

int dump_dump_level(const struct dump *in)
{
	return in->dump_level;
}

const char *dump_kind(const struct dump *in)
{
	return in->kind;
}

bool dump_is_collection(const struct dump *in)
{
	return in->is_collection;
}

bool dump_has_addresses(const struct dump *in)
{
	return !dump_is_raw(in) && !in->is_collection && !in->is_unplaced;
}

u64 dump_file_size(const struct dump *in)
{
	return in->file_size;
}

u64 dump_stored_size(const struct dump *in)
{
	return in->stored_size ? in->stored_size : in->file_size;
}

u64 dump_made_ns(const struct dump *in)
{
	struct timespec now;

	/* Of memory that a machine maps, the file says when it was made. */
	if (in->changed_ns && !dump_is_raw(in))
		return in->changed_ns;
	clock_gettime(CLOCK_REALTIME, &now);
	return (u64)now.tv_sec * 1000000000 + (u64)now.tv_nsec;
}

int dump_byte_order(const struct dump *in)
{
	return in->kernel_order ? in->kernel_order : in->order;
}

void dump_set_byte_order(struct dump *in, int order)
{
	in->kernel_order = order;
}

/* --- segments ------------------------------------------------------------ */

size_t dump_nr_segments(const struct dump *in)
{
	return in->nr_segments;
}

struct dump_segment dump_segment(const struct dump *in, size_t i)
{
	return in->segments[i];
}

u64 dump_end(const struct dump *in)
{
	const struct dump_segment *last = in->nr_segments ? &in->segments[in->nr_segments - 1] : NULL;

	return last ? last->paddr + last->size : 0;
}

int dump_add_segment(struct dump *in, u64 paddr, u64 size, struct err *err)
{
	if (in->nr_segments == MAX_SEGMENTS) {
		struct dump_segment *last = &in->segments[MAX_SEGMENTS - 1];

		last->size = paddr + size - last->paddr;
		return 0;
	}
	if (in->nr_segments == in->room_segments) {
		size_t room = in->room_segments ? 2 * in->room_segments : 64;
		void *p = reallocarray(in->segments, room, sizeof(*in->segments));

		if (!p)
			return err_sys(err, "no memory for %zu segments", in->nr_segments);
		in->segments = p;
		in->room_segments = room;
	}
	in->segments[in->nr_segments++] = (struct dump_segment){ paddr, size };
	return 0;
}

/* --- bytes --------------------------------------------------------------- */

ssize_t dump_read(struct dump *in, u64 paddr, void *buf, size_t size,
		  struct err *err)
{
	return in->ops->read(in, paddr, buf, size, err);
}

bool dump_peek(struct dump *in, u64 paddr, u8 bytes[8])
{
	return in->ops->peek(in, paddr, bytes);
}

bool dump_next_data(struct dump *in, u64 paddr, u64 *next, u64 *len)
{
	u64 end;

	if (paddr > page_down(~0ULL) || !in->ops->next_data(in, page_up(paddr), next, len))
		return false;
	/* A page with any data counts from its start. */
	end = *next + *len;
	*next = page_down(*next);
	*len = end - *next;
	return true;
}

bool dump_is_zero_by_size(const struct dump *in, u64 paddr)
{
	return in->ops->is_zero_by_size && in->ops->is_zero_by_size(in, paddr);
}

/* --- damage -------------------------------------------------------------- */

void dump_note_damage(struct dump *in, const char *fmt, ...)
{
	char raw[sizeof(in->damage[0])];
	char text[sizeof(in->damage[0])];
	va_list ap;

	if (in->nr_damage > MAX_DAMAGE)
		return;
	va_start(ap, fmt);
	vsnprintf(raw, sizeof(raw), fmt, ap);
	va_end(ap);
	if (in->whole)
		dump_note_damage(in->whole, "%.60s: %s", in->name, raw);
	escape_text(text, sizeof(text), raw, strlen(raw));
	for (size_t i = 0; i < in->nr_damage; i++)
		if (!strcmp(text, in->damage[i]))
			return;
	if (in->nr_damage == MAX_DAMAGE)
		strcpy(text, "and more of this kind");
	if (in->nr_damage <= MAX_DAMAGE)
		strcpy(in->damage[in->nr_damage++], text);
}

int dump_short_header(struct dump *in, size_t n, size_t size, struct err *err)
{
	if (in->nr_damage)
		return err_set(err, ERR_CORRUPT, n, "the header of %zu bytes cannot be read: %s",
			       size, in->damage[0]);
	return err_set(err, ERR_CORRUPT, n, "the file ends at byte %zu, within the header of %zu",
		       n, size);
}

void dump_note_size(struct dump *in, u64 need)
{
	if (need <= in->file_size)
		return;
	dump_note_damage(in, "the file is truncated at byte %llu of %llu", in->file_size, need);
	dump_note_cut(in);
}

void dump_note_cut(struct dump *in)
{
	in->is_cut = true;
	if (in->whole)
		dump_note_cut(in->whole);
}

bool dump_is_cut(const struct dump *in)
{
	return in->is_cut;
}

bool dump_incomplete(const struct dump *in)
{
	return in->nr_damage;
}

const char *dump_damage(const struct dump *in, size_t i)
{
	return i < in->nr_damage ? in->damage[i] : NULL;
}

const char *dump_vmcoreinfo(const struct dump *in, size_t *len)
{
	if (len)
		*len = in->vmcoreinfo_len;
	return in->vmcoreinfo;
}

void dump_set_types(struct dump *in, const struct dump_types *types)
{
	in->types = *types;
}

const struct dump_types *dump_types(const struct dump *in)
{
	return &in->types;
}

bool dump_set_vmcoreinfo(struct dump *in, const char *text)
{
	char *copy = text ? strdup(text) : NULL;

	if (text && !copy)
		return false;
	free(in->vmcoreinfo);
	in->vmcoreinfo = copy;
	in->vmcoreinfo_len = copy ? strlen(copy) : 0;
	return true;
}
