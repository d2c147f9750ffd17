// SPDX-License-Identifier: GPL-2.0-or-later
#include "sandbox.h"

#ifndef EPITAPH_NO_SANDBOX

#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "seccomp_filter.h"

static bool set_limit(__rlimit_resource_t which, rlim_t most)
{
	struct rlimit old;

	if (getrlimit(which, &old))
		return false;
	if (most > old.rlim_max)
		most = old.rlim_max;
	return !setrlimit(which, &(struct rlimit){ most, most });
}

/* Data of this process before the file is read: within a debugger, all of the debugger's. */
static rlim_t used_data(void)
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
 * RLIMIT_DATA and not RLIMIT_AS: pages that are only read through a mapping belong to the file,
 * and the kernel can take them back at any time.
 */
static bool set_limits(void)
{
	bool memory = set_limit(RLIMIT_DATA, used_data() + SANDBOX_MEMORY) &&
		      set_limit(RLIMIT_STACK, 8 << 20);

	/* A core of this process would hold secrets of the dumped machine. */
	return set_limit(RLIMIT_CORE, 0) && set_limit(RLIMIT_NPROC, 0) && memory;
}

/* The header of the build may be older than the running kernel: its struct ends before @net. */
struct landlock_rules {
	uint64_t fs;
	uint64_t net;		/* ABI 4: bind and connect TCP */
	uint64_t scope;		/* ABI 6: abstract sockets and signals */
};

static bool allow_beneath(int rules, int dir, u64 access)
{
	struct landlock_path_beneath_attr rule = { .allowed_access = access, .parent_fd = dir };

	return !syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
}

/* The kernel refuses bits that it does not know, so only those of its ABI are given. */
int sandbox_landlock(const struct sandbox *s)
{
	int abi = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
	/* All rights of ABI 1, then REFER of 2, TRUNCATE of 3 and IOCTL_DEV of 5. */
	u64 fs = abi < 2 ? 0x1fff : abi < 3 ? 0x3fff : abi < 5 ? 0x7fff : 0xffff;
	struct landlock_rules handled = { .fs = fs, .net = 3, .scope = 3 };
	bool done = true;
	size_t i;
	int rules;

	if (abi < 1)
		return 0;
	rules = syscall(SYS_landlock_create_ruleset, &handled, abi < 4 ? 8 : abi < 6 ? 16 : 24, 0);
	if (rules < 0)
		return 0;
	for (i = 0; i < s->nr_read_dir; i++)
		done = done && allow_beneath(rules, s->read_dir[i], LANDLOCK_ACCESS_FS_READ_FILE |
								    LANDLOCK_ACCESS_FS_READ_DIR);
	if (s->make_dir >= 0)
		done = done && allow_beneath(rules, s->make_dir, LANDLOCK_ACCESS_FS_MAKE_REG |
								 LANDLOCK_ACCESS_FS_WRITE_FILE);
	done = done && !syscall(SYS_landlock_restrict_self, rules, 0);
	close(rules);
	return done ? abi : 0;
}

/* abort() needs tgkill() to this process: the filter's placeholder becomes its number. */
static bool enter_seccomp(const struct sandbox *s)
{
	const struct seccomp_filter *filter =
		&seccomp_filters[s->make_dir >= 0 ? SECCOMP_MAKE_FILES :
				 s->nr_read_dir ? SECCOMP_READ_FILES : SECCOMP_NO_FILES];
	struct sock_filter code[SECCOMP_MAX_CODE];
	struct sock_fprog program = { .len = filter->size / sizeof(*code), .filter = code };
	size_t i;

	memcpy(code, filter->bytes, filter->size);
	for (i = 0; i < program.len; i++)
		if (code[i].k == SECCOMP_OWN_PID)
			code[i].k = getpid();
	return !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

void sandbox_enter(const struct sandbox *s, struct sandbox_state *ret)
{
	ret->limits = set_limits();
	ret->no_new_privs = !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	ret->landlock = sandbox_landlock(s);
	ret->seccomp = enter_seccomp(s);
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

#endif
