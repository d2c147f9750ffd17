// SPDX-License-Identifier: GPL-2.0-only
/*
 * A pstore backend over the region: keeps what pstore gives in this boot's
 * generation, and shows what earlier ones left.  docs/pstore.md is its design.
 */
#include <linux/capability.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/pstore.h>
#include <linux/rcupdate.h>
#include <linux/security.h>
#include <linux/slab.h>
#include <linux/time64.h>
#include <epitaph/earlier.h>
#include <epitaph/records.h>
#include "catalog.h"
#include "compat.h"

#define TEXT_SIZE	4096

static unsigned int trace_mib = 64;
module_param(trace_mib, uint, 0444);
MODULE_PARM_DESC(trace_mib, "MiB of the largest generation whose trace is shown in pstore, which holds it in memory (default: 64)");

/* Under pstore's read_mutex. */
static u32 next_item;

/* A panic has been stored: the restart that ends it would store the same again. */
static bool has_panic;

/* As of /dev/epitaph: a kernel that is locked down hands no trace out. */
static bool is_locked;

static int backend_open(struct pstore_info *psi)
{
	next_item = 0;
	is_locked = security_locked_down(LOCKDOWN_TRACEFS);
	return 0;
}

static void set_time(struct pstore_record *record, u64 real_ns)
{
	record->time = ns_to_timespec64(real_ns);
}

static size_t fill_text(struct pstore_record *record, const struct item *item)
{
	if (item->type == PSTORE_TYPE_MCE) {
		set_time(record, le64_to_cpu(((const struct epitaph_mce *)item->what)->real_ns));
		return mce_text(item->what, record->buf, TEXT_SIZE);
	}
	set_time(record, shown_real_ns(item->of));
	return summary_text(item->of, is_locked, record->buf, TEXT_SIZE);
}

static size_t fill_record(struct pstore_record *record, const struct item *item)
{
	const struct epitaph_record *kept = item->what;

	memcpy(record->buf, kept + 1, item->size);
	record->compressed = kept->is_compressed;
	record->count = le32_to_cpu(kept->count);
	record->part = le32_to_cpu(kept->part);
	record->reason = le32_to_cpu(kept->reason);
	set_time(record, le64_to_cpu(kept->real_ns));
	return item->size;
}

static size_t fill_part(struct pstore_record *record, const struct item *item)
{
	part_fill(item->of, item->nr, record->buf);
	set_time(record, shown_real_ns(item->of));
	return part_size(item->of, item->nr);
}

static bool is_record(const struct item *item)
{
	return item->type == PSTORE_TYPE_DMESG && item->what;
}

static size_t room_for(const struct item *item)
{
	if (item->type == PSTORE_TYPE_PMSG)
		return part_size(item->of, item->nr);
	return is_record(item) ? item->size : TEXT_SIZE;
}

static size_t fill_from_region(struct pstore_record *record, const struct item *item)
{
	if (item->type == PSTORE_TYPE_PMSG)
		return fill_part(record, item);
	return is_record(item) ? fill_record(record, item) : fill_text(record, item);
}

static ssize_t fill(struct pstore_record *record, const struct item *item)
{
	ssize_t n;

	record->type = item->type;
	record->id = item_id(item);
	record->buf = record_alloc(room_for(item));
	if (!record->buf)
		return -ENOMEM;
	rcu_read_lock();
	n = epitaph_region_is_gone() ? -ENODEV : (ssize_t)fill_from_region(record, item);
	rcu_read_unlock();
	if (n > 0)
		return n;
	record_free(record->buf);
	record->buf = NULL;
	return n;
}

/* One that finds no memory is passed over: pstore takes an error for the end. */
static ssize_t backend_read(struct pstore_record *record)
{
	const struct item *item;
	ssize_t size;

	while ((item = catalog_item(next_item++))) {
		if (item->erased || (is_locked && item->type == PSTORE_TYPE_PMSG))
			continue;
		size = fill(record, item);
		if (size > 0)
			return size;
		if (size == -ENODEV) {
			pr_warn("the device with the region was removed: what earlier boots left is not shown\n");
			break;
		}
		pr_warn("%s-epitaph-%llu is not shown (%zd); /dev/epitaph has what it would hold\n",
			pstore_type_to_name(item->type), item_id(item), size);
	}
	return 0;
}

/* Called while the kernel dies: no lock, no memory, and maybe in NMI. */
static int backend_write(struct pstore_record *record)
{
	struct epitaph_record what = {
		.type = cpu_to_le32(record->type),
		.reason = cpu_to_le32(record->reason),
		.part = cpu_to_le32(record->part),
		.count = cpu_to_le32(record->count),
		.is_compressed = cpu_to_le32(record->compressed),
	};
	s64 seq;

	if (record->type != PSTORE_TYPE_DMESG)
		return -EINVAL;
	if (record->reason == KMSG_DUMP_PANIC)
		has_panic = true;
	else if (has_panic)
		return 0;
	seq = epitaph_record_store(&what, record->buf, record->size);
	if (seq < 0)
		return seq;
	record->id = seq;
	return 0;
}

static int backend_erase(struct pstore_record *record)
{
	struct item *item = catalog_find(record->type, record->id);

	if (!item)
		return -ENOENT;
	/* The file goes all the same; a mark wants what sysfs' "harvested" wants. */
	if (!capable(CAP_SYSLOG) && !capable(CAP_SYS_ADMIN))
		return -EPERM;
	item_erase(item);
	return 0;
}

static struct pstore_info backend = {
	.owner = THIS_MODULE,
	.name = "epitaph",
	.bufsize = EPITAPH_RECORD_ROOM,
	.flags = PSTORE_FLAGS_DMESG,
	.max_reason = KMSG_DUMP_EMERG,
	.open = backend_open,
	.read = backend_read,
	.write = backend_write,
	.erase = backend_erase,
};

static int __init backend_init(void)
{
	int err;

	if (epitaph_region_is_gone()) {
		pr_err("the device with the region was removed: nothing of it can be shown or kept\n");
		return -ENODEV;
	}
	backend.buf = kmalloc(backend.bufsize, GFP_KERNEL);
	if (!backend.buf)
		return -ENOMEM;
	err = catalog_make((u64)trace_mib << 20);
	if (err)
		goto err_catalog;
	err = pstore_register(&backend);
	if (err) {
		owner_report(err);
		goto err_register;
	}
	pr_info("%u earlier generations in pstore, %u files; what this kernel says when it dies is kept, in records of %zu bytes\n",
		catalog_nr_shown(), catalog_nr_items(), backend.bufsize);
	return 0;

err_register:
	catalog_free();
err_catalog:
	kfree(backend.buf);
	return err;
}

static void __exit backend_exit(void)
{
	pstore_unregister(&backend);
	catalog_free();
	kfree(backend.buf);
}

module_init(backend_init);
module_exit(backend_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("What epitaph kept of earlier kernels, in pstore");
MODULE_VERSION("0.1");
