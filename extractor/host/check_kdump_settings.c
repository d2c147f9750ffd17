// SPDX-License-Identifier: GPL-2.0-or-later
/* What of kdump's own settings says which vmcore is saved, and where?  Nothing of ours changes them. */
#include <stdio.h>
#include <string.h>

#include "doctor.h"

static const char debian[] = "/etc/default/kdump-tools";
static const char red_hat[] = "/etc/kdump.conf";
static const char suse[] = "/etc/sysconfig/kdump";

/* Keys as machine_setting() takes them: Red Hat's file has words in place of assignments. */
static const struct {
	const char *file;
	const char *key;
} settings[] = {
	{ debian, "MAKEDUMP_ARGS=" },
	{ debian, "KDUMP_COREDIR=" },
	{ debian, "KDUMP_NUM_DUMPS=" },
	{ debian, "KDUMP_COMPRESSION=" },
	{ debian, "NFS=" },
	{ debian, "SSH=" },
	{ debian, "FTP=" },
	{ red_hat, "core_collector " },
	{ red_hat, "path " },
	{ red_hat, "nfs " },
	{ red_hat, "ssh " },
	{ suse, "MAKEDUMPFILE_OPTIONS=" },
	{ suse, "KDUMP_DUMPLEVEL=" },
	{ suse, "KDUMP_DUMPFORMAT=" },
	{ suse, "KDUMP_SAVEDIR=" },
	{ suse, "KDUMP_KEEP_OLD_DUMPS=" },
};

void doctor_check_kdump_settings(struct doctor *d)
{
	const char *file = NULL;
	char set[256] = "", value[128];
	size_t i, used = 0;

	if (!d->has_kdump)
		return;
	for (i = 0; i < ARRAY_SIZE(settings) && used < sizeof(set); i++) {
		if (!machine_exists(d->root, settings[i].file))
			continue;
		file = settings[i].file;
		if (machine_setting(d->root, file, settings[i].key, value, sizeof(value)) && *value)
			used += snprintf(set + used, sizeof(set) - used, "%s%s%s", used ? ", " : "",
					 settings[i].key, value);
	}
	if (file)
		doctor_say(d, "settings", DOCTOR_OK, NULL, "kdump's own, of %s: %s", file,
			   *set ? set : "as they come");
}
