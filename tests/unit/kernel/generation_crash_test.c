// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A CPU that stops between any two stores while it makes room for a generation
 * and lays it out: what the next boot finds then, docs/generations.md says.
 *
 * The region cannot be written to.  Each store to a table faults, is let through
 * alone, and what is there behind it is looked at as the next boot would.  So is
 * the first store to each page between the tables.
 *
 * build: tests/lib/gens_image.c kernel/core/generation.c kernel/core/layout.c kernel/core/place.c kernel/core/ring.c
 * only: plain
 */
#include "gens_image.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <epitaph/layout.h>

#include "tap.h"

#define TRAP_FLAG	0x100

/* What is found in the slot, in the order in which that may change. */
enum phase {
	OLD,
	OLD_BY_COPY,
	NOTHING,
	NEW_BY_COPY,
	NEW,
	NR_PHASES
};

static struct gens_image image;
static struct boot old, other, young;
static u8 *before;			/* the region as it was */
static u8 *first_new;			/* when the new one was found first */
static volatile u64 stores[NR_PHASES];
static volatile enum phase phase;
static const char *volatile why;

static void complain(const char *what)
{
	if (!why)
		why = what;
}

/* But for the two tables, of which one or the other is whole. */
static bool is_content(const u8 *than, const struct boot *boot)
{
	u64 from = boot->off + boot->table_size;

	return !memcmp(image.data + from, than + from, boot->size - 2 * boot->table_size);
}

static enum phase phase_of(const struct epitaph_gen *gen)
{
	bool is_old = gen && gen->salt == old.salt;

	if (!gen)
		return NOTHING;
	if (!is_old && gen->number != young.number)
		complain("something else was found");
	if (gen->from_copy)
		return is_old ? OLD_BY_COPY : NEW_BY_COPY;
	return is_old ? OLD : NEW;
}

/* A reader takes a magic whose table does not check for a header that was damaged. */
static bool has_magic_alone(u64 off)
{
	u64 magic = get_unaligned_le64(image.data + off), budget = image.size;

	return magic == ~EPITAPH_MAGIC_INVERTED &&
	       !epitaph_is_header(image.data, image.size, off, NULL, &budget);
}

static void look(void)
{
	const struct epitaph_gen *mine = NULL;
	static struct epitaph_gens gens;
	enum phase now;
	u32 i, others = 0;

	epitaph_gens_find(&gens, image.data, image.size, NULL);
	for (i = 0; i < gens.nr; i++)
		if (gens.gen[i].off == old.off)
			mine = &gens.gen[i];
		else
			others += gens.gen[i].salt == other.salt;
	if (others != 1 || gens.nr != 1 + !!mine)
		complain("the other generation was not found, or one too many");
	now = phase_of(mine);
	stores[now]++;
	if (now < phase)
		complain("it went back");
	if (now < NOTHING && !is_content(before, &old))
		complain("the old one is found, but its content is gone");
	if (now >= NOTHING && (has_magic_alone(old.off) ||
			       has_magic_alone(old.off + old.size - EPITAPH_PAGE)))
		complain("a magic before what it speaks of");
	if (now > NOTHING && phase <= NOTHING)
		memcpy(first_new, image.data, image.size);
	phase = now;
}

#ifdef __x86_64__

static u8 *faulted;			/* the page, while it is stepped over */

static void protect(int how)
{
	if (mprotect(image.data, image.size, how))
		abort();
}

static bool is_in_table(const u8 *at)
{
	u64 off = at - image.data - young.off;

	return off < young.table_size || off >= young.size - young.table_size;
}

static void on_fault(int sig, siginfo_t *info, void *context)
{
	ucontext_t *uc = context;
	u8 *at = info->si_addr;

	(void)sig;
	if (at < image.data + young.off || at >= image.data + young.off + young.size) {
		fprintf(stderr, "a store outside of the slot\n");
		_exit(1);
	}
	faulted = image.data + (at - image.data) / EPITAPH_PAGE * EPITAPH_PAGE;
	protect(PROT_READ | PROT_WRITE);
	uc->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
}

static void on_trap(int sig, siginfo_t *info, void *context)
{
	ucontext_t *uc = context;

	(void)sig;
	(void)info;
	uc->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
	look();
	protect(PROT_READ);
	if (!is_in_table(faulted) && mprotect(faulted, EPITAPH_PAGE, PROT_READ | PROT_WRITE))
		abort();
}

static void handle(int sig, void (*handler)(int, siginfo_t *, void *))
{
	struct sigaction action = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO };

	sigaction(sig, &action, NULL);
}

static void format_stepping(void)
{
	handle(SIGSEGV, on_fault);
	handle(SIGTRAP, on_trap);
	protect(PROT_READ);
	gens_image_format(&image, &young, 2, 0, 0);
	signal(SIGSEGV, SIG_DFL);
	protect(PROT_READ | PROT_WRITE);
}

#endif

static void copy_to(u8 **to)
{
	*to = malloc(image.size);
	memcpy(*to, image.data, image.size);
}

static void format__stops_anywhere_and_leaves_one_generation_or_none(void)
{
#ifdef __x86_64__
	u64 size = epitaph_layout_min(2);
	u32 i;

	old = (struct boot){ .off = size, .size = size, .number = 1 };
	other = (struct boot){ .size = size, .number = 2, .crashed = true };
	young = (struct boot){ .off = size, .size = size, .number = 3,
			       .table_size = EPITAPH_PAGE };
	gens_image_new(&image, 2 * size);
	gens_image_record(&image, &old, 2, 0, 0);
	gens_image_record(&image, &other, 2, 0, 0);
	copy_to(&before);
	copy_to(&first_new);
	format_stepping();
	CHECK(!why, "%s", why);
	CHECK(phase == NEW, "%d", phase);
	/* The old one is whole until the first store. */
	for (i = OLD_BY_COPY; i < NR_PHASES; i++)
		CHECK(stores[i], "phase %u was never seen", i);
	CHECK(is_content(first_new, &young), "found before it was laid out");
	CHECK(!memcmp(image.data, before, size), "the other generation");
	printf("# stores behind which was found: the old one by its copy %llu, nothing %llu, the new one by its copy %llu, whole %llu\n",
	       (unsigned long long)stores[OLD_BY_COPY],
	       (unsigned long long)stores[NOTHING], (unsigned long long)stores[NEW_BY_COPY],
	       (unsigned long long)stores[NEW]);
#else
	TAP_SKIP("stores are stepped through on x86-64 only");
#endif
}

int main(void)
{
	gens_seed(1);
	TAP_RUN(format__stops_anywhere_and_leaves_one_generation_or_none);
	return tap_done();
}
