/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's short names of integer types. */
#ifndef EPITAPH_BASE_TYPES_H
#define EPITAPH_BASE_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef unsigned long long u64;	/* for %llu everywhere */
typedef int32_t s32;
typedef long long s64;

#define NO_CPU	0xffffffffU	/* the CPU is not known, or there is none */

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

#endif
