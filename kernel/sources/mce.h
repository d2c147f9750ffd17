/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Machine checks, into a section of their own: docs/mce.md.
 *
 * Nothing here waits, locks or allocates once epitaph_mce_start() is back.
 */
#ifndef EPITAPH_SOURCES_MCE_H
#define EPITAPH_SOURCES_MCE_H

#include <epitaph/format.h>

/**
 * epitaph_mce_start() - from now on, machine checks are kept
 *
 * What the CPUs' registers hold already is taken as well.  If this kernel
 * refuses a hook, the log says so, and the other hooks work without it.
 *
 * Context: process, after epitaph_region_format().
 */
void epitaph_mce_start(void);

/**
 * epitaph_mce_stop() - no more
 *
 * Context: process, may sleep.
 */
void epitaph_mce_stop(void);

/**
 * epitaph_mce_read() - what this CPU's registers hold
 * @source: EPITAPH_MCE_CRASH or EPITAPH_MCE_LOAD; once for each CPU
 *
 * Context: any, NMI and machine check included; the CPU is not changed meanwhile.
 */
void epitaph_mce_read(enum epitaph_mce_source source);

/* mce_banks.c */

/**
 * epitaph_mce_banks() - the number of this CPU's banks
 *
 * Context: any.
 */
u32 epitaph_mce_banks(void);

/**
 * epitaph_mce_bank() - what a bank of this CPU says, and whose CPU it is
 * @to: zeroed; the registers' fields are filled in
 * @bank: below epitaph_mce_banks()
 *
 * Context: any; the CPU is not changed meanwhile.
 * Return: whether there is an error in it.
 */
bool epitaph_mce_bank(struct epitaph_mce *to, u32 bank);

#endif /* EPITAPH_SOURCES_MCE_H */
