// SPDX-License-Identifier: GPL-2.0-or-later
#include "sandbox.h"

#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "landlock.h"
#include "seccomp.h"

static bool limit(__rlimit_resource_t which, rlim_t most)
{
	struct rlimit old;

	if (getrlimit(which, &old))
		return false;
	if (most > old.rlim_max)
		most = old.rlim_max;
	return !setrlimit(which, &(struct rlimit){ most, most });
}

/* What this process has of that already: within a debugger, all of the debugger's. */
static rlim_t data_so_far(void)
{
	FILE *f = fopen("/proc/self/statm", "re");
	unsigned long pages = 0;

	if (!f)
		return 0;
	if (fscanf(f, "%*u %*u %*u %*u %*u %lu", &pages) != 1)
		pages = 0;
	fclose(f);
	return (rlim_t)pages * sysconf(_SC_PAGESIZE);
}

/*
 * RLIMIT_DATA and not RLIMIT_AS: what is only read through a mapping is the
 * file's, and the kernel can take it back at any time.
 */
static bool limit_all(void)
{
	bool memory = limit(RLIMIT_DATA, data_so_far() + SANDBOX_MEMORY) &&
		      limit(RLIMIT_STACK, 8 << 20);

	/* A core of this process would have the whole of a stranger's secrets in it. */
	return limit(RLIMIT_CORE, 0) && limit(RLIMIT_NPROC, 0) && memory;
}

void sandbox_enter(const struct sandbox *s, struct sandbox_state *ret)
{
	struct landlock_needs paths = { s->read_dir, s->nr_read_dir, s->make_dir };
	struct seccomp_needs calls = { s->nr_read_dir > 0, s->make_dir >= 0 };

	ret->limits = limit_all();
	ret->no_new_privs = !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	ret->landlock = landlock_enter(&paths);
	ret->seccomp = seccomp_enter(&calls);
}

void sandbox_words(char *buf, size_t size, const struct sandbox_state *state)
{
	char landlock[40] = "no landlock";

	if (state->landlock)
		snprintf(landlock, sizeof(landlock), "landlock (ABI %d)", state->landlock);
	snprintf(buf, size, "%s, %s, %s, %s",
		 state->no_new_privs ? "no_new_privs" : "not no_new_privs", landlock,
		 state->seccomp ? "seccomp" : "no seccomp",
		 state->limits ? "memory limited to 240 MiB of data and 8 of stack" : "memory not limited");
}
