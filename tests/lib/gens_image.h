/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A region with generations that the recorder's own code laid out, and the
 * truth about them.
 */
#ifndef _EPITAPH_GENS_IMAGE_H
#define _EPITAPH_GENS_IMAGE_H

#include <epitaph/generation.h>

/* What one boot left. */
struct boot {
	u64 off;
	u64 size;
	u64 number;
	u64 salt;
	u64 table_size;
	bool crashed;
	bool ended;
	bool taken[EPITAPH_NR_TAKEN];
};

/* A page that cannot be touched lies before and behind it. */
struct gens_image {
	u8 *data;
	u64 size;
};

void gens_image_new(struct gens_image *image, u64 size);
void gens_image_free(struct gens_image *image);

/**
 * gens_image_record() - do what a boot does, up to its end
 * @boot: off, size, number, crashed, ended and taken are given; the rest is filled in
 * @nr_cpus: rings, each with some events
 * @lost_number, @lost_gens: for the header
 */
void gens_image_record(struct gens_image *image, struct boot *boot, u32 nr_cpus,
		       u64 lost_number, u32 lost_gens);

/* As gens_image_record(), but that it stops before the first event. */
void gens_image_format(struct gens_image *image, struct boot *boot, u32 nr_cpus,
		       u64 lost_number, u32 lost_gens);

/* Computes the checksum of a changed header anew. */
void gens_image_sign(struct epitaph_header *header);

void gens_seed(u32 seed);
u32 gens_random(u32 below);

#endif /* _EPITAPH_GENS_IMAGE_H */
