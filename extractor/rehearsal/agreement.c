// SPDX-License-Identifier: GPL-2.0-or-later
#include "agreement.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "logins.h"

static bool is_typed(const char *host)
{
	char line[256] = "";

	if (!fgets(line, sizeof(line), stdin))
		return false;
	line[strcspn(line, "\n")] = '\0';
	return *host && !strcmp(line, host);
}

bool agreement_get(const char *root, const char *verb, bool yes)
{
	char host[256];

	if (yes)
		return true;
	machine_read(root, "/proc/sys/kernel/hostname", host, sizeof(host));
	printf("Type the name of this machine to %s (", verb);
	text_put(stdout, host, strlen(host));
	fputs("): ", stdout);
	fflush(stdout);
	if (is_typed(host))
		return true;
	puts("Nothing was done.");
	return false;
}

bool agreement_alone(const char *root, const char *name)
{
	struct logins logins;
	size_t i;

	logins_of_others(&logins, root);
	if (!logins.nr)
		return true;
	fprintf(stderr, "epitaph %s: logged in on this machine:", name);
	for (i = 0; i < logins.nr; i++) {
		fputs(i ? ", " : " ", stderr);
		text_put(stderr, logins.list[i].user, strlen(logins.list[i].user));
		if (*logins.list[i].where) {
			fputs(" (", stderr);
			text_put(stderr, logins.list[i].where, strlen(logins.list[i].where));
			fputs(")", stderr);
		}
	}
	fputs("; expected no other user than you: ask them, or use --force\n", stderr);
	return false;
}
