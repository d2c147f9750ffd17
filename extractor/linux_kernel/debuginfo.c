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
#define PLACES_BITS	14	/* log2 of the slots of the cache of places */
#define MAX_SYMBOL	512
#define MAX_LOADED	64	/* modules; each one takes memory, as it is relocated there */

/* @file: NULL: no debuginfo was found */
struct debug_module {
	char name[KMODULE_NAME_MAX];
	struct debug_file *file;
};

/* A cached place, by file and address. @text: "" if the place is unknown */
struct source_place {
	const struct debug_file *file;
	u64 addr;
	char *text;
};

/**
 * struct debuginfo - debuginfo of one kernel and its modules
 * @known: cache of places by hash; a later place replaces an earlier one
 */
struct debuginfo {
	struct debug_file *kernel;
	char path[PATH_MAX_ESCAPED];
	char release[65];
	const struct kernel_modules *modules;
	struct debug_module loaded[MAX_LOADED];
	u32 nr_loaded;
	struct damage_notes notes;
	struct source_place known[1 << PLACES_BITS];
};

/* The parts of "name+0x1/0x20 [module]" in a text. */
struct text_symbol {
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
			       "the dump has no build id of its kernel, so that no debuginfo can be compared with it");
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

static struct debug_file *file_of_module(struct debuginfo *di, const char *name)
{
	const struct kernel_modules *modules = di->modules;
	char path[PATH_MAX_ESCAPED], id[KMODULE_ID_MAX] = "";
	struct debug_wanted wanted = { id, di->release, name };
	struct debug_module *loaded;
	struct err err = ERR_INIT;

	if (!*name)
		return di->kernel;
	for (u32 i = 0; i < di->nr_loaded; i++)
		if (!strcmp(di->loaded[i].name, name))
			return di->loaded[i].file;
	if (di->nr_loaded == MAX_LOADED)
		return NULL;
	loaded = &di->loaded[di->nr_loaded++];
	memcpy(loaded->name, name, sizeof(loaded->name));
	for (u32 i = 0; modules && i < modules->nr; i++)
		if (!strcmp(modules->list[i].name, name)) {
			kernel_modules_build_id(modules, &modules->list[i], id);
			break;
		}
	if (strlen(id) < 4)
		damage_notes_add(&di->notes, NOTE_NOWHERE,
				 "module %s: no debuginfo: its build id is not in the dump", name);
	else if (debug_find(&loaded->file, path, sizeof(path), &wanted, &err))
		damage_notes_add(&di->notes, NOTE_NOWHERE, "module %s: %s", name, err.msg);
	return loaded->file;
}

/* --- the place of an address --------------------------------------------- */

static void put_escaped_name(struct strbuf *buf, const char *text)
{
	char escaped[1024];

	escape_text(escaped, sizeof(escaped), text, strlen(text));
	strbuf_put(buf, "%s", escaped);
}

/* "fdget [inlined] include/linux/file.h:61, fs/read_write.c:450" */
static char *make_place_text(struct debug_file *file, u64 addr)
{
	struct debug_frame frames[DEBUG_FRAMES_MAX];
	struct strbuf buf = { 0 };
	u32 i, nr = debug_file_frames(file, addr, frames);

	for (i = 0; i < nr; i++) {
		const struct debug_frame *frame = &frames[i];

		if (buf.size)
			strbuf_put(&buf, ", ");
		if (frame->is_inlined) {
			put_escaped_name(&buf, *frame->function ? frame->function : "?");
			strbuf_put(&buf, " [inlined] ");
		}
		put_escaped_name(&buf, *frame->file ? frame->file : "?");
		if (frame->line)
			strbuf_put(&buf, ":%u", frame->line);
	}
	return strbuf_take(&buf);
}

/*
 * The place of a symbol; NULL: unknown.
 * @returned_to: the address is after a call; the line of the call is wanted
 */
static const char *place_of_symbol(struct debuginfo *di, const struct text_symbol *symbol,
				   bool returned_to)
{
	struct debug_file *file = file_of_module(di, symbol->module);
	struct source_place *place;
	u64 addr;

	if (!file || (symbol->size && symbol->off > symbol->size) ||
	    !debug_file_symbol(file, symbol->name, symbol->len, symbol->size, &addr))
		return NULL;
	addr += symbol->off - (returned_to && symbol->off);
	place = &di->known[(addr * 0x9e3779b97f4a7c15ULL) >> (64 - PLACES_BITS)];
	if (place->file != file || place->addr != addr) {
		free(place->text);
		*place = (struct source_place){ file, addr, make_place_text(file, addr) };
	}
	return place->text;
}

/* --- texts --------------------------------------------------------------- */

static bool is_symbol_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '.' || c == '$';
}

/* Read "0x12" at @p, at most 8 digits. Return: the end; NULL: no number */
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

/* Read " [module]" or " [module BUILD-ID]" at @p. Return: the end; @p: no module */
static const char *take_module(const char *p, const char *end, struct text_symbol *symbol)
{
	const char *name = p + 2, *stop;
	size_t len;

	if (end - p < 4 || p[0] != ' ' || p[1] != '[')
		return p;
	for (stop = name; stop < end && (is_symbol_char(*stop) || *stop == '-'); stop++)
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

/* Read the symbol whose "+" is at @plus. Return: the end; NULL: no symbol */
static const char *take_symbol(const char *text, const char *plus, const char *end,
			       struct text_symbol *symbol)
{
	const char *p, *size, *name = plus;

	*symbol = (struct text_symbol){ .size = 0 };
	/* libtraceevent writes the module before the offset: "name [module]+0x1". */
	if (plus > text && plus[-1] == ']') {
		while (name > text && *name != '[' && plus - name < KMODULE_NAME_MAX)
			name--;
		if (name == text || *name != '[' || take_module(name - 1, end, symbol) != plus)
			return NULL;
		name--;
	}
	symbol->name = name;
	while (symbol->name > text && is_symbol_char(symbol->name[-1]))
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

/* Is it the address of an instruction, or of a probe? All other addresses are after a call. */
static bool is_exact(const char *text, const char *name)
{
	return ends_in(text, name, "RIP: 0010:") || ends_in(text, name, "pc : ") ||
	       ends_in(text, name, " at ") || ends_in(text, name, "ip=") ||
	       ends_in(text, name, "(");
}

static void put_path_part(FILE *f, const char *text, size_t len)
{
	fwrite(text, 1, len, f);
}

static void put_places(struct debuginfo *di, FILE *f, const char *text, size_t len, bool is_ip)
{
	const char *done = text, *from = text, *end = text + len, *plus;
	struct text_symbol symbol;

	while (di && (plus = memmem(from, end - from, "+0x", 3))) {
		const char *behind = take_symbol(text, plus, end, &symbol);
		bool exact = behind && ((is_ip && done == text) || is_exact(text, symbol.name));
		const char *place = behind ? place_of_symbol(di, &symbol, !exact) : NULL;

		from = behind ? behind : plus + 1;
		if (!place || !*place)
			continue;
		put_path_part(f, done, from - done);
		fprintf(f, " (%s)", place);
		done = from;
	}
	put_path_part(f, done, end - done);
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
	struct text_symbol symbol;

	if (!plus || !take_symbol(text, plus, text + strlen(text), &symbol))
		return;
	place = place_of_symbol(di, &symbol, true);
	if (place && *place)
		fprintf(f, " (%s)", place);
}
