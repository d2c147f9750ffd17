// SPDX-License-Identifier: GPL-2.0-only
/*
 * Paths of the cgroups whose numbers are in events.  A work looks them up: kernfs walks up to
 * the root under a lock, which the interrupted code may hold.
 */
#include <linux/cgroup.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/workqueue.h>
#include "control/context.h"
#include "core/lost.h"
#include "core/wake.h"
#include "recorder.h"

#ifdef CONFIG_CGROUPS

#define NR_WAITING	8

/* Each with a reference; NULL: free. */
static struct cgroup *waiting[NR_WAITING];

/* Of a path that is too long, the end is kept: it is more specific than the beginning. */
static void write_path(u64 id, const char *path)
{
	char name[sizeof_field(struct epitaph_symbol, name)];
	size_t len = strlen(path);

	if (len < sizeof(name))
		strscpy(name, path, sizeof(name));
	else
		snprintf(name, sizeof(name), "...%s", path + len - sizeof(name) + sizeof("..."));
	/* Who loses the region waits for us. */
	rcu_read_lock();
	if (!epitaph_lost())
		epitaph_symbol_write(EPITAPH_SYMBOL_CGROUP + id, name);
	rcu_read_unlock();
}

static void find_path(struct cgroup *cgroup)
{
	char *path = kmalloc(PATH_MAX, GFP_KERNEL);

	if (path && cgroup_path(cgroup, path, PATH_MAX) >= 0)
		write_path(cgroup_id(cgroup), path);
	kfree(path);
}

static void find_paths(struct work_struct *unused)
{
	struct cgroup *cgroup;
	int i;

	for (i = 0; i < NR_WAITING; i++) {
		cgroup = READ_ONCE(waiting[i]);
		if (!cgroup)
			continue;
		find_path(cgroup);
		WRITE_ONCE(waiting[i], NULL);
		cgroup_put(cgroup);
	}
}

static DECLARE_WORK(find, find_paths);

static void wake_path_lookup(struct irq_work *unused)
{
	queue_work(epitaph_unbound_wq, &find);
}

static DEFINE_PER_CPU(struct irq_work, wake_find);

static bool is_waiting(const struct cgroup *cgroup)
{
	int i;

	for (i = 0; i < NR_WAITING; i++)
		if (READ_ONCE(waiting[i]) == cgroup)
			return true;
	return false;
}

/* If there is no place now, the next event will do it. */
void epitaph_cgroup_note(struct cgroup *cgroup)
{
	int i;

	if (likely(epitaph_symbol_is_known(EPITAPH_SYMBOL_CGROUP + cgroup_id(cgroup))) ||
	    is_waiting(cgroup) || !cgroup_tryget(cgroup))
		return;
	for (i = 0; i < NR_WAITING; i++)
		if (!cmpxchg(&waiting[i], NULL, cgroup)) {
			epitaph_wake(&wake_find);
			return;
		}
	cgroup_put(cgroup);
}

void epitaph_cgroups_start(void)
{
	epitaph_wake_init(&wake_find, wake_path_lookup);
}

void epitaph_cgroups_stop(void)
{
	epitaph_wake_sync(&wake_find);
	flush_work(&find);
}

#else

void epitaph_cgroups_start(void)
{
}

void epitaph_cgroups_stop(void)
{
}

#endif
