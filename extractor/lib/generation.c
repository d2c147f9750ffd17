// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "handle.h"

struct epitaph_generation *generation_ref(struct epitaph_generation *generation)
{
	atomic_fetch_add(&generation->users, 1);
	return generation;
}

void epitaph_generation_close(struct epitaph_generation *generation)
{
	if (!generation || atomic_fetch_sub(&generation->users, 1) > 1)
		return;
	handle_unref(generation->dump);
	pack_free(&generation->facts);
	pack_free(&generation->task_texts);
	free(generation->notes);
	free(generation->tasks);
	free(generation);
}

/* As answer_generation() of engine.c packs it. */
static int take_generation(struct epitaph_generation *g, struct epitaph_error **error)
{
	struct bytes b = bytes_of(g->facts.data, g->facts.size, ORDER_HOST);
	u64 off = 0;
	u32 end;

	g->release = wire_take_text(&b, &off, NULL);
	g->version = wire_take_text(&b, &off, NULL);
	g->machine = wire_take_text(&b, &off, NULL);
	g->boot_id = wire_take_text(&b, &off, NULL);
	g->build_id = wire_take_text(&b, &off, NULL);
	g->nr_cpus = wire_take_u32(&b, &off);
	end = wire_take_u32(&b, &off);
	g->end = end <= EPITAPH_END_ORDERLY ? end : EPITAPH_END_UNKNOWN;
	g->end_time = wire_take_u64(&b, &off);
	g->end_real = wire_take_u64(&b, &off);
	g->end_cpu = wire_take_u32(&b, &off);
	g->end_pid = wire_take_u64(&b, &off);
	g->end_comm = wire_take_text(&b, &off, NULL);
	g->end_reason = wire_take_text(&b, &off, NULL);
	g->nr_events = wire_take_u64(&b, &off);
	g->nr_lost = wire_take_u64(&b, &off);
	g->nr_notes = wire_take_u32(&b, &off);
	/* Each takes a length and a NUL. */
	if (b.overrun || g->nr_notes > b.size / 5)
		return handle_bad_answer(g->dump, error);
	g->notes = calloc(g->nr_notes + 1, sizeof(*g->notes));
	if (!g->notes)
		return handle_bad_answer(g->dump, error);
	for (u32 i = 0; i < g->nr_notes; i++)
		g->notes[i] = wire_take_text(&b, &off, NULL);
	return b.overrun ? handle_bad_answer(g->dump, error) : 0;
}

struct epitaph_generation *epitaph_generation_open(struct epitaph_dump *dump, size_t index,
						   struct epitaph_error **error)
{
	struct pack question = { .order = ORDER_HOST };
	struct epitaph_generation *g;
	char found[80];
	int ret;

	if (!dump) {
		error_usage(error, "epitaph_generation_open()", "dump is NULL", "an open dump");
		return NULL;
	}
	index = index == EPITAPH_NEWEST ? dump->nr - 1 : index;
	if (index >= dump->nr) {
		snprintf(found, sizeof(found), "index is %zu, and there are %u generations", index,
			 dump->nr);
		error_usage(error, "epitaph_generation_open()", found,
			    "an index below epitaph_dump_nr_generations(), or EPITAPH_NEWEST");
		return NULL;
	}
	g = calloc(1, sizeof(*g));
	if (!g) {
		error_set(error, &(struct error_parts){ .code = EPITAPH_ERROR_IO, .errnum = ENOMEM,
			  .where = dump->where }, "there is no memory");
		return NULL;
	}
	atomic_init(&g->users, 1);
	g->dump = handle_ref(dump);
	g->index = index;
	g->number = dump->numbers[index];
	if (handle_enter(dump, error)) {
		pack_u32(&question, index);
		ret = handle_ask(dump, WIRE_GENERATION, &question, &g->facts, error);
		if (!ret)
			ret = take_generation(g, error);
		handle_leave(dump);
		if (!ret)
			return g;
	}
	epitaph_generation_close(g);
	return NULL;
}

uint64_t epitaph_generation_number(const struct epitaph_generation *generation)
{
	return generation ? generation->number : 0;
}

const char *epitaph_generation_release(const struct epitaph_generation *generation)
{
	return generation ? generation->release : "";
}

const char *epitaph_generation_version(const struct epitaph_generation *generation)
{
	return generation ? generation->version : "";
}

const char *epitaph_generation_machine(const struct epitaph_generation *generation)
{
	return generation ? generation->machine : "";
}

const char *epitaph_generation_boot_id(const struct epitaph_generation *generation)
{
	return generation ? generation->boot_id : "";
}

const char *epitaph_generation_build_id(const struct epitaph_generation *generation)
{
	return generation ? generation->build_id : "";
}

uint32_t epitaph_generation_nr_cpus(const struct epitaph_generation *generation)
{
	return generation ? generation->nr_cpus : 0;
}

enum epitaph_end epitaph_generation_end(const struct epitaph_generation *generation)
{
	return generation ? generation->end : EPITAPH_END_UNKNOWN;
}

uint64_t epitaph_generation_end_time(const struct epitaph_generation *generation)
{
	return generation ? generation->end_time : 0;
}

uint64_t epitaph_generation_end_real_time(const struct epitaph_generation *generation)
{
	return generation ? generation->end_real : 0;
}

uint32_t epitaph_generation_end_cpu(const struct epitaph_generation *generation)
{
	return generation ? generation->end_cpu : EPITAPH_CPU_UNKNOWN;
}

int64_t epitaph_generation_end_pid(const struct epitaph_generation *generation)
{
	return generation ? generation->end_pid : -1;
}

const char *epitaph_generation_end_comm(const struct epitaph_generation *generation)
{
	return generation ? generation->end_comm : "";
}

const char *epitaph_generation_end_reason(const struct epitaph_generation *generation)
{
	return generation ? generation->end_reason : "";
}

uint64_t epitaph_generation_nr_events(const struct epitaph_generation *generation)
{
	return generation ? generation->nr_events : 0;
}

uint64_t epitaph_generation_nr_lost(const struct epitaph_generation *generation)
{
	return generation ? generation->nr_lost : 0;
}

const char *epitaph_generation_note(const struct epitaph_generation *generation, size_t i)
{
	return generation && i < generation->nr_notes ? generation->notes[i] : NULL;
}

/* --- tasks --------------------------------------------------------------- */

static int take_tasks(struct epitaph_generation *g, struct epitaph_error **error)
{
	struct bytes b;
	u64 off = 0;
	u32 i, nr;

	b = bytes_of(g->task_texts.data, g->task_texts.size, ORDER_HOST);
	nr = wire_take_u32(&b, &off);
	/* Each takes a number, a length and a NUL. */
	if (b.overrun || nr > b.size / 9)
		return handle_bad_answer(g->dump, error);
	g->tasks = calloc(nr + 1, sizeof(*g->tasks));
	if (!g->tasks)
		return handle_bad_answer(g->dump, error);
	for (i = 0; i < nr; i++) {
		g->tasks[i].pid = wire_take_u32(&b, &off);
		g->tasks[i].comm = wire_take_text(&b, &off, NULL);
	}
	if (b.overrun)
		return handle_bad_answer(g->dump, error);
	g->nr_tasks = nr;
	g->has_tasks = true;
	return 0;
}

int generation_ask(struct epitaph_generation *g, enum wire_message_type type,
		   struct pack *question, struct pack *answer, struct epitaph_error **error)
{
	int ret;

	if (!handle_enter(g->dump, error)) {
		pack_free(question);
		return -1;
	}
	ret = handle_ask(g->dump, type, question, answer, error);
	handle_leave(g->dump);
	return ret;
}

int epitaph_generation_task(struct epitaph_generation *generation, size_t i, uint32_t *pid,
			    const char **comm, struct epitaph_error **error)
{
	struct pack question = { .order = ORDER_HOST };

	if (!generation || !pid || !comm)
		return error_usage(error, "epitaph_generation_task()",
				   generation ? "pid or comm is NULL" : "generation is NULL",
				   "a generation, and places for a pid and a name");
	if (!generation->has_tasks) {
		free(generation->tasks);
		generation->tasks = NULL;
		pack_free(&generation->task_texts);
		pack_u32(&question, generation->index);
		if (generation_ask(generation, WIRE_TASKS, &question, &generation->task_texts,
				   error) || take_tasks(generation, error))
			return -1;
	}
	if (i >= generation->nr_tasks)
		return 0;
	*pid = generation->tasks[i].pid;
	*comm = generation->tasks[i].comm;
	return 1;
}

/* --- symbols ------------------------------------------------------------- */

int epitaph_symbol_name(struct epitaph_generation *generation, uint64_t address, char *buffer,
			size_t size, struct epitaph_error **error)
{
	struct pack question = { .order = ORDER_HOST }, answer;
	const char *name;
	struct bytes b;
	u64 off = 0;
	int ret;

	if (!generation || !buffer || !size)
		return error_usage(error, "epitaph_symbol_name()",
				   generation ? "there is no buffer" : "generation is NULL",
				   "a generation, and room for a name");
	pack_u32(&question, generation->index);
	pack_u64(&question, address);
	if (generation_ask(generation, WIRE_NAME, &question, &answer, error))
		return -1;
	b = bytes_of(answer.data, answer.size, ORDER_HOST);
	name = wire_take_text(&b, &off, NULL);
	if (b.overrun) {
		ret = handle_bad_answer(generation->dump, error);
	} else {
		snprintf(buffer, size, "%s", name);
		ret = *name != 0;
	}
	pack_free(&answer);
	return ret;
}

int epitaph_symbol_address(struct epitaph_generation *generation, const char *name,
			   uint64_t *address, struct epitaph_error **error)
{
	struct pack question = { .order = ORDER_HOST }, answer;
	struct bytes b;
	u64 off = 0, addr;
	int ret;

	if (!generation || !name || !address)
		return error_usage(error, "epitaph_symbol_address()",
				   generation ? "name or address is NULL" : "generation is NULL",
				   "a generation, a name, and a place for the address");
	pack_u32(&question, generation->index);
	wire_text(&question, name, strlen(name));
	if (generation_ask(generation, WIRE_ADDRESS, &question, &answer, error))
		return -1;
	b = bytes_of(answer.data, answer.size, ORDER_HOST);
	ret = wire_take_u32(&b, &off) != 0;
	addr = wire_take_u64(&b, &off);
	if (b.overrun)
		ret = handle_bad_answer(generation->dump, error);
	else if (ret)
		*address = addr;
	pack_free(&answer);
	return ret;
}
