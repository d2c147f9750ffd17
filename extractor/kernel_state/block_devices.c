// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Each class has a struct subsys_private (drivers/base/base.h), which is one of the kobjects of
 * class_kset, and has a list of the class's devices.
 */
#include "block_devices.h"

#include <stdlib.h>

#include "linux_kernel/btf.h"
#include "linux_kernel/kallsyms.h"
#include "linux_kernel/vmem.h"
#include "tasks.h"

#define MOST_DEVICES	(1U << 20)
#define MOST_CLASSES	4096

struct named_device {
	u32 dev;
	char name[32];
};

struct block_devices {
	bool is_read;
	struct named_device *list;	/* by number */
	u32 nr;
	u32 room;
};

struct block_devices *block_devices_new(void)
{
	return calloc(1, sizeof(struct block_devices));
}

void block_devices_free(struct block_devices *devices)
{
	if (devices)
		free(devices->list);
	free(devices);
}

static bool add_device(struct block_devices *devices, const struct kernel *kernel, u64 device)
{
	struct named_device *list = devices->list, *now;
	u64 dev, name;

	if (devices->nr == devices->room) {
		u32 room = devices->room ? 2 * devices->room : 64;

		list = realloc(list, room * sizeof(*list));
		if (!list)
			return false;
		devices->list = list;
		devices->room = room;
	}
	now = &list[devices->nr];
	if (!kernel_state_member(kernel, "device", "devt", device, &dev) || !dev ||
	    !kernel_state_member(kernel, "device", "kobj.name", device, &name) ||
	    vmem_string(kernel->vmem, name, now->name, sizeof(now->name)) <= 0)
		return true;
	now->dev = dev;
	devices->nr++;
	return true;
}

/* The struct subsys_private of the class. */
static bool find_class(const struct kernel *kernel, u64 *subsys)
{
	u64 class, set, head, at, of;
	u32 list, entry;

	if (!kallsyms_address(kernel->kallsyms, "block_class", &class) ||
	    !kallsyms_address(kernel->kallsyms, "class_kset", &set) ||
	    !vmem_u64(kernel->vmem, set, &set) ||
	    !kernel_btf_offset(kernel->ktypes, "kset", "list", KKIND_STRUCT, &list) ||
	    !kernel_btf_offset(kernel->ktypes, "subsys_private", "subsys.kobj.entry", KKIND_STRUCT, &entry))
		return false;
	at = head = set + list;
	for (u32 i = 0; i < MOST_CLASSES && vmem_u64(kernel->vmem, at, &at) && at != head; i++) {
		*subsys = at - entry;
		if (kernel_state_member(kernel, "subsys_private", "class", *subsys, &of) && of == class)
			return true;
	}
	return false;
}

static int compare_numbers(const void *a, const void *b)
{
	const struct named_device *x = a, *y = b;

	return x->dev < y->dev ? -1 : x->dev > y->dev;
}

static void read_devices(struct block_devices *devices, const struct kernel *kernel)
{
	u32 list, node;
	u64 subsys, head, at, device;

	if (!kernel->kallsyms || !kernel->ktypes || !find_class(kernel, &subsys) ||
	    !kernel_btf_offset(kernel->ktypes, "subsys_private", "klist_devices.k_list", KKIND_STRUCT, &list) ||
	    !kernel_btf_offset(kernel->ktypes, "device_private", "knode_class.n_node", KKIND_STRUCT, &node))
		return;
	at = head = subsys + list;
	for (u32 i = 0; i < MOST_DEVICES && vmem_u64(kernel->vmem, at, &at) && at != head; i++)
		if (kernel_state_member(kernel, "device_private", "device", at - node, &device) &&
		    !add_device(devices, kernel, device))
			break;
	if (devices->nr)
		qsort(devices->list, devices->nr, sizeof(*devices->list), compare_numbers);
}

const char *block_devices_name(struct block_devices *devices, const struct kernel *kernel, u32 dev)
{
	struct named_device wanted = { .dev = dev }, *found;

	if (!devices)
		return NULL;
	if (!devices->is_read)
		read_devices(devices, kernel);
	devices->is_read = true;
	found = devices->nr ? bsearch(&wanted, devices->list, devices->nr, sizeof(wanted), compare_numbers) : NULL;
	return found ? found->name : NULL;
}
