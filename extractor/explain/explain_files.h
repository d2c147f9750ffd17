/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the command explain does with its FILEs, for reading.run. */
#ifndef EPITAPH_EXPLAIN_EXPLAIN_FILES_H
#define EPITAPH_EXPLAIN_EXPLAIN_FILES_H

#include "reading/choice.h"
#include "reading/reading.h"

/**
 * struct explain_request - what is to be explained
 * @json: an object a file
 */
struct explain_request {
	struct choice choice;
	bool json;
};

/* Gets a struct explain_request. */
int explain_files(struct file_list *files, void *request);

#endif
