// SPDX-License-Identifier: GPL-2.0-or-later
#include "send_conf.h"

#include <string.h>

#include "os/conf_file.h"

static const char *const setting_names[NR_SEND_SETTINGS] = {
	[SEND_TO] = "TO", [SEND_FROM] = "FROM", [SEND_HOST] = "HOST", [SEND_WITHIN] = "WITHIN",
	[SEND_CA] = "CA", [SEND_CERT] = "CERT", [SEND_CERT_KEY] = "CERT_KEY", [SEND_TOKEN] = "TOKEN",
	[SEND_METHOD] = "METHOD",
	[SEND_S3_KEYS] = "S3_KEYS", [SEND_S3_ENDPOINT] = "S3_ENDPOINT", [SEND_S3_REGION] = "S3_REGION",
	[SEND_IDENTITY] = "IDENTITY", [SEND_KNOWN_HOSTS] = "KNOWN_HOSTS",
	[SEND_KEY] = "KEY", [SEND_PIN] = "PIN",
};

static const char *take_setting(void *arg, const char *name, char *value)
{
	struct send_conf *conf = arg;
	size_t i;

	for (i = 0; i < NR_SEND_SETTINGS; i++)
		if (!strcmp(setting_names[i], name))
			break;
	if (i == NR_SEND_SETTINGS)
		return SETTINGS_UNKNOWN;
	if (!conf->value[i])
		conf->value[i] = value;
	return NULL;
}

int send_conf_read(struct send_conf *conf, const char *path, bool must_be, struct err *err)
{
	return conf_file_read(path, must_be, conf->text, sizeof(conf->text), take_setting, conf, err);
}

int send_conf_check(const struct send_conf *conf, struct err *err)
{
	const char *method = conf->value[SEND_METHOD];

	if (conf->value[SEND_KEY])
		return err_set(err, ERR_USAGE, ERR_NO_OFF,
			       "KEY: the key shared with epitaph collect is gone; expected TOKEN (https://), S3_KEYS (s3://) or IDENTITY (sftp://): see docs/send.md");
	if (conf->value[SEND_PIN])
		return err_set(err, ERR_USAGE, ERR_NO_OFF,
			       "PIN: fingerprints are gone; expected CA with the server's certificate or that of its CA: see docs/send.md");
	if (method && strcmp(method, "PUT") && strcmp(method, "POST"))
		return err_set(err, ERR_USAGE, ERR_NO_OFF, "METHOD or --method: found %s, expected PUT or POST", method);
	return 0;
}
