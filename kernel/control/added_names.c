// SPDX-License-Identifier: GPL-2.0-only
/* Which channels there are: by name, and all of them. */
#include <linux/cpumask.h>
#include <linux/ctype.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/percpu.h>
#include <linux/string.h>
#include "events/probe.h"
#include "added.h"
#include "added_channel.h"
#include "answer.h"
#include "consume.h"
#include "members.h"
#include "program_rings.h"
#include "recorder.h"
#include "event_config.h"

LIST_HEAD(epitaph_added_list);

struct epitaph_added_channel *epitaph_channel_find(const char *name)
{
	struct epitaph_added_channel *channel;

	list_for_each_entry(channel, &epitaph_added_list, node)
		if (!strcmp(channel->shape.name, name))
			return channel;
	return NULL;
}

const void *epitaph_added_find(const char *name)
{
	const struct epitaph_added_channel *channel = epitaph_channel_find(name);

	return channel && channel->rings ? channel : NULL;
}

const char *epitaph_added_name(const void *channel)
{
	return ((const struct epitaph_added_channel *)channel)->shape.name;
}

int epitaph_channel_own(const char *name)
{
	int i;

	for (i = 0; i < EPITAPH_NR_ALL_CHANNELS; i++)
		if (!strcmp(epitaph_channel_name(i), name))
			return i;
	return -1;
}

int epitaph_channel_say_names(struct epitaph_answer *answer, const char *name)
{
	struct epitaph_added_channel *channel;
	int i;

	epitaph_answer(answer, "there is no channel '%s'; there are:", name);
	for (i = 0; i < EPITAPH_NR_ALL_CHANNELS; i++)
		epitaph_answer(answer, " %s", epitaph_channel_name(i));
	list_for_each_entry(channel, &epitaph_added_list, node)
		epitaph_answer(answer, " %s", channel->shape.name);
	epitaph_answer(answer, "\n");
	return -ENOENT;
}

int epitaph_channel_check_name(struct epitaph_answer *answer, const char *name)
{
	const char *p = name;

	if (strlen(name) >= sizeof_field(struct epitaph_added, name)) {
		epitaph_answer(answer, "'%s' is too long for a name: at most %zu letters\n", name,
			       sizeof_field(struct epitaph_added, name) - 1);
		return -EINVAL;
	}
	/* To the kernel, letters of Latin-1 are some as well. */
	while (isascii(*p) && (isalnum(*p) || (p > name && strchr("._-", *p) && *p)))
		p++;
	if (*p || p == name) {
		epitaph_answer(answer, "'%s' is no name: letters, digits, and behind the first also . _ -\n",
			       name);
		return -EINVAL;
	}
	if (epitaph_channel_own(name) < 0 && !epitaph_channel_find(name))
		return 0;
	epitaph_answer(answer, "there is a channel '%s' already\n", name);
	return -EEXIST;
}

static u64 channel_size(const struct epitaph_added_channel *channel)
{
	return le32_to_cpu(channel->shape.nr_rings) * le64_to_cpu(channel->shape.ring_size);
}

static bool is_full(const struct epitaph_added_channel *channel)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		if (READ_ONCE(per_cpu_ptr(channel->rings, cpu)->full) ||
		    epitaph_ring_waits(per_cpu_ptr(channel->rings, cpu)))
			return true;
	return false;
}

static const char *mode_name(const struct epitaph_added *shape)
{
	switch (le32_to_cpu(shape->mode)) {
	case EPITAPH_STOP:	return "stop";
	case EPITAPH_CONSUME:	return "consume";
	default:		return "overwrite";
	}
}

static void put_channel_names(struct epitaph_answer *answer,
			      const struct epitaph_added_channel *channel)
{
	unsigned int on = 0, all = 0;

	if (channel->shape.mode == cpu_to_le32(EPITAPH_RINGS)) {
		epitaph_program_rings_count(&on, &all);
		epitaph_answer(answer, "channel %s rings %s %llu bytes, %u live, %u never used of %u\n",
			       channel->shape.name, channel->runs ? "records" : "stopped",
			       channel_size(channel), on, all, le32_to_cpu(channel->shape.nr_rings));
		return;
	}
	if (!channel->rings) {
		epitaph_answer(answer, "channel %s copy kept %llu bytes\n", channel->shape.name,
			       channel_size(channel));
		return;
	}
	epitaph_members_count(channel, &on, &all);
	epitaph_answer(answer, "channel %s %s %s %llu bytes, events %u on of %u",
		       channel->shape.name, mode_name(&channel->shape),
		       is_full(channel) ? "full" :
		       channel->runs && !epitaph_all_paused() ? "records" : "stopped",
		       channel_size(channel), on, all);
	if (channel->reader)
		epitaph_answer(answer, ", read by %s", epitaph_consume_who(channel->reader));
	epitaph_answer(answer, "\n");
}

static void show_own(struct epitaph_answer *answer, int i)
{
	bool stopped = i == EPITAPH_CHANNEL_MAIN ? epitaph_all_paused() || !epitaph_main_runs() :
		       i == EPITAPH_CHANNEL_RAS && epitaph_all_paused();
	u32 bytes, sub_size;

	epitaph_ring_memory(i, 0, &bytes, &sub_size);
	epitaph_answer(answer, "channel %s overwrite %s %llu bytes\n", epitaph_channel_name(i),
		       stopped ? "stopped" : "records",
		       (u64)bytes * (i == EPITAPH_CHANNEL_USER ? 1 : nr_cpu_ids));
}

void epitaph_added_show(struct epitaph_answer *answer)
{
	struct epitaph_added_channel *channel;
	int i;

	epitaph_events_lock();
	epitaph_answer(answer, "pool %llu bytes, %llu free, %llu in one piece\n", epitaph_pool.size,
		       epitaph_pool_free(&epitaph_pool), epitaph_pool_largest(&epitaph_pool));
	for (i = 0; i < EPITAPH_NR_ALL_CHANNELS; i++)
		show_own(answer, i);
	list_for_each_entry(channel, &epitaph_added_list, node)
		put_channel_names(answer, channel);
	epitaph_events_unlock();
}
