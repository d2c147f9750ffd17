// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The system calls of landlock, which the C library does not wrap.  Bits that
 * a kernel does not know are refused, so only those of its ABI are asked for.
 */
#include "landlock.h"

#include <sys/syscall.h>
#include <unistd.h>

/* The same numbers on every architecture. */
#define CREATE_RULESET	444
#define ADD_RULE	445
#define RESTRICT_SELF	446

#define ASK_ABI		1	/* flag of CREATE_RULESET */
#define PATH_BENEATH	1	/* kind of rule */

#define FS_READ_FILE	(1ULL << 2)
#define FS_READ_DIR	(1ULL << 3)
#define FS_WRITE_FILE	(1ULL << 1)
#define FS_MAKE_REG	(1ULL << 8)

#define NET_ALL		3ULL	/* ABI 4: bind and connect TCP */
#define SCOPE_ALL	3ULL	/* ABI 6: abstract sockets and signals */

/* How the kernel lays them out; it wants a size and takes a shorter one. */
struct ruleset {
	uint64_t fs;
	uint64_t net;
	uint64_t scope;
};

struct beneath {
	uint64_t allowed;
	int32_t dir;
} __attribute__((packed));

/* All that there is of ABI 1, and REFER of 2, TRUNCATE of 3, IOCTL_DEV of 5. */
static u64 fs_of(int abi)
{
	return abi < 2 ? 0x1fff : abi < 3 ? 0x3fff : abi < 5 ? 0x7fff : 0xffff;
}

static size_t size_of(int abi)
{
	return abi < 4 ? 8 : abi < 6 ? 16 : 24;
}

static bool add_rule(int rules, int dir, u64 allowed)
{
	struct beneath beneath = { .allowed = allowed, .dir = dir };

	return !syscall(ADD_RULE, rules, PATH_BENEATH, &beneath, 0);
}

static bool add_rules(int rules, const struct landlock_needs *needs)
{
	size_t i;

	for (i = 0; i < needs->nr_read; i++)
		if (!add_rule(rules, needs->read[i], FS_READ_FILE | FS_READ_DIR))
			return false;
	return needs->make < 0 || add_rule(rules, needs->make, FS_MAKE_REG | FS_WRITE_FILE);
}

int landlock_enter(const struct landlock_needs *needs)
{
	int abi = syscall(CREATE_RULESET, NULL, 0, ASK_ABI);
	struct ruleset set = { fs_of(abi), NET_ALL, SCOPE_ALL };
	bool done;
	int rules;

	if (abi < 1)
		return 0;
	rules = syscall(CREATE_RULESET, &set, size_of(abi), 0);
	if (rules < 0)
		return 0;
	done = add_rules(rules, needs) && !syscall(RESTRICT_SELF, rules, 0);
	close(rules);
	return done ? abi : 0;
}
