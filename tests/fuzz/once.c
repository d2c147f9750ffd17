// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What is the same for every input is made once: it was half of a run.  That is the formats
 * of our own events, for each byte order, and the permutations of pids by the targets' key.
 *
 * The linker turns the extractor's calls to this (--wrap).
 */
#include <string.h>

#include "redact/pseudonym.h"
#include "timeline/synthetic_event.h"

int __real_synthetic_events_new(struct synthetic_events **ret, enum byte_order order,
				struct err *err);
int __wrap_synthetic_events_new(struct synthetic_events **ret, enum byte_order order,
				struct err *err);
void __wrap_synthetic_events_free(struct synthetic_events *events);
int __real_pseudonyms_new(struct pseudonyms **ret, const u8 key[PSEUDONYM_KEY], u32 nr_slots,
			  struct err *err);
int __wrap_pseudonyms_new(struct pseudonyms **ret, const u8 key[PSEUDONYM_KEY], u32 nr_slots,
			  struct err *err);
void __real_pseudonyms_free(struct pseudonyms *names);
void __wrap_pseudonyms_free(struct pseudonyms *names);

int __wrap_synthetic_events_new(struct synthetic_events **ret, enum byte_order order,
				struct err *err)
{
	static struct synthetic_events *events[2];
	struct synthetic_events **known = &events[order == ORDER_BIG];
	int code = *known ? 0 : __real_synthetic_events_new(known, order, err);

	*ret = *known;
	return code;
}

void __wrap_synthetic_events_free(struct synthetic_events *events)
{
	(void)events;
}

/* The last ones are kept: most inputs have as many slots as the one before. */
int __wrap_pseudonyms_new(struct pseudonyms **ret, const u8 key[PSEUDONYM_KEY], u32 nr_slots,
			  struct err *err)
{
	static u8 last_key[PSEUDONYM_KEY];
	static u32 last_slots;
	static struct pseudonyms *last;
	int code = 0;

	if (!last || last_slots != nr_slots || memcmp(last_key, key, PSEUDONYM_KEY)) {
		__real_pseudonyms_free(last);
		last = NULL;
		code = __real_pseudonyms_new(&last, key, nr_slots, err);
		memcpy(last_key, key, PSEUDONYM_KEY);
		last_slots = nr_slots;
	}
	*ret = last;
	return code;
}

void __wrap_pseudonyms_free(struct pseudonyms *names)
{
	(void)names;
}
