// SPDX-License-Identifier: GPL-2.0-or-later
#include "setup_device.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "dump/page_magic.h"

static bool is_empty_page(const u8 *page)
{
	return !page[0] && !memcmp(page, page + 1, DEVICE_PAGE - 1);
}

void device_look_at_page(struct device_content *content, const u8 *page)
{
	if (page_magic_is_region(page))
		content->has_region = true;
	else if (!is_empty_page(page))
		content->has_data = true;
}

bool device_is_free(const struct device_content *content)
{
	return content->has_region || !content->has_data;
}

void device_take_offer(struct device_search *d, const struct device_offer *offer)
{
	if (d->nr && offer->has_region == d->best.has_region) {
		d->nr++;
		return;
	}
	if (d->nr && d->best.has_region)
		return;
	d->best = *offer;
	d->nr = 1;
}

bool setup_find_device(struct setup *s)
{
	struct device_search d = { .s = s };
	char size[32];

	device_find_ivshmem(&d);
	device_find_pmem(&d);
	if (d.nr > 1)
		setup_reason(s, "%u devices of the host would do: %s on the kernel command line takes %s",
			     d.nr, d.best.words, d.best.name);
	if (d.nr != 1)
		return false;
	text_size(size, sizeof(size), d.best.size);
	setup_reason(s, "%s: %s with %s, which %s; the host keeps its memory and reads it also when this machine is gone",
		     d.best.name, d.best.kind, size, d.best.has_region ? "holds a region already" : "is empty");
	snprintf(s->words, sizeof(s->words), "%s", d.best.words);
	s->size = d.best.size;
	s->addr = d.best.addr;
	return true;
}
