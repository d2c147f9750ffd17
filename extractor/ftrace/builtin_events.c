// SPDX-License-Identifier: GPL-2.0-or-later
#include "builtin_events.h"

#include <string.h>

#define COMMON								\
	"format:\n"							\
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n" \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

#define LONG(name, offset)						\
	"\tfield:unsigned long " name ";\toffset:" offset ";\tsize:8;\tsigned:0;\n"

/* enum recording_type: the first of them have stood since 2.6.33. */
static const struct {
	u32 id;
	const char *name;
	const char *text;
} fixed[] = {
	{ 1, "function", "name: function\nID: 1\n" COMMON LONG("ip", "8") LONG("parent_ip", "16")
	  "\nprint fmt: \" %ps <-- %ps\", (void *)REC->ip, (void *)REC->parent_ip\n" },
	{ 5, "print", "name: print\nID: 5\n" COMMON LONG("ip", "8")
	  "\tfield:char buf[];\toffset:16;\tsize:0;\tsigned:0;\n"
	  "\nprint fmt: \"%ps: %s\", (void *)REC->ip, REC->buf\n" },
};

bool ftrace_fixed_formats(struct formats *formats)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(fixed); i++)
		if (!formats_add(formats, fixed[i].id, "ftrace", fixed[i].name, strlen(fixed[i].name),
				 fixed[i].text))
			return false;
	return true;
}
