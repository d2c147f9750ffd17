// SPDX-License-Identifier: GPL-2.0-or-later
#include "recorder_load.h"

#include <string.h>

int load_measure(struct load_answer *load, const struct load_question *question, struct err *err)
{
	const struct channel_rates *main = load->rates.channels;
	int ret;

	memset(load, 0, sizeof(*load));
	ret = ring_rates_measure(&load->rates, question->sysfs, question->measure_ns, err);
	if (ret)
		return ret;
	return ring_rates_region(question->device, ring_rates_need(main->most, question->for_ns),
				 &load->region, err);
}

void load_free(struct load_answer *load)
{
	ring_rates_free(&load->rates);
}
