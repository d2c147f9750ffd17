// SPDX-License-Identifier: GPL-2.0-or-later
#include "guest_conf.h"

#include <string.h>

#include "base/parse_number.h"
#include "os/conf_file.h"

static const char *take_after(struct guest_conf *conf, const char *value)
{
	static const char *const words[] = { "nothing", "reset", "quit" };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(words); i++)
		if (!strcmp(value, words[i])) {
			conf->after = i;
			return NULL;
		}
	return "nothing, reset or quit";
}

static const char *take_guest_number(u64 *ret, const char *value)
{
	return parse_number(value, ~0ULL, ret) ? NULL : "not a number";
}

static const char *take_guest_setting(void *arg, const char *name, char *value)
{
	struct guest_conf *conf = arg;

	if (!strcmp(name, "QMP"))
		conf->qmp = value;
	else if (!strcmp(name, "CONSOLE"))
		conf->console = value;
	else if (!strcmp(name, "DUMP") && (!strcmp(value, "yes") || !strcmp(value, "no")))
		conf->dump = *value == 'y';
	else if (!strcmp(name, "DUMP"))
		return "yes or no";
	else if (!strcmp(name, "AFTER"))
		return take_after(conf, value);
	else if (!strcmp(name, "COUNT"))
		return take_guest_number(&conf->limit.count, value);
	else if (!strcmp(name, "SIZE"))
		return conf_file_size(value, &conf->limit.size) ? NULL : "not a size, such as 1G";
	else if (!strcmp(name, "RATE"))
		return take_guest_number(&conf->rate, value);
	else
		return SETTINGS_UNKNOWN;
	return NULL;
}

int guest_conf_read(struct guest_conf *conf, const char *path, struct err *err)
{
	int ret;

	conf->qmp = conf->console = "";
	conf->dump = false;
	conf->after = AFTER_NOTHING;
	conf->limit = (struct retention){ .count = 10, .size = 1ULL << 30 };
	conf->rate = 6;
	ret = conf_file_read(path, true, conf->room, sizeof(conf->room) - 1, take_guest_setting, conf, err);
	if (!ret && !*conf->qmp)
		return err_set(err, ERR_USAGE, ERR_NO_OFF, "%s: QMP= has no socket to watch", path);
	return ret;
}
