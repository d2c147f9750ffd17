// SPDX-License-Identifier: GPL-2.0-or-later
#include "complaint.h"

#include "words.h"

#define RECENT_NS	60000000000ULL	/* they are repeated every few seconds */

static const struct complaint {
	const char *words;
	const char *means;
} complaints[] = {
	{ "unregister_netdevice: waiting for ", "a network device cannot go, as a reference to it is not given back" },
	{ " not responding, still trying", "a server of a network file system does not answer" },
	{ "NETDEV WATCHDOG: ", "a network device does not send" },
	{ " timeout, reset controller", "a disk does not answer" },
	{ " timeout, aborting", "a disk does not answer" },
};

void complaint_add(struct explain *explain)
{
	const struct report_lines *lines = &explain->death->lines;
	const struct complaint *found = NULL;
	u64 end = explain->pm->end.time;
	u32 last = 0, nr = 0;

	for (u32 i = 0; i < lines->nr; i++) {
		struct report_text line = { lines->list[i].text, lines->list[i].len };

		for (size_t k = 0; k < ARRAY_SIZE(complaints); k++) {
			if (lines->list[i].time > end || end - lines->list[i].time > RECENT_NS || !report_text_has(line, complaints[k].words))
				continue;
			nr = found == &complaints[k] ? nr + 1 : 1;
			found = &complaints[k];
			last = i;
		}
	}
	if (!found)
		return;
	words_line_evidence(explain, "", (struct report_text){ lines->list[last].text, lines->list[last].len }, lines->list[last].time);
	finding_open(explain->finding, "Why it was asked for. Perhaps, as the kernel said %u time%s: %s.", nr, nr == 1 ? "" : "s", found->means);
}
