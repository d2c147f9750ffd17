// SPDX-License-Identifier: GPL-2.0-only
/*
 * A reader of a volume's map waits, under the rwsem, for a fetcher; the fetcher reads the map too, and stands behind
 * a writer that waits for the reader.
 *
 * pattern: nested read of a fair rwsem over two tasks (ocfs2 ip_alloc_sem, f2fs node_write, CIFS)
 * finding: fsread holds map_lock for reading in volume_read() and waits for fetchd, who waits behind resized
 * never: resized alone
 * must: likely: A deadlock: fsread-[0-9]+ waits for what fetchd-[0-9]+ is to complete, and fetchd-[0-9]+, behind the writer resized-[0-9]+,
 * shows: fsread-[0-9]+ alone reads it, taken in volume_read\(\)
 * guest: echo 8 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/extent-pull.ko
 */
#include <linux/completion.h>
#include <linux/rwsem.h>
#include "crash.h"

struct fetch {
	struct list_head node;
	u64 block;
	u64 where;
	struct completion done;
};

struct volume {
	struct rw_semaphore map_lock;
	u64 map[64];
	u64 size;
	spinlock_t queue_lock;
	struct list_head queue;
	wait_queue_head_t wanted;
	unsigned long fetched;
};

static struct volume *vol;

static noinline u64 map_lookup(struct volume *v, u64 block)
{
	u64 where;

	down_read(&v->map_lock);
	where = v->map[block % 64];
	up_read(&v->map_lock);
	return where;
}

static noinline void volume_read(struct volume *v, u64 block)
{
	struct fetch fetch = { .block = block };

	init_completion(&fetch.done);
	down_read(&v->map_lock);
	if (block < v->size) {
		spin_lock(&v->queue_lock);
		list_add_tail(&fetch.node, &v->queue);
		spin_unlock(&v->queue_lock);
		wake_up(&v->wanted);
		wait_for_completion(&fetch.done);
	}
	up_read(&v->map_lock);
}

static noinline void volume_resize(struct volume *v, u64 size)
{
	down_write(&v->map_lock);
	v->size = size;
	memset(v->map + 32, 0, sizeof(v->map) / 2);
	up_write(&v->map_lock);
}

static int fetchd(void *data)
{
	struct volume *v = data;
	struct fetch *fetch;

	for (;;) {
		wait_event_interruptible(v->wanted, !list_empty(&v->queue));
		spin_lock(&v->queue_lock);
		fetch = list_first_entry(&v->queue, struct fetch, node);
		list_del(&fetch->node);
		spin_unlock(&v->queue_lock);
		msleep(30);
		fetch->where = map_lookup(v, fetch->block);
		v->fetched++;
		complete(&fetch->done);
	}
	return 0;
}

static int fsread(void *data)
{
	u64 block = 0;

	for (;; block++)
		volume_read(data, block % 60);
	return 0;
}

static int resized(void *data)
{
	msleep(1000);
	volume_resize(data, 32);
	return 0;
}

static int __init vol_init(void)
{
	vol = kzalloc(sizeof(*vol), GFP_KERNEL);
	if (!vol)
		return -ENOMEM;
	init_rwsem(&vol->map_lock);
	spin_lock_init(&vol->queue_lock);
	INIT_LIST_HEAD(&vol->queue);
	init_waitqueue_head(&vol->wanted);
	vol->size = 64;
	run_thread(resized, vol, -1, "resized");
	run_thread(fetchd, vol, -1, "fetchd");
	return run_thread(fsread, vol, -1, "fsread");
}
module_init(vol_init);
