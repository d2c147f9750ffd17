/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers as digits, for loops in which printf() would take most of the time. */
#ifndef EPITAPH_BASE_FAST_DIGITS_H
#define EPITAPH_BASE_FAST_DIGITS_H

#include "types.h"

#define DIGITS_MAX	20	/* of 64 bits, not terminated */

/* Return: how many digits @buf has; what is behind them may change. */
size_t digits_dec(char buf[DIGITS_MAX], u64 n);
size_t digits_hex(char buf[DIGITS_MAX], u64 n);

/* Two hexadecimal digits. */
void digits_byte(char buf[2], u8 byte);

/* Exactly @width digits, with leading zeroes; higher ones are cut. */
void digits_fixed(char *buf, u64 n, u32 width);

/* The same of six digits, as microseconds have. */
void digits_six(char buf[6], u32 n);

#endif
