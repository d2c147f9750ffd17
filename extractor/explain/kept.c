// SPDX-License-Identifier: GPL-2.0-or-later
#include "kept.h"

#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recording/kept_pieces.h"

/**
 * struct kept_reading - pieces of the section
 * @data: the bytes of each of @pieces
 */
struct kept_reading {
	const struct postmortem *pm;
	struct vmem_piece pieces[KEPT_PIECES_MAX];
	u8 *data[KEPT_PIECES_MAX];
	u32 nr;
	struct kept_symbols *symbols;
};

/* "name+0x0/0x20 [module]" of @addr. */
static bool parse_kept_name(struct kept_symbol *symbol, u64 addr, const char *name)
{
	const char *plus = strrchr(name, '+');
	unsigned long long at, size;
	char module[KMODULE_NAME_MAX] = "";

	if (!plus || plus == name || (size_t)(plus - name) >= sizeof(symbol->name) || sscanf(plus, "+0x%llx/0x%llx [%63[^]]]", &at, &size, module) < 2 ||
	    at > addr || !size || at >= size || addr - at > ~0ULL - size)
		return false;
	memset(symbol, 0, sizeof(*symbol));
	memcpy(symbol->name, name, plus - name);
	memcpy(symbol->module, module, sizeof(module));
	symbol->start = addr - at;
	symbol->size = size;
	return true;
}

/* The memory is of this death: of its task, on its CPU, and not behind it. */
static bool is_of_this_death(const struct postmortem *pm, const struct epitaph_kept *kept)
{
	return pm->recording->crash.known && le32toh(kept->cpu) == pm->recording->crash.cpu && le32toh(kept->pid) == pm->recording->crash.pid &&
	       le64toh(kept->clock) <= pm->recording->crash.clock;
}

static void take_kept(struct kept_reading *reading, const struct epitaph_kept *kept, u8 *data)
{
	char name[sizeof(kept->name) + 1] = "";
	u64 addr = le64toh(kept->addr);
	u32 size = le32toh(kept->size);

	memcpy(name, kept->name, sizeof(kept->name));
	if (reading->symbols->nr < KEPT_PIECES_MAX && *name && parse_kept_name(&reading->symbols->list[reading->symbols->nr], addr, name))
		reading->symbols->nr++;
	if (!size || addr > ~0ULL - size || reading->nr == KEPT_PIECES_MAX) {
		free(data);
		return;
	}
	reading->pieces[reading->nr] = (struct vmem_piece){ addr, size, data };
	reading->data[reading->nr++] = data;
}

static int read_kept(struct kept_reading *reading, struct err *err)
{
	struct kept_pieces pieces = { .generation = reading->pm->recording->generation };
	struct epitaph_kept kept;
	u8 *data;
	int ret;

	while (!(ret = kept_pieces_next(&pieces, &kept, &data, err)) && data) {
		if (is_of_this_death(reading->pm, &kept))
			take_kept(reading, &kept, data);
		else
			free(data);
	}
	return ret;
}

static void free_reading(struct kept_reading *reading)
{
	for (u32 i = 0; i < reading->nr; i++)
		free(reading->data[i]);
	free(reading->symbols);
	free(reading);
}

int kept_open(struct kernel **ret, const struct postmortem *pm, struct err *err)
{
	struct kept_reading *reading;
	int res;

	*ret = NULL;
	if (!pm->recording || pm->recording->generation->hdr.byte_order != EPITAPH_LITTLE_ENDIAN)
		return 0;
	reading = calloc(1, sizeof(*reading));
	if (reading)
		reading->symbols = calloc(1, sizeof(*reading->symbols) + KEPT_PIECES_MAX * sizeof(struct kept_symbol));
	if (!reading || !reading->symbols) {
		free(reading);
		return err_sys(err, "memory for what was kept of the kernel");
	}
	reading->pm = pm;
	res = read_kept(reading, err);
	if (!res && reading->nr) {
		res = kernel_open_kept(ret, reading->pieces, reading->nr, reading->symbols, pm->recording->generation->hdr.machine, err);
		reading->symbols = NULL;
	}
	free_reading(reading);
	return res;
}
