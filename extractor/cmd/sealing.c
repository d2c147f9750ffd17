// SPDX-License-Identifier: GPL-2.0-or-later
#include "sealing.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/json.h"
#include "base/text.h"
#include "spool/region_copy.h"
#include "common.h"

int sealing_is_policy(struct err *err)
{
	static struct seal_conf conf;
	int ret = seal_conf_read(&conf, SEAL_CONF, false, err);

	return ret ? ret : conf.when == SEAL_WHEN_ALWAYS;
}

int sealing_prepare(struct sealing *s, const char *conf, const char *dir, struct err *err)
{
	int ret = conf ? seal_conf_read(&s->place.conf, conf, true, err) : seal_place_find(&s->place, "", err);

	if (ret)
		return ret;
	s->dir = dir ? dir : s->place.dir;
	if (!dir && (conf || *s->place.why_not))
		return err_set(err, ERR_IO, ERR_NO_OFF, "no place for a sealed trace: %s%s%s", s->place.dir,
			       *s->place.dir ? ": " : "", conf ? "-o DIR is missing" : s->place.why_not);
	return recipients_read(&s->keys, s->recipients, err);
}

static void tell_sealed(const struct sealing *s, const struct sealed_file *file, bool was_there, bool json)
{
	struct json j = { .f = stdout };
	char size[32];

	if (json) {
		json_open(&j, NULL, '{');
		json_str(&j, "dir", s->dir);
		json_str(&j, "sealed", file->name);
		json_u64(&j, "size", file->size);
		json_u64(&j, "recipients", file->recipients);
		json_bool(&j, "was_there", was_there);
		json_close(&j, '}');
		json_end(&j);
		return;
	}
	text_size(size, sizeof(size), file->size);
	fputs(was_there ? "sealed before, in " : "sealed ", stdout);
	text_put(stdout, s->dir, strlen(s->dir));
	printf("/%s: %s, for %u recipient%s\n", file->name, size, file->recipients,
	       file->recipients == 1 ? "" : "s");
	fflush(stdout);
}

int sealing_put(struct sealing *s, struct sealed_file *file, int fd, bool json, struct err *err)
{
	int ret = sealed_file_put(file, fd, s->dir, &s->keys, &s->place.conf, err);

	if (ret >= 0)
		tell_sealed(s, file, ret, json);
	return ret < 0 ? ret : 0;
}

/* The copy never is on a disk. What is larger than QUOTA would not be sealed, and takes no memory. */
static int copy_to_memory(struct copied_region *found, int fd, u64 quota, const char *name, int argc, char **argv)
{
	struct region_copy copy = {
		.command = name, .place = "memory", .file = "region", .fd = fd, .compress = true,
		.most = quota, .done = found,
	};
	struct reading reading = {
		.name = name, .run = region_copy_files, .arg = &copy, .make_dir = -1,
	};

	return reading_run(&reading, cmd_files(argc, argv));
}

static int seal_copied(struct sealing *s, const char *name, const struct copied_region *found, int fd)
{
	struct sealed_file file = { .ended = found->ended };
	struct err err = ERR_INIT;

	snprintf(file.boot, sizeof(file.boot), "%.*s", (int)sizeof(file.boot) - 1, found->name);
	if (sealing_put(s, &file, fd, false, &err))
		return status_fail(name, &err);
	if (found->missing)
		fprintf(stderr, "epitaph %s: %llu of %llu bytes are not in the dump; they are zero in the copy\n",
			name, found->missing, found->size);
	return status_worse(found->missing ? ERR_DAMAGED : ERR_OK, status_flush(name));
}

int sealing_region(struct sealing *s, const char *name, int argc, char **argv)
{
	struct copied_region *found = mmap(NULL, sizeof(*found), PROT_READ | PROT_WRITE,
					   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int fd = memfd_create("region", MFD_CLOEXEC), status;
	struct err err = ERR_INIT;

	if (found == MAP_FAILED || fd < 0) {
		err_sys(&err, "no memory");
		return status_fail(name, &err);
	}
	status = copy_to_memory(found, fd, s->place.conf.quota, name, argc, argv);
	/* The process that read may have been taken over. */
	found->name[sizeof(found->name) - 1] = 0;
	if (strchr(found->name, '/'))
		status = status_worse(status, ERR_CORRUPT);
	if (status == ERR_OK)
		status = seal_copied(s, name, found, fd);
	close(fd);
	munmap(found, sizeof(*found));
	return status;
}
