// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine.h"

#include <stdlib.h>
#include <string.h>

#include <epitaph/epitaph.h>

#include "base/text.h"
#include "debuginfo/debuginfo_path.h"
#include "dump/callback.h"
#include "instruction/instruction.h"
#include "kvm/guests.h"
#include "findings_answer.h"
#include "items.h"

#define MAX_PATHS	1024
#define MAX_READ	(16U << 20)	/* bytes of one WIRE_READ */

/*
 * A scanned generation.  A timeline has it for itself.
 * @index: of the generation; a damaged file may have a number twice
 * @users: walks; @is_taken: one of them has its streams
 */
struct session {
	struct postmortem pm;
	u32 index;
	bool is_open;
	bool is_scanned;
	bool is_taken;
	u32 users;
};

struct engine_walk {
	struct items *items;
	struct session *session;
	bool takes;
};

/*
 * @memory: is read instead of paths; NULL: they are
 * @numbers: of the generations, the oldest first; NULL: the dump has no recorder, and one
 *	generation
 * @kernel: the dumped kernel, for memory and symbols; NULL: not yet looked for, or @no_kernel
 *	says why not
 * @guest: the virtual machine that is read; NULL: the dump's own kernel
 * @guests: of the dumped kernel; NULL: not yet looked for, or @no_guests
 */
struct engine {
	char *paths[MAX_PATHS];
	u32 nr_paths;
	const struct epitaph_memory_reader *memory;
	u32 sources;
	char *guest;
	struct debug_places *places;
	u64 *numbers;
	u32 nr;
	struct session sessions[WIRE_WALKS + 1];
	struct engine_walk walks[WIRE_WALKS];
	struct kernel *own_kernel;
	struct err no_kernel;
	struct kvm_guests *guests;
	bool no_guests;
};

struct engine *engine_new(void)
{
	struct engine *engine = calloc(1, sizeof(*engine));

	if (!engine)
		return NULL;
	engine->places = calloc(1, sizeof(*engine->places));
	if (!engine->places) {
		free(engine);
		return NULL;
	}
	return engine;
}

static void close_walk(struct engine_walk *walk)
{
	if (!walk->items)
		return;
	items_free(walk->items);
	walk->session->users--;
	if (walk->takes)
		walk->session->is_taken = false;
	*walk = (struct engine_walk){ 0 };
}

void engine_free(struct engine *engine)
{
	u32 i;

	if (!engine)
		return;
	debug_places_use(engine->places);
	for (i = 0; i < WIRE_WALKS; i++)
		close_walk(&engine->walks[i]);
	kernel_close(engine->own_kernel);
	for (i = 0; i < ARRAY_SIZE(engine->sessions); i++)
		if (engine->sessions[i].is_open)
			pm_close(&engine->sessions[i].pm);
	for (i = 0; i < engine->nr_paths; i++)
		free(engine->paths[i]);
	debug_places_use(NULL);
	debug_places_close(engine->places);
	free(engine->places);
	free(engine->numbers);
	free(engine->guest);
	kvm_guests_close(engine->guests);
	free(engine);
}

/* --- opening ------------------------------------------------------------- */

int engine_prepare(struct engine *engine, struct bytes *question, struct err *err)
{
	u64 off = 0;
	u32 i, nr;
	const char *guest;
	int ret = 0;

	debug_places_use(engine->places);
	engine->sources = wire_take_u32(question, &off);
	guest = wire_take_text(question, &off, NULL);
	if (guest && *guest && !(engine->guest = strdup(guest)))
		ret = err_sys(err, "memory for a name");
	nr = wire_take_u32(question, &off);
	for (i = 0; i < nr && !ret; i++) {
		const char *path = wire_take_text(question, &off, NULL);

		if (!path || i == MAX_PATHS)
			ret = err_set(err, ERR_USAGE, ERR_NO_OFF, "%u parts of one dump", nr);
		else if (!(engine->paths[i] = strdup(path)))
			ret = err_sys(err, "memory for a path");
		else
			engine->nr_paths++;
	}
	nr = wire_take_u32(question, &off);
	for (i = 0; i < nr && !ret; i++) {
		const char *path = wire_take_text(question, &off, NULL);

		ret = path ? debug_places_add_copy(path, err) :
			     err_set(err, ERR_USAGE, ERR_NO_OFF, "%u places of debuginfo", nr);
	}
	return ret ? ret : debug_places_open(err);
}

char **engine_paths(const struct engine *engine, u32 *nr)
{
	*nr = engine->nr_paths;
	return (char **)engine->paths;
}

void engine_set_memory(struct engine *engine, const struct epitaph_memory_reader *memory)
{
	engine->memory = memory;
}

/* @pm: all zero; for pm_close(), also on failure */
static int open_postmortem(struct engine *engine, struct postmortem *pm, u32 sources, u64 number,
			   struct err *err)
{
	struct dump_files files = { engine->paths, engine->nr_paths };
	struct dump *dump;
	int ret;

	if (engine->guest)
		return pm_open_guest(pm, &files, engine->guest, sources, number, err);
	if (!engine->memory)
		return pm_open(pm, &files, sources, number, err);
	ret = dump_open_callback(&dump, engine->memory, err);
	return ret ? ret : pm_open_dump(pm, dump, sources, number, err);
}

/* As pm_open() knows it: the newest one of a file without a recorder too. */
static u64 generation_of_index(const struct engine *engine, u32 i)
{
	return i + 1 < engine->nr ? GENERATION_BACK(engine->nr - 1 - i) : GENERATION_NEWEST;
}

static int open_session(struct engine *engine, struct session *session, u32 i, struct err *err)
{
	u64 generation = generation_of_index(engine, i);
	int ret = open_postmortem(engine, &session->pm, engine->sources, generation, err);

	if (ret) {
		pm_close(&session->pm);
		*session = (struct session){ 0 };
		return ret;
	}
	session->index = i;
	session->is_open = true;
	return 0;
}

/* It stays open, unless its scan fails; it has the file and the list of generations. */
static int open_first_session(struct engine *engine, struct err *err)
{
	return open_session(engine, &engine->sessions[0], engine->nr ? engine->nr - 1 : 0, err);
}

static int answer_open(struct engine *engine, struct pack *answer, struct err *err)
{
	struct session *first = &engine->sessions[0];
	const struct generation_set *generations;
	const char *kind;
	int ret = open_first_session(engine, err);

	if (ret)
		return ret;
	generations = first->pm.generations;
	engine->nr = generations ? generations->nr : 1;
	first->index = engine->nr - 1;
	engine->numbers = calloc(engine->nr, sizeof(*engine->numbers));
	if (!engine->numbers)
		return err_sys(err, "memory for %u generations", engine->nr);
	for (u32 i = 0; generations && i < engine->nr; i++)
		engine->numbers[i] = generations->gen[i].hdr.number;
	kind = dump_kind(first->pm.dump);
	wire_text(answer, kind, strlen(kind));
	pack_u64(answer, generations ? generations->start : 0);
	pack_u64(answer, generations ? generations->size : 0);
	pack_u32(answer, engine->nr);
	for (u32 i = 0; i < engine->nr; i++)
		pack_u64(answer, engine->numbers[i]);
	return 0;
}

/* --- sessions ------------------------------------------------------------ */

/* An open one of generation @index; @is_free: that no timeline has. */
static struct session *find_session(struct engine *engine, u32 index, bool is_free)
{
	for (size_t i = 0; i < ARRAY_SIZE(engine->sessions); i++) {
		struct session *session = &engine->sessions[i];

		if (session->is_open && session->index == index && !(is_free && session->is_taken))
			return session;
	}
	return NULL;
}

/* A place for one; the first one is kept, the others as long as there is room. */
static struct session *spare_session(struct engine *engine)
{
	struct session *unused = NULL;

	for (size_t i = 1; i < ARRAY_SIZE(engine->sessions); i++) {
		struct session *session = &engine->sessions[i];

		if (!session->is_open)
			return session;
		if (!session->users)
			unused = session;
	}
	if (!unused)
		return NULL;
	pm_close(&unused->pm);
	*unused = (struct session){ 0 };
	return unused;
}

static int fail_index(u32 i, struct err *err)
{
	return err_set(err, ERR_USAGE, ERR_NO_OFF, "there is no generation of index %u", i);
}

/* The first one has what others go by. */
static void close_session(struct engine *engine, struct session *session)
{
	if (session == engine->sessions) {
		kvm_guests_close(engine->guests);
		kernel_close(engine->own_kernel);
		engine->guests = NULL;
		engine->own_kernel = NULL;
		engine->no_guests = false;
		engine->no_kernel = (struct err)ERR_INIT;
	}
	pm_close(&session->pm);
	*session = (struct session){ 0 };
}

/* One of generation @i, scanned. */
static int get_session(struct engine *engine, u32 i, bool is_free, struct session **ret_session,
		       struct err *err)
{
	struct session *session;
	int ret = 0;

	if (i >= engine->nr)
		return fail_index(i, err);
	session = find_session(engine, i, is_free);
	if (!session) {
		session = spare_session(engine);
		if (!session)
			return err_set(err, ERR_USAGE, ERR_NO_OFF, "%u walks are open", WIRE_WALKS);
		ret = open_session(engine, session, i, err);
	}
	if (!ret && !session->is_scanned)
		ret = pm_scan(&session->pm, err);
	if (ret) {
		/* What was scanned up to here would be there twice after another scan. */
		if (session->is_open)
			close_session(engine, session);
		return ret;
	}
	session->is_scanned = true;
	*ret_session = session;
	return 0;
}

/* --- facts --------------------------------------------------------------- */

static void wire_chars(struct pack *p, const char *text, size_t size)
{
	wire_text(p, text, strnlen(text, size));
}

static void answer_notes(struct pack *p, const struct postmortem *pm)
{
	const struct damage_notes *notes[] = {
		&pm->notes, pm->recording ? &pm->recording->generation->notes : NULL,
	};
	size_t place = p->size, i;
	u32 nr = 0, k;

	pack_u32(p, 0);
	for (i = 0; i < ARRAY_SIZE(notes); i++)
		for (k = 0; notes[i] && k < notes[i]->kept; k++, nr++)
			wire_chars(p, notes[i]->list[k].text, sizeof(notes[i]->list[k].text));
	for (k = 0; dump_damage(pm->dump, k); k++, nr++)
		wire_text(p, dump_damage(pm->dump, k), strlen(dump_damage(pm->dump, k)));
	if (!p->failed)
		memcpy(p->data + place, &nr, sizeof(nr));
}

static void answer_generation(struct pack *p, const struct postmortem *pm)
{
	const struct postmortem_origin *origin = &pm->origin;
	const struct postmortem_end *end = &pm->end;
	const char *machine = origin->machine ? text_machine(origin->machine) : "";
	char boot_id[40] = "", build_id[2 * sizeof(origin->build_id) + 1] = "";

	if (origin->has_boot_id)
		text_uuid(boot_id, sizeof(boot_id), origin->boot_id);
	text_hex(build_id, sizeof(build_id), origin->build_id, origin->build_id_size);
	wire_chars(p, origin->release, sizeof(origin->release));
	wire_chars(p, origin->version, sizeof(origin->version));
	wire_text(p, machine, strlen(machine));
	wire_text(p, boot_id, strlen(boot_id));
	wire_text(p, build_id, strlen(build_id));
	pack_u32(p, origin->nr_cpus);
	pack_u32(p, end->how == OUTCOME_CRASHED ? EPITAPH_END_CRASHED :
		    end->how == OUTCOME_ENDED ? EPITAPH_END_ORDERLY : EPITAPH_END_UNKNOWN);
	pack_u64(p, end->time);
	pack_u64(p, end->real_ns);
	pack_u32(p, end->cpu);
	pack_u64(p, end->pid);
	wire_chars(p, end->comm, sizeof(end->comm));
	wire_chars(p, end->reason, sizeof(end->reason));
	pack_u64(p, pm->total.events);
	pack_u64(p, pm_lost(pm));
	answer_notes(p, pm);
}

struct task_list {
	struct pack *p;
	u32 nr;
};

static void answer_task(void *priv, u32 pid, const char *comm)
{
	struct task_list *list = priv;

	pack_u32(list->p, pid);
	wire_text(list->p, comm, strlen(comm));
	list->nr++;
}

static void answer_tasks(struct pack *p, struct postmortem *pm)
{
	struct task_list list = { p, 0 };
	size_t place = p->size;

	pack_u32(p, 0);
	if (pm->tasks)
		task_names_each(pm->tasks, answer_task, &list);
	if (!p->failed)
		memcpy(p->data + place, &list.nr, sizeof(list.nr));
}

/* --- memory and symbols -------------------------------------------------- */

/* The kernel whose memory the dump is. */
static struct kernel *get_kernel(struct engine *engine)
{
	struct postmortem *pm = &engine->sessions[0].pm;

	if (pm->kernel)
		return pm->kernel;
	if (!engine->own_kernel && !engine->no_kernel.code)
		kernel_open(&engine->own_kernel, pm->dump, &engine->no_kernel);
	return engine->own_kernel;
}

/* Older generations are of other boots, where the kernel lay elsewhere. */
static struct kernel *kernel_of_generation(struct engine *engine, const struct session *session)
{
	const struct postmortem_origin *origin = &session->pm.origin;
	struct kernel *kernel = NULL;

	if (session->index + 1 == engine->nr)
		kernel = get_kernel(engine);
	if (!kernel || strcmp(kernel->release, origin->release) ||
	    strcmp(kernel->version, origin->version))
		return NULL;
	return kernel;
}

static int answer_name(struct engine *engine, struct session *session, u64 addr,
		       struct pack *answer)
{
	const struct recording *recording = session->pm.recording;
	const char *name = recording ? symbols_name(recording->symbols, addr) : NULL;
	char buf[KERNEL_SYMBOL_MAX] = "";
	struct kernel *kernel;

	if (!name) {
		kernel = kernel_of_generation(engine, session);
		if (kernel)
			kernel_symbol(kernel, addr, buf, sizeof(buf));
		name = buf;
	}
	wire_text(answer, name, strlen(name));
	return 0;
}

/* Is @recorded, "name+0x0/0x20 [module]" or "name", the symbol called @name? */
static bool is_symbol(const char *recorded, const char *name)
{
	size_t len = strlen(name);

	return !strncmp(recorded, name, len) &&
	       (!recorded[len] || !strncmp(recorded + len, "+0x0/", 5) ||
		!strncmp(recorded + len, " [", 2));
}

static bool engine_address(struct engine *engine, struct session *session, const char *name,
			 u64 *addr)
{
	const struct recording *recording = session->pm.recording;
	struct kernel *kernel;

	for (u32 i = 0; recording && i < symbols_nr(recording->symbols); i++)
		if (is_symbol(symbols_at(recording->symbols, i, addr), name))
			return true;
	kernel = kernel_of_generation(engine, session);
	*addr = 0;
	return kernel && (kallsyms_address(kernel->kallsyms, name, addr) ||
			  (kernel->modules && kernel_modules_address(kernel->modules, name, addr)));
}

static int answer_read(struct engine *engine, struct bytes *question, struct pack *answer,
		       struct err *err)
{
	u64 off = 0;
	bool is_virtual = wire_take_u32(question, &off);
	u64 addr = wire_take_u64(question, &off), size = wire_take_u64(question, &off);
	struct kernel *kernel = NULL;
	ssize_t n;
	u8 *to;

	if (is_virtual) {
		kernel = get_kernel(engine);
		if (!kernel) {
			*err = engine->no_kernel;
			return -(int)err->code;
		}
	}
	if (size > MAX_READ)
		size = MAX_READ;
	to = pack_room(answer, size ? size : 1);
	if (!to)
		return err_sys(err, "memory for %llu bytes", size);
	n = kernel ? vmem_read(kernel->vmem, addr, to, size) :
		     dump_read(engine->sessions[0].pm.dump, addr, to, size, err);
	if (n < 0)
		return n;
	answer->size += n;
	return 0;
}

/* --- virtual machines ---------------------------------------------------- */

/* Only of what is memory: a region alone has no kernel, and is not searched for one. */
static void find_guests(struct engine *engine)
{
	const struct dump *dump = engine->sessions[0].pm.dump;
	struct kernel *kernel = dump_has_addresses(dump) ? get_kernel(engine) : NULL;

	if (!kernel || kvm_guests_open(&engine->guests, kernel, false, NULL))
		engine->no_guests = true;
}

static int answer_guest(struct engine *engine, struct bytes *question, struct pack *answer)
{
	static const struct kvm_guest none = { .pid = -1 };
	u64 off = 0;
	u32 i = wire_take_u32(question, &off);
	const struct kvm_guest *guest = &none;

	if (!engine->guests && !engine->no_guests)
		find_guests(engine);
	if (engine->guests && i < engine->guests->nr)
		guest = &engine->guests->list[i];
	pack_u32(answer, guest != &none);
	pack_u64(answer, guest->pid);
	wire_text(answer, guest->name, strlen(guest->name));
	wire_text(answer, guest->uuid, strlen(guest->uuid));
	return 0;
}

/* --- walks --------------------------------------------------------------- */

static int answer_walk(struct engine *engine, struct bytes *question, struct pack *answer,
		       struct err *err)
{
	u64 off = 0;
	u32 i = wire_take_u32(question, &off), kinds = wire_take_u32(question, &off);
	u32 flags = wire_take_u32(question, &off), n;
	u64 last_ns = wire_take_u64(question, &off), from;
	bool takes = items_need_timeline(kinds);
	struct session *session;
	struct engine_walk *walk;
	int ret;

	for (n = 0; n < WIRE_WALKS && engine->walks[n].items; n++)
		;
	if (n == WIRE_WALKS)
		return err_set(err, ERR_USAGE, ERR_NO_OFF, "%u walks are open", WIRE_WALKS);
	ret = get_session(engine, i, takes, &session, err);
	if (ret)
		return ret;
	from = session->pm.end.time;
	from = last_ns < from ? from - last_ns : 0;
	walk = &engine->walks[n];
	ret = items_new(&walk->items, &session->pm, kinds, flags, from, err);
	if (ret)
		return ret;
	walk->session = session;
	walk->takes = takes;
	session->is_taken |= takes;
	session->users++;
	pack_u32(answer, n);
	return 0;
}

static int answer_of_walk(struct engine *engine, enum wire_message_type type, struct bytes *question,
			  struct pack *answer, struct err *err)
{
	u64 off = 0;
	u32 n = wire_take_u32(question, &off);

	if (n >= WIRE_WALKS || !engine->walks[n].items)
		return err_set(err, ERR_USAGE, ERR_NO_OFF, "there is no walk %u", n);
	if (type == WIRE_NEXT)
		return items_batch(engine->walks[n].items, answer, err);
	close_walk(&engine->walks[n]);
	return 0;
}

static int answer_of_generation(struct engine *engine, enum wire_message_type type,
				struct bytes *question, struct pack *answer, struct err *err)
{
	u64 off = 0, addr = 0;
	u32 i = wire_take_u32(question, &off);
	struct session *session;
	const char *name;
	int ret = get_session(engine, i, false, &session, err);

	if (ret)
		return ret;
	if (type == WIRE_GENERATION)
		answer_generation(answer, &session->pm);
	else if (type == WIRE_TASKS)
		answer_tasks(answer, &session->pm);
	else if (type == WIRE_NAME)
		return answer_name(engine, session, wire_take_u64(question, &off), answer);
	else {
		name = wire_take_text(question, &off, NULL);
		pack_u32(answer, name && engine_address(engine, session, name, &addr));
		pack_u64(answer, addr);
	}
	return 0;
}

/*
 * Of all that the file has, unless the caller chose: the kernel's memory has more than its events.
 * That is a scan of its own, which no walk has.
 */
static int answer_findings(struct engine *engine, struct bytes *question, struct pack *answer,
			   struct err *err)
{
	u64 off = 0;
	u32 i = wire_take_u32(question, &off);
	bool had_decoder = instruction_can_decode();
	struct postmortem pm = { 0 };
	int ret;

	if (i >= engine->nr)
		return fail_index(i, err);
	if (!had_decoder)
		instruction_prepare();
	ret = open_postmortem(engine, &pm, engine->sources ? engine->sources : POSTMORTEM_ALL,
			      generation_of_index(engine, i), err);
	if (!ret)
		ret = pm_scan(&pm, err);
	if (!ret)
		ret = findings_answer(answer, &pm, err);
	pm_close(&pm);
	if (!had_decoder)
		instruction_finish();
	return ret;
}

int engine_answer(struct engine *engine, enum wire_message_type type, struct bytes *question,
		  struct pack *answer, struct err *err)
{
	int ret = 0;

	debug_places_use(engine->places);
	if (type != WIRE_OPEN && !engine->sessions[0].is_open)
		ret = open_first_session(engine, err);
	if (ret) {
		debug_places_use(NULL);
		return ret;
	}
	switch (type) {
	case WIRE_OPEN:
		ret = answer_open(engine, answer, err);
		break;
	case WIRE_READ:
		ret = answer_read(engine, question, answer, err);
		break;
	case WIRE_WALK:
		ret = answer_walk(engine, question, answer, err);
		break;
	case WIRE_NEXT:
	case WIRE_END:
		ret = answer_of_walk(engine, type, question, answer, err);
		break;
	case WIRE_GUEST:
		ret = answer_guest(engine, question, answer);
		break;
	case WIRE_FINDINGS:
		ret = answer_findings(engine, question, answer, err);
		break;
	default:
		ret = answer_of_generation(engine, type, question, answer, err);
	}
	debug_places_use(NULL);
	if (!ret && answer->failed)
		return err_sys(err, "memory for an answer");
	return ret;
}
