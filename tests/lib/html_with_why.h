/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The HTML page with what explain finds on top, as a test of a file writes it. */
#ifndef HTML_WITH_WHY_H
#define HTML_WITH_WHY_H

#include <stdlib.h>

#include "explain/explain.h"
#include "export/export.h"

static inline int html_with_why(FILE *f, struct postmortem *pm, const struct window *window,
				struct err *err)
{
	struct finding *finding = malloc(sizeof(*finding));
	int ret = finding ? explain_death(finding, pm, err) : err_sys(err, "a finding");

	if (!ret)
		ret = export_html(f, pm, window, finding, err);
	free(finding);
	return ret;
}

#endif
