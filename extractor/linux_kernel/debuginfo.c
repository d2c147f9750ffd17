// SPDX-License-Identifier: GPL-2.0-or-later
#include "debuginfo.h"

#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/hash_index.h"
#include "base/damage_notes.h"
#include "base/strbuf.h"
#include "debuginfo/debuginfo_locate.h"
#include "debuginfo/debuginfo_path.h"

#define PATH_MAX_ESCAPED	1024
#define PLACES_BITS	14	/* of the table of places that were asked for */
#define MAX_SYMBOL	512
#define MAX_LOADED	64	/* modules: each is relocated in memory */

/* @file: NULL: there is none */
struct debug_module {
	char name[KMODULE_NAME_MAX];
	struct debug_file *file;
};

/* What was asked for: @key is file and address; @text: "" where there is nothing to tell. */
struct place {
	const struct debug_file *file;
	u64 addr;
	char *text;
};

/**
 * struct debuginfo - of one kernel
 * @known: places by a hash; a later one takes the place of an earlier
 */
struct debuginfo {
	struct debug_file *kernel;
	char path[PATH_MAX_ESCAPED];
	char release[65];
	const struct kernel_modules *modules;
	struct debug_module loaded[MAX_LOADED];
	u32 nr_loaded;
	struct damage_notes notes;
	struct place known[1 << PLACES_BITS];
};

/* A symbol in a text, in parts. */
struct symbol {
	const char *name;
	size_t len;
	u64 off;
	u64 size;
	char module[KMODULE_NAME_MAX];
};

bool debuginfo_wanted(void)
{
	return debug_places_nr() > 0;
}

int debuginfo_open(struct debuginfo **ret, const char *build_id, const char *release,
		   struct err *err)
{
	struct debug_wanted wanted = { build_id, release, NULL };
	struct debuginfo *di;
	int res;

	if (strlen(build_id) < 4)
		return err_set(err, ERR_USAGE, ERR_NO_OFF,
			       "the dump does not tell its kernel's build id: no debuginfo can be told to be of it");
	di = calloc(1, sizeof(*di));
	if (!di)
		return err_sys(err, "memory for debuginfo");
	snprintf(di->release, sizeof(di->release), "%s", release);
	res = debug_find(&di->kernel, di->path, sizeof(di->path), &wanted, err);
	if (res)
		debuginfo_close(di);
	else
		*ret = di;
	return res;
}

void debuginfo_close(struct debuginfo *di)
{
	if (!di)
		return;
	for (u32 i = 0; i < ARRAY_SIZE(di->known); i++)
		free(di->known[i].text);
	for (u32 i = 0; i < di->nr_loaded; i++)
		debug_file_close(di->loaded[i].file);
	debug_file_close(di->kernel);
	damage_notes_free(&di->notes);
	free(di);
}

void debuginfo_modules(struct debuginfo *di, const struct kernel_modules *modules)
{
	di->modules = modules;
}

const char *debuginfo_path(const struct debuginfo *di)
{
	return di->path;
}

bool debuginfo_symbol(const struct debuginfo *di, const char *name, u64 *ret)
{
	return di && debug_file_symbol(di->kernel, name, strlen(name), 0, ret);
}

const char *debuginfo_note(const struct debuginfo *di, size_t i)
{
	return i < di->notes.kept ? di->notes.list[i].text : NULL;
}

/* --- modules ------------------------------------------------------------- */

static void read_id(const struct debuginfo *di, const char *name, char id[KMODULE_ID_MAX])
{
	const struct kernel_modules *modules = di->modules;

	*id = '\0';
	for (u32 i = 0; modules && i < modules->nr; i++)
		if (!strcmp(modules->list[i].name, name))
			return kernel_modules_build_id(modules, &modules->list[i], id);
}

static struct debug_file *load(struct debuginfo *di, const char *name)
{
	char path[PATH_MAX_ESCAPED], id[KMODULE_ID_MAX];
	struct debug_wanted wanted = { id, di->release, name };
	struct debug_file *file = NULL;
	struct err err = ERR_INIT;

	read_id(di, name, id);
	if (strlen(id) < 4)
		damage_notes_add(&di->notes, NOTE_NOWHERE,
				 "module %s: no debuginfo: its build id is not in the dump", name);
	else if (debug_find(&file, path, sizeof(path), &wanted, &err))
		damage_notes_add(&di->notes, NOTE_NOWHERE, "module %s: %s", name, err.msg);
	return file;
}

static struct debug_file *file_of(struct debuginfo *di, const char *module)
{
	struct debug_module *loaded;

	if (!*module)
		return di->kernel;
	for (u32 i = 0; i < di->nr_loaded; i++)
		if (!strcmp(di->loaded[i].name, module))
			return di->loaded[i].file;
	if (di->nr_loaded == MAX_LOADED)
		return NULL;
	loaded = &di->loaded[di->nr_loaded++];
	memcpy(loaded->name, module, sizeof(loaded->name));
	loaded->file = load(di, module);
	return loaded->file;
}

/* --- the place of an address --------------------------------------------- */

static void put_escaped(struct strbuf *buf, const char *text)
{
	char escaped[1024];

	escape_text(escaped, sizeof(escaped), text, strlen(text));
	strbuf_put(buf, "%s", escaped);
}

static void put_frame(struct strbuf *buf, const struct debug_frame *frame)
{
	if (buf->size)
		strbuf_put(buf, ", ");
	if (frame->is_inlined) {
		put_escaped(buf, *frame->function ? frame->function : "?");
		strbuf_put(buf, " [inlined] ");
	}
	put_escaped(buf, *frame->file ? frame->file : "?");
	if (frame->line)
		strbuf_put(buf, ":%u", frame->line);
}

static char *make_text(struct debug_file *file, u64 addr)
{
	struct debug_frame frames[DEBUG_FRAMES_MAX];
	struct strbuf buf = { 0 };
	u32 i, nr = debug_file_frames(file, addr, frames);

	for (i = 0; i < nr; i++)
		put_frame(&buf, &frames[i]);
	return strbuf_take(&buf);
}

static const char *text_at(struct debuginfo *di, struct debug_file *file, u64 addr)
{
	struct place *place = &di->known[(addr * 0x9e3779b97f4a7c15ULL) >> (64 - PLACES_BITS)];

	if (place->file != file || place->addr != addr) {
		free(place->text);
		*place = (struct place){ file, addr, make_text(file, addr) };
	}
	return place->text;
}

/* @returned_to: the call is before it, maybe on another line. NULL: nothing is known. */
static const char *place_of(struct debuginfo *di, const struct symbol *symbol, bool returned_to)
{
	struct debug_file *file = file_of(di, symbol->module);
	u64 addr;

	if (!file || (symbol->size && symbol->off > symbol->size) ||
	    !debug_file_symbol(file, symbol->name, symbol->len, symbol->size, &addr))
		return NULL;
	return text_at(di, file, addr + symbol->off - (returned_to && symbol->off));
}

/* --- texts --------------------------------------------------------------- */

static bool is_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '.' || c == '$';
}

/* "0x12" at @p, no more than 8 digits; NULL: it is none. */
static const char *take_hex(const char *p, const char *end, u64 *ret)
{
	const char *from = p + 2;

	if (end - p < 3 || p[0] != '0' || p[1] != 'x')
		return NULL;
	for (*ret = 0, p = from; p < end && p < from + 8; p++) {
		if (*p >= '0' && *p <= '9')
			*ret = *ret << 4 | (*p - '0');
		else if (*p >= 'a' && *p <= 'f')
			*ret = *ret << 4 | (*p - 'a' + 10);
		else
			break;
	}
	return p > from ? p : NULL;
}

/* " [module]" or " [module BUILD-ID]" at @p. */
static const char *take_module(const char *p, const char *end, struct symbol *symbol)
{
	const char *name = p + 2, *stop;
	size_t len;

	if (end - p < 4 || p[0] != ' ' || p[1] != '[')
		return p;
	for (stop = name; stop < end && (is_name(*stop) || *stop == '-'); stop++)
		;
	len = stop - name;
	if (stop == end || (*stop != ']' && *stop != ' ') || !len || len >= sizeof(symbol->module))
		return p;
	stop = memchr(stop, ']', end - stop);
	if (!stop)
		return p;
	memcpy(symbol->module, name, len);
	symbol->module[len] = 0;
	return stop + 1;
}

/* The symbol with its "+" at @plus.  Return: behind it; NULL: it is none. */
static const char *take_symbol(const char *text, const char *plus, const char *end,
			       struct symbol *symbol)
{
	const char *p, *size, *name = plus;

	*symbol = (struct symbol){ .size = 0 };
	/* Where libtraceevent writes of a symbol that we named, the module stands before the offset. */
	if (plus > text && plus[-1] == ']') {
		while (name > text && *name != '[' && plus - name < KMODULE_NAME_MAX)
			name--;
		if (name == text || *name != '[' || take_module(name - 1, end, symbol) != plus)
			return NULL;
		name--;
	}
	symbol->name = name;
	while (symbol->name > text && is_name(symbol->name[-1]))
		symbol->name--;
	symbol->len = name - symbol->name;
	p = take_hex(plus + 1, end, &symbol->off);
	if (!p || !symbol->len || symbol->len > MAX_SYMBOL)
		return NULL;
	size = p < end && *p == '/' ? take_hex(p + 1, end, &symbol->size) : NULL;
	p = size ? size : p;
	return *symbol->module ? p : take_module(p, end, symbol);
}

static bool ends_in(const char *text, const char *end, const char *what)
{
	size_t len = strlen(what);

	return (size_t)(end - text) >= len && !memcmp(end - len, what, len);
}

/* Where a CPU stood, and where a probe is; everything else on a stack or in an event was returned to. */
static bool is_exact(const char *text, const char *name)
{
	return ends_in(text, name, "RIP: 0010:") || ends_in(text, name, "pc : ") ||
	       ends_in(text, name, " at ") || ends_in(text, name, "ip=") ||
	       ends_in(text, name, "(");
}

static void put(FILE *f, const char *text, size_t len)
{
	fwrite(text, 1, len, f);
}

static void put_places(struct debuginfo *di, FILE *f, const char *text, size_t len, bool is_ip)
{
	const char *done = text, *from = text, *end = text + len, *plus;
	struct symbol symbol;

	while (di && (plus = memmem(from, end - from, "+0x", 3))) {
		const char *behind = take_symbol(text, plus, end, &symbol);
		bool exact = behind && ((is_ip && done == text) || is_exact(text, symbol.name));
		const char *place = behind ? place_of(di, &symbol, !exact) : NULL;

		from = behind ? behind : plus + 1;
		if (!place || !*place)
			continue;
		put(f, done, from - done);
		fprintf(f, " (%s)", place);
		done = from;
	}
	put(f, done, end - done);
}

void debuginfo_put(struct debuginfo *di, FILE *f, const char *text, size_t len)
{
	put_places(di, f, text, len, false);
}

void debuginfo_put_text(struct debuginfo *di, FILE *f, const char *text, size_t size, bool is_ip)
{
	char escaped[4096];

	size = escape_text(escaped, sizeof(escaped), text, strnlen(text, size));
	put_places(di, f, escaped, size, is_ip);
}

void debuginfo_put_place(struct debuginfo *di, FILE *f, const char *text)
{
	const char *plus = di ? strstr(text, "+0x") : NULL, *place;
	struct symbol symbol;

	if (!plus || !take_symbol(text, plus, text + strlen(text), &symbol))
		return;
	place = place_of(di, &symbol, true);
	if (place && *place)
		fprintf(f, " (%s)", place);
}
