// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the objects beside one say of it: that it is of another kind, that what is in front of it was written too far; and what only looks so.
 *
 * build: @extractor -Wl,-z,muldefs
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge/access/list_entry.h"
#include "judge/access/other_kind.h"
#include "judge/access/overrun.h"
#include "linux_kernel/vmem.h"
#include "tap.h"

#define MEMORY	0xffff888000100000ULL
#define DATA	0xffffffffc0500000ULL
#define SIZE	64
#define NR	16
#define BAD	7	/* the object that is asked about */
#define POINTER	(MEMORY + 8)
#define SLOTS	12

static u8 objects[NR][SIZE];
static u64 table[SLOTS];

bool vmem_get(struct vmem *vmem, u64 va, void *buf, size_t size)
{
	(void)vmem;
	if (va < MEMORY || va - MEMORY + size > sizeof(objects))
		return false;
	memcpy(buf, objects[0] + (va - MEMORY), size);
	return true;
}

bool vmem_number(struct vmem *vmem, u64 va, size_t size, u64 *ret)
{
	*ret = 0;
	if (va >= DATA && va - DATA < sizeof(table) && size == 8)
		*ret = table[(va - DATA) / 8];
	else
		return vmem_get(vmem, va, ret, size);
	return true;
}

bool kernel_object_at(const struct kernel *kernel, u64 va, struct kernel_object *ret)
{
	(void)kernel;
	if (va - MEMORY >= sizeof(objects))
		return false;
	*ret = (struct kernel_object){ .start = MEMORY + (va - MEMORY) / SIZE * SIZE, .size = SIZE, .state = KOBJECT_IN_USE, .cache = "kmalloc-64" };
	return true;
}

bool kernel_modules_symbol(const struct kernel_modules *modules, const struct kernel_module *module, u32 i, u64 *addr, char *type, char *name)
{
	(void)modules;
	(void)module;
	*addr = DATA;
	*type = 'b';
	strcpy(name, "table");
	return !i;
}

bool kernel_modules_find(const struct kernel_modules *modules, const struct kernel_module *module, u64 addr, struct ksym *ret)
{
	(void)modules;
	(void)module;
	*ret = (struct ksym){ .start = addr, .size = sizeof(table) };
	return true;
}

#define OTHER_SITE	0xffffffffc0400100ULL	/* of module gsm */
#define OF_KERNEL	0xffffffff81400200ULL

size_t kernel_symbol(const struct kernel *kernel, u64 addr, char *buf, size_t size)
{
	(void)kernel;
	return (size_t)snprintf(buf, size, addr < DATA - 0x100000 ? "kernel_new+0x10/0x40" : "dlci_new+0x10/0x40 [gsm]");
}

/* --- objects ------------------------------------------------------------------- */

static struct finding finding;

static void put(u32 object, u32 at, u64 word)
{
	memcpy(objects[object] + at, &word, 8);
}

static void begin(void)
{
	memset(objects, 0, sizeof(objects));
	memset(table, 0, sizeof(table));
	memset(&finding, 0, sizeof(finding));
}

static struct history history;

/* Calls what is asked, with all that it looks at. */
static bool ask(u32 at, const char *list, bool is_overrun)
{
	static struct kernel_module module = { .name = "gsm" };
	static struct kernel_modules modules = { .list = &module, .nr = 1 };
	static struct kernel dump = { .modules = &modules };
	static struct postmortem pm = { .kernel = &dump };
	static const char place[] = "dlci_close+0x22/0x30 [gsm]";
	static const struct kernel_report report = { .place = { place, sizeof(place) - 1 } };
	struct explain *explain = calloc(1, sizeof(*explain));
	struct kernel_object object;
	bool is;

	explain->pm = &pm;
	explain->kernel = pm.kernel;
	explain->cause = &report;
	explain->finding = &finding;
	explain->history = history;
	pm.end = (struct postmortem_end){ .pid = 77, .time = 900000000 };
	snprintf(explain->fault.module, sizeof(explain->fault.module), "gsm");
	finding.kind = "wild-pointer";
	kernel_object_at(&dump, MEMORY + BAD * SIZE, &object);
	is = is_overrun ? overrun_claim_of(explain, "dlci_close()", &object, object.start + at, 1, NULL) : other_kind_claim(explain, "dlci_close()", &object, object.start + at, list);
	CHECK(!is || finding.strength == FINDING_LIKELY, "likely");
	free(explain);
	return is;
}

#define SAYS(words)	CHECK(strstr(finding.claim, words), "%s", finding.claim)

/* --- another kind ---------------------------------------------------------------- */

static void put_sample(u32 object)
{
	snprintf((char *)objects[object], SIZE, "temp=%u.%03u;volt=%08u;fan=%08u", object, object, object, object);
}

static void kind__others_have_the_same_words(void)
{
	begin();
	for (u32 i = 0; i < NR; i++)
		if (i % 2)
			put_sample(i);
	CHECK(ask(8, "", false), "seven others");
	SAYS("7 others near it begin with \"temp\"");
	SAYS("or all were written over alike");
	begin();
	put_sample(BAD);
	put_sample(3);
	put_sample(4);
	CHECK(!ask(8, "", false), "two others are few");
}

/* All ports have a name in front of their operations; one name was too long. */
static void kind__others_have_a_pointer_there(void)
{
	begin();
	for (u32 i = 0; i < NR; i++) {
		snprintf((char *)objects[i], SIZE, "uplink-%u", i);
		put(i, 16, POINTER);
	}
	memcpy(objects[BAD], "uplink-to-core-switch-two", 24);
	CHECK(!ask(16, "", false), "they are of its own kind");
	for (u32 i = 0; i < NR; i++)
		put(i, 16, i == BAD ? 0x6f77742d68637469 : 0);
	memcpy(objects[BAD], "uplink-to-core-switch-two", 24);
	CHECK(!ask(16, "", false), "nor what has none yet");
}

/* All requests have a name in front of a pointer of their process, which the function takes for one of the kernel's. */
static void kind__others_have_an_address_of_user_space_there(void)
{
	begin();
	for (u32 i = 0; i < NR; i++) {
		snprintf((char *)objects[i], SIZE, "requests");
		put(i, 8, 0x7f1234560000ULL + i * 0x1000);
	}
	CHECK(!ask(8, "", false), "they are of its own kind: %s", finding.claim);
	for (u32 i = 0; i < NR; i++)
		put(i, 8, 0x38a40 + i * 8);
	CHECK(!ask(8, "", false), "nor is an offset of per-CPU memory another kind");
}

static void kind__what_fills_is_no_word(void)
{
	begin();
	memset(objects, '-', sizeof(objects));
	CHECK(!ask(16, "", false), "one letter");
	begin();
	for (u32 i = 0; i < NR; i++)
		put(i, 8, 0x1122334455667788);
	CHECK(!ask(8, "", false), "no letter");
}

static void kind__a_table_has_others(void)
{
	begin();
	for (u32 i = 0; i < SLOTS; i++) {
		table[i] = MEMORY + i * SIZE;
		put(i, 8, 0x112233445566ULL + i);
	}
	CHECK(ask(8, "leases", false), "eleven others");
	SAYS("in the list leases: it stands in the module's variable table with 11 others");
	SAYS("It is of another kind.");
	put(2, 8, POINTER);
	CHECK(!ask(8, "leases", false), "one has a pointer there: they are entries, too");
	begin();
	table[0] = MEMORY + BAD * SIZE;
	put(BAD, 8, 0x112233445566ULL);
	CHECK(!ask(8, "leases", false), "a mere pointer to it");
}

/* The object was taken at @before, freed and taken at @now, by the trace. */
static void give_anew(u64 before, u64 now, s64 died)
{
	history.values[0] = (struct history_value){ .value = MEMORY + BAD * SIZE, .nr = 3 };
	history.values[0].last[0] = (struct history_use){ .time = 300000000, .pid = 9, .site = now, .comm = "config", .event = "kmem:kmalloc" };
	history.values[0].last[1] = (struct history_use){ .time = 200000000, .pid = died, .site = DATA, .comm = "hangup", .event = "kmem:kfree" };
	history.values[0].last[2] = (struct history_use){ .time = 100000000, .pid = 9, .site = before, .comm = "config", .event = "kmem:kmalloc" };
	history.nr_values = 1;
}

static void kind__it_was_freed_and_given_out_anew(void)
{
	static struct history_taking taken[HISTORY_FREED];

	begin();
	for (u32 i = 0; i < NR; i++)
		if (i % 2)
			put_sample(i);
	give_anew(OTHER_SITE, DATA, 8);
	CHECK(ask(8, "", false), "a function of the module had taken it before");
	SAYS("freed under it: hangup-8 freed that in dlci_new() of module gsm 700 ms before the end");
	SAYS("config-9 took it in dlci_new() of module gsm, for another kind.");
	give_anew(DATA, DATA, 8);
	CHECK(ask(8, "", false), "what is taken at one place is of one kind");
	SAYS("or all were written over alike");
	give_anew(OF_KERNEL, DATA, 8);
	CHECK(ask(8, "", false), "another one's memory before");
	SAYS("or all were written over alike");
	give_anew(OTHER_SITE, DATA, 77);
	CHECK(ask(8, "", false), "the task that died freed it itself");
	SAYS("or all were written over alike");
	/* Others that were taken there. */
	history.taken = taken;
	taken[0] = (struct history_taking){ .object = MEMORY + 2 * SIZE, .size = SIZE, .site = OF_KERNEL };
	put(2, 8, POINTER);
	give_anew(OF_KERNEL, DATA, 8);
	CHECK(ask(8, "", false), "they have a pointer there");
	SAYS("freed under it");
	put(2, 8, 0x1122334455667788);
	CHECK(ask(8, "", false), "they have none either");
	SAYS("or all were written over alike");
	memset(&history, 0, sizeof(history));
}

/* --- too far ------------------------------------------------------------------------ */

/* Numbers of @size bytes, from @from on, up to the byte @end behind the start of the object. */
static void put_row(u32 size, u32 first, u32 step, s32 from, u32 end)
{
	u64 number = first;

	for (u8 *at = objects[BAD] + from; at < objects[BAD] + end; at += size, number += step)
		memcpy(at, &number, size);
}

static void overrun__numbers_go_on(void)
{
	static const u32 sizes[] = { 2, 4, 8 };

	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		begin();
		put_row(sizes[i], 36, 4, -48, 24);
		CHECK(ask(0, "", true), "of %u bytes", sizes[i]);
		SAYS("the numbers at the end of the object in front of it");
	}
}

static void overrun__its_own_numbers_are_none(void)
{
	begin();
	put_row(2, 36, 4, -64, 0);
	put_row(2, 36, 4, 0, 64);
	CHECK(!ask(0, "", true), "each has a row of its own");
	begin();
	put_row(2, 36, 4, -48, 4);
	CHECK(!ask(0, "", true), "it ends in front of the pointer's last byte");
	begin();
	put_row(2, 0x3333, 0, -64, 64);
	CHECK(!ask(0, "", true), "both are filled");
}

/* --- the end of a text ---------------------------------------------------------------- */

#define OPS	0xffffffffc04333f0ULL
#define CUT	(OPS & ~0xffULL)

static bool ask_end(u64 read_at)
{
	static struct kernel dump;
	static struct postmortem pm = { .kernel = &dump };
	struct explain *explain = calloc(1, sizeof(*explain));

	explain->pm = &pm;
	explain->kernel = pm.kernel;
	explain->finding = &finding;
	explain->access = (struct faulting_access){ .has_object = true, .object = read_at };
	explain->fault.registers[0].value = MEMORY + BAD * SIZE;
	explain->fault.nr_registers = 1;
	memset(&finding, 0, sizeof(finding));
	finding.kind = "wild-pointer";
	overrun_claim_end_of_text(explain, "hook_flush()");
	free(explain);
	CHECK(!*finding.claim || finding.strength == FINDING_LIKELY, "likely");
	return *finding.claim;
}

/* Objects with operations, of which that of BAD has lost its lowest byte; a text fills the one in front. */
static void put_hooks(void)
{
	begin();
	for (u32 i = 0; i < NR; i += 2)
		put(i, 0, OPS);
	put(BAD, 0, CUT);
	memset(objects[BAD - 1], 'v', SIZE);
	memcpy(objects[BAD - 1] + SIZE - 13, "server-weekly", 13);
}

static void end__the_zero_behind_a_text(void)
{
	put_hooks();
	CHECK(ask_end(CUT), "it lies in the next object");
	SAYS("7 others of its kind have ffffffffc04333f0");
	SAYS("hook_flush() went by the pointer ffffffffc0433300");
}

static void end__other_operations_are_no_damage(void)
{
	put_hooks();
	for (u32 i = 0; i < NR; i += 2)
		put(i, 0, OPS + 0x1000);
	put(BAD, 0, CUT);
	CHECK(!ask_end(CUT), "they differ in more than the lowest byte");
	put_hooks();
	CHECK(!ask_end(CUT + 0x100), "another pointer was used");
}

static void end__a_text_that_has_its_zero_is_innocent(void)
{
	put_hooks();
	objects[BAD - 1][SIZE - 1] = 0;
	CHECK(!ask_end(CUT), "it ends in its own object");
}

int main(void)
{
	TAP_RUN(kind__others_have_the_same_words);
	TAP_RUN(kind__others_have_a_pointer_there);
	TAP_RUN(kind__others_have_an_address_of_user_space_there);
	TAP_RUN(kind__what_fills_is_no_word);
	TAP_RUN(kind__a_table_has_others);
	TAP_RUN(kind__it_was_freed_and_given_out_anew);
	TAP_RUN(overrun__numbers_go_on);
	TAP_RUN(overrun__its_own_numbers_are_none);
	TAP_RUN(end__the_zero_behind_a_text);
	TAP_RUN(end__other_operations_are_no_damage);
	TAP_RUN(end__a_text_that_has_its_zero_is_innocent);
	return tap_done();
}
