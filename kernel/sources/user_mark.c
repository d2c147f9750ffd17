// SPDX-License-Identifier: GPL-2.0-only
/*
 * /dev/epitaph-mark: each write is an event epitaph:mark in a channel of its own.  Marks with fields
 * (typed_mark.c) come by ioctl(), into the same channel and by the same quotas.
 *
 * The channel has one ring.  Writers are in process context and take turns, so
 * the ring is always at level 0.  A CPU that stops in the middle leaves one torn
 * event, and a lock that no writer will need again.
 *
 * A user can be many: each has subordinate uids, and a user namespace to be them in.  So what is
 * written there counts for who made the namespace, and all users together have a quota, which
 * root does not share.
 */
#include <linux/cred.h>
#include <linux/fs.h>
#include <linux/hash.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uidgid.h>
#include <linux/uio.h>
#include <linux/user_namespace.h>
#include <epitaph/probes.h>
#include "core/lost.h"
#include "events/fields.h"
#include "charged_user.h"
#include "recorder.h"
#include "typed_mark.h"
#include "user_mark.h"

#define MAX_TEXT	4096		/* bytes */
#define RATE		(16 << 10)	/* bytes a second that root may write, and that all others may */
#define BURST		(32 << 10)	/* and at once */
#define USER_PART	2		/* of what all others may, one of them may the half */
#define OVERHEAD	64		/* bytes that a mark counts for besides its text */
#define USER_BITS	8

/* As the format says, behind the common bytes. */
struct mark {
	struct epitaph_mark_head head;
	u32 text;		/* length << 16 | offset */
	char data[];
};

static const struct epitaph_field fields[] = {
	{ .type = "unsigned int", .name = "cpu", .size = 4, .align = 4 },
	{ .type = "unsigned int", .name = "uid", .size = 4, .align = 4 },
	{ .type = "unsigned int", .name = "dropped", .size = 4, .align = 4 },
	{ .type = "__data_loc char[]", .name = "text", .size = 4, .align = 4 },
	{}
};
static const struct epitaph_enum *const no_enums;

static struct epitaph_event event = {
	.size = sizeof(struct mark),
	.dynamic = true,
	.system = "epitaph",
	.name = "mark",
	.fields = fields,
	.print_fmt = "\"uid=%u dropped=%u text=%s\", REC->uid, REC->dropped, __get_str(text)",
	.enums = &no_enums,
};

/**
 * struct writer - what root has written, all others, one of them, or several whose numbers fall
 *	together
 * @free_at: CLOCK_MONOTONIC when all of it will be forgotten, ns
 * @dropped: marks refused since the last one that was not
 */
struct writer {
	u64 free_at;
	u32 dropped;
};

static DEFINE_RAW_SPINLOCK(lock);	/* all of the following */
static struct epitaph_ring ring;
static struct writer root, others;
static struct writer users[1 << USER_BITS];

static bool is_there;

/* One writer at a time; the number before its complement. */
static void count_refused(struct epitaph_counters *counters)
{
	u64 n = le64_to_cpu(counters->refused) + 1;

	WRITE_ONCE(counters->refused, cpu_to_le64(n));
	smp_wmb();	/* as the other counters: a reader believes the pair only */
	WRITE_ONCE(counters->refused_not, cpu_to_le64(~n));
}

static u64 ns_for(u64 bytes)
{
	return bytes * (NSEC_PER_SEC / RATE);
}

/* When @writer will have paid for @len bytes more; 0: it may not write them now. */
static u64 paid_at(const struct writer *writer, u64 now, size_t len, unsigned int part)
{
	u64 at = max(writer->free_at, now) + part * ns_for(len + OVERHEAD);

	return at <= now + ns_for(BURST) ? at : 0;
}

static bool may_write(struct writer *user, size_t len)
{
	bool is_root = user == &root;
	u64 now = ktime_get_ns();
	u64 at = paid_at(user, now, len, is_root ? 1 : USER_PART);
	u64 others_at = is_root ? 1 : paid_at(&others, now, len, 1);

	if (!at || !others_at) {
		user->dropped++;
		count_refused(ring.counters);
		return false;
	}
	user->free_at = at;
	if (!is_root)
		others.free_at = others_at;
	return true;
}

kuid_t epitaph_mark_user(void)
{
	kuid_t uid = epitaph_charged_user();

	/* Root in a container that has all numbers of the machine is still in a container. */
	return uid_eq(uid, GLOBAL_ROOT_UID) && current_user_ns() != &init_user_ns ? INVALID_UID : uid;
}

bool epitaph_mark_is_root(kuid_t user)
{
	return uid_eq(user, GLOBAL_ROOT_UID);
}

static struct writer *charged_writer(void)
{
	kuid_t user = epitaph_mark_user();

	if (epitaph_mark_is_root(user))
		return &root;
	/* As root's. */
	if (!uid_valid(user))
		user = GLOBAL_ROOT_UID;
	return &users[hash_32(from_kuid(&init_user_ns, user), USER_BITS)];
}

/* As in other channels without switches; a reader of its sub-buffer begins with it. */
static void record_marking_task(void)
{
	u32 pid = current->pid;

	if (ring.pid == pid)
		return;
	epitaph_ring_record_pid(&ring, pid);
	ring.pid = pid;
}

static int write_mark(struct writer *user, u32 id, struct epitaph_mark_head *mark, size_t size)
{
	struct epitaph_rec rec;
	void *to;

	record_marking_task();
	to = epitaph_ring_reserve(&ring, &rec, id, size, true);
	if (!to)
		return -EMSGSIZE;
	mark->cpu = raw_smp_processor_id();
	mark->dropped = user->dropped;
	memcpy(to, mark, size);
	epitaph_ring_commit(&rec);
	user->dropped = 0;
	return 0;
}

int epitaph_mark_put(u32 id, struct epitaph_mark_head *mark, size_t size, size_t charged)
{
	struct writer *user = charged_writer();
	int err = -EAGAIN;

	mark->uid = from_kuid(&init_user_ns, current_uid());
	raw_spin_lock(&lock);
	/* Who loses the region waits for this. */
	if (epitaph_lost()) {
		err = -EIO;
	} else if (may_write(user, charged)) {
		epitaph_task_note(current);
		err = write_mark(user, id, mark, size);
	}
	raw_spin_unlock(&lock);
	return err;
}

static int mark_text(struct mark *mark, size_t len)
{
	if (mark->data[len - 1] == '\n')
		len--;
	if (len > MAX_TEXT)
		return -EMSGSIZE;
	/* A NUL byte would hide what is behind it. */
	if (!len || memchr(mark->data, 0, len))
		return -EINVAL;
	mark->data[len] = 0;
	mark->text = (len + 1) << 16 | (EPITAPH_COMMON_BYTES + sizeof(*mark));
	return epitaph_mark_put(event.id, &mark->head, sizeof(*mark) + len + 1, len);
}

static ssize_t mark_write(struct kiocb *iocb, struct iov_iter *from)
{
	size_t count = iov_iter_count(from);
	struct mark *mark;
	int err;

	if (!count)
		return -EINVAL;
	if (count > MAX_TEXT + 1)
		return -EMSGSIZE;
	mark = kmalloc(sizeof(*mark) + count + 1, GFP_KERNEL);
	if (!mark)
		return -ENOMEM;
	err = copy_from_iter_full(mark->data, count, from) ? mark_text(mark, count) : -EFAULT;
	kfree(mark);
	return err ?: count;
}

static const struct file_operations operations = {
	.owner = THIS_MODULE,
	.write_iter = mark_write,
	.unlocked_ioctl = epitaph_typed_mark_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.llseek = noop_llseek,
};

static struct miscdevice device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "epitaph-mark",
	.mode = 0222,
	.fops = &operations,
};

const struct epitaph_ring *epitaph_user_ring(void)
{
	return &ring;
}

static int start(void)
{
	memset(users, 0, sizeof(users));
	root = others = (struct writer){};
	event.published = false;
	epitaph_typed_marks_forget();
	epitaph_ring_place(&ring, EPITAPH_CHANNEL_USER, 0);
	return epitaph_ring_init(&ring) ?: epitaph_event_publish(&event) ?:
	       misc_register(&device);
}

void epitaph_user_marks_start(void)
{
	int err = start();

	if (err)
		pr_warn("no /dev/epitaph-mark (%d): applications leave no marks\n", err);
	is_there = !err;
}

void epitaph_user_marks_stop(void)
{
	if (is_there)
		misc_deregister(&device);
	epitaph_typed_marks_forget();
}
