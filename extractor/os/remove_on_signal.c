// SPDX-License-Identifier: GPL-2.0-or-later
#include "remove_on_signal.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/escape.h"

static const int fatal[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

/* Static, because a signal handler has no argument. */
static struct {
	bool begun;
	bool armed;
	int dir;
	const char *name;
	bool is_dir;
	char escaped[1024];
	struct sigaction old[ARRAY_SIZE(fatal)];
	sigset_t mask;
} now;

static void say(const char *text)
{
	if (write(STDERR_FILENO, text, strlen(text)) < 0)
		return;
}

/* Only what a handler may call.  A child that inherits this can unlink nothing. */
static void remove_it(int sig)
{
	if (unlinkat(now.dir, now.name, now.is_dir ? AT_REMOVEDIR : 0)) {
		say("epitaph: ");
		say(now.escaped);
		say(" is incomplete, and cannot be removed\n");
	}
	signal(sig, SIG_DFL);
	raise(sig);
}

void remove_on_signal_begin(void)
{
	sigset_t set;
	size_t i;

	sigemptyset(&set);
	for (i = 0; i < ARRAY_SIZE(fatal); i++)
		sigaddset(&set, fatal[i]);
	sigprocmask(SIG_BLOCK, &set, &now.mask);
	now.begun = true;
}

void remove_on_signal_is(int dir, const char *name, bool is_dir)
{
	struct sigaction sa = { .sa_handler = remove_it };
	size_t i;

	now.dir = dir;
	now.name = name;
	now.is_dir = is_dir;
	escape_text(now.escaped, sizeof(now.escaped), name, strlen(name));
	for (i = 0; i < ARRAY_SIZE(fatal); i++) {
		sigaction(fatal[i], NULL, &now.old[i]);
		if (now.old[i].sa_handler == SIG_DFL)
			sigaction(fatal[i], &sa, NULL);
	}
	now.armed = true;
	sigprocmask(SIG_SETMASK, &now.mask, NULL);
}

void remove_on_signal_end(void)
{
	size_t i;

	for (i = 0; now.armed && i < ARRAY_SIZE(fatal); i++)
		sigaction(fatal[i], &now.old[i], NULL);
	if (now.begun && !now.armed)
		sigprocmask(SIG_SETMASK, &now.mask, NULL);
	now.armed = false;
	now.begun = false;
}
