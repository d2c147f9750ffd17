// SPDX-License-Identifier: GPL-2.0-or-later
#include "graph.h"

#include <string.h>

#include "base/text.h"
#include "event/field_iter.h"

#define INDENT		2	/* columns for each depth */
#define WIDTH		8	/* of a duration */

enum ftrace_graph_kind ftrace_graph_kind(const struct ftrace *ftrace, u32 id)
{
	if (!id || (id != ftrace->graph_call && id != ftrace->graph_return))
		return FTRACE_GRAPH_NONE;
	return id == ftrace->graph_call ? FTRACE_GRAPH_CALL : FTRACE_GRAPH_RETURN;
}

static u64 number(const struct item *item, const char *name)
{
	struct field field;

	return field_iter_find(item, name, &field) && field.kind == FIELD_NUMBER ? field.number : 0;
}

static u64 duration_of(const struct item *item)
{
	return number(item, "rettime") - number(item, "calltime");
}

void ftrace_graph_step(struct ftrace_graph *graph, const struct ftrace *ftrace,
		       const struct item *item, const struct item *next)
{
	bool was_leaf = graph->kind == FTRACE_GRAPH_LEAF;

	/* What the event it stood at leaves behind. */
	if (graph->kind != FTRACE_GRAPH_NONE && graph->depth < FTRACE_GRAPH_DEPTH)
		graph->calls[graph->depth] = graph->kind == FTRACE_GRAPH_CALL ? graph->func : 0;
	graph->kind = ftrace_graph_kind(ftrace, item->id);
	if (graph->kind == FTRACE_GRAPH_NONE)
		return;
	graph->func = number(item, "func");
	graph->depth = number(item, "depth");
	graph->pid = item->pid;
	if (graph->kind == FTRACE_GRAPH_RETURN)
		graph->duration = duration_of(item);
	if (graph->kind == FTRACE_GRAPH_RETURN && was_leaf)
		graph->kind = FTRACE_GRAPH_TOLD;
	if (graph->kind == FTRACE_GRAPH_CALL && next && next->pid == graph->pid &&
	    ftrace_graph_kind(ftrace, next->id) == FTRACE_GRAPH_RETURN &&
	    number(next, "func") == graph->func) {
		graph->kind = FTRACE_GRAPH_LEAF;
		graph->duration = duration_of(next);
	}
}

/* What the kernel has in front of long ones. */
static char duration_mark(u64 ns)
{
	static const struct {
		u64 ns;
		char mark;
	} marks[] = {
		{ 1000000000, '$' }, { 100000000, '@' }, { 10000000, '*' }, { 1000000, '#' },
		{ 100000, '!' }, { 10000, '+' },
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(marks); i++)
		if (ns > marks[i].ns)
			return marks[i].mark;
	return ' ';
}

/* Seven digits and a point, as many of them behind it as there is room for, at most three. */
static void put_duration(FILE *f, u64 ns)
{
	char text[40];
	int len = snprintf(text, sizeof(text), "%llu", ns / 1000), room = 7 - len;

	if (room > 0)
		len += snprintf(text + len, room < 3 ? room + 2 : 5, ".%03llu", ns % 1000);
	len = strlen(text);
	fprintf(f, "%c %s us %*s|  ", duration_mark(ns), text, len < WIDTH ? WIDTH - len : 0, "");
}

/* "name", or "name [module]". */
static void put_graph_function(FILE *f, const struct ftrace *ftrace, u64 addr)
{
	char name[KERNEL_SYMBOL_MAX];
	const char *module;

	if (!kernel_symbol(ftrace->kernel, addr, name, sizeof(name))) {
		fprintf(f, "0x%llx", addr);
		return;
	}
	module = strstr(name, " [");
	text_put(f, name, strcspn(name, "+"));
	if (module)
		text_put(f, module, strlen(module));
}

static void put_return(const struct ftrace_graph *graph, const struct ftrace *ftrace, FILE *f,
		       u64 func)
{
	putc('}', f);
	/* Whose end it is, is not to be seen where its begin is lost. */
	if (graph->depth < FTRACE_GRAPH_DEPTH && graph->calls[graph->depth] == graph->func)
		return;
	fputs(" /* ", f);
	put_graph_function(f, ftrace, func);
	fputs(" */", f);
}

bool ftrace_graph_text(const struct ftrace_graph *graph, const struct ftrace *ftrace, FILE *f,
		       u64 text_delta)
{
	u32 depth = graph->depth < 4 * FTRACE_GRAPH_DEPTH ? graph->depth : 0;
	u64 func = graph->func + text_delta;

	if (graph->kind == FTRACE_GRAPH_NONE)
		return false;
	if (graph->kind == FTRACE_GRAPH_CALL)
		fprintf(f, "%14s|  ", "");
	else
		put_duration(f, graph->duration);
	fprintf(f, "%*s", (int)depth * INDENT, "");
	if (graph->kind == FTRACE_GRAPH_RETURN || graph->kind == FTRACE_GRAPH_TOLD) {
		put_return(graph, ftrace, f, func);
	} else {
		put_graph_function(f, ftrace, func);
		fputs(graph->kind == FTRACE_GRAPH_LEAF ? "();" : "() {", f);
	}
	return true;
}
