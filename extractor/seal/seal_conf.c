// SPDX-License-Identifier: GPL-2.0-or-later
#include "seal_conf.h"

#include <string.h>

#include "os/conf_file.h"

static const char *const when_words[] = {
	[SEAL_WHEN_ENCRYPTED] = "encrypted", [SEAL_WHEN_ALWAYS] = "always", [SEAL_WHEN_NEVER] = "never",
};

const char *seal_when_word(enum seal_when when)
{
	return when_words[when];
}

static const char *take_when(struct seal_conf *conf, const char *value)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(when_words); i++)
		if (!strcmp(value, when_words[i])) {
			conf->when = i;
			return NULL;
		}
	return "expected encrypted, always or never";
}

static const char *take_seal_setting(void *arg, const char *name, char *value)
{
	struct seal_conf *conf = arg;

	if (!strcmp(name, "WHEN"))
		return take_when(conf, value);
	if (!strcmp(name, "QUOTA"))
		return conf_file_size(value, &conf->quota) && conf->quota ? NULL : "expected a size, such as 64M";
	if (!strcmp(name, "RESERVE"))
		return conf_file_size(value, &conf->reserve) ? NULL : "expected a size, such as 128M";
	if (!strcmp(name, "PLACE")) {
		conf->place = value;
		return *value == '/' ? NULL : "expected a directory, such as /boot/epitaph";
	}
	if (!strcmp(name, "HOST")) {
		conf->host = value;
		return NULL;
	}
	return SETTINGS_UNKNOWN;
}

int seal_conf_read(struct seal_conf *conf, const char *path, bool must_be, struct err *err)
{
	conf->when = SEAL_WHEN_ENCRYPTED;
	conf->place = conf->host = NULL;
	conf->quota = 64 << 20;
	conf->reserve = 128 << 20;
	return conf_file_read(path, must_be, conf->text, sizeof(conf->text) - 1, take_seal_setting, conf, err);
}
