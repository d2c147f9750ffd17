/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the commands report, info, check and mce do with their FILEs, for reading.run: each gets a
 * struct report_request and returns the exit status.
 */
#ifndef EPITAPH_REPORT_REQUESTS_H
#define EPITAPH_REPORT_REQUESTS_H

#include "reading/choice.h"
#include "reading/reading.h"

/**
 * struct report_request - what is to be printed
 * @monotonic: times of CLOCK_MONOTONIC, not before the crash
 * @json: lines of JSON
 * @why: why the kernel died, in one sentence that is not escaped; "": not known
 * @raw: of machine checks, the registers and no words
 * @stacks: of info, tasks and their stacks instead
 * @sql: of machine checks, statements for the database of rasdaemon
 */
struct report_request {
	struct choice choice;
	bool monotonic;
	bool json;
	bool raw;
	bool stacks;
	bool sql;
	char why[300];
};

enum cause_end { CAUSE_UNREADABLE, CAUSE_CRASHED, CAUSE_ENDED, CAUSE_UNKNOWN };

/**
 * struct cause - why a kernel ended
 * @real_ns: when, UTC; 0: unknown
 * @is_rehearsal: epitaph test-crash asked for the crash
 * @text: one sentence, not escaped; "": none
 */
struct cause {
	enum cause_end end;
	u64 real_ns;
	bool is_rehearsal;
	char text[500];
};

int report_files(struct file_list *files, void *request);
int info_files(struct file_list *files, void *request);
int check_files(struct file_list *files, void *request);
int mce_files(struct file_list *files, void *request);

/* The same for one FILE; fills a struct cause. */
int cause_files(struct file_list *files, void *cause);

#endif
