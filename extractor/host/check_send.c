// SPDX-License-Identifier: GPL-2.0-or-later
/* Where traces are sent: would one be taken now? */
#include <stdlib.h>
#include <string.h>

#include "os/reexec.h"
#include "doctor.h"

#define CONF	"/etc/epitaph/send.conf"
#define SECONDS	30

/* The last line counts: it is what was the matter in the end. */
static void keep_last(FILE *f, char *buf, size_t size)
{
	char *line = NULL;
	size_t room = 0;

	buf[0] = '\0';
	while (f && getline(&line, &room, f) >= 0)
		snprintf(buf, size, "%.*s", (int)strcspn(line, "\n"), line);
	free(line);
}

void doctor_check_send(struct doctor *d)
{
	static const char prefix[] = "epitaph send: ";
	char conf[4096], said[200];
	const char *const argv[] = { "send", "--check", "--conf", conf, NULL };
	const char *words = said;
	struct self self;
	int status;

	if (!machine_exists(d->root, CONF))
		return;
	machine_path(d->root, conf, sizeof(conf), CONF);
	self = reexec_run(argv, SECONDS, true);
	keep_last(self.out, said, sizeof(said));
	status = reexec_wait(&self);
	if (!strncmp(said, prefix, strlen(prefix)))
		words += strlen(prefix);
	if (!status)
		doctor_say(d, "send", DOCTOR_OK, NULL, "%s", words);
	else
		doctor_say(d, "send", DOCTOR_WARNING,
			   "look at the server and the way to it, then run epitaph send --check; captures stay on this machine until then",
			   "a capture could not be sent now: %s", status < 0 ? "no answer in 30 s" : words);
}
