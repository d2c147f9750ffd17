/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the recorder takes at least: kernel/core/layout.c has it exactly. */
#ifndef EPITAPH_HOST_LEAST_SIZE_H
#define EPITAPH_HOST_LEAST_SIZE_H

/* Bytes of a generation with rings for so many possible CPUs, as with last branches (kernel/crash/branches.c). */
#define LEAST_OF_GENERATION(cpus)	((368 + 95ULL * (cpus)) << 10)

#endif
