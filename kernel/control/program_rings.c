// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rings that programs write by themselves.  A file has one slot of the room, and maps it; the slot is
 * live while the file is: the last descriptor and the last mapping.
 *
 * The kernel clears a slot and then reads nothing of it: whose it is, is known here.
 */
#include <linux/cgroup.h>
#include <linux/cred.h>
#include <linux/ctype.h>
#include <linux/fs.h>
#include <linux/gfp.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/math64.h>
#include <linux/miscdevice.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/pid.h>
#include <linux/random.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/uidgid.h>
#include <linux/user_namespace.h>
#include <epitaph/rings.h>
#include "core/lost.h"
#include "core/user_map.h"
#include "sources/charged_user.h"
#include "answer.h"
#include "compat.h"
#include "program_rings.h"
#include "recorder.h"
#include "ring_quota.h"

#define SLOT_PAGES	(EPITAPH_SLOT_SIZE / EPITAPH_PAGE)
#define MAX_SLOTS	1024

/**
 * struct program_ring - an open file
 * @slot: that it has; NO_SLOT: none, or the ring is over
 * @was_opened: it had one
 * @process: that may map it, with a reference
 * @mapping: of the file, when it was mapped
 * @entry: of live_rings, while it has a slot
 * @spare: pages that take the place of the slot's when the ring is over
 */
struct program_ring {
	u32 slot;
	bool was_opened;
	struct pid *process;
	struct address_space *mapping;
	struct list_head entry;
	unsigned long spare[SLOT_PAGES];
};

#define NO_SLOT	(~0U)

/* All of the following, and what it speaks of in the region.  Faults take it: no copy to user under it. */
static DEFINE_MUTEX(rings_lock);
static struct epitaph_ring_slot *slots;		/* NULL: there is no room */
static u32 nr_slots;
static u64 slots_off, owners_off;		/* in the generation */
static u64 last_seq;
static bool is_stopped;			/* the channel */
static bool is_paused;			/* for hibernation */
static LIST_HEAD(live_rings);

static bool is_there;

static struct epitaph_owner *owner_of(u32 slot)
{
	return (struct epitaph_owner *)(epitaph_region.base + owners_off) + slot;
}

static u64 slot_off(u32 slot)
{
	return slots_off + (u64)slot * EPITAPH_SLOT_SIZE;
}

/* --- the entry ------------------------------------------------------------------ */

static void fill_owner(struct epitaph_owner *owner, const struct epitaph_ring_request *request)
{
	owner->seq = cpu_to_le64(last_seq);
	owner->salt = cpu_to_le64(request->salt);
	owner->opened = cpu_to_le64(epitaph_clock());
	owner->pid = cpu_to_le32(task_pid_nr(current));
	owner->tgid = cpu_to_le32(task_tgid_nr(current));
	owner->uid = cpu_to_le32(from_kuid(&init_user_ns, current_uid()));
	get_task_comm(owner->comm, current);
	get_task_comm(owner->program, current->group_leader);
	strscpy(owner->name, request->name, sizeof(owner->name));
}

/* No process maps @slot: the one that had it has no mapping left, and the next gets its own afterwards. */
static void write_owner(u32 slot, const struct epitaph_ring_request *request)
{
	struct epitaph_owner *to = owner_of(slot), owner = {};

	WRITE_ONCE(to->check, 0);					/* slot:A */
	smp_wmb();	/* no check of the former owner over what follows */
	plat_zero(to, sizeof(*to));
	plat_zero(epitaph_region.base + slot_off(slot), EPITAPH_SLOT_SIZE);	/* slot:B */
	fill_owner(&owner, request);
	memcpy(to, &owner, offsetof(struct epitaph_owner, check));	/* slot:C */
	smp_wmb();	/* cleared pages and the entry before the check that vouches for them */
	WRITE_ONCE(to->check, cpu_to_le64(epitaph_check(epitaph_region.salt, &owner,
			offsetof(struct epitaph_owner, check))));	/* slot:D */
}

static void write_end(u32 slot)
{
	struct epitaph_owner *owner = owner_of(slot);
	__le64 now = cpu_to_le64(epitaph_clock());

	WRITE_ONCE(owner->ended, now);					/* over:A */
	smp_wmb();	/* a complement alone would be damage */
	WRITE_ONCE(owner->ended_not, ~now);				/* over:B */
}

/* --- a slot ---------------------------------------------------------------------- */

/* The service, the container, or the user's slice: two levels below the root. */
static u64 charged_cgroup(void)
{
	u64 id = 0;
#ifdef CONFIG_CGROUPS
	struct cgroup *cgroup;

	rcu_read_lock();
	cgroup = rcu_dereference(current->cgroups)->dfl_cgrp;
	if (cgroup->level >= 2)
		id = cgroup_id(cgroup_ancestor(cgroup, 2));
	rcu_read_unlock();
#endif
	return id;
}

static struct epitaph_ring_asker asker_now(void)
{
	kuid_t user = epitaph_charged_user();

	return (struct epitaph_ring_asker){
		.user = from_kuid(&init_user_ns, user), .cgroup = charged_cgroup(),
		.is_root = uid_eq(user, GLOBAL_ROOT_UID) && current_user_ns() == &init_user_ns,
	};
}

#define say(request, ...)	scnprintf((request)->error, sizeof((request)->error), __VA_ARGS__)

static int refuse(struct epitaph_ring_request *request, const struct epitaph_quota_answer *answer)
{
	static const char advice[] = "end threads that have one, or make the room larger";

	if (answer->verdict == EPITAPH_QUOTA_FULL) {
		say(request, "all %u rings of programs are in use: %s", nr_slots, advice);
		return -ENOSPC;
	}
	say(request, "this %s has %u rings of programs, the limit is %u of %u: %s",
	    answer->verdict == EPITAPH_QUOTA_USER ? "user" : "control group", answer->has,
	    answer->limit, nr_slots, advice);
	return -EDQUOT;
}

static int check_recorder(struct epitaph_ring_request *request)
{
	if (epitaph_lost()) {
		say(request, "%s: load the recorder anew", epitaph_loss_text());
		return -EIO;
	}
	if (!slots) {
		say(request, "there is no room for rings of programs: epitaph channel add programs 4M rings");
		return -ENXIO;
	}
	if (is_stopped || is_paused) {
		say(request, "no ring of a program is opened now: the channel is stopped, or the machine hibernates");
		return -EAGAIN;
	}
	if (!epitaph_clock_is_near()) {
		say(request, "the recorder's clock is trace_clock_local(), which programs cannot read: expected %s",
		    EPITAPH_ARCH_COUNTER_NAME);
		return -EOPNOTSUPP;
	}
	if (!epitaph_can_be_mapped(epitaph_region.phys + slots_off, (u64)nr_slots * EPITAPH_SLOT_SIZE)) {
		say(request, "this memory cannot be mapped: expected pages of 4096 bytes, and a struct page for each");
		return -EOPNOTSUPP;
	}
	return 0;
}

static int take_slot(struct program_ring *ring, struct epitaph_ring_request *request)
{
	struct epitaph_ring_asker asker = asker_now();
	struct epitaph_quota_answer answer;
	int err = check_recorder(request);

	if (err)
		return err;
	answer = epitaph_ring_choose(slots, nr_slots, &asker);
	if (answer.verdict != EPITAPH_QUOTA_FITS)
		return refuse(request, &answer);
	get_random_bytes(&request->salt, sizeof(request->salt));
	slots[answer.slot] = (struct epitaph_ring_slot){
		.seq = ++last_seq, .cgroup = asker.cgroup, .user = asker.user, .live = true,
	};
	write_owner(answer.slot, request);
	ring->slot = answer.slot;
	ring->was_opened = true;
	ring->process = get_pid(task_tgid(current));
	list_add(&ring->entry, &live_rings);
	request->slot = answer.slot;
	request->clock_id = EPITAPH_ARCH_COUNTER;
	request->clock_shift = epitaph_clock_shift();
	request->pid = task_pid_vnr(current);
	return 0;
}

/* The mapping stays, and what was there is not there any more. */
static void end_ring(struct program_ring *ring)
{
	if (ring->slot == NO_SLOT)
		return;
	if (!epitaph_lost())
		write_end(ring->slot);
	slots[ring->slot].live = false;
	ring->slot = NO_SLOT;
	list_del(&ring->entry);
}

/* --- the file -------------------------------------------------------------------- */

static int ring_file_open(struct inode *inode, struct file *file)
{
	struct program_ring *ring = kzalloc(sizeof(*ring), GFP_KERNEL_ACCOUNT);

	if (!ring)
		return -ENOMEM;
	ring->slot = NO_SLOT;
	file->private_data = ring;
	return 0;
}

/* No mapping is left: each has a reference to the file. */
static int ring_file_release(struct inode *inode, struct file *file)
{
	struct program_ring *ring = file->private_data;
	u32 i;

	mutex_lock(&rings_lock);
	end_ring(ring);
	mutex_unlock(&rings_lock);
	for (i = 0; i < SLOT_PAGES; i++)
		free_page(ring->spare[i]);
	put_pid(ring->process);
	kfree(ring);
	return 0;
}

static bool is_ring_name(const char *name, size_t size)
{
	const char *p = name;

	if (strnlen(name, size) == size)
		return false;
	while (isascii(*p) && (isalnum(*p) || *p == '_'))
		p++;
	return p > name && !*p;
}

static int answer_request(struct program_ring *ring, struct epitaph_ring_request *request)
{
	int err;

	memset((void *)request + offsetof(struct epitaph_ring_request, salt), 0,
	       sizeof(*request) - offsetof(struct epitaph_ring_request, salt));
	if (!is_ring_name(request->name, sizeof(request->name))) {
		say(request, "no name of a ring: expected 1 to 31 letters, digits or _");
		return -EINVAL;
	}
	mutex_lock(&rings_lock);
	err = ring->was_opened ? -EALREADY : take_slot(ring, request);
	mutex_unlock(&rings_lock);
	return err;
}

static long ring_file_ioctl(struct file *file, unsigned int number, unsigned long arg)
{
	struct epitaph_ring_request *request;
	void __user *user = (void __user *)arg;
	int err;

	if (number != EPITAPH_RING_OPEN)
		return -ENOTTY;
	request = memdup_user(user, sizeof(*request));
	if (IS_ERR(request))
		return PTR_ERR(request);
	err = answer_request(file->private_data, request);
	if (copy_to_user(user, request, sizeof(*request)))
		err = -EFAULT;
	kfree(request);
	return err;
}

/* --- the mapping ------------------------------------------------------------------ */

/* The file's, until it goes: its mappings go first.  @page is taken if it needs one; 0: it does. */
static vm_fault_t map_spare(struct vm_fault *fault, struct program_ring *ring, unsigned long *page)
{
	unsigned long *spare = &ring->spare[fault->pgoff];

	if (!*spare)
		swap(*spare, *page);
	if (!*spare)
		return 0;
	return vmf_insert_pfn(fault->vma, fault->address, virt_to_phys((void *)*spare) >> PAGE_SHIFT);
}

/* A page at a time: what is mapped after the end, epitaph_program_rings_end() would not find. */
static vm_fault_t map_with(struct vm_fault *fault, struct program_ring *ring, unsigned long *page)
{
	vm_fault_t ret;
	u64 at;

	mutex_lock(&rings_lock);
	if (ring->slot == NO_SLOT || epitaph_lost()) {
		ret = map_spare(fault, ring, page);
	} else {
		at = epitaph_region.phys + slot_off(ring->slot);
		ret = vmf_insert_pfn(fault->vma, fault->address, (at >> PAGE_SHIFT) + fault->pgoff);
	}
	mutex_unlock(&rings_lock);
	return ret;
}

/* To wait for memory, as of a control group that has none left, is not to keep all others waiting. */
static vm_fault_t map_slot_page(struct vm_fault *fault)
{
	struct program_ring *ring = fault->vma->vm_private_data;
	unsigned long page = 0;
	vm_fault_t ret;

	if (fault->pgoff >= SLOT_PAGES)
		return VM_FAULT_SIGBUS;
	ret = map_with(fault, ring, &page);
	if (ret)
		return ret;
	page = get_zeroed_page(GFP_KERNEL_ACCOUNT);
	if (!page)
		return VM_FAULT_OOM;
	ret = map_with(fault, ring, &page);
	free_page(page);
	return ret;
}

static const struct vm_operations_struct mapped_slot = { .fault = map_slot_page };

static int ring_file_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct program_ring *ring = file->private_data;
	int err = 0;

	if (vma->vm_flags & VM_EXEC)
		return -EPERM;
	if (!(vma->vm_flags & VM_SHARED) || vma->vm_pgoff ||
	    vma->vm_end - vma->vm_start != EPITAPH_SLOT_SIZE)
		return -EINVAL;
	mutex_lock(&rings_lock);
	if (!ring->was_opened)
		err = -ENOTCONN;
	else if (ring->process != task_tgid(current))
		err = -EPERM;
	else
		ring->mapping = file->f_mapping;
	mutex_unlock(&rings_lock);
	if (err)
		return err;
	epitaph_vm_flags(vma, VM_PFNMAP | VM_IO | VM_DONTEXPAND | VM_DONTDUMP | VM_DONTCOPY, VM_MAYEXEC);
	vma->vm_ops = &mapped_slot;
	vma->vm_private_data = ring;
	return 0;
}

static const struct file_operations operations = {
	.owner = THIS_MODULE,
	.open = ring_file_open,
	.release = ring_file_release,
	.unlocked_ioctl = ring_file_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.mmap = ring_file_mmap,
	.llseek = noop_llseek,
};

static struct miscdevice device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "epitaph-ring",
	.mode = 0666,
	.fops = &operations,
};

void epitaph_program_rings_start(void)
{
	int err = misc_register(&device);

	if (err)
		pr_warn("no /dev/epitaph-ring (%d): programs have no rings\n", err);
	is_there = !err;
}

void epitaph_program_rings_stop(void)
{
	if (is_there)
		misc_deregister(&device);
	kvfree(slots);
	slots = NULL;
}

/* --- the room ---------------------------------------------------------------------- */

static u64 owners_size(u32 nr)
{
	return round_up((u64)nr * sizeof(struct epitaph_owner), EPITAPH_PAGE);
}

u64 epitaph_program_rings_before(const struct epitaph_added *shape)
{
	return owners_size(le32_to_cpu(shape->nr_rings));
}

int epitaph_program_rings_plan(struct epitaph_answer *answer, struct epitaph_added *shape, u64 size)
{
	u32 nr = min_t(u64, div_u64(size, EPITAPH_SLOT_SIZE), MAX_SLOTS);

	while (nr && owners_size(nr) + (u64)nr * EPITAPH_SLOT_SIZE > size)
		nr--;
	if (!nr) {
		epitaph_answer(answer, "%lluK are too few for a ring of a program: the least is %lluK\n",
			       size >> 10, (owners_size(1) + EPITAPH_SLOT_SIZE) >> 10);
		return -EINVAL;
	}
	shape->unit = cpu_to_le32(EPITAPH_SLOT_SUB_SIZE);
	shape->ring_size = cpu_to_le64(EPITAPH_SLOT_SIZE);
	shape->nr_rings = cpu_to_le32(nr);
	return 0;
}

int epitaph_program_rings_room(const struct epitaph_added *shape)
{
	u32 nr = le32_to_cpu(shape->nr_rings);
	int err = 0;

	mutex_lock(&rings_lock);
	if (slots) {
		err = -EEXIST;
		goto out;
	}
	slots = kvcalloc(nr, sizeof(*slots), GFP_KERNEL);
	if (!slots) {
		err = -ENOMEM;
		goto out;
	}
	nr_slots = nr;
	slots_off = le64_to_cpu(shape->off);
	owners_off = le64_to_cpu(shape->owners);
	plat_zero(epitaph_region.base + owners_off, owners_size(nr));
	is_stopped = true;
out:
	mutex_unlock(&rings_lock);
	return err;
}

void epitaph_program_rings_run(bool run)
{
	mutex_lock(&rings_lock);
	is_stopped = !run;
	mutex_unlock(&rings_lock);
}

static void end_all(void)
{
	struct program_ring *ring, *next;

	list_for_each_entry_safe(ring, next, &live_rings, entry) {
		end_ring(ring);
		if (ring->mapping)
			unmap_mapping_range(ring->mapping, 0, 0, 1);
	}
}

/* What programs wrote may look like a header, and it is known only now that it is none. */
static void clear_slots(void)
{
	u32 i;

	for (i = 0; slots && i < nr_slots && !epitaph_lost(); i++) {
		plat_zero(epitaph_region.base + slot_off(i), EPITAPH_SLOT_SIZE);
		cond_resched();
	}
}

void epitaph_program_rings_remove(void)
{
	mutex_lock(&rings_lock);
	end_all();
	clear_slots();
	kvfree(slots);
	slots = NULL;
	mutex_unlock(&rings_lock);
}

void epitaph_program_rings_pause(bool pause)
{
	mutex_lock(&rings_lock);
	is_paused = pause;
	if (pause)
		end_all();
	mutex_unlock(&rings_lock);
}

void epitaph_program_rings_lose(void)
{
	mutex_lock(&rings_lock);
	end_all();
	mutex_unlock(&rings_lock);
}

void epitaph_program_rings_count(u32 *live, u32 *free)
{
	u32 i;

	*live = *free = 0;
	mutex_lock(&rings_lock);
	for (i = 0; slots && i < nr_slots; i++) {
		*live += slots[i].live;
		*free += !slots[i].seq;
	}
	mutex_unlock(&rings_lock);
}
