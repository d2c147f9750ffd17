// SPDX-License-Identifier: GPL-2.0-or-later
/* What the initramfs of a capture kernel runs where the root file system is encrypted: docs/seal.md. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/sha256.h"
#include "base/text.h"
#include "host/doctor.h"
#include "os/new_file.h"
#include "seal/age.h"
#include "seal/raw_place.h"
#include "common.h"
#include "sealing.h"

#define VMCORE	"/proc/vmcore"

static int write_canary(const struct sealing *s, int in, const char *path, struct err *err)
{
	int out = new_file_create(AT_FDCWD, path, err), ret;

	if (out < 0)
		return out;
	ret = age_encrypt(in, out, &s->keys, err);
	if (!ret && fsync(out))
		ret = err_sys(err, "%s: fsync", path);
	close(out);
	if (ret)
		unlink(path);
	return ret;
}

/* For doctor; where it cannot be noted, doctor goes on asking for a test. */
static void note_canary(const struct sealing *s)
{
	int fd = open(DOCTOR_CANARY ".new", O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0400);

	if (fd < 0)
		return;
	dprintf(fd, "%s\n", s->keys.digest);
	close(fd);
	rename(DOCTOR_CANARY ".new", DOCTOR_CANARY);
}

/* A text instead of a trace, to try a key with. */
static int seal_canary(struct sealing *s, const char *path)
{
	int fd = memfd_create("canary", MFD_CLOEXEC);
	struct err err = ERR_INIT;
	struct utsname uts;
	char date[64];
	int ret;

	ret = fd < 0 ? err_sys(&err, "no memory") : recipients_read(&s->keys, s->recipients, &err);
	if (!ret) {
		uname(&uts);
		text_date(date, sizeof(date), time(NULL) * 1000000000ULL);
		dprintf(fd, SEALED_CANARY "%s, %s\n", uts.nodename, date);
		ret = write_canary(s, fd, path, &err);
	}
	if (fd >= 0)
		close(fd);
	if (ret)
		return status_fail("seal", &err);
	note_canary(s);
	printf("sealed a test for %u recipient%s; where the private key is, try it: epitaph unseal -i IDENTITY ",
	       s->keys.nr, s->keys.nr == 1 ? "" : "s");
	text_put(stdout, path, strlen(path));
	putchar('\n');
	return status_flush("seal");
}

/* For the hook of the initramfs: where the place is, then the settings of a capture kernel. */
static int print_plan(struct sealing *s, const char *root)
{
	struct seal_place *place = &s->place;
	char text[4096], digest[DIGEST_TEXT];
	struct err err = ERR_INIT;
	struct utsname uts;
	int ret = seal_place_find(place, root, &err);

	if (!ret && (!place->is_wanted || !place->root_is_encrypted))
		ret = err_set(&err, ERR_NOT_OURS, ERR_NO_OFF, "a capture kernel has nothing to seal: %s",
			      place->conf.when == SEAL_WHEN_NEVER ? "WHEN=never" : "the root file system is not encrypted");
	if (!ret && access(s->recipients, F_OK) && errno == ENOENT)
		ret = err_set(&err, ERR_NOT_OURS, ERR_NO_OFF, "a capture kernel has nothing to seal: there is no %s", s->recipients);
	if (!ret && *place->why_not)
		ret = err_set(&err, ERR_IO, ERR_NO_OFF, "no place for sealed traces: %s%s%s", place->dir,
			      *place->dir ? ": " : "", place->why_not);
	if (!ret)
		ret = recipients_read(&s->keys, s->recipients, &err);
	if (!ret && !age_is_there())
		ret = err_set(&err, ERR_IO, ERR_NO_OFF, "age is not installed");
	if (ret)
		return status_fail("seal", &err);
	uname(&uts);
	seal_place_plan(place, s->keys.digest, text, sizeof(text));
	digest_text(digest, text, strlen(text));
	printf("%sHOST=%s\nPLAN=%s\n", text, uts.nodename, digest);
	return status_flush("seal");
}

static int copy_slot(const struct raw_place *place, unsigned int nr, int dir, const char *path, struct err *err)
{
	struct raw_slot slot;
	int ret = raw_place_read(place, nr, &slot, err), fd;
	char size[32];

	if (ret || !slot.is_whole)
		return ret;
	if (strchr(slot.file.name, '/'))
		return err_set(err, ERR_CORRUPT, ERR_NO_OFF, "the name of a trace has a slash");
	fd = new_file_create(dir, slot.file.name, err);
	if (fd < 0)
		return fd;
	ret = raw_place_take(place, nr, fd, err);
	if (!ret && fsync(fd))
		ret = err_sys(err, "%s: fsync", slot.file.name);
	close(fd);
	if (ret) {
		unlinkat(dir, slot.file.name, 0);
		return ret;
	}
	text_size(size, sizeof(size), slot.file.size);
	fputs("copied ", stdout);
	text_put(stdout, path, strlen(path));
	printf("/%s: %s, for %u recipient%s\n", slot.file.name, size, slot.file.recipients, slot.file.recipients == 1 ? "" : "s");
	return 1;
}

/* Out of a device, for who has the private key. */
static int take_sealed(struct seal_place *place, const char *from, const char *to)
{
	struct err err = ERR_INIT;
	struct raw_place raw;
	int ret = from ? 0 : seal_place_find(place, "", &err), dir = -1, nr = 0;
	unsigned int i;

	from = from ? from : place->dir;
	if (!ret && from == place->dir && !place->is_raw)
		ret = err_set(&err, ERR_NOT_OURS, ERR_NO_OFF, "sealed traces are files here, in %s", *from ? from : "no place");
	if (!ret)
		ret = raw_place_open(&raw, from, false, &err);
	if (ret)
		return status_fail("seal", &err);
	dir = new_file_open_dir(AT_FDCWD, to, &err);
	for (i = 0; dir >= 0 && ret >= 0 && i < RAW_SLOTS; i++) {
		ret = copy_slot(&raw, i, dir, to, &err);
		nr += ret == 1;
	}
	raw_place_close(&raw);
	if (dir >= 0)
		close(dir);
	if (!err.code && !nr)
		err_set(&err, ERR_NOT_OURS, ERR_NO_OFF, "%s has no sealed trace", from);
	return status_worse(err.code ? status_fail("seal", &err) : ERR_OK, status_flush("seal"));
}

/* For the hooks of a capture kernel: may anything be saved in the clear? */
static int print_when(const char *path)
{
	static struct seal_conf conf;
	struct err err = ERR_INIT;

	if (seal_conf_read(&conf, path ? path : SEAL_CONF, path != NULL, &err))
		return status_fail("seal", &err);
	puts(seal_when_word(conf.when));
	return status_flush("seal");
}

int cmd_seal(int argc, char **argv)
{
	static struct sealing s = { .recipients = RECIPIENTS };
	char *vmcore[] = { "seal", VMCORE, NULL };
	const char *conf = NULL, *dir = NULL, *canary = NULL, *take = NULL, *root = "";
	struct err err = ERR_INIT;
	bool plan = false, when = false;
	int opt;

	while ((opt = cmd_next_option(argc, argv)) != -1) {
		if (opt == 'o')
			dir = optarg;
		else if (opt == 'f')
			conf = optarg;
		else if (opt == 'k')
			s.recipients = optarg;
		else if (opt == 'c')
			canary = optarg;
		else if (opt == 't')
			take = optarg;
		else if (opt == 'p')
			plan = true;
		else if (opt == 'w')
			when = true;
		else if (opt == 'r')
			root = optarg;
		else
			return cmd_usage("seal");
	}
	if ((canary || plan || when) && optind < argc)
		return cmd_misuse("seal", "it takes no FILE with --%s: %s", plan ? "plan" : when ? "when" : "canary",
				  argv[optind]);
	if (cmd_check_root("seal", root))
		return ERR_USAGE;
	if (take && optind + 1 < argc)
		return cmd_misuse("seal", "one DEVICE at a time");
	if (take)
		return take_sealed(&s.place, argv[optind], take);
	if (when)
		return print_when(conf);
	if (plan)
		return print_plan(&s, root);
	if (canary)
		return seal_canary(&s, canary);
	if (sealing_prepare(&s, conf, dir, &err))
		return status_fail("seal", &err);
	if (optind < argc)
		return sealing_region(&s, "seal", argc, argv);
	optind = 1;
	return sealing_region(&s, "seal", 2, vmcore);
}
