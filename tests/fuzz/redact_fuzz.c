// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A hostile region, redacted without a profile and by each: the copy is a region with as many
 * events as redact() counted, and without a profile and in public no task in it has its own name.
 */
#include <ctype.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "redact/redact.h"
#include "timeline/postmortem.h"
#include "input_fuzz.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);
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

static void check(int fd, const struct redacted *done, enum redact_profile profile)
{
	struct postmortem pm;
	struct dump *in = NULL;

	MUST(!dump_open_fd(&in, dup(fd), NULL));
	MUST(!pm_open_dump(&pm, in, POSTMORTEM_REGION, GENERATION_NEWEST, NULL));
	MUST(!pm_scan(&pm, NULL));
	MUST(pm.recording->total.events <= done->events);
	if (profile <= PROFILE_PUBLIC)
		task_names_each(pm.tasks, check_comm, NULL);
	pm_close(&pm);
}

static void redact_it(struct recording *recording, enum redact_profile profile)
{
	static const u8 key[PSEUDONYM_KEY] = "a known key";
	static struct redact_policy policy;
	static struct classes *classes;
	static int fd = -1;
	struct redacted done = { 0 };

	if (!classes)
		MUST(!classes_new(&classes, NULL, 0, NULL, NULL));
	policy.classes = classes;
	policy.profile = profile;
	if (fd < 0)
		fd = memfd_create("redacted", MFD_CLOEXEC);
	MUST(!ftruncate(fd, 0));
	if (!redact(&done, recording, key, &policy, fd, NULL))
		check(fd, &done, profile);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct postmortem pm;
	struct err err = ERR_INIT;
	struct dump *in = NULL;

	if (size < 4096 || dump_open_fd(&in, fuzz_file("", data, size), &err))
		return 0;
	if (!pm_open_dump(&pm, in, POSTMORTEM_REGION, GENERATION_NEWEST, &err))
		redact_it(pm.recording, size % (PROFILE_FULL + 1));
	pm_close(&pm);
	return 0;
}
