/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the command explain does with its FILEs, for reading.run. */
#ifndef EPITAPH_EXPLAIN_EXPLAIN_FILES_H
#define EPITAPH_EXPLAIN_EXPLAIN_FILES_H

#include "reading/choice.h"
#include "reading/reading.h"

/**
 * struct explain_request - what is to be explained
 * @json: an object a file
 * @sentence: the claim alone, and nothing where the cause is not known
 */
struct explain_request {
	struct choice choice;
	bool json;
	bool sentence;
};

/* What explain_files() needs of this machine. In front of reading_run(): it opens files. */
void explain_prepare(void);

/* Gets a struct explain_request. */
int explain_files(struct file_list *files, void *request);

#endif
