/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Machine checks as SQL for the database of rasdaemon(1). */
#ifndef EPITAPH_REPORT_MCE_SQL_H
#define EPITAPH_REPORT_MCE_SQL_H

#include <stdio.h>

#include "timeline/postmortem.h"

/*
 * All machine checks in one transaction. One that table mce_record has already, of rasdaemon itself or
 * of an earlier run, is not inserted. The columns are those that rasdaemon has in 0.6.8 and later.
 */
void print_mces_sql(FILE *f, const struct postmortem *pm);

#endif
