/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory that outlives its machine and is no RAM: nvdimm, virtio-pmem; /sys/bus/nd. */
#ifndef EPITAPH_HOST_NVDIMM_H
#define EPITAPH_HOST_NVDIMM_H

#include "base/types.h"

/**
 * struct nvdimm - a namespace
 * @name: "namespace0.0"
 * @provider: of its bus: "ACPI.NFIT", "virtio-pmem"
 * @holder: what is made of it, as "btt0.0"; "": nothing
 * @disk: "pmem0"; "": no driver shows it
 * @addr: physical address; 0: only root sees it
 */
struct nvdimm {
	char name[32];
	char provider[32];
	char holder[32];
	char disk[32];
	u64 addr;
	u64 size;
};

/* nvdimm_each() - for each namespace; memory of memmap=SIZE!ADDRESS is none */
void nvdimm_each(const char *root, void (*each)(const struct nvdimm *nvdimm, void *arg), void *arg);

/* Does a bus of this provider exist? */
bool nvdimm_has_bus(const char *root, const char *provider);

/* Do devices have all of that memory? */
bool nvdimm_has_memory(const char *root, u64 start, u64 size);

#endif
