// SPDX-License-Identifier: GPL-2.0-or-later
#include "send.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/btrfs.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "os/new_file.h"
#include "os/program.h"
#include "os/reexec.h"
#include "spool/generation_digests.h"
#include "spool/sent_marker.h"

#define LONGEST_PAUSE	60000	/* ms */
#define UPLOAD		"epitaph-upload"
#define CHECK_NAME	"epitaph-check"	/* which no server has */

/* Each subvolume of btrfs has a device number of its own. */
static bool is_same_file_system(int a, int b)
{
	struct btrfs_ioctl_fs_info_args x, y;
	struct stat there, here;

	if (fstat(a, &there) || fstat(b, &here))
		return false;
	return there.st_dev == here.st_dev ||
	       (!ioctl(a, BTRFS_IOC_FS_INFO, &x) && !ioctl(b, BTRFS_IOC_FS_INFO, &y) &&
		!memcmp(x.fsid, y.fsid, sizeof(x.fsid)));
}

/* Of a machine whose root is another's, what is on it is elsewhere. */
static bool is_remote(int fd)
{
	static const u32 types[] = { NFS_SUPER_MAGIC, SMB_SUPER_MAGIC, CIFS_SUPER_MAGIC, SMB2_SUPER_MAGIC, V9FS_MAGIC,
				     CEPH_SUPER_MAGIC, FUSE_SUPER_MAGIC };
	struct statfs fs;
	size_t i;

	for (i = 0; !fstatfs(fd, &fs) && i < ARRAY_SIZE(types); i++)
		if ((u32)fs.f_type == types[i])
			return true;
	return false;
}

/*
 * A share that is not mounted is a directory like any other: of the capture's file system, or of the
 * root's, where captures have one of their own.  @dir: -1: of no capture.
 */
static int check_elsewhere(const struct delivery *d, int share, int dir, struct err *err)
{
	const char *where = "capture";
	bool is_here = dir >= 0 && is_same_file_system(share, dir);
	int root;

	if (d->same_filesystem)
		return 0;
	if (!is_here) {
		root = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		is_here = root >= 0 && !is_remote(root) && is_same_file_system(share, root);
		where = "root";
		if (root >= 0)
			close(root);
	}
	if (!is_here)
		return 0;
	return err_set(err, ERR_USAGE, ERR_NO_OFF,
		       "it is on the file system of the %s; expected a mounted share: mount it, or say --same-filesystem", where);
}

/* What the share gives back counts, not what was given to it. */
static int read_back(const struct archive *a, int share, struct err *err)
{
	int fd = openat(share, a->name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	int same = fd < 0 ? err_sys(err, "%s", a->name) : new_file_is_same(a->fd, fd, err);

	if (fd >= 0)
		close(fd);
	if (same < 0)
		return same;
	return same ? 0 : err_set(err, ERR_IO, ERR_NO_OFF, "%s: read again, it has other bytes", a->name);
}

static int put_in_share(const struct archive *a, int share, struct err *err)
{
	char temporary[ARCHIVE_NAME + 8];
	int fd, ret;

	if (!faccessat(share, a->name, F_OK, AT_SYMLINK_NOFOLLOW) && !read_back(a, share, NULL))
		return 0;
	snprintf(temporary, sizeof(temporary), ".%s.part", a->name);
	unlinkat(share, temporary, 0);
	fd = new_file_create(share, temporary, err);
	if (fd < 0)
		return fd;
	ret = new_file_copy(a->fd, 0, a->size, fd, err);
	if (!ret && (ftruncate(fd, a->size) || fsync(fd)))
		ret = err_sys(err, "%s", temporary);
	close(fd);
	if (!ret && (renameat(share, temporary, share, a->name) || fsync(share)))
		ret = err_sys(err, "%s", a->name);
	if (ret)
		unlinkat(share, temporary, 0);
	return ret ? ret : read_back(a, share, err);
}

static int try_dir(const struct delivery *d, const struct archive *a, int dir, struct err *err)
{
	int share = open(d->target.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), ret;

	if (share < 0)
		return err_sys(err, "cannot open it");
	ret = check_elsewhere(d, share, dir, err);
	if (!ret && !a && faccessat(share, ".", W_OK, AT_EACCESS))
		ret = err_sys(err, "it cannot be written to");
	if (!ret && a)
		ret = put_in_share(a, share, err);
	close(share);
	return ret;
}

/* What sftp(1) is to do.  A rename is atomic; "-f" asks for fsync where the server can. */
static int open_batch(const struct delivery *d, const struct archive *a, struct err *err)
{
	char text[2048];
	size_t n = 0;
	int ends[2];

	if (*d->target.path)
		n = snprintf(text, sizeof(text), "cd %s\n", d->target.path);
	if (a)
		snprintf(text + n, sizeof(text) - n, "put -f /proc/%d/fd/%d %s.part\nrename %s.part %s\n",
			 getpid(), a->fd, a->name, a->name, a->name);
	else
		snprintf(text + n, sizeof(text) - n, "pwd\n");
	/* Less than a pipe holds. */
	if (pipe2(ends, O_CLOEXEC))
		return err_sys(err, "pipe");
	n = strlen(text);
	if (write(ends[1], text, n) != (ssize_t)n) {
		err_sys(err, "pipe");
		close(ends[0]);
		ends[0] = -ERR_IO;
	}
	close(ends[1]);
	return ends[0];
}

/*
 * What ssh says, and what it means here.  Return: -ERR_USAGE: no try will succeed as it is; -ERR_IO: a
 * later one may.
 */
static int add_advice(char *buf, size_t size, const char *said, const char *path)
{
	*buf = 0;
	if (strstr(said, "Host key verification failed"))
		snprintf(buf, size, "; the server's key is not known here, or is another one: ssh-keyscan prints it; see whether it is the server's, and write it into a file that KNOWN_HOSTS= names");
	else if (strstr(said, "Permission denied ("))
		snprintf(buf, size, "; the server does not know the key that IDENTITY= names, or not for this user");
	else if (strstr(said, "No such file or directory") && *path)
		snprintf(buf, size, "; there is no %.100s there; a path begins at the root of what the server shows: /home/USER/in, or /in in a chroot", path);
	else
		return -ERR_IO;
	return -ERR_USAGE;
}

static int try_sftp(const struct delivery *d, const struct archive *a, struct err *err)
{
	const char *const *set = d->conf->value;
	struct program sftp = { .in = open_batch(d, a, err) };
	char known[4200], host[512], advice[256];
	int ret;

	if (sftp.in < 0)
		return sftp.in;
	program_add(&sftp, NULL, "sftp");
	program_add(&sftp, "-b", "-");
	program_add(&sftp, "-o", "BatchMode=yes");
	program_add(&sftp, "-o", "StrictHostKeyChecking=yes");
	program_add(&sftp, "-o", "ClearAllForwardings=yes");
	program_add(&sftp, "-o", "ConnectTimeout=20");
	/* A server that says nothing for 30 s is given up. */
	program_add(&sftp, "-o", "ServerAliveInterval=10");
	program_add(&sftp, "-o", "ServerAliveCountMax=2");
	snprintf(known, sizeof(known), "UserKnownHostsFile=%.4096s", set[SEND_KNOWN_HOSTS] ?: "");
	program_add(&sftp, "-o", set[SEND_KNOWN_HOSTS] ? known : NULL);
	program_add(&sftp, "-i", set[SEND_IDENTITY]);
	program_add(&sftp, "-P", d->target.port);
	snprintf(host, sizeof(host), "%s%s[%s]", d->target.user, *d->target.user ? "@" : "", d->target.host);
	program_add(&sftp, NULL, "--");
	program_add(&sftp, NULL, host);
	ret = program_run(&sftp, d->deadline, err);
	close(sftp.in);
	if (ret <= 0)
		return ret;
	ret = add_advice(advice, sizeof(advice), sftp.said, d->target.path);
	return err_set(err, -ret, ERR_NO_OFF, "sftp: %.250s%s", *sftp.said ? sftp.said : "it failed without a word", advice);
}

static int base_length(const char *url)
{
	int n = strlen(url);

	while (n && url[n - 1] == '/')
		n--;
	return n;
}

/* By a program of its own, so that nothing else waits for libcurl to be loaded. */
static int try_upload(const struct delivery *d, const struct archive *a, struct err *err)
{
	const char *const *set = d->conf->value;
	struct program upload = { .in = a ? a->fd : open("/dev/null", O_RDONLY | O_CLOEXEC) };
	const char *endpoint = set[SEND_S3_ENDPOINT] ?: "https://s3.amazonaws.com";
	bool is_s3 = d->target.kind == TARGET_S3;
	char path[PATH_MAX], url[2048], seconds[24];
	u64 now = monotonic_ms();
	int ret;

	if (upload.in < 0)
		return err_sys(err, "/dev/null");
	reexec_beside(path, sizeof(path), UPLOAD);
	if (access(path, X_OK))
		return err_set(err, ERR_USAGE, ERR_NO_OFF,
			       "%s is not installed here, as in a capture initramfs; expected for https:// and s3://: use sftp:// or dir:", path);
	if (is_s3)
		snprintf(url, sizeof(url), "%.*s/%s%s/%s", base_length(endpoint), endpoint, d->target.host,
			 d->target.path, a ? a->name : CHECK_NAME);
	else
		snprintf(url, sizeof(url), "%.*s/%s", base_length(d->target.text), d->target.text,
			 a ? a->name : CHECK_NAME);
	snprintf(seconds, sizeof(seconds), "%llu", d->deadline > now ? (d->deadline - now) / 1000 + 1 : 1);
	program_add(&upload, NULL, path);
	program_add(&upload, "--method", a ? set[SEND_METHOD] ?: "PUT" : "GET");
	program_add(&upload, "--seconds", seconds);
	program_add(&upload, "--ca", set[SEND_CA]);
	program_add(&upload, "--cert", set[SEND_CERT]);
	program_add(&upload, "--cert-key", set[SEND_CERT_KEY]);
	program_add(&upload, is_s3 ? "--s3-keys" : "--token", set[is_s3 ? SEND_S3_KEYS : SEND_TOKEN]);
	program_add(&upload, "--s3-region", is_s3 ? set[SEND_S3_REGION] ?: "us-east-1" : NULL);
	program_add(&upload, "--", url);
	ret = program_run(&upload, d->deadline + 2000, err);
	if (!a)
		close(upload.in);
	if (ret > 0)
		return err_set(err, ret == ERR_USAGE ? ERR_USAGE : ERR_IO, ERR_NO_OFF, "%s",
			       *upload.said ? upload.said : "epitaph-upload failed without a word");
	return ret;
}

static int try_once(const struct delivery *d, const struct archive *a, int dir, struct err *err)
{
	switch (d->target.kind) {
	case TARGET_DIR:
		return try_dir(d, a, dir, err);
	case TARGET_SFTP:
		return try_sftp(d, a, err);
	default:
		return try_upload(d, a, err);
	}
}

int send_capture(const struct delivery *d, int dir, struct manifest *m, char name[ARCHIVE_NAME],
		 struct err *err)
{
	struct archive a;
	u64 pause = FIRST_PAUSE;
	int ret;

	generation_digests_read(m, dir, d->verbose);
	ret = manifest_of_dir(m, dir, d->region_only, err);
	if (!ret)
		ret = archive_make(&a, m, dir, err);
	if (ret)
		return ret;
	strcpy(name, a.name);
	while ((ret = try_once(d, &a, dir, err)) == -ERR_IO && monotonic_ms() + pause < d->deadline) {
		struct timespec t = { pause / 1000, pause % 1000 * 1000000 };

		while (nanosleep(&t, &t) && errno == EINTR)
			;
		pause = pause * 2 < LONGEST_PAUSE ? pause * 2 : LONGEST_PAUSE;
	}
	archive_close(&a);
	if (ret)
		return err_while(err, "%s", d->target.text);
	return sent_marker_add(dir, d->target.text, name, m, err) ? 1 : 0;
}

int send_check(const struct delivery *d, struct err *err)
{
	int ret = try_once(d, NULL, -1, err);

	return ret ? err_while(err, "%s", d->target.text) : 0;
}
