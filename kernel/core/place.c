// SPDX-License-Identifier: GPL-2.0-only
/* Where the next generation goes: what is overwritten; docs/generations.md has the rules. */
#include <epitaph/generation.h>

/* What it would cost to overwrite it. */
enum worth {
	FREE,
	HARVESTED,
	ERASED,
	ENDED,
	EVIDENCE,
	FIRST_EVIDENCE,
	UNUSABLE,	/* a page of the slot cannot be read, and would not keep what is written */
};

static bool is_first_evidence(const struct epitaph_gens *gens, unsigned int i)
{
	if (!epitaph_gen_is_evidence(&gens->gen[i]))
		return false;
	while (i--)
		if (epitaph_gen_is_evidence(&gens->gen[i]))
			return false;
	return true;
}

static enum worth worth_of(const struct epitaph_gens *gens, unsigned int i)
{
	const struct epitaph_gen *gen = &gens->gen[i];

	if (gen->taken[EPITAPH_TAKEN_HARVEST])
		return HARVESTED;
	if (gen->taken[EPITAPH_TAKEN_PSTORE])
		return ERASED;
	if (gen->ended)
		return ENDED;
	return is_first_evidence(gens, i) ? FIRST_EVIDENCE : EVIDENCE;
}

/*
 * What would be overwritten in a slot, the newest number of that worth, and how many are evidence: of a
 * region that was divided otherwise, one slot may take more of them than another.
 */
struct price {
	enum worth worth;
	u64 number;
	u32 nr_evidence;
};

static struct price price_of(const struct epitaph_gens *gens, u64 off, u64 size)
{
	struct price price = { .worth = FREE };
	unsigned int i;

	if (!epitaph_is_readable(gens->bad, off, size))
		return (struct price){ .worth = UNUSABLE };
	for (i = 0; i < gens->nr; i++) {
		enum worth worth = worth_of(gens, i);

		if (!epitaph_gen_overlaps(&gens->gen[i], off, size))
			continue;
		price.nr_evidence += epitaph_gen_is_evidence(&gens->gen[i]);
		if (worth >= price.worth) {
			price.worth = worth;
			price.number = gens->gen[i].number;
		}
	}
	return price;
}

static bool is_cheaper(struct price price, struct price than)
{
	if (price.worth != than.worth)
		return price.worth < than.worth;
	if (price.nr_evidence != than.nr_evidence)
		return price.nr_evidence < than.nr_evidence;
	return price.number < than.number;
}

static u32 cheapest(const struct epitaph_gens *gens, u64 gen_size, u32 nr_gens)
{
	struct price best = price_of(gens, 0, gen_size);
	u32 i, index = 0;

	for (i = 1; i < nr_gens; i++) {
		struct price price = price_of(gens, i * gen_size, gen_size);

		if (is_cheaper(price, best)) {
			best = price;
			index = i;
		}
	}
	return index;
}

/* What earlier boots say was lost; each has counted on from the one before. */
static void take_over_losses(struct epitaph_place *place, const struct epitaph_gens *gens)
{
	unsigned int i;

	for (i = 0; i < gens->nr; i++) {
		u32 lost_gens = le32_to_cpu(gens->gen[i].table->lost_gens);

		if (lost_gens < place->lost_gens || !lost_gens)
			continue;
		place->lost_gens = lost_gens;
		place->lost_number = le64_to_cpu(gens->gen[i].table->lost_number);
	}
}

static void add_losses(struct epitaph_place *place, const struct epitaph_gens *gens,
		       u64 gen_size)
{
	const struct epitaph_gen *gen;
	unsigned int i;

	for (i = 0; i < gens->nr; i++) {
		gen = &gens->gen[i];
		if (!epitaph_gen_is_evidence(gen) ||
		    !epitaph_gen_overlaps(gen, place->index * gen_size, gen_size))
			continue;
		place->loses[place->nr_loses++] = gen->number;
		place->lost_number = gen->number;
		place->lost_gens++;
	}
}

int epitaph_gens_place(struct epitaph_place *place, const struct epitaph_gens *gens,
		       u64 gen_size, u32 nr_gens)
{
	u64 last = gens->nr ? gens->gen[gens->nr - 1].number : 0;
	enum worth worth;

	memset(place, 0, sizeof(*place));
	place->index = cheapest(gens, gen_size, nr_gens);
	worth = price_of(gens, place->index * gen_size, gen_size).worth;
	if (worth == UNUSABLE)
		return -EIO;
	place->is_free = worth == FREE;
	take_over_losses(place, gens);
	place->number = 1 + (last > place->lost_number ? last : place->lost_number);
	add_losses(place, gens, gen_size);
	return 0;
}
