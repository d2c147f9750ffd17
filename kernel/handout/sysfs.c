// SPDX-License-Identifier: GPL-2.0-only
/*
 * /sys/kernel/epitaph: what the region holds, and that it was harvested.
 * docs/sysfs.md is the ABI.
 */
#include <linux/capability.h>
#include <linux/ctype.h>
#include <linux/kernel.h>
#include <linux/kobject.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/sysfs.h>
#include <epitaph/earlier.h>
#include "arch/arch.h"
#include "control/channels.h"
#include "control/members.h"
#include "core/lost.h"
#include "crash/branches.h"
#include "crash/kernel_types.h"
#include "events/prototype.h"
#include "recorder.h"
#include "sysfs.h"

/**
 * struct gen_dir - generations/NUMBER
 * @kobj: the directory; the kernel's own kind, whose last reference may go after this module
 * @gen: the generation that the directory describes
 * @boot_id, @release, @start: of its header, which may be on a device that goes away
 */
struct gen_dir {
	struct kobject *kobj;
	const struct epitaph_gen *gen;
	u8 boot_id[16];
	char release[sizeof_field(struct epitaph_header, release)];
	u64 start;
};

static struct kobject *root;
static struct kobject *generations;
static struct kobject *evidence, *ended;	/* links to unharvested generations */
static struct gen_dir dirs[EPITAPH_MAX_FOUND];

/* Of the generation that is recorded into, for the same reason. */
static u64 began, lost_number;
static u32 nr_lost;

/* While a file of the directory is used, the directory is one of these. */
static const struct gen_dir *dir_of(struct kobject *kobj)
{
	unsigned int i = 0;

	while (dirs[i].kobj != kobj)
		i++;
	return &dirs[i];
}

static const struct epitaph_gen *gen_of(struct kobject *kobj)
{
	return dir_of(kobj)->gen;
}

static ssize_t offset_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%llu\n", gen_of(kobj)->off);
}

static ssize_t size_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%llu\n", gen_of(kobj)->size);
}

/* A recorder that could not ask for it left it zero. */
static ssize_t boot_id_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	const u8 *id = dir_of(kobj)->boot_id;

	if (!memchr_inv(id, 0, 16))
		return sysfs_emit(buf, "unknown\n");
	return sysfs_emit(buf, "%pUb\n", id);
}

/* Bytes that another kernel left, and firmware had in its hands. */
static ssize_t release_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	const struct gen_dir *dir = dir_of(kobj);

	return sysfs_emit(buf, "%*pE\n", (int)strnlen(dir->release, sizeof(dir->release)), dir->release);
}

static ssize_t start_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%llu\n", dir_of(kobj)->start);
}

static ssize_t state_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	const struct epitaph_gen *gen = gen_of(kobj);
	const char *state = "evidence";

	if (READ_ONCE(gen->taken[EPITAPH_TAKEN_HARVEST]))
		state = "harvested";
	else if (READ_ONCE(gen->taken[EPITAPH_TAKEN_PSTORE]))
		state = "taken-by-pstore";
	else if (gen->ended)
		state = "ended";
	return sysfs_emit(buf, "%s\n", state);
}

/* What people read later in a log or a report: one line that can be printed. */
static bool is_directory_name(const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (!isascii(name[i]) || !isprint(name[i]))
			return false;
	return len && len < sizeof_field(struct epitaph_taken, where);
}

static ssize_t harvested_store(struct kobject *kobj, struct kobj_attribute *attr,
			       const char *buf, size_t count)
{
	char where[sizeof_field(struct epitaph_taken, where)] = "";
	size_t len = count && buf[count - 1] == '\n' ? count - 1 : count;
	const struct epitaph_gen *gen = gen_of(kobj);
	int err;

	/* To own the file is not enough: what is marked may be overwritten at the next boot. */
	if (!capable(CAP_SYSLOG) && !capable(CAP_SYS_ADMIN))
		return -EPERM;
	if (!is_directory_name(buf, len)) {
		pr_err("generation %llu is not marked as harvested: %zu bytes are no name of a directory; 1 to %zu printable ones would do\n",
		       gen->number, len, sizeof(where) - 1);
		return -EINVAL;
	}
	memcpy(where, buf, len);
	err = epitaph_earlier_take(gen, EPITAPH_TAKEN_HARVEST, where);
	if (err)
		return err;
	pr_info("generation %llu is harvested, in %s\n", gen->number, where);
	return count;
}

static struct kobj_attribute gen_offset = __ATTR(offset, 0400, offset_show, NULL);
static struct kobj_attribute gen_size = __ATTR(size, 0400, size_show, NULL);
static struct kobj_attribute gen_boot_id = __ATTR(boot_id, 0400, boot_id_show, NULL);
static struct kobj_attribute gen_release = __ATTR(release, 0400, release_show, NULL);
static struct kobj_attribute gen_start = __ATTR(start, 0400, start_show, NULL);
static struct kobj_attribute gen_state = __ATTR(state, 0400, state_show, NULL);
static struct kobj_attribute gen_harvested = __ATTR(harvested, 0200, NULL, harvested_store);

static struct attribute *gen_attrs[] = {
	&gen_offset.attr, &gen_size.attr, &gen_boot_id.attr, &gen_release.attr,
	&gen_start.attr, &gen_state.attr, &gen_harvested.attr, NULL
};

static const struct attribute_group gen_group = {
	.attrs = gen_attrs,
};

static const char *memory_kind_name(enum epitaph_memory kind)
{
	switch (kind) {
	case EPITAPH_MEMORY_MEMMAP:
		return "memmap";
	case EPITAPH_MEMORY_RESERVE_MEM:
		return "reserve_mem";
	case EPITAPH_MEMORY_PAGES:
		return "pages";
	case EPITAPH_MEMORY_DEVICE:
		return "device";
	case EPITAPH_MEMORY_DEVICE_TREE:
		return "device_tree";
	}
	return "unknown";
}

static ssize_t region_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	phys_addr_t phys;
	u64 size;

	epitaph_region_memory(&size, &phys);
	return sysfs_emit(buf, "%#llx %llu %s\n", (u64)phys, size,
			  memory_kind_name(epitaph_region_kind()));
}

static ssize_t current_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%llu\n", epitaph_current()->number);
}

static ssize_t recording_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	static const char *const words[] = {
		[EPITAPH_LOST_IN_HIBERNATION] = "lost-in-hibernation",
		[EPITAPH_LOST_DEVICE] = "device-removed",
	};
	enum epitaph_loss loss = epitaph_lost();

	return sysfs_emit(buf, "%s\n", loss ? words[loss] : epitaph_all_paused() ? "stopped" : "yes");
}

static ssize_t began_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%llu\n", began);
}

static ssize_t lost_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%u %llu\n", nr_lost, lost_number);
}

static struct kobj_attribute region_attr = __ATTR(region, 0400, region_show, NULL);
static struct kobj_attribute current_attr = {	/* the word is a macro */
	.attr = { .name = "current", .mode = 0400 },
	.show = current_show,
};
static struct kobj_attribute recording_attr = __ATTR(recording, 0400, recording_show, NULL);
static ssize_t missing_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%s\n", EPITAPH_ARCH_MISSING);
}

static ssize_t types_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%s\n", epitaph_types_owner());
}

static struct kobj_attribute missing_attr = __ATTR(missing, 0400, missing_show, NULL);
static struct kobj_attribute types_attr = __ATTR(types, 0400, types_show, NULL);
static ssize_t not_followed_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	ssize_t used = epitaph_prototypes_name_others(buf, PAGE_SIZE - 1);

	return used + sysfs_emit_at(buf, used, "\n");
}

static struct kobj_attribute not_followed_attr = {	/* a name with "-" */
	.attr = { .name = "not-followed", .mode = 0400 },
	.show = not_followed_show,
};
static ssize_t branches_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	return epitaph_branches_say(buf);
}

static struct kobj_attribute branches_attr = {	/* a name with "-" */
	.attr = { .name = "last-branches", .mode = 0400 },
	.show = branches_show,
};
static struct kobj_attribute start_attr = __ATTR(start, 0400, began_show, NULL);
static struct kobj_attribute lost_attr = __ATTR(lost, 0400, lost_show, NULL);

static struct attribute *root_attrs[] = {
	&region_attr.attr, &current_attr.attr, &recording_attr.attr, &start_attr.attr,
	&lost_attr.attr, &missing_attr.attr, &not_followed_attr.attr,
	&branches_attr.attr, &types_attr.attr, NULL
};

static const struct attribute_group root_group = {
	.attrs = root_attrs,
};

/* Return: the directory that has a link to it, or NULL. */
static struct kobject *list_of(const struct epitaph_gen *gen)
{
	if (gen->taken[EPITAPH_TAKEN_HARVEST] || gen->taken[EPITAPH_TAKEN_PSTORE])
		return NULL;
	return gen->ended ? ended : evidence;
}

void epitaph_sysfs_taken(const struct epitaph_gen *gen)
{
	struct kobject *list = gen->ended ? ended : evidence;
	char name[24];

	scnprintf(name, sizeof(name), "%llu", gen->number);
	if (list)
		sysfs_remove_link(list, name);
}

static int add_link(const struct gen_dir *dir)
{
	struct kobject *list = list_of(dir->gen);

	return list ? sysfs_create_link(list, dir->kobj, kobject_name(dir->kobj)) : 0;
}

static int add_dir(struct gen_dir *dir, const struct epitaph_gen *gen)
{
	char name[24];
	int err;

	scnprintf(name, sizeof(name), "%llu", gen->number);
	dir->gen = gen;
	memcpy(dir->boot_id, gen->table->boot_id, sizeof(dir->boot_id));
	memcpy(dir->release, gen->table->release, sizeof(dir->release));
	dir->start = le64_to_cpu(gen->table->start_real_ns);
	dir->kobj = kobject_create_and_add(name, generations);
	if (!dir->kobj)
		return -ENOMEM;
	err = sysfs_create_group(dir->kobj, &gen_group);
	return err ?: add_link(dir);
}

static int add_dirs(void)
{
	const struct epitaph_gen *gen;
	unsigned int i;
	int err = 0;

	for (i = 0; !err && i < ARRAY_SIZE(dirs) && (gen = epitaph_earlier(i)); i++) {
		/* Of two that did not count only the first has a name. */
		if (!i || epitaph_earlier(i - 1)->number != gen->number)
			err = add_dir(&dirs[i], gen);
	}
	return err;
}

static int add_all(void)
{
	int err;

	began = le64_to_cpu(epitaph_current()->table->start_real_ns);
	epitaph_earlier_lost(&lost_number, &nr_lost);
	root = kobject_create_and_add("epitaph", kernel_kobj);
	if (!root)
		return -ENOMEM;
	err = sysfs_create_group(root, &root_group);
	if (err)
		return err;
	generations = kobject_create_and_add("generations", root);
	evidence = kobject_create_and_add("evidence", root);
	ended = kobject_create_and_add("ended", root);
	err = generations && evidence && ended ? add_dirs() : -ENOMEM;
	return err ?: epitaph_channels_start(root);
}

void epitaph_sysfs_start(void)
{
	int err = add_all();

	if (err)
		pr_warn("/sys/kernel/epitaph is not whole (%d): earlier generations may lack there; /dev/epitaph has them\n",
			err);
}

void epitaph_sysfs_remove_dir(struct kobject *dir)
{
	if (!dir)
		return;
	/* Now, and not with the last reference, which others may have. */
	kobject_del(dir);
	kobject_put(dir);
}

void epitaph_sysfs_stop(void)
{
	unsigned int i;

	epitaph_channels_stop();
	for (i = 0; i < ARRAY_SIZE(dirs); i++) {
		epitaph_sysfs_remove_dir(dirs[i].kobj);
		dirs[i].kobj = NULL;
	}
	/* Behind those who write to a generation's "harvested", which takes a link away here. */
	epitaph_sysfs_remove_dir(evidence);
	epitaph_sysfs_remove_dir(ended);
	evidence = ended = NULL;
	epitaph_sysfs_remove_dir(generations);
	epitaph_sysfs_remove_dir(root);
	generations = root = NULL;
}
