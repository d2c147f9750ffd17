// SPDX-License-Identifier: GPL-2.0-or-later
#include "archive.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sysinfo.h>
#include <unistd.h>
#include <zstd.h>

#include "base/json.h"

#define TEMPORARY	".archive"
#define TAR_BLOCK	512
#define TAR_MAX_FILE	(8ULL << 30)	/* 11 octal digits */
#define LEVEL		3
#define MEMORY_PART	8	/* of this machine's memory, for an archive that no disk takes */

/* struct posix_header of POSIX.1-1988 (ustar); numbers are octal digits */
struct tar_header {
	char name[100];
	char mode[8];
	char uid[8];
	char gid[8];
	char size[12];
	char mtime[12];
	char checksum[8];
	char type;
	char linkname[100];
	char magic[6];
	char version[2];
	char unused[247];
};
_Static_assert(sizeof(struct tar_header) == TAR_BLOCK, "one block");

/* @most: bytes that @fd may have; 0: any */
struct archive_writer {
	int fd;
	u64 most;
	u64 size;
	ZSTD_CCtx *zstd;
};

static int write_compressed(struct archive_writer *w, const void *data, size_t size,
			    ZSTD_EndDirective end, struct err *err)
{
	static u8 out[131072];
	ZSTD_inBuffer from = { data, size, 0 };
	size_t left, done;
	ssize_t n;

	do {
		ZSTD_outBuffer to = { out, sizeof(out), 0 };

		left = ZSTD_compressStream2(w->zstd, &to, &from, end);
		if (ZSTD_isError(left))
			return err_set(err, ERR_IO, ERR_NO_OFF, "zstd: %s", ZSTD_getErrorName(left));
		w->size += to.pos;
		if (w->most && w->size > w->most)
			return err_set(err, ERR_IO, ERR_NO_OFF,
				       "no room for its archive on its disk, and in memory no more than %llu MiB is taken for it: make room",
				       w->most >> 20);
		for (done = 0; done < to.pos; done += n) {
			n = write(w->fd, out + done, to.pos - done);
			if (n < 0 && errno == EINTR)
				n = 0;
			else if (n < 0)
				return err_sys(err, "cannot write the archive");
		}
	} while (end == ZSTD_e_end ? left : from.pos < from.size);
	return 0;
}

/* All that is not content is constant: the same content is the same archive. */
static int write_header(struct archive_writer *w, const char *name, u64 size, struct err *err)
{
	struct tar_header h = { .mode = "0000400", .uid = "0000000", .gid = "0000000",
				.mtime = "00000000000", .checksum = "       ", .type = '0',
				.magic = "ustar", .version = { '0', '0' } };
	unsigned int sum = 0;
	size_t i;

	if (size >= TAR_MAX_FILE)
		return err_set(err, ERR_USAGE, ERR_NO_OFF, "%s: found %llu bytes, expected less than 8 GiB", name, size);
	snprintf(h.name, sizeof(h.name), "%s", name);
	snprintf(h.size, sizeof(h.size), "%011llo", size);
	h.checksum[7] = ' ';
	for (i = 0; i < sizeof(h); i++)
		sum += ((const u8 *)&h)[i];
	snprintf(h.checksum, sizeof(h.checksum), "%06o", sum);
	return write_compressed(w, &h, sizeof(h), ZSTD_e_continue, err);
}

static int write_padding(struct archive_writer *w, u64 size, struct err *err)
{
	static const u8 zeroes[TAR_BLOCK];

	return write_compressed(w, zeroes, -size % TAR_BLOCK, ZSTD_e_continue, err);
}

static int write_file(struct archive_writer *w, const struct manifest_file *file, int dir,
		      struct err *err)
{
	static u8 buf[65536];
	int fd = manifest_open_file(dir, file->name), ret;
	struct sha256_ctx ctx;
	char sum[DIGEST_TEXT];
	u64 left = file->size;
	ssize_t n;

	if (fd < 0)
		return err_sys(err, "%s", file->name);
	sha256_init(&ctx);
	ret = write_header(w, file->name, file->size, err);
	for (; !ret && left; left -= n) {
		n = read(fd, buf, left < sizeof(buf) ? left : sizeof(buf));
		if (n <= 0) {
			ret = n ? err_sys(err, "%s", file->name) :
			      err_set(err, ERR_IO, ERR_NO_OFF, "%s has become shorter while it was read", file->name);
			break;
		}
		sha256_update(&ctx, n, buf);
		ret = write_compressed(w, buf, n, ZSTD_e_continue, err);
	}
	close(fd);
	digest_end(sum, &ctx);
	if (!ret && strcmp(sum, file->sum))
		ret = err_set(err, ERR_IO, ERR_NO_OFF, "%s has changed while it was read", file->name);
	return ret ? ret : write_padding(w, file->size, err);
}

/* Its digest is part of the archive's name, so nothing of the moment may be in it. */
static char *manifest_json(const struct manifest *m, size_t *ret_size)
{
	char *text = NULL;
	FILE *f = open_memstream(&text, ret_size);
	struct json j = { .f = f };
	size_t i;

	if (!f)
		return NULL;
	json_open(&j, NULL, '{');
	json_str(&j, "schema", "epitaph-capture");
	json_u64(&j, "version", 1);
	json_str(&j, "claimed_host", m->host);
	json_open(&j, "generations", '[');
	for (i = 0; i < m->nr_generations; i++) {
		json_open(&j, NULL, '{');
		json_str(&j, "boot_id", m->generations[i].boot_id);
		json_str(&j, "sha256", m->generations[i].sum);
		json_close(&j, '}');
	}
	json_close(&j, ']');
	json_open(&j, "files", '[');
	for (i = 0; i < m->nr; i++) {
		json_open(&j, NULL, '{');
		json_str(&j, "name", m->files[i].name);
		json_u64(&j, "size", m->files[i].size);
		json_str(&j, "sha256", m->files[i].sum);
		json_close(&j, '}');
	}
	json_close(&j, ']');
	json_close(&j, '}');
	json_end(&j);
	return fclose(f) ? NULL : text;
}

static int write_archive(struct archive_writer *w, const struct manifest *m, const char *json,
			 size_t size, int dir, struct err *err)
{
	static const u8 end[2 * TAR_BLOCK];
	int ret = write_header(w, "manifest.json", size, err);
	size_t i;

	if (!ret)
		ret = write_compressed(w, json, size, ZSTD_e_continue, err);
	if (!ret)
		ret = write_padding(w, size, err);
	for (i = 0; i < m->nr && !ret; i++)
		ret = write_file(w, &m->files[i], dir, err);
	return ret ? ret : write_compressed(w, end, sizeof(end), ZSTD_e_end, err);
}

/* Beside the files; a stop at any time leaves nothing. */
static int open_nameless(int dir)
{
	int fd = openat(dir, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != ENOENT))
		return fd;
	unlinkat(dir, TEMPORARY, 0);
	fd = openat(dir, TEMPORARY, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd >= 0)
		unlinkat(dir, TEMPORARY, 0);
	return fd;
}

static bool is_lack_of_place(const struct err *err)
{
	return err->errnum == ENOSPC || err->errnum == EDQUOT || err->errnum == EROFS;
}

static u64 most_memory(void)
{
	struct sysinfo info;

	return sysinfo(&info) ? 16ULL << 20 : (u64)info.totalram * info.mem_unit / MEMORY_PART;
}

static int write_to(struct archive_writer *w, int fd, u64 most, const struct manifest *m, const char *json,
		    size_t size, int dir, struct err *err)
{
	w->fd = fd;
	w->most = most;
	w->size = 0;
	if (fd < 0)
		return err_sys(err, "no room for its archive");
	ZSTD_CCtx_reset(w->zstd, ZSTD_reset_session_only);
	return write_archive(w, m, json, size, dir, err);
}

int archive_make(struct archive *archive, const struct manifest *m, int dir, struct err *err)
{
	struct archive_writer w = { .fd = -1, .zstd = ZSTD_createCCtx() };
	char *json, digest[DIGEST_TEXT];
	size_t n;
	int ret;

	json = manifest_json(m, &n);
	if (!w.zstd || !json) {
		ret = err_set(err, ERR_IO, ERR_NO_OFF, "no memory for its archive");
	} else {
		ZSTD_CCtx_setParameter(w.zstd, ZSTD_c_compressionLevel, LEVEL);
		ZSTD_CCtx_setParameter(w.zstd, ZSTD_c_checksumFlag, 1);
		digest_text(digest, json, n);
		snprintf(archive->name, sizeof(archive->name), "%s-%s-%.16s.tar.zst", m->host,
			 m->nr_generations ? m->generations[m->nr_generations - 1].boot_id : "unknown", digest);
		ret = write_to(&w, open_nameless(dir), 0, m, json, n, dir, err);
		/* What is sent may make room; a disk that only sending frees must not prevent it. */
		if (ret && is_lack_of_place(err)) {
			*err = (struct err)ERR_INIT;
			if (w.fd >= 0)
				close(w.fd);
			ret = write_to(&w, memfd_create("archive", MFD_CLOEXEC), most_memory(), m, json, n, dir, err);
		}
	}
	archive->fd = w.fd;
	archive->size = w.size;
	if (ret && w.fd >= 0)
		close(w.fd);
	ZSTD_freeCCtx(w.zstd);
	free(json);
	return ret;
}

void archive_close(struct archive *archive)
{
	close(archive->fd);
}
