/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The texts of the dumped kernel that events have as addresses. */
#ifndef EPITAPH_EXPORT_TRACE_DAT_PRINTK_H
#define EPITAPH_EXPORT_TRACE_DAT_PRINTK_H

#include "exporter.h"

/* As the kernel's printk_formats has them: formats of trace_printk(), texts of tracepoints. */
void trace_dat_put_printk(struct pack *p, const struct exporter *ex);

#endif
