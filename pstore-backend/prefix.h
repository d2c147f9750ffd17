/* SPDX-License-Identifier: GPL-2.0-only */
/* Before everything: how our lines in the kernel's log begin. */
#define pr_fmt(fmt) "epitaph_pstore: " fmt
