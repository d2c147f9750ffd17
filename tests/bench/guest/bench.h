/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _BENCH_H
#define _BENCH_H

/* record.c */
int bench_record(void);
void bench_record_stop(void);

#endif /* _BENCH_H */
