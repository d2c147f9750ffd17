// SPDX-License-Identifier: GPL-2.0-or-later
/* On the machine that has the private key: docs/seal.md. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "os/new_file.h"
#include "os/remove_on_signal.h"
#include "seal/age.h"
#include "seal/raw_place.h"
#include "seal/sealed_files.h"
#include "common.h"

#define UNSEALED	"region"

/* Return: was it only a test? */
static bool tell_canary(const char *path, int fd)
{
	char text[300];
	ssize_t n = pread(fd, text, sizeof(text) - 1, 0);

	if (n < (ssize_t)strlen(SEALED_CANARY) || memcmp(text, SEALED_CANARY, strlen(SEALED_CANARY)))
		return false;
	text[n] = 0;
	text[strcspn(text + strlen(SEALED_CANARY), "\n") + strlen(SEALED_CANARY)] = 0;
	fputs("this identity opens ", stdout);
	text_put(stdout, path, strlen(path));
	fputs(", a test that was sealed on ", stdout);
	text_put(stdout, text + strlen(SEALED_CANARY), sizeof(text) - strlen(SEALED_CANARY));
	fputs("; what that machine seals to the same recipients can be read\n", stdout);
	return true;
}

static int save_unsealed(int dir, int from, struct err *err)
{
	char temporary[64];
	struct stat st;
	int fd, ret;

	snprintf(temporary, sizeof(temporary), "." UNSEALED ".%ld", (long)getpid());
	if (fstat(from, &st))
		return err_sys(err, "memory");
	fd = new_file_create(dir, temporary, err);
	if (fd < 0)
		return fd;
	remove_on_signal_begin();
	remove_on_signal_is(dir, temporary, false);
	ret = new_file_copy(from, 0, st.st_size, fd, err);
	if (!ret && fsync(fd))
		ret = err_sys(err, "fsync");
	close(fd);
	if (!ret)
		ret = new_file_place(dir, temporary, UNSEALED, err);
	if (ret)
		unlinkat(dir, temporary, 0);
	remove_on_signal_end();
	return ret;
}

static void tell_unsealed(const char *path, const char *dir)
{
	const char *slash = strrchr(path, '/');
	struct sealed_file file = { 0 };

	fputs("unsealed ", stdout);
	text_put(stdout, dir, strlen(dir));
	fputs("/" UNSEALED, stdout);
	if (sealed_file_parse(&file, slash ? slash + 1 : path)) {
		fputs(": host ", stdout);
		text_put(stdout, file.host, strlen(file.host));
		fputs(", boot ", stdout);
		text_put(stdout, file.boot, strlen(file.boot));
	}
	putchar('\n');
}

/* Before a person types a passphrase for nothing. */
static int open_unsealed_dir(const char *path, struct err *err)
{
	int dir = new_file_open_dir(AT_FDCWD, path, err);

	if (dir >= 0 && !faccessat(dir, UNSEALED, F_OK, AT_SYMLINK_NOFOLLOW)) {
		close(dir);
		errno = EEXIST;
		return err_sys(err, "%s/" UNSEALED, path);
	}
	return dir;
}

/* The newest of a device, or of a copy of it, to @fd. */
static int take_newest(const char *path, int fd, struct err *err)
{
	struct raw_place place;
	struct raw_slot slot;
	int ret = raw_place_open(&place, path, false, err);
	unsigned int i, newest = RAW_SLOTS;
	u64 sequence = 0;

	if (ret)
		return ret;
	for (i = 0; !ret && i < RAW_SLOTS; i++) {
		ret = raw_place_read(&place, i, &slot, err);
		if (!ret && slot.is_whole && slot.sequence >= sequence) {
			newest = i;
			sequence = slot.sequence;
		}
	}
	if (!ret && newest == RAW_SLOTS)
		ret = err_set(err, ERR_NOT_OURS, ERR_NO_OFF, "it has no sealed trace");
	if (!ret)
		ret = raw_place_take(&place, newest, fd, err);
	raw_place_close(&place);
	return ret;
}

static int decrypt(const char *path, const char *identity, int to, struct err *err)
{
	char name[64];
	int fd, ret;

	if (!raw_place_is_one(path))
		return age_decrypt(path, identity, to, err);
	fd = memfd_create("sealed", 0);
	if (fd < 0)
		return err_sys(err, "no memory");
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	ret = take_newest(path, fd, err);
	if (!ret)
		ret = age_decrypt(name, identity, to, err);
	close(fd);
	return ret;
}

static int unseal(const char *path, const char *identity, const char *dir_path, struct err *err)
{
	int fd = memfd_create("unsealed", MFD_CLOEXEC), dir = -1;
	int ret = fd < 0 ? err_sys(err, "no memory") : 0;

	if (!ret && dir_path) {
		dir = open_unsealed_dir(dir_path, err);
		ret = dir < 0 ? dir : 0;
	}
	if (!ret && decrypt(path, identity, fd, err))
		ret = err_while(err, "%s", path);
	if (!ret && !tell_canary(path, fd)) {
		if (dir < 0)
			ret = err_set(err, ERR_USAGE, ERR_NO_OFF, "%s: this identity opens it; -o DIR says where to", path);
		else
			ret = save_unsealed(dir, fd, err);
		if (!ret)
			tell_unsealed(path, dir_path);
	}
	if (dir >= 0)
		close(dir);
	if (fd >= 0)
		close(fd);
	return ret;
}

int cmd_unseal(int argc, char **argv)
{
	const char *identity = NULL, *dir = NULL;
	struct err err = ERR_INIT;
	int opt;

	while ((opt = cmd_next_option(argc, argv)) != -1) {
		if (opt == 'i')
			identity = optarg;
		else if (opt == 'o')
			dir = optarg;
		else
			return cmd_usage("unseal");
	}
	if (!identity)
		return cmd_misuse("unseal", "-i IDENTITY is missing, the file with the private key");
	if (optind + 1 != argc)
		return cmd_misuse("unseal", optind == argc ? "no FILE" : "one FILE at a time");
	if (unseal(argv[optind], identity, dir, &err))
		return status_fail("unseal", &err);
	return status_flush("unseal");
}
