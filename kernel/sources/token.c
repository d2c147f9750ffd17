// SPDX-License-Identifier: GPL-2.0-only
/* The token that measures how far two clocks differ; builds in user space as well. */
#include <epitaph/token.h>

/* Of a run that is over, no turn is waited for: those of two runs are never the same. */
static u32 first_turn(u32 run)
{
	return run * (EPITAPH_TOKEN_PASSES + 1);
}

void epitaph_token_lay(struct epitaph_token *token, u32 run)
{
	WRITE_ONCE(token->turn, first_turn(run));
}

/* False: it has not come in time. */
static bool wait_for_token(const struct epitaph_token *token, u32 turn, u64 begun, u64 limit)
{
	/* pass:B pairs with pass:A: the other's clock was read before */
	while (smp_load_acquire(&token->turn) != turn) {
		if (epitaph_clock_ordered() - begun > limit)
			return false;
		cpu_relax();
	}
	return true;
}

void epitaph_token_run(struct epitaph_token *token, u32 run, u32 side, u64 limit)
{
	u32 first = first_turn(run), i;
	u64 begun = epitaph_clock_ordered();

	for (i = side; i < EPITAPH_TOKEN_PASSES && wait_for_token(token, first + i, begun, limit); i += 2) {
		token->times[i] = epitaph_clock_ordered();
		/* pass:A */
		smp_store_release(&token->turn, first + i + 1);
	}
}

bool epitaph_token_offset(const struct epitaph_token *token, u32 run,
			  struct epitaph_token_offset *offset)
{
	/* pass:C pairs with pass:A */
	u32 i, nr = smp_load_acquire(&token->turn) - first_turn(run);

	*offset = (struct epitaph_token_offset){ S64_MIN, S64_MAX };
	if (nr > EPITAPH_TOKEN_PASSES)
		return false;
	for (i = 0; i + 1 < nr; i++) {
		/* Side 1 came behind side 0, or the other way round. */
		s64 most = token->times[i + 1] - token->times[i];
		s64 least = token->times[i] - token->times[i + 1];

		if (i % 2 == 0 && most < offset->most)
			offset->most = most;
		if (i % 2 && least > offset->least)
			offset->least = least;
	}
	return nr > 2 && offset->least <= offset->most;
}

bool epitaph_token_narrow(struct epitaph_token_offset *offset,
			  const struct epitaph_token_offset *other)
{
	s64 least = other->least > offset->least ? other->least : offset->least;
	s64 most = other->most < offset->most ? other->most : offset->most;

	if (least > most)
		return false;
	*offset = (struct epitaph_token_offset){ least, most };
	return true;
}
