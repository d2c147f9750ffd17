// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/escape.h"
#include "captures.h"
#include "common.h"
#include "latest.h"

/* The first of the list that is a crash, or may be one: @latest gets it. */
static int find_latest(const char *name, struct found_capture *latest, char *const *dirs)
{
	struct captures all;
	struct cause cause;
	bool found = false;
	int status;
	size_t i;

	captures_find(&all, name, dirs, NULL);
	status = all.status;
	for (i = 0; i < all.nr && !found; i++) {
		capture_cause(&cause, &all.list[i]);
		found = cause.end != CAUSE_ENDED;
		*latest = all.list[i];
	}
	captures_free(&all);
	if (found || status)
		return found ? ERR_OK : status;
	fprintf(stderr, "epitaph %s: --latest: found no capture of a boot that did not end in order; \"epitaph list\" lists all captures\n",
		name);
	return ERR_NOT_OURS;
}

int cmd_print_latest(const struct reading *reading, void (*found)(void *request, const char *region), char **dirs)
{
	static struct found_capture latest;
	char *argv[] = { (char *)reading->name, latest.region, NULL };
	char escaped[4400];
	int status = find_latest(reading->name, &latest, dirs);

	if (status)
		return status;
	escape_text(escaped, sizeof(escaped), latest.region, strlen(latest.region));
	fprintf(stderr, "epitaph %s: %s\n", reading->name, escaped);
	if (found)
		found(reading->arg, latest.region);
	optind = 1;
	status = cmd_print(reading, 2, argv);
	/* Who has read it need not be reminded at each login: docs/after-crash.md. */
	if (status <= ERR_DAMAGED)
		unlink("/run/motd.d/epitaph");
	return status;
}
