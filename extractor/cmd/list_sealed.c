// SPDX-License-Identifier: GPL-2.0-or-later
#include "list_sealed.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "base/text.h"
#include "host/seal_place.h"
#include "seal/raw_place.h"
#include "seal/sealed_files.h"
#include "common.h"

static u64 sealed_ns(const struct sealed_file *file)
{
	return file->saved.tv_sec * 1000000000ULL + file->saved.tv_nsec;
}

static void put_sealed_text(const char *dir, const struct sealed_file *file)
{
	char date[64], size[32];

	text_date(date, sizeof(date), sealed_ns(file));
	text_size(size, sizeof(size), file->size);
	printf("sealed %s, %s, host ", date, size);
	text_put(stdout, file->host, strlen(file->host));
	if (file->recipients)
		printf(", for %u recipient%s", file->recipients, file->recipients == 1 ? "" : "s");
	else
		fputs(", damaged: its head cannot be read", stdout);
	fputs("\n    ", stdout);
	text_put(stdout, dir, strlen(dir));
	putchar('/');
	text_put(stdout, file->name, strlen(file->name));
	putchar('\n');
}

static void put_sealed_json(const char *dir, const struct sealed_file *file)
{
	char path[2048 + SEALED_NAME];
	struct json j = { .f = stdout };

	snprintf(path, sizeof(path), "%.2046s/%s", dir, file->name);
	json_open(&j, NULL, '{');
	json_str(&j, "sealed", path);
	json_str(&j, "host", file->host);
	json_u64(&j, "saved_ns", sealed_ns(file));
	json_u64(&j, "size", file->size);
	json_u64(&j, "recipients", file->recipients);
	json_str(&j, "end", file->ended ? "ended" : "crashed");
	json_close(&j, '}');
	json_end(&j);
}

static int list_dir(const char *path, bool json, size_t *ret_nr)
{
	bool is_raw = raw_place_is_one(path);
	struct err err = ERR_INIT;
	int dir = is_raw ? sealed_place_open(path, false, &err) : open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), ret;
	struct sealed_files all;
	size_t i;

	/* What else is wrong with a directory, captures_find() has said. */
	if (dir < 0 && (errno == ENOENT || errno == EACCES))
		return ERR_OK;
	if (dir < 0)
		ret = is_raw ? err_while(&err, "%s", path) : err_sys(&err, "%s", path);
	else
		ret = sealed_files_read(&all, dir, &err);
	if (dir < 0 || ret)
		return status_fail("list", &err);
	for (i = all.nr; i; i--)
		(json ? put_sealed_json : put_sealed_text)(path, &all.list[i - 1]);
	*ret_nr += all.nr;
	sealed_files_free(&all);
	close(dir);
	return ERR_OK;
}

int list_sealed(char *const *dirs, bool json, size_t *ret_nr)
{
	static struct seal_place place;
	struct err err = ERR_INIT;
	int status = ERR_OK;

	*ret_nr = 0;
	if (!*dirs) {
		if (seal_place_find(&place, "", &err))
			return status_fail("list", &err);
		return *place.dir ? list_dir(place.dir, json, ret_nr) : ERR_OK;
	}
	for (; *dirs; dirs++)
		status = status_worse(status, list_dir(*dirs, json, ret_nr));
	return status;
}
