// SPDX-License-Identifier: GPL-2.0-or-later
#include "send_settings.h"

#include <string.h>

#include "os/conf_file.h"

static const struct {
	const char *name;
	const char *option;
} names[NR_SEND_SETTINGS] = {
	[SEND_TO] = { "TO", "to" },
	[SEND_FROM] = { "FROM", "from" },
	[SEND_HOST] = { "HOST", "host" },
	[SEND_KEY] = { "KEY", "key" },
	[SEND_CA] = { "CA", "ca" },
	[SEND_PIN] = { "PIN", "pin" },
	[SEND_CERT] = { "CERT", "cert" },
	[SEND_CERT_KEY] = { "CERT_KEY", "cert-key" },
	[SEND_IDENTITY] = { "IDENTITY", "identity" },
	[SEND_KNOWN_HOSTS] = { "KNOWN_HOSTS", "known-hosts" },
	[SEND_WITHIN] = { "WITHIN", "within" },
};

const char *send_setting_option(enum send_setting setting)
{
	return names[setting].option;
}

static const char *take(void *arg, const char *name, char *value)
{
	struct send_settings *s = arg;
	size_t i;

	for (i = 0; i < NR_SEND_SETTINGS; i++)
		if (!strcmp(names[i].name, name))
			break;
	if (i == NR_SEND_SETTINGS)
		return SETTINGS_UNKNOWN;
	if (!s->value[i])
		s->value[i] = value;
	return NULL;
}

int send_settings_read(struct send_settings *s, const char *path, bool must_be, struct err *err)
{
	return conf_file_read(path, must_be, s->text, sizeof(s->text), take, s, err);
}
