// SPDX-License-Identifier: GPL-2.0-or-later
#include "kprobe_format.h"

#include <string.h>

#include "base/strbuf.h"
#include "base/types.h"

/* What such a print format begins with and goes on with, and what both become. */
static const struct {
	const char *format;
	const char *args;
	const char *new_format;
	const char *new_args;
} probes[] = {
	{ "print fmt: \"(%lx)", "\", REC->__probe_ip", "print fmt: \"(%pS)",
	  "\", (void *)REC->__probe_ip" },
	{ "print fmt: \"(%lx <- %lx)", "\", REC->__probe_func, REC->__probe_ret_ip",
	  "print fmt: \"(%pS <- %ps)", "\", (void *)REC->__probe_ret_ip, (void *)REC->__probe_func" },
};

char *format_probe_text(const char *text)
{
	struct strbuf out = { 0 };
	const char *format, *args;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(probes); i++) {
		format = strstr(text, probes[i].format);
		args = format ? strstr(format, probes[i].args) : NULL;
		if (!args)
			continue;
		strbuf_add(&out, text, format - text);
		strbuf_put(&out, "%s", probes[i].new_format);
		format += strlen(probes[i].format);
		strbuf_add(&out, format, args - format);
		strbuf_put(&out, "%s%s", probes[i].new_args, args + strlen(probes[i].args));
		return strbuf_take(&out);
	}
	return NULL;
}
