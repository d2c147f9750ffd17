// SPDX-License-Identifier: GPL-2.0-only
/* Added channels: what they record, when they begin and end, and copies of them. */
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/percpu.h>
#include <linux/rculist.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "added.h"
#include "core/hibernate.h"
#include "core/lost.h"
#include "events/probe.h"
#include "added_channel.h"
#include "answer.h"
#include "channels.h"
#include "consume.h"
#include "context.h"
#include "members.h"
#include "program_rings.h"
#include "recorder.h"
#include "snapshot.h"
#include "event_config.h"
#include "trigger.h"

static u32 nr_ids = EPITAPH_NR_ALL_CHANNELS;	/* given out in this generation */
static u32 nr_copies;

static void mark_channel_change(enum epitaph_mark_type type, const char *name, const char *what)
{
	char text[sizeof_field(struct epitaph_mark, text)];

	scnprintf(text, sizeof(text), "channel %s %s by %s, pid %d", name, what, current->comm,
		  current->pid);
	epitaph_mark(type, text);
}

/* --- events ------------------------------------------------------------------- */

struct filling {
	struct epitaph_added_channel *channel;
	int err;
};

static void select_channel_event(struct epitaph_event *ev, void *arg)
{
	struct filling *filling = arg;
	struct epitaph_added_channel *channel = filling->channel;

	if (!filling->err && ev->rings && epitaph_choice_wants(channel->choice, ev))
		filling->err = epitaph_member_add(ev, channel->rings, channel);
}

static int take_events(struct epitaph_added_channel *channel)
{
	struct filling filling = { .channel = channel };

	epitaph_for_all_events(select_channel_event, &filling);
	return filling.err;
}

void epitaph_added_offer(struct epitaph_event *ev)
{
	struct filling filling = {};

	list_for_each_entry(filling.channel, &epitaph_added_list, node) {
		filling.err = 0;
		if (filling.channel->rings)
			select_channel_event(ev, &filling);
		if (filling.err)
			pr_warn("the channel %s does not record %s:%s (%d)\n",
				filling.channel->shape.name, ev->system, ev->name, filling.err);
		if (filling.channel->runs)
			epitaph_members_run(filling.channel, true);
	}
}

/* --- channels ----------------------------------------------------------------- */

static bool is_for_programs(const struct epitaph_added_channel *channel)
{
	return channel->shape.mode == cpu_to_le32(EPITAPH_RINGS);
}

static void free_channel(struct epitaph_added_channel *channel)
{
	epitaph_choice_free(channel->choice);
	free_percpu(channel->rings);
	kfree(channel);
}

static struct epitaph_added_channel *new_channel(const char *name)
{
	struct epitaph_added_channel *channel = kzalloc(sizeof(*channel), GFP_KERNEL);

	if (!channel)
		return NULL;
	channel->entry = channel->old = channel->counted = -1;
	channel->shape.id = cpu_to_le32(nr_ids);
	channel->shape.clock = cpu_to_le64(epitaph_clock());
	strscpy(channel->shape.name, name, sizeof(channel->shape.name));
	return channel;
}

/* From here on a reader finds it. */
static void publish_channel(struct epitaph_added_channel *channel)
{
	epitaph_pool_publish(&epitaph_pool, channel->entry, &channel->shape);
	list_add_tail_rcu(&channel->node, &epitaph_added_list);
	nr_ids++;
}

static int begin_for_programs(struct epitaph_answer *answer, const struct epitaph_added_channel *channel)
{
	int err = epitaph_program_rings_room(&channel->shape);

	if (err == -EEXIST)
		epitaph_answer(answer, "there is room for programs' rings already: one channel has it\n");
	return err;
}

static int build(struct epitaph_answer *answer, struct epitaph_added_channel *channel, u64 size,
		 const char *globs)
{
	int err = is_for_programs(channel) ? epitaph_program_rings_plan(answer, &channel->shape, size) :
		  epitaph_added_plan(answer, &channel->shape, size);

	if (err)
		return err;
	if (!is_for_programs(channel)) {
		channel->choice = epitaph_choice_new(answer, globs);
		if (IS_ERR(channel->choice)) {
			err = PTR_ERR(channel->choice);
			channel->choice = NULL;
			return err;
		}
	}
	err = epitaph_added_take_room(answer, channel);
	err = err ?: is_for_programs(channel) ? begin_for_programs(answer, channel) :
		     epitaph_added_begin(channel);
	if (!err)
		publish_channel(channel);
	else if (channel->entry >= 0)
		epitaph_pool_give(&epitaph_pool, channel->entry);
	return err;
}

static void take_away(struct epitaph_added_channel *channel)
{
	if (is_for_programs(channel))
		epitaph_program_rings_remove();
	epitaph_members_remove(channel);
	epitaph_filters_forget(channel->shape.name);
	epitaph_contexts_forget(channel->shape.name);
	epitaph_triggers_spend(channel->shape.name);
	epitaph_channel_dir_remove(channel->dir);
	epitaph_pool_give(&epitaph_pool, channel->entry);
	if (channel->old >= 0)
		epitaph_pool_give(&epitaph_pool, channel->old);
	if (channel->counted >= 0)
		epitaph_pool_give(&epitaph_pool, channel->counted);
	list_del_rcu(&channel->node);
	synchronize_rcu();	/* epitaph_added_each_ring() */
	free_channel(channel);
}

void epitaph_added_each_ring(void (*fn)(struct epitaph_ring *ring))
{
	const struct epitaph_added_channel *channel;

	rcu_read_lock();
	list_for_each_entry_rcu(channel, &epitaph_added_list, node)
		if (channel->rings)
			fn(this_cpu_ptr(channel->rings));
	rcu_read_unlock();
}

static void set_channel_running(struct epitaph_added_channel *channel, bool run)
{
	if (run == channel->runs)
		return;
	if (run) {
		if (channel->rings)
			epitaph_added_forget_pids(channel);
		mark_channel_change(EPITAPH_MARK_CHANNEL, channel->shape.name, "records");
	}
	channel->runs = run;
	if (is_for_programs(channel))
		epitaph_program_rings_run(run);
	epitaph_members_run(channel, run);
	if (!run)
		mark_channel_change(EPITAPH_MARK_CHANNEL, channel->shape.name, "was stopped");
}

static int add_channel(struct epitaph_answer *answer, const char *name, u64 size, u32 sub_size,
		       enum epitaph_mode mode, const char *globs)
{
	struct epitaph_added_channel *channel;
	int err = epitaph_channel_check_name(answer, name);

	if (err)
		return err;
	channel = new_channel(name);
	if (!channel)
		return -ENOMEM;
	channel->shape.mode = cpu_to_le32(mode);
	channel->shape.unit = cpu_to_le32(sub_size);
	err = build(answer, channel, size, globs);
	if (err) {
		free_channel(channel);
		return err;
	}
	err = channel->rings ? take_events(channel) : 0;
	if (err) {
		take_away(channel);
		return err;
	}
	if (channel->rings)
		channel->dir = epitaph_channel_dir_add(channel->shape.name, channel->rings);
	set_channel_running(channel, true);
	return 0;
}

int epitaph_added_add(struct epitaph_answer *answer, const char *name, u64 size, u32 sub_size,
		      enum epitaph_mode mode, const char *globs)
{
	int err;

	epitaph_events_lock();
	err = add_channel(answer, name, size, sub_size, mode, globs);
	epitaph_events_unlock();
	return err;
}

static int run_main(bool run)
{
	if (run == epitaph_main_runs())
		return 0;
	if (run)
		mark_channel_change(EPITAPH_MARK_CHANNEL, "main", "records");
	epitaph_main_run(run);
	if (!run)
		mark_channel_change(EPITAPH_MARK_CHANNEL, "main", "was stopped");
	return 0;
}

/* Return: the channel, or NULL and @err. */
static struct epitaph_added_channel *find_added(struct epitaph_answer *answer, const char *name,
						const char *what, int *err)
{
	struct epitaph_added_channel *channel = epitaph_channel_find(name);

	*err = 0;
	if (channel)
		return channel;
	if (epitaph_channel_own(name) < 0) {
		*err = epitaph_channel_say_names(answer, name);
		return NULL;
	}
	epitaph_answer(answer, "the channel '%s' is always there: it cannot be %s\n", name, what);
	*err = -EINVAL;
	return NULL;
}

int epitaph_added_check(struct epitaph_answer *answer, const char *name, bool stop)
{
	struct epitaph_added_channel *channel = epitaph_channel_find(name);
	int err = 0;

	if (channel && !channel->rings) {
		epitaph_answer(answer, "'%s' %s\n", name, is_for_programs(channel) ? "has programs' rings" : "is a copy");
		return -EINVAL;
	}
	if (channel || epitaph_channel_own(name) == EPITAPH_CHANNEL_MAIN)
		return 0;
	if (stop || epitaph_channel_own(name) < 0)
		find_added(answer, name, "stopped alone", &err);
	return err;
}

static int run_one(struct epitaph_answer *answer, const char *name, bool start)
{
	struct epitaph_added_channel *channel;
	int err;

	if (epitaph_channel_own(name) == EPITAPH_CHANNEL_MAIN)
		return run_main(start);
	channel = find_added(answer, name, start ? "started" : "stopped alone", &err);
	if (!channel)
		return err;
	if (!channel->rings && !is_for_programs(channel)) {
		epitaph_answer(answer, "'%s' is a copy: nothing is recorded into it\n", name);
		return -EINVAL;
	}
	set_channel_running(channel, start);
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

static int remove_channel(struct epitaph_answer *answer, const char *name)
{
	struct epitaph_added_channel *channel;
	int err;

	channel = find_added(answer, name, "removed", &err);
	if (!channel)
		return err;
	if (channel->runs) {
		epitaph_answer(answer, "the channel '%s' records: stop it first\n", name);
		return -EBUSY;
	}
	if (channel->reader) {
		epitaph_answer(answer, "the channel '%s' is read by %s: end that first\n", name,
			       epitaph_consume_who(channel->reader));
		return -EBUSY;
	}
	mark_channel_change(EPITAPH_MARK_CHANNEL, name, "was removed");
	take_away(channel);
	return 0;
}

int epitaph_added_remove(struct epitaph_answer *answer, const char *name)
{
	int err;

	epitaph_events_lock();
	err = remove_channel(answer, name);
	epitaph_events_unlock();
	return err;
}

/* Unloading: the probes are away, and so is the lock's reason. */
void epitaph_added_exit(void)
{
	struct epitaph_added_channel *channel, *next;

	list_for_each_entry_safe(channel, next, &epitaph_added_list, node) {
		epitaph_members_remove(channel);
		epitaph_channel_dir_remove(channel->dir);
		list_del_rcu(&channel->node);
		synchronize_rcu();
		free_channel(channel);
	}
}

/* --- copies ------------------------------------------------------------------- */

static int open_source(struct epitaph_answer *answer, const char *name,
		       struct epitaph_source *source)
{
	struct epitaph_added_channel *channel = epitaph_channel_find(name);
	int own = epitaph_channel_own(name);

	if (own < 0 && !channel)
		return epitaph_channel_say_names(answer, name);
	if (channel && !channel->rings) {
		epitaph_answer(answer, is_for_programs(channel) ? "'%s' has programs' rings, which are not copied\n" :
			       "'%s' is a copy already\n", name);
		return -EINVAL;
	}
	/* All rings of a copy have sub-buffers of one size. */
	if (channel && channel->old >= 0) {
		epitaph_answer(answer, "'%s' is in two places since its size was changed: remove it\n", name);
		return -EBUSY;
	}
	source->id = channel ? le32_to_cpu(channel->shape.id) : own;
	source->rings = channel ? channel->rings :
			own < EPITAPH_NR_CHANNELS ? &epitaph_rings[own] : NULL;
	return 0;
}

static int copy(struct epitaph_answer *answer, const char *name, u64 size, const char *why,
		bool marks)
{
	char copy_name[sizeof_field(struct epitaph_added, name) + 12];
	struct epitaph_source source;
	struct epitaph_added_channel *channel;
	char what[40];
	int err;

	/* A trigger may have waited since. */
	if (epitaph_lost()) {
		epitaph_answer(answer, "%s\n", epitaph_loss_text());
		return -EIO;
	}
	/* A work is not frozen: the image would have it in the middle. */
	if (epitaph_hibernates()) {
		epitaph_answer(answer, "the machine hibernates: nothing is copied until that is over\n");
		return -EAGAIN;
	}
	err = open_source(answer, name, &source);
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
		return err == -EAGAIN || err == -ENOMEM ? err :
			epitaph_added_say_no_room(answer, size ?: epitaph_snapshot_least(&source), err);
	}
	publish_channel(channel);
	nr_copies++;
	scnprintf(what, sizeof(what), "copied, %s,", why);
	if (marks)
		mark_channel_change(EPITAPH_MARK_SNAPSHOT, channel->shape.name, what);
	epitaph_answer(answer, "copy %s\n", channel->shape.name);
	return 0;
}

int epitaph_added_copy(struct epitaph_answer *answer, const char *name, u64 size,
		       const char *why)
{
	int err;

	epitaph_events_lock();
	err = copy(answer, name, size, why, true);
	epitaph_events_unlock();
	return err;
}

/* --- for triggers -------------------------------------------------------------- */

int epitaph_channel_stop(const char *name)
{
	struct epitaph_answer answer = {};
	int err = epitaph_added_run(&answer, name, false);

	epitaph_answer_free(&answer);
	return err;
}

int epitaph_channel_snapshot(const char *name, const char *why, bool marks)
{
	struct epitaph_answer answer = {};
	int err;

	epitaph_events_lock();
	err = copy(&answer, name, 0, why, marks);
	epitaph_events_unlock();
	if (err && answer.used)
		pr_warn_ratelimited("no snapshot: %.*s", (int)answer.used, answer.text);
	epitaph_answer_free(&answer);
	return err;
}
