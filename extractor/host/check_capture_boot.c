// SPDX-License-Identifier: GPL-2.0-or-later
/* Does a capture kernel end, whatever happens to it? */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "seal/recipients.h"
#include "doctor.h"
#include "seal_place.h"

#define HOOK		"/usr/share/initramfs-tools/scripts/init-top/epitaph-capture"

/* What is to be added to the capture kernel's command line, as the shell's variables have it. */
static const char *const settings[][2] = {
	{ "/etc/default/kdump-tools", "KDUMP_CMDLINE=" },
	{ "/etc/default/kdump-tools", "KDUMP_CMDLINE_APPEND=" },
	{ "/etc/sysconfig/kdump", "KDUMP_COMMANDLINE=" },
	{ "/etc/sysconfig/kdump", "KDUMP_COMMANDLINE_APPEND=" },
};

/* What SUSE loads its capture kernel by; it adds words of its own. */
#define SUSE_LOAD	"/usr/lib/kdump/load.sh"

/* panic= of a command line, the last as in the kernel; -1: there is none, else is it not 0? */
static int restarts_after_panic(const char *line)
{
	const char *word;
	int ret = -1;
	size_t len;

	while ((word = cmdline_next(line, "panic=", &len))) {
		ret = strtol(word + strlen("panic="), NULL, 10) != 0;
		line = word + len;
	}
	return ret;
}

/* Does the capture kernel's command line say that it restarts after a panic? */
static bool capture_restarts(const struct doctor *d)
{
	char value[16384];
	int ret = -1;
	size_t i;

	for (i = 0; ret < 0 && i < ARRAY_SIZE(settings); i++)
		if (machine_setting(d->root, settings[i][0], settings[i][1], value, sizeof(value)))
			ret = restarts_after_panic(value);
	if (ret < 0 && machine_read(d->root, SUSE_LOAD, value, sizeof(value)) > 0 &&
	    strstr(value, " panic="))
		return true;
	return ret < 0 ? restarts_after_panic(d->cmdline) > 0 : ret;
}

static void check_capture_panic(struct doctor *d)
{
	char action[32];

	machine_on_panic(d->root, action);
	if (*action)
		doctor_say(d, "panic", DOCTOR_WARNING, NULL,
			   "a capture kernel that panics stops the machine until somebody starts it: on_panic of a kernel that was just started is stop, and panic= does nothing on this machine");
	else if (capture_restarts(d))
		doctor_say(d, "panic", DOCTOR_OK, NULL,
			   "a capture kernel that panics restarts the machine");
	else
		doctor_say(d, "panic", DOCTOR_WARNING,
			   "boot with panic=10; the capture kernel gets the same command line",
			   "a capture kernel that panics %sstops the machine until somebody resets it",
			   machine_exists(d->root, HOOK) ? "before its initramfs runs " : "");
}

#define WATCHDOGS	"/sys/class/watchdog"
#define LONG_ENOUGH	60	/* s until the capture kernel's systemd feeds it, on a slow machine */

/* The first one that counts; softdog ends with the kernel that it runs in. */
static bool is_running_watchdog(const char *name, void *arg)
{
	struct doctor *d = arg;
	char path[300], state[32], identity[64] = "no name";
	s64 seconds = 0;

	snprintf(path, sizeof(path), WATCHDOGS "/%s/state", name);
	if (machine_read(d->root, path, state, sizeof(state)) <= 0 || strcmp(state, "active"))
		return false;
	snprintf(path, sizeof(path), WATCHDOGS "/%s/identity", name);
	machine_read(d->root, path, identity, sizeof(identity));
	if (!strcmp(identity, "Software Watchdog"))
		return false;
	snprintf(path, sizeof(path), WATCHDOGS "/%s/timeout", name);
	machine_number(d->root, path, &seconds);
	if (seconds < LONG_ENOUGH)
		doctor_say(d, "watchdog", DOCTOR_WARNING,
			   "give it 3 minutes, as by RuntimeWatchdogSec=3min in /etc/systemd/system.conf",
			   "a hardware watchdog (%s) restarts the machine %lld s after a crash, unless the capture kernel feeds it by then: the vmcore may be lost",
			   identity, (long long)seconds);
	else
		doctor_say(d, "watchdog", DOCTOR_OK, NULL,
			   "a hardware watchdog (%s, %lld s) ends a capture kernel that hangs",
			   identity, (long long)seconds);
	return true;
}

static void check_encrypted_root(struct doctor *d)
{
	static struct seal_place place;
	struct err ignored = ERR_INIT;
	struct storage of_root;

	if (!storage_find(&of_root, d->root, "/"))
		return;
	if (of_root.is_unknown)
		doctor_say(d, "encrypted", DOCTOR_WARNING, "if it is encrypted: no trace is sealed, the next boot finds it in memory",
			   "what / lies on is not known (%s)", of_root.type);
	if (!of_root.is_encrypted)
		return;
	/* What becomes of it then, check_seal.c says. */
	if (machine_exists(d->root, HOOK) && machine_exists(d->root, RECIPIENTS) &&
	    (seal_place_find(&place, d->root, &ignored) || place.is_wanted))
		return;
	if (machine_exists(d->root, HOOK))
		doctor_say(d, "encrypted", DOCTOR_WARNING,
			   "nothing, if memory outlives a reset; put a public key into " RECIPIENTS ", and the trace is sealed on /boot: docs/seal.md",
			   "/ is encrypted: a capture kernel restarts after 60 s without the passphrase, and the next boot saves the trace");
	else
		doctor_say(d, "encrypted", DOCTOR_FAILURE, "install epitaph-kdump",
			   "/ is encrypted: the capture kernel waits for the passphrase for ever");
}

void doctor_check_capture_boot(struct doctor *d)
{
	if (!d->has_kdump)
		return;
	check_capture_panic(d);
	machine_each(d->root, WATCHDOGS, is_running_watchdog, d);
	check_encrypted_root(d);
}
