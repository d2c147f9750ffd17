/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A small region in memory, written by the recorder's own ring, and the truth
 * about it: what a reader may find, and what it has to.
 */
#ifndef _EPITAPH_REGION_IMAGE_H
#define _EPITAPH_REGION_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define IMAGE_CPUS	2
#define IMAGE_SUB	512
#define IMAGE_SUBS	20
#define IMAGE_WRITES	1500
#define IMAGE_MAX	8192	/* events written to a ring */

/* One event, by its number, which is the first word of its payload. */
struct image_event {
	uint64_t time;
	uint32_t id;
	uint32_t size;
	uint32_t slot;		/* the sub-buffer that took it */
	uint8_t payload[64];
};

struct image_ring {
	size_t off;		/* in the image */
	uint32_t nr;		/* events written */
	struct image_event events[IMAGE_MAX];
};

/**
 * struct image - the region and the truth
 * @data: @size bytes, as they were when the machine stopped
 * @table_size: of header and table, at the start and at the end
 * @parity: where the parity of the pages lies
 */
struct image {
	uint8_t *data;
	size_t size;
	size_t table_size;
	size_t parity;
	struct image_ring rings[IMAGE_CPUS];
};

/**
 * image_make() - record until the rings have come around several times
 * @seed: decides sizes, times and which events are left unfinished
 *
 * Return: the caller's, for image_free().
 */
struct image *image_make(uint32_t seed);

/* The same, as it was after @nr of IMAGE_WRITES writes. */
struct image *image_make_until(uint32_t seed, uint32_t nr);
void image_free(struct image *image);

/**
 * image_write_large() - a region of two CPUs into a file, after @nr events
 * @held: its rings have room for so many, and a little more
 * @step: ns between two of them; they are numbered from 0, by turns of both CPUs
 *
 * Return: 0, or -1 with errno. No other image can be made afterwards.
 */
int image_write_large(const char *path, uint64_t nr, uint64_t held, uint32_t step);

/* Makes the parity of each page. Without this call it is zero, as if no page was seen. */
void image_make_parity(struct image *image);

/* From now on, the rings' clock is CLOCK_MONOTONIC in ns. */
void image_use_real_clock(void);

/* Events still there in sub-buffer @slot of ring @cpu. */
bool image_has(const struct image *image, uint32_t cpu, uint32_t nr);

uint32_t image_random(uint32_t below);

#endif
