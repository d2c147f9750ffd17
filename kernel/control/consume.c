// SPDX-License-Identifier: GPL-2.0-only
/*
 * The reader of a channel in mode "consume".  What is ready, the ring's own CPU says, in an
 * interrupt: so no writer needs a barrier.  A position that the reader names is believed only if
 * it was ready.
 */
#include <linux/capability.h>
#include <linux/cpu.h>
#include <linux/fs.h>
#include <linux/jiffies.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include <epitaph/consume.h>
#include <epitaph/earlier.h>
#include "core/lost.h"
#include "core/user_map.h"
#include "added_channel.h"
#include "compat.h"
#include "consume.h"
#include "members.h"
#include "recorder.h"

/**
 * struct epitaph_reader - an open file that reads a channel
 * @channel: stays as long as this does
 * @lock: of @ready, and of each ring's position
 * @ready: by CPU, the end of what was ready when it was asked last
 * @watermark: sub-buffers
 * @wait: jiffies; 0: only @watermark counts
 * @closed: when the rings were closed last, in jiffies
 * @waiters: poll()
 * @look: every tick, while a process is in poll()
 * @mapping: of the file, when it was mapped; @entry: of readers; both under readers_lock
 * @who: that opened it
 */
struct epitaph_reader {
	struct epitaph_added_channel *channel;
	struct mutex lock;
	u32 *ready;
	u32 watermark;
	unsigned long wait;
	unsigned long closed;
	wait_queue_head_t waiters;
	struct delayed_work look;
	struct address_space *mapping;
	struct list_head entry;
	char who[TASK_COMM_LEN + 12];
};

static DEFINE_MUTEX(readers_lock);
static LIST_HEAD(readers);

/* The image of hibernation is made, or read, or it is not seen yet whose the region is. */
static bool is_paused;

static phys_addr_t place_of_rings(const struct epitaph_reader *reader)
{
	return epitaph_region.phys + le64_to_cpu(reader->channel->shape.off);
}

static struct epitaph_ring *ring_of_reader(const struct epitaph_reader *reader, unsigned int cpu)
{
	return per_cpu_ptr(reader->channel->rings, cpu);
}

/* --- waiting ------------------------------------------------------------------ */

/* Roughly: a writer may move the head meanwhile.  @any: something was written. */
static u32 unread_subbufs(const struct epitaph_ring *ring, bool *any)
{
	u32 head = READ_ONCE(ring->head), used = head & (ring->sub_size - 1);
	u32 position = READ_ONCE(ring->position), start = head - used;

	*any |= start != position || used > sizeof(struct epitaph_sub);
	return (start >= position ? start - position : start + ring->size - position) / ring->sub_size;
}

static bool is_worth_reading(const struct epitaph_reader *reader)
{
	unsigned long wait = READ_ONCE(reader->wait);
	u32 watermark = READ_ONCE(reader->watermark);
	bool any = false;
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		if (unread_subbufs(ring_of_reader(reader, cpu), &any) >= watermark)
			return true;
	return any && wait && time_after_eq(jiffies, READ_ONCE(reader->closed) + wait);
}

static void look_at_rings(struct work_struct *work)
{
	struct epitaph_reader *reader = container_of(to_delayed_work(work), struct epitaph_reader, look);

	if (is_worth_reading(reader))
		wake_up_interruptible(&reader->waiters);
	else if (waitqueue_active(&reader->waiters))
		schedule_delayed_work(&reader->look, 1);
}

__poll_t epitaph_consume_poll(struct epitaph_reader **at, struct file *file, poll_table *wait)
{
	struct epitaph_reader *reader = smp_load_acquire(at);

	if (!reader || epitaph_lost())
		return EPOLLERR;
	poll_wait(file, &reader->waiters, wait);
	if (is_worth_reading(reader))
		return EPOLLIN | EPOLLRDNORM;
	schedule_delayed_work(&reader->look, 1);
	return 0;
}

/* --- beginning and end --------------------------------------------------------- */

static struct epitaph_reader *new_reader(struct epitaph_added_channel *channel)
{
	struct epitaph_reader *reader = kzalloc(sizeof(*reader), GFP_KERNEL);

	if (!reader)
		return NULL;
	reader->ready = kcalloc(nr_cpu_ids, sizeof(*reader->ready), GFP_KERNEL);
	if (!reader->ready) {
		kfree(reader);
		return NULL;
	}
	reader->channel = channel;
	mutex_init(&reader->lock);
	init_waitqueue_head(&reader->waiters);
	INIT_DELAYED_WORK(&reader->look, look_at_rings);
	reader->closed = jiffies;
	reader->watermark = max_t(u32, 1, le64_to_cpu(channel->shape.ring_size) /
				  le32_to_cpu(channel->shape.unit) / 2);
	snprintf(reader->who, sizeof(reader->who), "%s-%d", current->comm, current->pid);
	return reader;
}

const char *epitaph_consume_who(const struct epitaph_reader *reader)
{
	return reader->who;
}

/* What was ready is not known to a reader that comes anew: it asks first. */
static void begin_at_positions(struct epitaph_reader *reader)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		reader->ready[cpu] = ring_of_reader(reader, cpu)->position;
}

/* Under epitaph_events_lock(). */
static int take_channel(struct epitaph_reader **at, struct epitaph_consume_take *take)
{
	struct epitaph_added_channel *channel = epitaph_channel_find(take->name);
	struct epitaph_reader *reader;
	phys_addr_t region;
	u64 size;

	if (*at)
		return -EALREADY;
	if (epitaph_lost())
		return -EIO;
	if (!channel)
		return epitaph_channel_own(take->name) < 0 ? -ENOENT : -EINVAL;
	if (!channel->rings || channel->shape.mode != cpu_to_le32(EPITAPH_CONSUME))
		return -EINVAL;
	if (channel->reader)
		return -EBUSY;
	reader = new_reader(channel);
	if (!reader)
		return -ENOMEM;
	begin_at_positions(reader);
	channel->reader = reader;
	mutex_lock(&readers_lock);
	list_add(&reader->entry, &readers);
	mutex_unlock(&readers_lock);
	smp_store_release(at, reader);
	epitaph_region_memory(&size, &region);
	take->off = place_of_rings(reader) - region;
	take->ring_size = le64_to_cpu(channel->shape.ring_size);
	take->nr_rings = le32_to_cpu(channel->shape.nr_rings);
	take->unit = le32_to_cpu(channel->shape.unit);
	take->id = le32_to_cpu(channel->shape.id);
	take->reserved = 0;
	return 0;
}

static long do_take(struct epitaph_reader **at, void __user *arg)
{
	struct epitaph_consume_take take;
	int err;

	if (!capable(CAP_SYS_ADMIN))
		return -EPERM;
	if (copy_from_user(&take, arg, sizeof(take)))
		return -EFAULT;
	if (strnlen(take.name, sizeof(take.name)) == sizeof(take.name))
		return -EINVAL;
	epitaph_events_lock();
	err = take_channel(at, &take);
	epitaph_events_unlock();
	return err ?: copy_to_user(arg, &take, sizeof(take)) ? -EFAULT : 0;
}

void epitaph_consume_end(struct epitaph_reader *reader)
{
	if (!reader)
		return;
	cancel_delayed_work_sync(&reader->look);
	mutex_lock(&readers_lock);
	list_del(&reader->entry);
	mutex_unlock(&readers_lock);
	epitaph_events_lock();
	reader->channel->reader = NULL;
	epitaph_events_unlock();
	kfree(reader->ready);
	kfree(reader);
}

/* --- reading -------------------------------------------------------------------- */

struct ready_question {
	struct epitaph_ring *ring;
	bool close;
	u32 end;
};

/*
 * Within what epitaph_consume_pause() and epitaph_consume_lose() wait for: rcu_read_lock(), or
 * interrupts are off.
 */
static int may_touch_rings(void)
{
	if (epitaph_lost())
		return -EIO;
	return READ_ONCE(is_paused) ? -EAGAIN : 0;
}

static void ask_ring(void *arg)
{
	struct ready_question *question = arg;

	if (may_touch_rings())
		return;
	if (question->close)
		epitaph_ring_close(question->ring);
	question->end = epitaph_ring_ready(question->ring);
}

/* A CPU that is off has no writer, and stays off meanwhile. */
static void ask_cpu(unsigned int cpu, struct ready_question *question)
{
	unsigned long flags;

	cpus_read_lock();
	if (cpu_online(cpu)) {
		smp_call_function_single(cpu, ask_ring, question, 1);
	} else {
		local_irq_save(flags);
		ask_ring(question);
		local_irq_restore(flags);
	}
	cpus_read_unlock();
}

/* From @from forward, within the ring. */
static u32 distance(const struct epitaph_ring *ring, u32 from, u32 to)
{
	return to >= from ? to - from : to + ring->size - from;
}

/* What was ready stays so, whatever a writer that was interrupted holds now. */
static u32 later_end(const struct epitaph_ring *ring, u32 ready, u32 end)
{
	return distance(ring, ring->position, end) > distance(ring, ring->position, ready) ? end : ready;
}

static long do_ready(struct epitaph_reader *reader, void __user *arg)
{
	struct epitaph_consume_ready ready;
	struct ready_question question;
	bool any = false;
	u32 unread;

	if (copy_from_user(&ready, arg, sizeof(ready)))
		return -EFAULT;
	if (ready.cpu >= nr_cpu_ids || !cpu_possible(ready.cpu) || (ready.flags & ~EPITAPH_CONSUME_CLOSE))
		return -EINVAL;
	mutex_lock(&reader->lock);
	question.ring = ring_of_reader(reader, ready.cpu);
	question.close = ready.flags & EPITAPH_CONSUME_CLOSE;
	question.end = ready.begin = question.ring->position;
	if (question.close)
		WRITE_ONCE(reader->closed, jiffies);
	unread = unread_subbufs(question.ring, &any);
	if (unread || (any && question.close))
		ask_cpu(ready.cpu, &question);
	ready.end = later_end(question.ring, reader->ready[ready.cpu], question.end);
	reader->ready[ready.cpu] = ready.end;
	mutex_unlock(&reader->lock);
	return copy_to_user(arg, &ready, sizeof(ready)) ? -EFAULT : 0;
}

static int give(struct epitaph_reader *reader, const struct epitaph_consume_give *what)
{
	struct epitaph_ring *ring = ring_of_reader(reader, what->cpu);
	int err;

	if (what->from != ring->position)
		return -ESTALE;
	if (what->to >= ring->size || what->to % ring->sub_size ||
	    distance(ring, what->from, what->to) >
	    distance(ring, what->from, reader->ready[what->cpu]))
		return -EINVAL;
	rcu_read_lock();
	err = may_touch_rings();
	if (!err)
		epitaph_ring_give(ring, what->to);
	rcu_read_unlock();
	return err;
}

static long do_give(struct epitaph_reader *reader, void __user *arg)
{
	struct epitaph_consume_give what;
	int err;

	if (copy_from_user(&what, arg, sizeof(what)))
		return -EFAULT;
	if (what.cpu >= nr_cpu_ids || !cpu_possible(what.cpu) || what.reserved)
		return -EINVAL;
	mutex_lock(&reader->lock);
	err = give(reader, &what);
	mutex_unlock(&reader->lock);
	return err;
}

static long do_wait(struct epitaph_reader *reader, void __user *arg)
{
	const struct epitaph_ring *ring = ring_of_reader(reader, cpumask_first(cpu_possible_mask));
	struct epitaph_consume_wait wait;

	if (copy_from_user(&wait, arg, sizeof(wait)))
		return -EFAULT;
	if (wait.watermark >= ring->size / ring->sub_size || wait.ms > 3600 * MSEC_PER_SEC)
		return -EINVAL;
	WRITE_ONCE(reader->watermark, wait.watermark ?: ring->size / ring->sub_size / 2);
	WRITE_ONCE(reader->wait, wait.ms ? msecs_to_jiffies(wait.ms) : 0);
	return 0;
}

long epitaph_consume_ioctl(struct epitaph_reader **at, unsigned int number, unsigned long arg)
{
	struct epitaph_reader *reader = smp_load_acquire(at);

	if (number == EPITAPH_CONSUME_TAKE)
		return do_take(at, (void __user *)arg);
	if (number != EPITAPH_CONSUME_READY && number != EPITAPH_CONSUME_GIVE &&
	    number != EPITAPH_CONSUME_WAIT)
		return -ENOTTY;
	if (!reader)
		return -ENOTCONN;
	if (number == EPITAPH_CONSUME_READY)
		return do_ready(reader, (void __user *)arg);
	if (number == EPITAPH_CONSUME_GIVE)
		return do_give(reader, (void __user *)arg);
	return do_wait(reader, (void __user *)arg);
}

/* --- the mapping ------------------------------------------------------------------ */

/* A page at a time: what is mapped after the loss, epitaph_consume_lose() would not find. */
static vm_fault_t map_page(struct vm_fault *fault)
{
	struct vm_area_struct *vma = fault->vma;
	const struct epitaph_reader *reader = vma->vm_private_data;
	vm_fault_t ret = VM_FAULT_SIGBUS;

	mutex_lock(&readers_lock);
	if (!epitaph_lost())
		ret = vmf_insert_pfn(vma, fault->address,
				     (place_of_rings(reader) >> PAGE_SHIFT) + fault->pgoff);
	mutex_unlock(&readers_lock);
	return ret;
}

static const struct vm_operations_struct mapped_rings = { .fault = map_page };

int epitaph_consume_mmap(struct epitaph_reader **at, struct vm_area_struct *vma)
{
	struct epitaph_reader *reader = smp_load_acquire(at);
	const struct epitaph_added *shape;
	u64 size = vma->vm_end - vma->vm_start, all;
	phys_addr_t phys;

	if (!reader)
		return -ENOTCONN;
	if (vma->vm_flags & (VM_WRITE | VM_EXEC))
		return -EPERM;
	shape = &reader->channel->shape;
	all = le64_to_cpu(shape->ring_size) * le32_to_cpu(shape->nr_rings);
	phys = place_of_rings(reader);
	if (vma->vm_pgoff || size > PAGE_ALIGN(all))
		return -EINVAL;
	if (!epitaph_can_be_mapped(phys, size))
		return -EOPNOTSUPP;
	epitaph_vm_flags(vma, VM_PFNMAP | VM_IO | VM_DONTEXPAND | VM_DONTDUMP | VM_DONTCOPY,
			 VM_MAYWRITE | VM_MAYEXEC);
	vma->vm_ops = &mapped_rings;
	vma->vm_private_data = reader;
	mutex_lock(&readers_lock);
	reader->mapping = vma->vm_file->f_mapping;
	mutex_unlock(&readers_lock);
	return 0;
}

/* --- the region is not ours ------------------------------------------------------- */

void epitaph_consume_pause(bool pause)
{
	WRITE_ONCE(is_paused, pause);
	if (pause)
		synchronize_rcu();
}

void epitaph_consume_lose(void)
{
	struct epitaph_reader *reader;

	mutex_lock(&readers_lock);
	list_for_each_entry(reader, &readers, entry) {
		if (reader->mapping)
			unmap_mapping_range(reader->mapping, 0, 0, 1);
		wake_up_interruptible(&reader->waiters);
	}
	mutex_unlock(&readers_lock);
	synchronize_rcu();
}
