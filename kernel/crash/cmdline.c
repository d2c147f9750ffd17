// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel's command line: the address that modprobe(8) would hand over is
 * found by insmod(8) as well, and by a recorder that is built in.
 */
#include <linux/ctype.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "arch/arch.h"
#include "core/bytes.h"
#include "cmdline.h"
#include "start/start.h"

#define CMDLINE_SIZE	4096

/* The value of the first word "@key..." at or after @from. */
static const char *find_word(const char *from, const char *key)
{
	const char *p = from;

	while ((p = strstr(p, key))) {
		if (p == from || isspace(p[-1]))
			return p + strlen(key);
		p++;
	}
	return NULL;
}

static bool ends_word(const char *p)
{
	return !*p || isspace(*p);
}

/* As the kernel itself reads it, to which 2^64 is 0. @kinds: what may stand between size and address. */
static bool parse_memmap(const char *value, const char *kinds, u64 *at, u64 *bytes)
{
	char *p;

	*bytes = memparse(value, &p);
	if (p == value || !*p || !strchr(kinds, *p))
		return false;
	value = p + 1;
	*at = memparse(value, &p);
	return p != value && (ends_word(p) || *p == ',');
}

/* The next range of a memmap= behind *@p; one memmap= may hold several. */
static bool next_memmap(const char **p, const char *kinds, u64 *at, u64 *bytes)
{
	bool is_inside = **p == ',';

	for (;;) {
		if (is_inside && **p == ',')
			++*p;
		else if (!(*p = find_word(*p, "memmap=")))
			return false;
		is_inside = true;
		if (parse_memmap(*p, kinds, at, bytes)) {
			*p += strcspn(*p, ", \t\n");
			return true;
		}
		*p += strcspn(*p, ", \t\n");
	}
}

/* We take the only reserved one. */
static int find_memmap(const char *line, u64 *at, u64 *bytes)
{
	int found = 0;
	u64 a, n;

	while (EPITAPH_ARCH_HAS_MEMMAP && next_memmap(&line, "!", &a, &n)) {
		*at = a;
		*bytes = n;
		found++;
	}
	return found;
}

bool epitaph_cmdline_holds(const char *line, u64 at, u64 bytes)
{
	u64 a, n;

	while (EPITAPH_ARCH_HAS_MEMMAP && next_memmap(&line, "!$", &a, &n))
		if (a <= at && n >= bytes && at - a <= n - bytes)
			return true;
	return false;
}

static bool is_whole_name(const char *p, const char *name)
{
	size_t n = strlen(name);

	return !strncmp(p, name, n) && (ends_word(p + n) || p[n] == ',');
}

/* "trace_instance=boot_map^traceoff@NAME,sched" */
static bool instance_uses(const char *line, const char *name)
{
	const char *value = line;

	while ((value = find_word(value, "trace_instance="))) {
		const char *at = value + strcspn(value, "@, \t\n");

		if (*at == '@' && is_whole_name(at + 1, name))
			return true;
	}
	return false;
}

static const char *line_user_of(const char *line, const char *name)
{
	const char *value = find_word(line, "ramoops.mem_name=");

	if (value && is_whole_name(value, name))
		return "ramoops.mem_name=";
	return instance_uses(line, name) ? "trace_instance=" : NULL;
}

static int parse_pair(const char *text_at, const char *text_bytes, u64 *at, u64 *bytes)
{
	const char *p, *q;

	if (!text_at || !text_bytes) {
		pr_err("epitaph.addr= and epitaph.size= go together on the kernel command line\n");
		return -EINVAL;
	}
	if (!epitaph_bytes_parse(text_at, &p, at) && ends_word(p) &&
	    !epitaph_bytes_parse(text_bytes, &q, bytes) && ends_word(q))
		return 0;
	pr_err("epitaph.addr=%.20s epitaph.size=%.20s on the kernel command line: not numbers of bytes below 2^64\n",
	       text_at, text_bytes);
	return -EINVAL;
}

int epitaph_cmdline_parse(const char *line, u64 *at, u64 *bytes, bool *is_assumed)
{
	const char *text_at = find_word(line, "epitaph.addr=");
	const char *text_bytes = find_word(line, "epitaph.size=");

	*is_assumed = !text_at && !text_bytes;
	if (!*is_assumed)
		return parse_pair(text_at, text_bytes, at, bytes);
	switch (find_memmap(line, at, bytes)) {
	case 1:
		return 0;
	case 0:
		return -ENOENT;
	default:
		pr_err("more than one memmap=SIZE!ADDR on the kernel command line: say which by addr= and size=\n");
		return -EINVAL;
	}
}

/* To be given to kfree(); or an error, which has been printed. */
static char *read_line(void)
{
	char *line = kmalloc(CMDLINE_SIZE, GFP_KERNEL);
	ssize_t n;

	if (!line)
		return ERR_PTR(-ENOMEM);
	n = epitaph_cmdline_read(line, CMDLINE_SIZE);
	if (n >= 0)
		return line;
	pr_err("the kernel's command line cannot be read (%zd): what it says of the region is not known\n",
	       n);
	kfree(line);
	return ERR_PTR(n);
}

int epitaph_cmdline_range(u64 *at, u64 *bytes, bool *is_assumed)
{
	char *line = read_line();
	int err;

	if (IS_ERR(line))
		return PTR_ERR(line);
	err = epitaph_cmdline_parse(line, at, bytes, is_assumed);
	kfree(line);
	return err;
}

bool epitaph_cmdline_device(char name[EPITAPH_CMDLINE_DEVICE])
{
	char *line = read_line();
	const char *value;

	if (IS_ERR(line))
		return false;
	value = find_word(line, "epitaph.device=");
	if (value)
		snprintf(name, EPITAPH_CMDLINE_DEVICE, "%.*s", (int)strcspn(value, " \t\n"), value);
	kfree(line);
	return value;
}

bool epitaph_cmdline_reserves(u64 at, u64 bytes)
{
	char *line = read_line();
	bool yes;

	if (IS_ERR(line))
		return false;
	yes = epitaph_cmdline_holds(line, at, bytes);
	kfree(line);
	return yes;
}

const char *epitaph_cmdline_user_of(const char *name)
{
	char *line = read_line();
	const char *user;

	if (IS_ERR(line))
		return NULL;
	user = line_user_of(line, name);
	kfree(line);
	return user;
}
