// SPDX-License-Identifier: GPL-2.0-only
/*
 * Added channels: their rings in the pool, their events, their names.  All of it
 * changes under epitaph_events_lock().
 */
#include <linux/cpumask.h>
#include <linux/ctype.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/math64.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "added.h"
#include "answer.h"
#include "channels.h"
#include "context.h"
#include "members.h"
#include "probe.h"
#include "recorder.h"
#include "snapshot.h"
#include "steer.h"

#define LEAST_SUB	1024

/**
 * struct channel - one that was added, or a copy
 * @shape: as the region has it
 * @entry: of the pool
 * @rings: by CPU; NULL: a copy
 * @choice: the words of its events
 * @dir: in sysfs; may lack
 */
struct channel {
	struct list_head node;
	struct epitaph_added shape;
	int entry;
	struct epitaph_ring __percpu *rings;
	struct epitaph_choice *choice;
	struct epitaph_channel_dir *dir;
	bool runs;
};

static LIST_HEAD(channels);
static u32 nr_ids = EPITAPH_NR_ALL_CHANNELS;	/* given out in this generation */
static u32 nr_copies;

static struct channel *find(const char *name)
{
	struct channel *channel;

	list_for_each_entry(channel, &channels, node)
		if (!strcmp(channel->shape.name, name))
			return channel;
	return NULL;
}

const void *epitaph_added_find(const char *name)
{
	const struct channel *channel = find(name);

	return channel && channel->rings ? channel : NULL;
}

const char *epitaph_added_name(const void *channel)
{
	return ((const struct channel *)channel)->shape.name;
}

static int find_own(const char *name)
{
	int i;

	for (i = 0; i < EPITAPH_NR_ALL_CHANNELS; i++)
		if (!strcmp(epitaph_channel_name(i), name))
			return i;
	return -1;
}

static int say_names(struct epitaph_answer *answer, const char *name)
{
	struct channel *channel;
	int i;

	epitaph_answer(answer, "there is no channel '%s'; there are:", name);
	for (i = 0; i < EPITAPH_NR_ALL_CHANNELS; i++)
		epitaph_answer(answer, " %s", epitaph_channel_name(i));
	list_for_each_entry(channel, &channels, node)
		epitaph_answer(answer, " %s", channel->shape.name);
	epitaph_answer(answer, "\n");
	return -ENOENT;
}

static void mark(enum epitaph_mark_type type, const char *name, const char *what)
{
	char text[sizeof_field(struct epitaph_mark, text)];

	scnprintf(text, sizeof(text), "channel %s %s by %s, pid %d", name, what, current->comm,
		  current->pid);
	epitaph_mark(type, text);
}

/* --- what a name may be ------------------------------------------------------ */

static int check_name(struct epitaph_answer *answer, const char *name)
{
	const char *p = name;

	if (strlen(name) >= sizeof_field(struct epitaph_added, name)) {
		epitaph_answer(answer, "'%s' is too long for a name: at most %zu letters\n", name,
			       sizeof_field(struct epitaph_added, name) - 1);
		return -EINVAL;
	}
	while (isalnum(*p) || (p > name && strchr("._-", *p) && *p))
		p++;
	if (*p || p == name) {
		epitaph_answer(answer, "'%s' is no name: letters, digits, and behind the first also . _ -\n",
			       name);
		return -EINVAL;
	}
	if (find_own(name) < 0 && !find(name))
		return 0;
	epitaph_answer(answer, "there is a channel '%s' already\n", name);
	return -EEXIST;
}

/* --- rings -------------------------------------------------------------------- */

static u64 counters_size(void)
{
	return round_up(nr_cpu_ids * sizeof(struct epitaph_counters), EPITAPH_PAGE);
}

static u32 sub_size_for(u64 per_cpu)
{
	u32 size = EPITAPH_SUB_SIZE;

	while (size > LEAST_SUB && per_cpu < (u64)EPITAPH_MIN_SUBS * size)
		size /= 2;
	return size;
}

static u64 least_size(void)
{
	return counters_size() + (u64)nr_cpu_ids * EPITAPH_MIN_SUBS * LEAST_SUB;
}

static int plan_rings(struct epitaph_answer *answer, struct epitaph_added *shape, u64 size)
{
	u64 per_cpu;

	if (size < least_size()) {
		epitaph_answer(answer, "%lluK are too few for %u CPUs: the least is %lluK\n",
			       size >> 10, nr_cpu_ids, least_size() >> 10);
		return -EINVAL;
	}
	per_cpu = min_t(u64, div_u64(size - counters_size(), nr_cpu_ids), 1U << 30);
	shape->unit = cpu_to_le32(sub_size_for(per_cpu));
	shape->ring_size = cpu_to_le64(round_down(per_cpu, sub_size_for(per_cpu)));
	shape->nr_rings = cpu_to_le32(nr_cpu_ids);
	return 0;
}

static int say_no_room(struct epitaph_answer *answer, u64 size, int err)
{
	u64 largest = epitaph_pool_largest(&epitaph_pool);

	if (err == -EMFILE)
		epitaph_answer(answer, "there are %u channels and copies already: remove one\n",
			       EPITAPH_MAX_ADDED);
	else if (!epitaph_pool.size)
		epitaph_answer(answer, "there is no room for channels: load the recorder with channels=SIZE\n");
	else
		epitaph_answer(answer, "%lluK do not fit: of the pool's %lluK, %lluK are free, %lluK of them in one piece\n",
			       DIV_ROUND_UP_ULL(size, 1024), epitaph_pool.size >> 10,
			       epitaph_pool_free(&epitaph_pool) >> 10, largest >> 10);
	return -ENOSPC;
}

static int take_room(struct epitaph_answer *answer, struct channel *channel)
{
	struct epitaph_added *shape = &channel->shape;
	u64 size = counters_size() + nr_cpu_ids * le64_to_cpu(shape->ring_size), off;

	channel->entry = epitaph_pool_take(&epitaph_pool, size, &off);
	if (channel->entry < 0)
		return say_no_room(answer, size, channel->entry);
	shape->counters = cpu_to_le64(off);
	shape->off = cpu_to_le64(off + counters_size());
	return 0;
}

static int begin_ring(const struct channel *channel, unsigned int cpu)
{
	const struct epitaph_added *shape = &channel->shape;
	struct epitaph_ring *ring = per_cpu_ptr(channel->rings, cpu);

	memset(ring, 0, sizeof(*ring));
	ring->size = le64_to_cpu(shape->ring_size);
	ring->sub_size = le32_to_cpu(shape->unit);
	ring->data = epitaph_region.base + le64_to_cpu(shape->off) + (u64)cpu * ring->size;
	ring->counters = (void *)(epitaph_region.base + le64_to_cpu(shape->counters));
	ring->counters += cpu;
	ring->shift = epitaph_clock_shift();
	ring->salt = epitaph_region.salt;
	ring->pid = EPITAPH_NOBODY;
	ring->stops = shape->mode == cpu_to_le32(EPITAPH_STOP);
	return epitaph_ring_init(ring);
}

static int begin_rings(struct channel *channel)
{
	unsigned int cpu;
	int err = 0;

	channel->rings = alloc_percpu(struct epitaph_ring);
	if (!channel->rings)
		return -ENOMEM;
	for_each_possible_cpu(cpu)
		err = err ?: begin_ring(channel, cpu);
	return err;
}

/* Who ran when it was stopped says nothing of who runs now. */
static void forget_who_runs(const struct channel *channel)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		per_cpu_ptr(channel->rings, cpu)->pid = EPITAPH_NOBODY;
}

/* --- events ------------------------------------------------------------------- */

struct filling {
	struct channel *channel;
	int err;
};

static void take_event(struct epitaph_event *ev, void *arg)
{
	struct filling *filling = arg;
	struct channel *channel = filling->channel;

	if (!filling->err && ev->rings && epitaph_choice_wants(channel->choice, ev))
		filling->err = epitaph_member_add(ev, channel->rings, channel);
}

static int take_events(struct channel *channel)
{
	struct filling filling = { .channel = channel };

	epitaph_for_all_events(take_event, &filling);
	return filling.err;
}

void epitaph_added_offer(struct epitaph_event *ev)
{
	struct filling filling = {};

	list_for_each_entry(filling.channel, &channels, node) {
		filling.err = 0;
		if (filling.channel->rings)
			take_event(ev, &filling);
		if (filling.channel->runs)
			epitaph_members_run(filling.channel, true);
	}
}

/* --- channels ----------------------------------------------------------------- */

static void free_channel(struct channel *channel)
{
	epitaph_choice_free(channel->choice);
	free_percpu(channel->rings);
	kfree(channel);
}

static struct channel *new_channel(const char *name)
{
	struct channel *channel = kzalloc(sizeof(*channel), GFP_KERNEL);

	if (!channel)
		return NULL;
	channel->entry = -1;
	channel->shape.id = cpu_to_le32(nr_ids);
	channel->shape.clock = cpu_to_le64(epitaph_clock());
	strscpy(channel->shape.name, name, sizeof(channel->shape.name));
	return channel;
}

/* From here on a reader finds it. */
static void publish(struct channel *channel)
{
	epitaph_pool_tell(&epitaph_pool, channel->entry, &channel->shape);
	list_add_tail(&channel->node, &channels);
	nr_ids++;
}

static int build(struct epitaph_answer *answer, struct channel *channel, u64 size,
		 const char *globs)
{
	int err = plan_rings(answer, &channel->shape, size);

	if (err)
		return err;
	channel->choice = epitaph_choice_new(answer, globs);
	if (IS_ERR(channel->choice)) {
		err = PTR_ERR(channel->choice);
		channel->choice = NULL;
		return err;
	}
	err = take_room(answer, channel);
	err = err ?: begin_rings(channel);
	if (!err)
		publish(channel);
	else if (channel->entry >= 0)
		epitaph_pool_give(&epitaph_pool, channel->entry);
	return err;
}

static void take_away(struct channel *channel)
{
	epitaph_members_remove(channel);
	epitaph_filters_forget(channel->shape.name);
	epitaph_contexts_forget(channel->shape.name);
	epitaph_channel_dir_remove(channel->dir);
	epitaph_pool_give(&epitaph_pool, channel->entry);
	list_del(&channel->node);
	free_channel(channel);
}

static void run(struct channel *channel, bool run)
{
	if (run == channel->runs)
		return;
	if (run) {
		forget_who_runs(channel);
		mark(EPITAPH_MARK_CHANNEL, channel->shape.name, "records");
	}
	channel->runs = run;
	epitaph_members_run(channel, run);
	if (!run)
		mark(EPITAPH_MARK_CHANNEL, channel->shape.name, "was stopped");
}

static int add(struct epitaph_answer *answer, const char *name, u64 size,
	       enum epitaph_mode mode, const char *globs)
{
	struct channel *channel;
	int err = check_name(answer, name);

	if (err)
		return err;
	channel = new_channel(name);
	if (!channel)
		return -ENOMEM;
	channel->shape.mode = cpu_to_le32(mode);
	err = build(answer, channel, size, globs);
	if (err) {
		free_channel(channel);
		return err;
	}
	err = take_events(channel);
	if (err) {
		take_away(channel);
		return err;
	}
	channel->dir = epitaph_channel_dir_add(channel->shape.name, channel->rings);
	run(channel, true);
	return 0;
}

int epitaph_added_add(struct epitaph_answer *answer, const char *name, u64 size,
		      enum epitaph_mode mode, const char *globs)
{
	int err;

	epitaph_events_lock();
	err = add(answer, name, size, mode, globs);
	epitaph_events_unlock();
	return err;
}

static int run_main(bool run)
{
	if (run == epitaph_main_runs())
		return 0;
	if (run)
		mark(EPITAPH_MARK_CHANNEL, "main", "records");
	epitaph_main_run(run);
	if (!run)
		mark(EPITAPH_MARK_CHANNEL, "main", "was stopped");
	return 0;
}

/* Return: the channel, or NULL and @err. */
static struct channel *find_added(struct epitaph_answer *answer, const char *name,
				  const char *what, int *err)
{
	struct channel *channel = find(name);

	*err = 0;
	if (channel)
		return channel;
	if (find_own(name) < 0) {
		*err = say_names(answer, name);
		return NULL;
	}
	epitaph_answer(answer, "the channel '%s' is always there: it cannot be %s\n", name, what);
	*err = -EINVAL;
	return NULL;
}

int epitaph_added_check(struct epitaph_answer *answer, const char *name, bool stop)
{
	struct channel *channel = find(name);
	int err = 0;

	if (channel && !channel->rings) {
		epitaph_answer(answer, "'%s' is a copy\n", name);
		return -EINVAL;
	}
	if (channel || find_own(name) == EPITAPH_CHANNEL_MAIN)
		return 0;
	if (stop || find_own(name) < 0)
		find_added(answer, name, "stopped alone", &err);
	return err;
}

static int run_one(struct epitaph_answer *answer, const char *name, bool start)
{
	struct channel *channel;
	int err;

	if (find_own(name) == EPITAPH_CHANNEL_MAIN)
		return run_main(start);
	channel = find_added(answer, name, start ? "started" : "stopped alone", &err);
	if (!channel)
		return err;
	if (!channel->rings) {
		epitaph_answer(answer, "'%s' is a copy: nothing is recorded into it\n", name);
		return -EINVAL;
	}
	run(channel, start);
	return 0;
}

int epitaph_added_run(struct epitaph_answer *answer, const char *name, bool run)
{
	int err;

	epitaph_events_lock();
	err = run_one(answer, name, run);
	epitaph_events_unlock();
	return err;
}

static int remove(struct epitaph_answer *answer, const char *name)
{
	struct channel *channel;
	int err;

	channel = find_added(answer, name, "removed", &err);
	if (!channel)
		return err;
	if (channel->runs) {
		epitaph_answer(answer, "the channel '%s' records: stop it first\n", name);
		return -EBUSY;
	}
	mark(EPITAPH_MARK_CHANNEL, name, "was removed");
	take_away(channel);
	return 0;
}

int epitaph_added_remove(struct epitaph_answer *answer, const char *name)
{
	int err;

	epitaph_events_lock();
	err = remove(answer, name);
	epitaph_events_unlock();
	return err;
}

/* Unloading: the probes are away, and so is the lock's reason. */
void epitaph_added_exit(void)
{
	struct channel *channel, *next;

	list_for_each_entry_safe(channel, next, &channels, node) {
		epitaph_members_remove(channel);
		epitaph_channel_dir_remove(channel->dir);
		list_del(&channel->node);
		free_channel(channel);
	}
}

/* --- copies ------------------------------------------------------------------- */

static int open_source(struct epitaph_answer *answer, const char *name,
		       struct epitaph_source *source)
{
	struct channel *channel = find(name);
	int own = find_own(name);

	if (own < 0 && !channel)
		return say_names(answer, name);
	if (channel && !channel->rings) {
		epitaph_answer(answer, "'%s' is a copy already\n", name);
		return -EINVAL;
	}
	source->id = channel ? le32_to_cpu(channel->shape.id) : own;
	source->rings = channel ? channel->rings :
			own < EPITAPH_NR_CHANNELS ? &epitaph_rings[own] : NULL;
	return 0;
}

static int copy(struct epitaph_answer *answer, const char *name, u64 size, const char *why)
{
	char copy_name[sizeof_field(struct epitaph_added, name) + 12];
	struct epitaph_source source;
	struct channel *channel;
	char what[40];
	int err = open_source(answer, name, &source);

	if (err)
		return err;
	scnprintf(copy_name, sizeof(copy_name), "%.20s@%u", name, nr_copies + 1);
	channel = new_channel(copy_name);
	if (!channel)
		return -ENOMEM;
	err = epitaph_snapshot(&epitaph_pool, &source, &channel->shape, size, &channel->entry);
	if (err) {
		free_channel(channel);
		if (err == -EAGAIN)
			epitaph_answer(answer, "nothing of '%s' could be copied\n", name);
		return err == -EAGAIN ? err :
			say_no_room(answer, size ?: epitaph_snapshot_least(&source), err);
	}
	publish(channel);
	nr_copies++;
	scnprintf(what, sizeof(what), "copied, %s,", why);
	mark(EPITAPH_MARK_SNAPSHOT, channel->shape.name, what);
	epitaph_answer(answer, "copy %s\n", channel->shape.name);
	return 0;
}

int epitaph_added_copy(struct epitaph_answer *answer, const char *name, u64 size,
		       const char *why)
{
	int err;

	epitaph_events_lock();
	err = copy(answer, name, size, why);
	epitaph_events_unlock();
	return err;
}

/* --- what there is ------------------------------------------------------------- */

static u64 size_of(const struct channel *channel)
{
	return le32_to_cpu(channel->shape.nr_rings) * le64_to_cpu(channel->shape.ring_size);
}

static bool is_full(const struct channel *channel)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		if (READ_ONCE(per_cpu_ptr(channel->rings, cpu)->full))
			return true;
	return false;
}

static void tell(struct epitaph_answer *answer, const struct channel *channel)
{
	unsigned int on = 0, all = 0;

	if (!channel->rings) {
		epitaph_answer(answer, "channel %s copy kept %llu bytes\n", channel->shape.name,
			       size_of(channel));
		return;
	}
	epitaph_members_count(channel, &on, &all);
	epitaph_answer(answer, "channel %s %s %s %llu bytes, events %u on of %u\n",
		       channel->shape.name,
		       channel->shape.mode == cpu_to_le32(EPITAPH_STOP) ? "stop" : "overwrite",
		       is_full(channel) ? "full" :
		       channel->runs && !epitaph_all_paused() ? "records" : "stopped",
		       size_of(channel), on, all);
}

static void tell_own(struct epitaph_answer *answer, int i)
{
	bool stopped = i == EPITAPH_CHANNEL_MAIN ? epitaph_all_paused() || !epitaph_main_runs() :
		       i == EPITAPH_CHANNEL_RAS && epitaph_all_paused();
	u32 bytes, sub_size;

	epitaph_ring_memory(i, 0, &bytes, &sub_size);
	epitaph_answer(answer, "channel %s overwrite %s %llu bytes\n", epitaph_channel_name(i),
		       stopped ? "stopped" : "records",
		       (u64)bytes * (i == EPITAPH_CHANNEL_USER ? 1 : nr_cpu_ids));
}

void epitaph_added_tell(struct epitaph_answer *answer)
{
	struct channel *channel;
	int i;

	epitaph_events_lock();
	epitaph_answer(answer, "pool %llu bytes, %llu free, %llu in one piece\n", epitaph_pool.size,
		       epitaph_pool_free(&epitaph_pool), epitaph_pool_largest(&epitaph_pool));
	for (i = 0; i < EPITAPH_NR_ALL_CHANNELS; i++)
		tell_own(answer, i);
	list_for_each_entry(channel, &channels, node)
		tell(answer, channel);
	epitaph_events_unlock();
}

/* --- for triggers -------------------------------------------------------------- */

int epitaph_channel_stop(const char *name)
{
	struct epitaph_answer answer = {};
	int err = epitaph_added_run(&answer, name, false);

	epitaph_answer_free(&answer);
	return err;
}

int epitaph_channel_snapshot(const char *name, const char *why)
{
	struct epitaph_answer answer = {};
	int err = epitaph_added_copy(&answer, name, 0, why);

	if (err && answer.used)
		pr_warn("no snapshot: %.*s", (int)answer.used, answer.text);
	epitaph_answer_free(&answer);
	return err;
}
