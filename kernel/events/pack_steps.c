// SPDX-License-Identifier: GPL-2.0-only
/*
 * Packing a record by a table of its steps: one loop for the classes whose events are mostly as
 * usual, or seldom, instead of straight code for each of them.
 */
#include <epitaph/pack.h>

/* An array of varying length is no data: its place in the table says that it is a zero. */
static __always_inline bool pack_one(struct pack_state *state, const struct epitaph_pack_step *step,
				     const void *field)
{
	return step->kind == 'e' ? epitaph_pack_empty(state, field) :
				   pack_step(state, step->kind, field, step->base);
}

bool epitaph_pack_steps(struct epitaph_ring *ring, struct epitaph_slots *slots, u8 number, u32 head,
			const struct epitaph_pack_step *steps, const void *record)
{
	struct epitaph_pack pack __attribute__((uninitialized));
	struct pack_state state = {
		.pass = PACK_ANY, .ring = ring, .slots = slots, .pack = &pack, .at = pack.data + head,
	};

	pack_begin(&state);
	pack.data[0] = number;
	for (; steps->kind; steps++) {
		if (!pack_one(&state, steps, record + steps->off))
			return false;
	}
	return pack_end(&state);
}
