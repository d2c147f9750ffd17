/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Registers of arm64 that keep the last branches: FEAT_BRBE.  docs/last-branches.md says who owns them, and
 * when they may be touched.  Builds in user space as well, where a test has the registers.
 */
#ifndef EPITAPH_ARCH_ARM64_BRBE_H
#define EPITAPH_ARCH_ARM64_BRBE_H

#include <epitaph/format.h>
#include <epitaph/plat.h>

/* Behind the last three, each of up to 32 records has one. */
enum epitaph_brbe_reg {
	EPITAPH_BRBIDR0,
	EPITAPH_BRBCR,		/* of the exception level that the kernel runs in */
	EPITAPH_BRBCR_EL12,	/* a host's: that of EL1 */
	EPITAPH_BRBFCR,
	EPITAPH_BRBINF = 32,
	EPITAPH_BRBSRC = 64,
	EPITAPH_BRBTGT = 96,
};

/* Does the firmware let the kernel have them? */
enum epitaph_brbe_firmware {
	EPITAPH_FIRMWARE_IS_SILENT,
	EPITAPH_FIRMWARE_GRANTS,
	EPITAPH_FIRMWARE_REFUSES,
};

/**
 * struct epitaph_brbe_machine - what is known before any of the registers is touched
 * @dfr0: ID_AA64DFR0_EL1
 * @pfr0: ID_AA64PFR0_EL1
 * @is_host: the kernel runs in EL2 (VHE)
 * @has_driver: the kernel has one for them, which read them when it booted (6.17)
 * @firmware: what it says of them
 */
struct epitaph_brbe_machine {
	u64				dfr0;
	u64				pfr0;
	bool				is_host;
	bool				has_driver;
	enum epitaph_brbe_firmware	firmware;
};

/**
 * struct epitaph_brbe - what a CPU has
 * @depth: branches that it keeps and we read
 * @is_host: the kernel runs in EL2 (VHE), and EL1 has a register of its own
 * @knows_prediction: nothing above the kernel can mask whether branches were predicted
 * @control: what is in BRBCR while they are ours
 * @filter: what is in BRBFCR while they are ours and on
 */
struct epitaph_brbe {
	u32	depth;
	bool	is_host;
	bool	knows_prediction;
	u64	control;
	u64	filter;
};

/* For epitaph_brbe_off(). */
struct epitaph_brbe_before {
	u64	control;
	u64	control_el12;
	u64	filter;
};

#define EPITAPH_BRBE_PAUSED	(1ULL << 7)	/* BRBFCR_EL1.PAUSED */

/* Of the CPU that this runs on, once it may be touched; any context, NMI included. */
u64 epitaph_brbe_get(u32 reg);
void epitaph_brbe_set(u32 reg, u64 value);
void epitaph_brbe_sync(void);		/* ISB */
void epitaph_brbe_forget(void);		/* BRB IALL: none of the records is valid any more */

/* Does this CPU have them?  Nothing is touched. */
bool epitaph_brbe_is_there(u64 dfr0);

/**
 * epitaph_brbe_may_touch() - would reading one of the registers be survived?
 * @machine: what is known
 *
 * An access that the hypervisor or the firmware traps kills the kernel: arm64 has no exception table
 * for it.
 *
 * Return: NULL, or why not.
 */
const char *epitaph_brbe_may_touch(const struct epitaph_brbe_machine *machine);

/**
 * epitaph_brbe_find() - what this CPU has, which may be touched
 * @machine: of this CPU
 * @brbe: filled in
 *
 * Return: NULL, or why there is nothing.
 */
const char *epitaph_brbe_find(const struct epitaph_brbe_machine *machine, struct epitaph_brbe *brbe);

/**
 * epitaph_brbe_on() - keep branches of the kernel, on this CPU
 * @brbe: from epitaph_brbe_find()
 * @before: for epitaph_brbe_off(); filled in
 *
 * What it kept before is gone.
 *
 * Return: 0; -EBUSY: they are on already, another one's; -ENODEV: what is written to them cannot be
 *	read back, or a call leaves no record.  But for 0, they are as they were.
 */
int epitaph_brbe_on(const struct epitaph_brbe *brbe, struct epitaph_brbe_before *before);

/* Undoes epitaph_brbe_on(), where they are still ours. */
void epitaph_brbe_off(const struct epitaph_brbe *brbe, const struct epitaph_brbe_before *before);

/* On, paused or not, and by our choice. */
bool epitaph_brbe_is_ours(const struct epitaph_brbe *brbe);

/*
 * Keep no more, so that they can be read.  @get, @set and @sync are as epitaph_brbe_get(), _set() and _sync(),
 * and in place: each call and each return takes the place of a branch.
 *
 * Return: 0, or -EBUSY: another one has them by now, or they are paused.
 */
#define EPITAPH_BRBE_FREEZE(brbe, get, set, sync)			\
	({								\
		int __err = -EBUSY;					\
									\
		if (get(EPITAPH_BRBFCR) == (brbe)->filter && get(EPITAPH_BRBCR) == (brbe)->control) { \
			set(EPITAPH_BRBFCR, (brbe)->filter | EPITAPH_BRBE_PAUSED); \
			sync();						\
			__err = 0;					\
		}							\
		__err;							\
	})

/* Go on behind EPITAPH_BRBE_FREEZE(). */
void epitaph_brbe_go_on(const struct epitaph_brbe *brbe);

/**
 * epitaph_brbe_read() - what was kept, the newest first
 * @brbe: frozen
 * @to: room for EPITAPH_NR_BRANCHES
 *
 * Return: how many; what is not valid is none.
 */
u32 epitaph_brbe_read(const struct epitaph_brbe *brbe, struct epitaph_branch *to);

#endif /* EPITAPH_ARCH_ARM64_BRBE_H */
