// SPDX-License-Identifier: GPL-2.0-or-later
#include "postmortem_impl.h"

#include <string.h>

#include "base/text.h"

int pm_debuginfo_open(struct postmortem *pm, struct err *err)
{
	const struct postmortem_origin *origin = &pm->origin;
	const struct kernel *kernel;
	char id[2 * sizeof(origin->build_id) + 1] = "";
	bool is_of_all = pm->generations && !pm->recording;
	int ret;

	if (!debuginfo_wanted() || is_of_all)
		return 0;
	text_hex(id, sizeof(id), origin->build_id, origin->build_id_size);
	/* Only the kernel in the file has the build ids of its modules. */
	if (!pm->kernel && !pm->modules_kernel)
		kernel_open(&pm->modules_kernel, pm->dump, NULL);
	kernel = pm->kernel ? pm->kernel : pm->modules_kernel;
	if (kernel && kernel->debuginfo && !strcmp(kernel->build_id, id)) {
		pm->debuginfo = kernel->debuginfo;
		return 0;
	}
	ret = debuginfo_open(&pm->owned_debuginfo, id, origin->release, err);
	pm->debuginfo = pm->owned_debuginfo;
	return ret;
}

void pm_debuginfo_close(struct postmortem *pm)
{
	debuginfo_close(pm->owned_debuginfo);
	kernel_close(pm->modules_kernel);
}
