// SPDX-License-Identifier: GPL-2.0-only
/*
 * Ids and formats of ftrace's events.
 *
 * An event may be seen first in any context, and its format is had in a process
 * only: so it gets its id at once, and the format comes by a work.  ftrace's own
 * number of an event is reused when a kprobe is deleted; a kprobe of ours on what
 * deletes it makes us forget the number, and our ids are never used twice.
 */
#include <linux/atomic.h>
#include <linux/bitmap.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/kprobes.h>
#include <linux/mount.h>
#include <linux/ptrace.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include <linux/uio.h>
#include <linux/vmalloc.h>
#include <linux/workqueue.h>
#include "arch/arch.h"
#include "bridge.h"
#include "bridge_place.h"
#include "compat.h"
#include "core/wake.h"
#include "events/prototype.h"
#include "recorder.h"

#define NR_TYPES	65536		/* common_type has 16 bits */
#define NR_IDS		4096		/* more than there are */
#define NR_WAITING	256
#define NAME_SIZE	64
#define TEXT_SIZE	(30 << 10)	/* what the region's formats take */

enum { FREE, TAKEN, READY };

/* An event whose format is to be fetched. */
struct waiting {
	int state;
	u16 id, type;
	char system[NAME_SIZE];
	char name[NAME_SIZE];
};

u16 *epitaph_bridge_ids;		/* by ftrace's number; 0: not seen yet */
struct bridge_place *epitaph_bridge_places;
static DECLARE_BITMAP(published, NR_IDS);
static struct waiting *waiting;
static char *text;
static struct vfsmount *tracefs;
static unsigned int nr_published, nr_refused;

static void fetch_all(struct work_struct *work);
static DECLARE_WORK(fetch, fetch_all);

static void wake_format_fetch(struct irq_work *unused)
{
	queue_work(epitaph_unbound_wq, &fetch);
}
static DEFINE_PER_CPU(struct irq_work, wake_fetch);

/* On from where @kiocb is. */
static ssize_t read_more(struct kiocb *kiocb, char *buf, size_t size)
{
	struct kvec vec = { .iov_base = buf, .iov_len = size };
	struct iov_iter iter;

	iov_iter_kvec(&iter, READ, &vec, 1, size);
	return seq_read_iter(kiocb, &iter);
}

/* All of it: seq_file gives an event's format at most a page at a time. */
static ssize_t read_format(const struct waiting *w)
{
	char path[2 * NAME_SIZE + 16];
	struct kiocb kiocb;
	struct file *file;
	ssize_t n, used = 0;

	scnprintf(path, sizeof(path), "events/%s/%s/format", w->system, w->name);
	file = file_open_root_mnt(tracefs, path, O_RDONLY, 0);
	if (IS_ERR(file))
		return PTR_ERR(file);
	init_sync_kiocb(&kiocb, file);
	do {
		n = read_more(&kiocb, text + used, TEXT_SIZE - 1 - used);
		used += max_t(ssize_t, n, 0);
	} while (n > 0 && used < TEXT_SIZE - 1);
	filp_close(file, NULL);
	text[used] = '\0';
	if (n < 0)
		return n;
	return used < TEXT_SIZE - 1 ? used : -ENOSPC;
}

/*
 * It was the event's all the time if its number is still the event's now: what
 * deletes an event takes its files away later.
 */
static int publish_bridged_event(const struct waiting *w)
{
	char id[16];
	ssize_t n = read_format(w);

	if (n < 0)
		return n;
	scnprintf(id, sizeof(id), "\nID: %u\n", w->type);
	if (!strstr(text, id) || READ_ONCE(epitaph_bridge_ids[w->type]) != w->id)
		return -ESTALE;
	return epitaph_format_publish(w->id, w->system, text);
}

static void fetch_one(struct waiting *w)
{
	int err = publish_bridged_event(w);

	if (!err) {
		set_bit(w->id, published);
		nr_published++;
	} else if (err != -ENOENT && err != -ESTALE) {
		cmpxchg(&epitaph_bridge_ids[w->type], w->id, EPITAPH_BRIDGE_REFUSED);
		nr_refused++;
		pr_warn("not recording %s:%s: its format cannot be had (%d)\n", w->system,
			w->name, err);
	}
}

static void fetch_all(struct work_struct *work)
{
	int i;

	for (i = 0; i < NR_WAITING; i++) {
		if (smp_load_acquire(&waiting[i].state) != READY)
			continue;
		fetch_one(&waiting[i]);
		smp_store_release(&waiting[i].state, FREE);
	}
}

/* A nested call takes another place. */
static struct waiting *take_waiting(void)
{
	int i;

	for (i = 0; i < NR_WAITING; i++)
		if (READ_ONCE(waiting[i].state) == FREE &&
		    cmpxchg(&waiting[i].state, FREE, TAKEN) == FREE)
			return &waiting[i];
	return NULL;
}

/* Two CPUs at once: one id stays unused. */
static u32 new_id(struct trace_event_call *call, u16 type)
{
	struct waiting *w = take_waiting();
	u32 id = w ? epitaph_id_take() : 0;

	if (!id || id >= NR_IDS || cmpxchg(&epitaph_bridge_ids[type], 0, id)) {
		if (w)
			smp_store_release(&w->state, FREE);
		return READ_ONCE(epitaph_bridge_ids[type]);
	}
	w->id = id;
	w->type = type;
	strscpy(w->system, call->class->system, sizeof(w->system));
	strscpy(w->name, trace_event_name(call) ?: "", sizeof(w->name));
	smp_store_release(&w->state, READY);
	epitaph_wake(&wake_fetch);
	return id;
}

u32 epitaph_bridge_id(struct trace_event_call *call, bool *ready)
{
	u16 type = call->event.type;
	u32 id = READ_ONCE(epitaph_bridge_ids[type]);

	if (unlikely(!id))
		id = new_id(call, type);
	if (unlikely(id <= EPITAPH_BRIDGE_REFUSED))
		return 0;
	*ready = test_bit(id, published);
	return id;
}

/* No event of it happens any more, and none will. */
static int forget_bridged_event(struct kprobe *kp, struct pt_regs *regs)
{
	const struct trace_event *event = (const void *)epitaph_arch_argument(regs, 0);

	WRITE_ONCE(epitaph_bridge_ids[(u16)event->type], 0);
	return 0;
}

static struct kprobe deletion;

static int watch_deletions(void)
{
	if (epitaph_prototype_is_other("__unregister_trace_event"))
		return -EPROTOTYPE;
	deletion = (struct kprobe) {
		.symbol_name = "__unregister_trace_event",
		.pre_handler = forget_bridged_event,
	};
	return register_kprobe(&deletion);
}

static int open_tracefs(void)
{
	struct file_system_type *type = get_fs_type("tracefs");

	if (!type)
		return -ENODEV;
	tracefs = kern_mount(type);
	return PTR_ERR_OR_ZERO(tracefs);
}

static void free_tables(void)
{
	vfree(epitaph_bridge_ids);
	vfree(epitaph_bridge_places);
	vfree(waiting);
	vfree(text);
}

int epitaph_bridge_formats_start(void)
{
	int err;

	epitaph_bridge_ids = vzalloc(array_size(NR_TYPES, sizeof(*epitaph_bridge_ids)));
	epitaph_bridge_places = vzalloc(array_size(NR_IDS, sizeof(*epitaph_bridge_places)));
	waiting = vzalloc(array_size(NR_WAITING, sizeof(*waiting)));
	text = vmalloc(TEXT_SIZE);
	epitaph_wake_init(&wake_fetch, wake_format_fetch);
	nr_published = nr_refused = 0;
	err = epitaph_bridge_ids && epitaph_bridge_places && waiting && text ? open_tracefs() : -ENOMEM;
	if (err) {
		free_tables();
		return err;
	}
	err = watch_deletions();
	if (err) {
		kern_unmount(tracefs);
		free_tables();
	}
	return err;
}

/* After the last request for an id. */
void epitaph_bridge_formats_stop(void)
{
	unregister_kprobe(&deletion);
	epitaph_wake_sync(&wake_fetch);
	cancel_work_sync(&fetch);
	kern_unmount(tracefs);
	free_tables();
}

void epitaph_bridge_count(unsigned int *ready, unsigned int *refused)
{
	*ready = READ_ONCE(nr_published);
	*refused = READ_ONCE(nr_refused);
}
