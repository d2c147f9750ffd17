/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a trace.dat says of events beside the events: formats, names, symbols. */
#ifndef EPITAPH_EXPORT_TRACE_DAT_META_H
#define EPITAPH_EXPORT_TRACE_DAT_META_H

#include "exporter.h"
#include "trace_dat_file.h"

/* Sections for all classes there are, for symbols and for names of tasks. */
void trace_dat_put_meta(struct trace_dat *t, const struct exporter *ex);

/* Options about the machine and the recorder. */
void trace_dat_put_origin(struct trace_dat *t, const struct exporter *ex, u32 nr_cpus);

#endif
