/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A finding as a page for people, and as JSON. */
#ifndef EPITAPH_EXPLAIN_PAGE_H
#define EPITAPH_EXPLAIN_PAGE_H

#include <stdio.h>

#include "base/json.h"
#include "judge/finding.h"
#include "timeline/postmortem.h"

/* Lines of 80 columns, but for commands and signature, which are copied; @path stands in the commands. */
void page_print(FILE *f, const struct finding *finding, const struct postmortem *pm, const char *path);

/* The claim, in a line, with how sure it is; nothing where the cause is not known. */
void page_print_sentence(FILE *f, const struct finding *finding);

/* One object; docs/explain.md has the keys. */
void page_print_json(FILE *f, const struct finding *finding, const struct postmortem *pm,
		     const char *path);

/* What all objects about a finding have: from "kind" to "missing". */
void page_json_members(struct json *j, const struct finding *finding);

#endif
