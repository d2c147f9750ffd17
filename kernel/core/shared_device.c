// SPDX-License-Identifier: GPL-2.0-only
/*
 * The memory of a virtual machine's device, which the host keeps.
 *
 * ivshmem has no driver of its own in Linux, and programs that use it map its BAR from user space.
 * So a device without a driver may be in use: its memory must be empty or hold a region of ours.
 * From then on we are its driver, so that no other takes it.
 */
#include <linux/io.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/pci.h>
#include <linux/sched.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <linux/uaccess.h>
#include "arch/arch.h"
#include "control/channels.h"
#include "control/consume.h"
#include "control/control.h"
#include "control/members.h"
#include "control/program_rings.h"
#include "events/probe.h"
#include "bad_page.h"
#include "compat.h"
#include "lost.h"
#include "mapping.h"
#include "parity.h"
#include "recorder.h"
#include "shared_device.h"

#define NAME	"epitaph"
#define ANY	"ivshmem"
#define BAR	2	/* the shared memory; 0 has the registers of the doorbell */
#define LEAST	SZ_1M

#if IS_ENABLED(CONFIG_PCI)

static const struct pci_device_id ids[] = {
	{ PCI_DEVICE(PCI_VENDOR_ID_REDHAT_QUMRANET, 0x1110) },
	{ 0 },
};

/* What the memory of a device holds. */
enum content {
	CONTENT_EMPTY,
	CONTENT_OURS,
	CONTENT_FOREIGN,
};

/* Read at run time, so that the compiler does not invert it into the code. */
static const volatile u64 magic_inverted = EPITAPH_MAGIC_INVERTED;

static struct pci_dev *chosen;
static void *chosen_base;
static bool is_held;
/* Guards @is_held, @is_open and @is_recording. */
static DEFINE_MUTEX(lock);
static bool is_open;		/* the recorder has its memory */
static bool is_recording;

/* A page that cannot be read says nothing; see bad_page.c. @page: room for one. */
static enum content content_of(const void *base, phys_addr_t phys, u64 bytes, __le64 *page)
{
	bool is_empty = true;
	u64 off;

	for (off = 0; off + EPITAPH_PAGE <= bytes; off += EPITAPH_PAGE) {
		cond_resched();
		if (epitaph_page_is_skipped(phys + off) ||
		    copy_mc_to_kernel(page, base + off, EPITAPH_PAGE))
			continue;
		if (*page == cpu_to_le64(~magic_inverted))
			return CONTENT_OURS;
		is_empty = is_empty && !memchr_inv(page, 0, EPITAPH_PAGE);
	}
	return is_empty ? CONTENT_EMPTY : CONTENT_FOREIGN;
}

static void *map_bar(struct pci_dev *dev)
{
	return memremap(pci_resource_start(dev, BAR), pci_resource_len(dev, BAR), MEMREMAP_WB);
}

/* Its memory answers; pci_disable_device() is needed afterwards. */
static int enable(struct pci_dev *dev)
{
	int err;

	if (!(pci_resource_flags(dev, BAR) & IORESOURCE_MEM) ||
	    pci_resource_len(dev, BAR) < LEAST) {
		pr_err("device %s: its BAR 2 has %llu bytes, and a region needs %u or more\n",
		       pci_name(dev), (u64)pci_resource_len(dev, BAR), LEAST);
		return -ENODEV;
	}
	err = pci_enable_device_mem(dev);
	if (err)
		pr_err("device %s cannot be enabled (%d)\n", pci_name(dev), err);
	return err;
}

/* Return: enum content, or an error; both have been printed if the device does not fit. */
static int look_at(struct pci_dev *dev)
{
	enum content content;
	void *base, *page;
	int err;

	if (dev->dev.driver) {
		pr_err("device %s is in use by the driver %s\n", pci_name(dev),
		       dev_driver_string(&dev->dev));
		return -EBUSY;
	}
	err = enable(dev);
	if (err)
		return err;
	base = map_bar(dev);
	page = kmalloc(EPITAPH_PAGE, GFP_KERNEL);
	if (!base || !page) {
		pr_err("device %s: its memory cannot be mapped\n", pci_name(dev));
		if (base)
			memunmap(base);
		kfree(page);
		pci_disable_device(dev);
		return -ENOMEM;
	}
	content = content_of(base, pci_resource_start(dev, BAR), pci_resource_len(dev, BAR), page);
	memunmap(base);
	kfree(page);
	pci_disable_device(dev);
	if (content != CONTENT_FOREIGN)
		return content;
	pr_err("device %s has data that is not of the recorder: another program may use it. If none does, empty its file on the host while this guest is off\n",
	       pci_name(dev));
	return -EBUSY;
}

/* A device with a region before an empty one; two of a kind are not chosen among. */
static int choose_any(void)
{
	struct pci_dev *dev = NULL;
	int best = -ENODEV, nr = 0;

	while ((dev = pci_get_device(ids[0].vendor, ids[0].device, dev))) {
		int content = look_at(dev);

		if (content < 0) {
			best = best == -ENODEV ? content : best;
			continue;
		}
		nr = content == best ? nr + 1 : content > best || best < 0 ? 1 : nr;
		if (best < 0 || content > best) {
			pci_dev_put(chosen);
			chosen = pci_dev_get(dev);
			best = content;
		}
	}
	if (nr > 1) {
		pr_err("%d ivshmem devices would do: device= says which, as %s\n", nr,
		       pci_name(chosen));
		return -EINVAL;
	}
	if (best == -ENODEV)
		pr_err("this machine has no ivshmem device (PCI 1af4:1110) with enough memory\n");
	return best < 0 ? best : 0;
}

static int choose_named(const char *name)
{
	unsigned int domain, bus, slot, function;
	char rest;
	int ret;

	if (sscanf(name, "%x:%x:%x.%x%c", &domain, &bus, &slot, &function, &rest) != 4 ||
	    bus > 255 || slot > 31 || function > 7) {
		pr_err("device=%s is neither " ANY " nor a PCI address, such as 0000:00:04.0\n", name);
		return -EINVAL;
	}
	chosen = pci_get_domain_bus_and_slot(domain, bus, PCI_DEVFN(slot, function));
	if (!chosen || !pci_match_id(ids, chosen)) {
		pr_err("device=%s: there is no ivshmem device (PCI 1af4:1110) at that address\n", name);
		return -ENODEV;
	}
	ret = look_at(chosen);
	return ret < 0 ? ret : 0;
}

static int probe(struct pci_dev *dev, const struct pci_device_id *id)
{
	int err;

	if (dev != chosen)
		return -ENODEV;
	err = enable(dev);
	if (err)
		return err;
	/* Exclusive: user space cannot map it any more. */
	err = pci_request_selected_regions_exclusive(dev, 1 << BAR, NAME);
	if (!err)
		chosen_base = map_bar(dev);
	if (!err && !chosen_base) {
		pci_release_selected_regions(dev, 1 << BAR);
		err = -ENOMEM;
	}
	if (err) {
		pr_err("device %s cannot be claimed (%d)\n", pci_name(dev), err);
		pci_disable_device(dev);
		return err;
	}
	mutex_lock(&lock);
	is_held = true;
	mutex_unlock(&lock);
	return 0;
}

/* Its addresses may be another device's soon: nothing of ours writes there behind this, or reads. */
static void stop_writing(void)
{
	pr_err("device %s is removed: nothing is recorded until the module is unloaded and loaded again\n",
	       pci_name(chosen));
	epitaph_probes_pause(true);
	epitaph_lose(EPITAPH_LOST_DEVICE);
	/* Commands and triggers that are under way. */
	epitaph_control_settle();
	/* One of them may have begun to record again. */
	epitaph_probes_pause(true);
	/* Files of the channels that are read. */
	epitaph_channels_hold(true);
	epitaph_channels_hold(false);
	epitaph_anchors_pause();
	epitaph_skew_pause(true);
	epitaph_parity_stop();
	epitaph_consume_lose();
	epitaph_program_rings_lose();
	/* Probes that are under way, and what else asked epitaph_lost() before. */
	tracepoint_synchronize_unregister();
}

/*
 * While the recorder begins or ends: what it has begun, or not ended yet, asks before it writes; probes do
 * not.
 */
static void lose_between(void)
{
	epitaph_lose(EPITAPH_LOST_DEVICE);
	epitaph_probes_pause(true);
	tracepoint_synchronize_unregister();
}

/* Unplugged, or the module is unloaded. */
static void remove(struct pci_dev *dev)
{
	mutex_lock(&lock);
	if (is_recording)
		stop_writing();
	else if (is_open)
		lose_between();
	is_held = false;
	mutex_unlock(&lock);
	pci_release_selected_regions(dev, 1 << BAR);
	pci_disable_device(dev);
}

static struct pci_driver driver = {
	.name = NAME,
	.id_table = ids,
	.probe = probe,
	.remove = remove,
	.driver.suppress_bind_attrs = true,
	/* Whether the device is ours is looked at when it has been registered. */
	.driver.probe_type = PROBE_FORCE_SYNCHRONOUS,
};

static void forget(void)
{
	pci_dev_put(chosen);
	chosen = NULL;
	chosen_base = NULL;
}

static void set_open(bool open)
{
	mutex_lock(&lock);
	is_open = open;
	mutex_unlock(&lock);
}

/* The firmware's types of memory, or those of the page tables, may say "uncached" all the same. */
static void report_caching(void)
{
	if (!epitaph_arch_is_write_back(chosen_base))
		pr_info("device %s: its memory is mapped uncached, as the firmware has marked these addresses; recording costs more where the processor obeys that\n",
			pci_name(chosen));
}

int epitaph_shared_device_open(struct epitaph_extent *mem, const char *name)
{
	int err;

	if (epitaph_mapping_of(epitaph_arch_is_confidential(), false, false) != EPITAPH_MAP_AS_USUAL) {
		pr_err("device=%s: the host of this confidential VM could read what is recorded there\n",
		       name);
		return -EOPNOTSUPP;
	}
	err = strcmp(name, ANY) ? choose_named(name) : choose_any();
	err = err ?: pci_register_driver(&driver);
	if (!err && !is_held) {
		pr_err("device %s was taken by another driver meanwhile\n", pci_name(chosen));
		pci_unregister_driver(&driver);
		err = -EBUSY;
	}
	if (err) {
		forget();
		return err;
	}
	report_caching();
	set_open(true);
	mem->base = chosen_base;
	mem->phys = pci_resource_start(chosen, BAR);
	mem->size = round_down(pci_resource_len(chosen, BAR), EPITAPH_PAGE);
	mem->kind = EPITAPH_MEMORY_DEVICE;
	return 0;
}

void epitaph_shared_device_watch(bool on)
{
	mutex_lock(&lock);
	is_recording = on;
	/* Unplugged while recording began. */
	if (on && chosen && !is_held)
		stop_writing();
	mutex_unlock(&lock);
}

void epitaph_shared_device_close(struct epitaph_extent *mem)
{
	set_open(false);
	pci_unregister_driver(&driver);
	memunmap(mem->base);
	forget();
}

#else

int epitaph_shared_device_open(struct epitaph_extent *mem, const char *name)
{
	pr_err("device=%s: this kernel has no PCI\n", name);
	return -ENODEV;
}

void epitaph_shared_device_watch(bool on)
{
}

void epitaph_shared_device_close(struct epitaph_extent *mem)
{
}

#endif
