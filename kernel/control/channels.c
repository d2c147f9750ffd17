// SPDX-License-Identifier: GPL-2.0-only
/*
 * /sys/kernel/epitaph/channels/CHANNEL/cpuN, or /all: a ring at this moment.  The reader of
 * the file pays for it: the recording of events keeps no counts for it.
 */
#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/kobject.h>
#include <linux/math64.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/rwsem.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/sysfs.h>
#include <linux/time64.h>
#include "channels.h"
#include "core/lost.h"
#include "core/subbuf_copy.h"
#include "handout/sysfs.h"
#include "sources/user_mark.h"
#include "recorder.h"

/**
 * struct ring_file - cpuN, or all
 * @attr: the file
 * @ring: the ring that the file describes
 * @name: of the file
 */
struct ring_file {
	struct kobj_attribute attr;
	const struct epitaph_ring *ring;
	char name[16];
};

/**
 * struct epitaph_channel_dir - channels/NAME
 * @files: one a possible CPU; of the user marks' channel, one
 */
struct epitaph_channel_dir {
	struct kobject *dir;
	struct ring_file *files;
};

static DECLARE_RWSEM(rings_stay);
static struct kobject *root;
static struct epitaph_channel_dir *dirs[EPITAPH_NR_ALL_CHANNELS];

void epitaph_channels_hold(bool hold)
{
	if (hold)
		down_write(&rings_stay);
	else
		up_write(&rings_stay);
}

/* The clocks of two CPUs may differ: what is newer than now is new. */
static u64 age_ns(const struct epitaph_ring *ring, u64 time)
{
	u64 ticks = epitaph_clock() - (time << ring->shift);

	if ((s64)ticks < 0)
		return 0;
	return mul_u64_u32_div(ticks, USEC_PER_SEC, epitaph_clock_khz());
}

static int put_horizon(char *buf, int len, const struct epitaph_ring *ring)
{
	bool whole;
	u64 time;

	if (!epitaph_subcopy_oldest(ring, &time, &whole))
		return 0;
	return sysfs_emit_at(buf, len, "horizon_ns %llu\nwhole %d\n", age_ns(ring, time), whole);
}

static int put_sample(char *buf, int len, const struct epitaph_ring *ring)
{
	struct epitaph_sample sample;
	void *room = kmalloc(ring->sub_size, GFP_KERNEL);
	int err = -ENOMEM;

	if (room) {
		rcu_read_lock();
		err = epitaph_subcopy_sample(ring, room, &sample);
		rcu_read_unlock();
	}
	kfree(room);
	if (err)
		return 0;
	return sysfs_emit_at(buf, len, "events %u\nspan_ns %llu\n", sample.events,
			     age_ns(ring, sample.since));
}

/* What is not read, and what was dropped for it, by kind of event. */
static int put_consumed(char *buf, int len, const struct epitaph_ring *ring)
{
	const struct epitaph_dropped *dropped = ring->consumed->dropped;
	u32 head = READ_ONCE(ring->head), position = READ_ONCE(ring->position), i;
	const struct epitaph_event *ev;
	int begin = len;

	head &= ~(ring->sub_size - 1);
	len += sysfs_emit_at(buf, len, "unread %u\nread %llu\n",
			     (head >= position ? head - position : head + ring->size - position) /
			     ring->sub_size, le64_to_cpu(READ_ONCE(ring->consumed->seq)));
	rcu_read_lock();
	for (i = 0; i < EPITAPH_NR_DROPPED; i++) {
		u32 id = le32_to_cpu(READ_ONCE(dropped[i].id));

		ev = id ? epitaph_event_by_id(id) : NULL;
		if (ev)
			len += sysfs_emit_at(buf, len, "dropped %s:%s %llu\n", ev->system, ev->name,
					     le64_to_cpu(READ_ONCE(dropped[i].nr)));
	}
	rcu_read_unlock();
	return len - begin;
}

/* Bytes that were used since the ring began; in front of the last change of its sub-buffers' size, about. */
static u64 written(const struct epitaph_ring *ring)
{
	u64 seq = READ_ONCE(ring->seq);
	u32 at = (u32)READ_ONCE(ring->head) & (ring->sub_size - 1);

	return (seq - 1) * ring->sub_size + at;
}

/* What the region has. */
static int put_recorded(char *buf, int begin, const struct epitaph_ring *ring)
{
	int len = begin;

	len += put_horizon(buf, len, ring);
	len += put_sample(buf, len, ring);
	len += sysfs_emit_at(buf, len, "too_large %llu\ntoo_deep %llu\n",
			     le64_to_cpu(READ_ONCE(ring->counters->too_large)),
			     le64_to_cpu(READ_ONCE(ring->counters->too_deep)));
	if (ring->stops || ring->consumed)
		len += sysfs_emit_at(buf, len, "full %llu\n",
				     le64_to_cpu(READ_ONCE(ring->counters->full)));
	if (ring->consumed)
		len += put_consumed(buf, len, ring);
	return len - begin;
}

static ssize_t ring_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	const struct epitaph_ring *ring = container_of(attr, struct ring_file, attr)->ring;
	int len;

	down_read(&rings_stay);
	len = sysfs_emit(buf, "size %u\n", ring->size);
	len += sysfs_emit_at(buf, len, "sub_size %u\nwritten %llu\n", ring->sub_size, written(ring));
	if (!epitaph_is_gone())
		len += put_recorded(buf, len, ring);
	up_read(&rings_stay);
	return len;
}

static int add_file(struct kobject *dir, struct ring_file *file, const struct epitaph_ring *ring)
{
	file->ring = ring;
	sysfs_attr_init(&file->attr.attr);
	file->attr.attr.name = file->name;
	file->attr.attr.mode = 0400;
	file->attr.show = ring_show;
	return sysfs_create_file(dir, &file->attr.attr);
}

static int add_cpus(struct epitaph_channel_dir *dir, struct epitaph_ring __percpu *rings)
{
	struct ring_file *file = dir->files;
	unsigned int cpu;
	int err = 0;

	for_each_possible_cpu(cpu) {
		snprintf(file->name, sizeof(file->name), "cpu%u", cpu);
		err = err ?: add_file(dir->dir, file++, per_cpu_ptr(rings, cpu));
	}
	return err;
}

static int add_shared(struct epitaph_channel_dir *dir, const struct epitaph_ring *ring)
{
	strscpy(dir->files->name, "all", sizeof(dir->files->name));
	return add_file(dir->dir, dir->files, ring);
}

static struct epitaph_channel_dir *new_dir(const char *name)
{
	struct epitaph_channel_dir *dir = kzalloc(sizeof(*dir), GFP_KERNEL);

	if (!dir)
		return NULL;
	dir->files = kcalloc(num_possible_cpus(), sizeof(*dir->files), GFP_KERNEL);
	dir->dir = dir->files && root ? kobject_create_and_add(name, root) : NULL;
	if (dir->dir)
		return dir;
	epitaph_channel_dir_remove(dir);
	return NULL;
}

struct epitaph_channel_dir *epitaph_channel_dir_add(const char *name,
						    struct epitaph_ring __percpu *rings)
{
	struct epitaph_channel_dir *dir = new_dir(name);

	if (dir && add_cpus(dir, rings))
		pr_warn("channels/%s in sysfs lacks a file, for want of memory: the channel records\n", name);
	return dir;
}

void epitaph_channel_dir_remove(struct epitaph_channel_dir *dir)
{
	if (!dir)
		return;
	epitaph_sysfs_remove_dir(dir->dir);
	kfree(dir->files);
	kfree(dir);
}

static int add_own(int channel)
{
	struct epitaph_channel_dir *dir = new_dir(epitaph_channel_name(channel));

	dirs[channel] = dir;
	if (!dir)
		return -ENOMEM;
	if (channel == EPITAPH_CHANNEL_USER)
		return add_shared(dir, epitaph_user_ring());
	return add_cpus(dir, &epitaph_rings[channel]);
}

int epitaph_channels_start(struct kobject *parent)
{
	int channel, err = 0;

	root = kobject_create_and_add("channels", parent);
	if (!root)
		return -ENOMEM;
	for (channel = 0; channel < EPITAPH_NR_ALL_CHANNELS; channel++)
		err = err ?: add_own(channel);
	return err;
}

void epitaph_channels_stop(void)
{
	int channel;

	for (channel = 0; channel < EPITAPH_NR_ALL_CHANNELS; channel++) {
		epitaph_channel_dir_remove(dirs[channel]);
		dirs[channel] = NULL;
	}
	epitaph_sysfs_remove_dir(root);
	root = NULL;
}
