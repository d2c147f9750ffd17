// SPDX-License-Identifier: GPL-2.0-or-later
/* Names of addresses, and of disks, that the recorder kept no name of, out of the dumped kernel. */
#include "postmortem_impl.h"

#include <string.h>

#include "kernel_state/block_devices.h"

#define NAMES_COMPARED	16
#define NAMES_AGREE	4

/*
 * Another boot's kernel lies elsewhere, or has other modules.  It is the one that recorded if it
 * calls some functions, none of a module, as the recorder does.
 */
static bool is_same_kernel(const struct kernel *kernel, const struct symbols *symbols)
{
	char name[PRINT_NAME_MAX];
	u32 compared = 0, agree = 0;
	u64 addr;

	for (u32 i = 0; i < symbols_nr(symbols) && compared < NAMES_COMPARED; i++) {
		const char *recorded = symbols_at(symbols, i, &addr);

		if (symbol_is_number(addr) || strchr(recorded, '[') || !strstr(recorded, "+0x"))
			continue;
		compared++;
		agree += kernel_symbol(kernel, addr, name, sizeof(name)) && !strcmp(name, recorded);
	}
	return agree >= NAMES_AGREE && agree == compared;
}

static const struct kernel *naming_kernel(struct postmortem *pm)
{
	const struct kernel *kernel;

	if (pm->named_by_kernel == NAMED_NOT_ASKED) {
		if (!pm->kernel && !pm->modules_kernel)
			kernel_open(&pm->modules_kernel, pm->dump, NULL);
		kernel = pm->kernel ? pm->kernel : pm->modules_kernel;
		pm->named_by_kernel = kernel && is_same_kernel(kernel, pm->recording->symbols) ?
				      NAMED : NAMED_NOT;
	}
	if (pm->named_by_kernel == NAMED_NOT)
		return NULL;
	return pm->kernel ? pm->kernel : pm->modules_kernel;
}

static bool name_disk(const struct postmortem *pm, const struct kernel *kernel, u32 dev, char buf[PRINT_NAME_MAX])
{
	const char *name = block_devices_name(pm->block_devices, kernel, dev);

	if (name)
		snprintf(buf, PRINT_NAME_MAX, "%s", name);
	return name;
}

static bool name_by_kernel(void *priv, u64 addr, char buf[PRINT_NAME_MAX])
{
	const struct kernel *kernel = naming_kernel(priv);

	if (kernel && symbol_is_device(addr))
		return name_disk(priv, kernel, addr, buf);
	return kernel && kernel_symbol(kernel, addr, buf, PRINT_NAME_MAX);
}

bool pm_device_name(const struct postmortem *pm, u32 dev, u64 raw, char buf[PRINT_NAME_MAX])
{
	if (pm->recording)
		return pm->recording->symbols && symbols_device(pm->recording->symbols, dev, raw, buf);
	return pm->kernel && name_disk(pm, pm->kernel, dev, buf);
}

void pm_names_begin(struct postmortem *pm)
{
	pm->named_by_kernel = NAMED_NOT_ASKED;
	if (pm->recording->generation == generation_set_newest(pm->generations))
		symbols_use_more(pm->recording->symbols, name_by_kernel, pm);
}
