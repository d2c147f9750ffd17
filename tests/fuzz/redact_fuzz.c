// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A hostile region, redacted: what comes out is a region with as many events as
 * were told, and nobody in it has a name of his own.
 */
#include <ctype.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "redact/redact.h"
#include "timeline/postmortem.h"
#include "input_fuzz.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);
const char *__lsan_default_suppressions(void);

const char *__lsan_default_suppressions(void)
{
	return "leak:libtraceevent\n";
}

/* What pseudonym_text() makes, or a thread of the kernel's. */
static bool is_pseudonym(const char *comm)
{
	static const char * const known[] = {
		"swapper/", "kworker/", "ksoftirqd/", "migration/", "cpuhp/", "kswapd",
		"watchdog/", "kthreadd", "rcu_preempt", "rcu_sched", "khungtaskd",
	};

	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		if (!strncmp(comm, known[i], strlen(known[i])))
			return true;
	if (*comm++ != 'x')
		return false;
	while (islower((u8)*comm) || isdigit((u8)*comm))
		comm++;
	return !*comm;
}

static void check_comm(void *priv, u32 pid, const char *comm)
{
	(void)priv;
	(void)pid;
	MUST(!*comm || is_pseudonym(comm));
}

static void check(int fd, const struct redacted *done)
{
	struct account account;
	struct input *in = NULL;

	MUST(!input_open_fd(&in, dup(fd), NULL));
	MUST(!account_open_input(&account, in, ACCOUNT_REGION, GENERATION_NEWEST, NULL));
	MUST(!account_scan(&account, NULL));
	MUST(account.trace->total.events <= done->events);
	tasks_each(account.tasks, check_comm, NULL);
	account_close(&account);
}

static void redact_it(struct trace *trace)
{
	static const u8 key[PSEUDONYM_KEY] = "a known key";
	static int fd = -1;
	struct redacted done = { 0 };

	if (fd < 0)
		fd = memfd_create("redacted", MFD_CLOEXEC);
	MUST(!ftruncate(fd, 0));
	if (!redact(&done, trace, key, fd, NULL))
		check(fd, &done);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct account account;
	struct err err = ERR_INIT;
	struct input *in = NULL;

	if (size < 4096 || input_open_fd(&in, fuzz_file("", data, size), &err))
		return 0;
	if (!account_open_input(&account, in, ACCOUNT_REGION, GENERATION_NEWEST, &err))
		redact_it(account.trace);
	account_close(&account);
	return 0;
}
