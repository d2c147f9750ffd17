// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * libepitaph, as a program uses it: errors, handles after a close, threads, the sandboxed reader
 * and its death, a reader that lies.  Run with the name epitaph-reader, this program is a reader
 * that lies.
 *
 * build: @extractor
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <epitaph/epitaph.h>

#include "lib/engine.h"
#include "lib/handle.h"
#include "tap.h"

#define LARGE	"large"

#ifdef __SANITIZE_ADDRESS__
#define READER	"build/extractor/epitaph-reader-san"
#else
#define READER	"extractor/epitaph-reader"
#endif

static char dir[] = "/tmp/epitaph-library-XXXXXX";

/* --- a reader that lies -------------------------------------------------- */

static bool get(void *data, size_t size)
{
	return recv(WIRE_FD_SOCKET, data, size, MSG_WAITALL) == (ssize_t)size;
}

static void put(const void *data, size_t size)
{
	if (size && send(WIRE_FD_SOCKET, data, size, MSG_NOSIGNAL) != (ssize_t)size)
		_exit(0);
}

/* Answers as it should, but for some bytes. */
static void answer_badly(struct engine *engine, const struct wire_head *ask, struct pack *question)
{
	struct bytes b = bytes_of(question->data, question->size, ORDER_HOST);
	struct wire_head head = { .type = ask->type, .version = WIRE_VERSION };
	struct pack answer = { .order = ORDER_HOST };
	struct err err = ERR_INIT;
	u32 i, bad = ask->type == WIRE_OPEN ? rand() % 2 : rand() % 6;

	if (ask->type == WIRE_OPEN)
		engine_prepare(engine, &b, &err);
	head.status = -engine_answer(engine, ask->type, &b, &answer, &err);
	for (i = 0; i < bad && answer.size; i++) {
		u32 *word = (u32 *)(answer.data + (rand() % answer.size & ~3UL));
		static const u32 words[] = { 0, 1, 8, 0x7fffffff, 0xffffffff, 0x10000 };

		if (answer.size >= 4 && (u8 *)(word + 1) <= answer.data + answer.size)
			*word = rand() % 2 ? words[rand() % 6] : (u32)rand();
	}
	head.size = rand() % 50 ? answer.size : (u32)rand();
	put(&head, sizeof(head));
	put(answer.data, answer.size);
	/* What is announced and never comes would be waited for. */
	if (head.size != answer.size)
		_exit(0);
	pack_free(&answer);
}

/* Half of a header, or a header without its body; then nothing. */
static int stop_in_the_middle(const char *bytes)
{
	struct wire_head head = { .size = 100, .type = WIRE_OPEN, .version = WIRE_VERSION };

	put(&head, atoi(bytes));
	sleep(60);
	_exit(0);
}

static int lie(void)
{
	struct pack question = { .order = ORDER_HOST };
	struct engine *engine = engine_new();
	struct wire_head head;
	u8 *to;

	if (getenv("LIE_BYTES"))
		return stop_in_the_middle(getenv("LIE_BYTES"));
	srand(atoi(getenv("LIE_SEED")));
	while (get(&head, sizeof(head)) && (to = pack_room(&question, head.size + 1)) &&
	       get(to, head.size)) {
		question.size = head.size;
		answer_badly(engine, &head, &question);
		question.size = 0;
	}
	_exit(0);
}

/* --- what is read -------------------------------------------------------- */

static const char *made(const char *name)
{
	static char path[200];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return path;
}

static struct epitaph_dump *open_as(const char *path, bool sandbox, struct epitaph_error **error)
{
	struct epitaph_options *options = epitaph_options_new();
	struct epitaph_dump *dump;

	epitaph_options_set_sandbox(options, sandbox);
	dump = epitaph_dump_open(path, options, error);
	epitaph_options_free(options);
	return dump;
}

/* Looks at all of an item; the sum is of everything that was seen. */
static u64 look_at(const struct epitaph_item *item)
{
	u64 sum = epitaph_item_time(item) + epitaph_item_flags(item) + epitaph_item_cpu(item) +
		  epitaph_item_pid(item) + epitaph_item_nr_lost(item);
	const char *comm = epitaph_item_comm(item), *channel = epitaph_item_channel(item);
	size_t i, k, size;

	sum += strlen(epitaph_item_name(item)) + (comm ? strlen(comm) : 0) +
	       (channel ? strlen(channel) : 0);
	sum += strlen(epitaph_item_text(item, &size));
	for (i = 0; i < epitaph_item_nr_fields(item); i++) {
		const u8 *data = epitaph_item_field_data(item, i, &size);
		uint64_t value;

		sum += epitaph_item_field_kind(item, i) + epitaph_item_field_number(item, i);
		for (k = 0; k < size; k++)
			sum = sum * 31 + data[k];
		for (k = 0; epitaph_item_field_element(item, i, k, &value); k++)
			sum += value;
		if (epitaph_item_find_field(item, epitaph_item_field_name(item, i)) < 0)
			sum = 0;
	}
	return sum;
}

struct walked {
	u64 nr;
	u64 sum;
};

static struct walked walk_all(struct epitaph_dump *dump, struct epitaph_error **error)
{
	struct epitaph_generation *generation;
	struct walked walked = { 0 };
	const struct epitaph_item *item;
	struct epitaph_walk *walk;

	for (size_t i = 0; i < epitaph_dump_nr_generations(dump) && !*error; i++) {
		generation = epitaph_generation_open(dump, i, error);
		walk = epitaph_walk_open(generation, EPITAPH_ALL_KINDS,
					 EPITAPH_WALK_TEXT | EPITAPH_WALK_DAMAGED, UINT64_MAX, error);
		while ((item = epitaph_walk_next(walk, error))) {
			walked.nr++;
			walked.sum = walked.sum * 31 + look_at(item);
		}
		epitaph_walk_close(walk);
		epitaph_generation_close(generation);
	}
	return walked;
}

/* Looks at all of the findings of all generations. */
static struct walked explain_all(struct epitaph_dump *dump, struct epitaph_error **error)
{
	struct walked seen = { 0 };

	for (size_t i = 0; i < epitaph_dump_nr_generations(dump) && !*error; i++) {
		struct epitaph_generation *generation = epitaph_generation_open(dump, i, error);
		struct epitaph_findings *findings = epitaph_explain(generation, error);

		epitaph_generation_close(generation);
		for (size_t k = 0; k < epitaph_findings_nr(findings); k++) {
			const struct epitaph_finding *finding = epitaph_findings_get(findings, k);
			const struct epitaph_evidence *evidence;
			const char *sentence;

			seen.sum += strlen(epitaph_finding_kind(finding)) + strlen(epitaph_finding_claim(finding)) +
				    strlen(epitaph_finding_open_question(finding)) +
				    strlen(epitaph_finding_signature(finding)) + epitaph_finding_strength(finding);
			for (size_t e = 0; (evidence = epitaph_finding_evidence(finding, e)); e++, seen.nr++) {
				uint64_t time = 0;

				epitaph_evidence_time(evidence, &time);
				seen.sum = seen.sum * 31 + time + strlen(epitaph_evidence_text(evidence));
				if (epitaph_evidence_item(evidence))
					seen.sum += look_at(epitaph_evidence_item(evidence));
			}
			for (int list = EPITAPH_NEXT; list <= EPITAPH_MISSING; list++)
				for (size_t s = 0; (sentence = epitaph_finding_sentence(finding, list, s)); s++)
					seen.sum = seen.sum * 31 + strlen(sentence);
		}
		epitaph_findings_free(findings);
	}
	return seen;
}

static void check_error(struct epitaph_error *error, enum epitaph_error_code code, const char *what)
{
	if (!CHECK(error, "%s: no error", what))
		return;
	CHECK(epitaph_error_code(error) == code, "%s: %d: %s", what, epitaph_error_code(error),
	      epitaph_error_message(error));
	CHECK(*epitaph_error_found(error) && *epitaph_error_where(error) &&
	      *epitaph_error_expected(error) && *epitaph_error_advice(error),
	      "%s: not four parts: %s", what, epitaph_error_message(error));
	epitaph_error_free(error);
}

static void library__gives_the_same_with_and_without_a_sandbox(void)
{
	struct walked walked[2];

	for (int sandbox = 0; sandbox < 2; sandbox++) {
		struct epitaph_error *error = NULL;
		struct epitaph_dump *dump = open_as(made(LARGE), sandbox, &error);

		CHECK(dump && !error, "%s", error ? epitaph_error_message(error) : "");
		walked[sandbox] = walk_all(dump, &error);
		CHECK(!error, "%s", epitaph_error_message(error));
		epitaph_dump_close(dump);
	}
	CHECK(walked[0].nr > 4000, "%llu items", walked[0].nr);
	CHECK(walked[0].nr == walked[1].nr && walked[0].sum == walked[1].sum, "%llu and %llu items",
	      walked[0].nr, walked[1].nr);
}

static void library__takes_a_null_for_an_error(void)
{
	struct epitaph_error *error = NULL;
	const char *comm;
	uint64_t address;
	int64_t guest;
	uint32_t pid;
	char buf[8];

#define FAILS(call) do { error = NULL; call; check_error(error, EPITAPH_ERROR_USAGE, #call); } while (0)
	FAILS(epitaph_dump_open(NULL, NULL, &error));
	FAILS(epitaph_dump_open_parts(NULL, 0, NULL, &error));
	FAILS(epitaph_dump_open_fd(-1, NULL, &error));
	FAILS(epitaph_dump_open_fd(1000, NULL, &error));
	FAILS(epitaph_generation_open(NULL, 0, &error));
	FAILS(epitaph_walk_open(NULL, 1, 0, 0, &error));
	FAILS(epitaph_walk_next(NULL, &error));
	FAILS(epitaph_read_physical(NULL, 0, buf, 1, &error));
	FAILS(epitaph_read_virtual(NULL, 0, buf, 1, &error));
	FAILS(epitaph_symbol_name(NULL, 0, buf, 1, &error));
	FAILS(epitaph_symbol_address(NULL, "x", &address, &error));
	FAILS(epitaph_generation_task(NULL, 0, &pid, &comm, &error));
	FAILS(epitaph_options_add_debuginfo(NULL, "/", &error));
	FAILS(epitaph_explain(NULL, &error));
	FAILS(epitaph_options_set_guest(NULL, "x", &error));
	FAILS(epitaph_dump_guest(NULL, 0, &guest, &comm, &comm, &error));
#undef FAILS
	epitaph_dump_close(NULL);
	epitaph_generation_close(NULL);
	epitaph_walk_close(NULL);
	epitaph_item_unref(NULL);
	epitaph_error_free(NULL);
	epitaph_options_free(NULL);
	epitaph_findings_free(NULL);
	CHECK(!epitaph_explain(NULL, NULL) && !epitaph_findings_nr(NULL) && !epitaph_findings_get(NULL, 0) &&
	      !*epitaph_finding_claim(NULL) && !epitaph_finding_evidence(NULL, 0) &&
	      !epitaph_finding_sentence(NULL, EPITAPH_NEXT, 0) && !*epitaph_evidence_text(NULL) &&
	      !epitaph_evidence_time(NULL, NULL) && !epitaph_evidence_item(NULL), "findings of a NULL");
	/* And without a place for the error. */
	CHECK(!epitaph_dump_open(NULL, NULL, NULL) && !epitaph_walk_next(NULL, NULL), "a NULL is read");
	CHECK(!*epitaph_generation_release(NULL) && !epitaph_dump_nr_generations(NULL), "facts of a NULL");
}

static void library__takes_what_is_no_dump_for_an_error(void)
{
	for (int sandbox = 0; sandbox < 2; sandbox++) {
		struct epitaph_error *error = NULL;

		CHECK(!open_as("/nonexistent", sandbox, &error), "opened");
		CHECK(error && epitaph_error_errno(error) == ENOENT, "errno");
		check_error(error, EPITAPH_ERROR_IO, "nonexistent");
		error = NULL;
		CHECK(!open_as(dir, sandbox, &error), "opened");
		check_error(error, EPITAPH_ERROR_NOT_OURS, "directory");
		error = NULL;
		CHECK(!open_as("/bin/sh", sandbox, &error), "opened");
		check_error(error, EPITAPH_ERROR_NOT_OURS, "program");
		error = NULL;
		CHECK(!open_as("/dev/null", sandbox, &error), "opened");
		check_error(error, EPITAPH_ERROR_NOT_OURS, "device");
	}
}

/* A region has neither a kernel nor guests. */
static void guest__of_what_is_no_host_is_an_error(void)
{
	const char *name, *uuid;
	int64_t pid;

	for (int sandbox = 0; sandbox < 2; sandbox++) {
		struct epitaph_options *options = epitaph_options_new();
		struct epitaph_error *error = NULL;
		struct epitaph_dump *dump = open_as(made("whole"), sandbox, &error);

		CHECK(dump && epitaph_dump_guest(dump, 0, &pid, &name, &uuid, &error) == 0 && !error, "guests");
		CHECK(dump && pid == -1 && !*name && !*uuid, "a guest without a name");
		epitaph_dump_close(dump);
		epitaph_options_set_sandbox(options, sandbox);
		CHECK(epitaph_options_set_guest(options, "", &error) == -1, "no name");
		check_error(error, EPITAPH_ERROR_USAGE, "no name");
		error = NULL;
		CHECK(!epitaph_options_set_guest(options, "web1", &error) && !error, "web1");
		CHECK(!epitaph_dump_open(made("whole"), options, &error), "opened");
		check_error(error, EPITAPH_ERROR_NOT_OURS, "a region");
		error = NULL;
		CHECK(!epitaph_options_set_guest(options, NULL, &error), "no guest any more");
		dump = epitaph_dump_open(made("whole"), options, &error);
		CHECK(dump && !error, "the region itself");
		epitaph_dump_close(dump);
		epitaph_options_free(options);
	}
}

static void library__opens_a_descriptor(void)
{
	for (int sandbox = 0; sandbox < 2; sandbox++) {
		struct epitaph_options *options = epitaph_options_new();
		struct epitaph_error *error = NULL;
		int fd = open(made("whole"), O_RDONLY);
		struct epitaph_dump *dump;

		epitaph_options_set_sandbox(options, sandbox);
		dump = epitaph_dump_open_fd(fd, options, &error);
		close(fd);
		CHECK(walk_all(dump, &error).nr == 11 && !error, "%s",
		      error ? epitaph_error_message(error) : "another number");
		epitaph_error_free(error);
		epitaph_dump_close(dump);
		epitaph_options_free(options);
	}
}

static void closed_dump__leaves_its_handles_valid(void)
{
	for (int sandbox = 0; sandbox < 2; sandbox++) {
		struct epitaph_error *error = NULL;
		struct epitaph_dump *dump = open_as(made("whole"), sandbox, &error);
		struct epitaph_generation *generation = epitaph_generation_open(dump, 0, &error);
		struct epitaph_walk *walk = epitaph_walk_open(generation, EPITAPH_ALL_KINDS, 0,
							      UINT64_MAX, &error);
		const struct epitaph_item *item = epitaph_item_ref(epitaph_walk_next(walk, &error));
		u64 sum = look_at(item);
		char buf[8];

		CHECK(!error, "%s", epitaph_error_message(error));
		epitaph_dump_close(dump);
		CHECK(look_at(item) == sum, "the item changed");
		CHECK(*epitaph_generation_release(generation), "no release");
		CHECK(!epitaph_walk_next(walk, &error), "a closed dump has an item");
		check_error(error, EPITAPH_ERROR_CLOSED, "next");
		error = NULL;
		CHECK(epitaph_symbol_name(generation, 1, buf, sizeof(buf), &error) < 0, "a symbol");
		check_error(error, EPITAPH_ERROR_CLOSED, "symbol");
		epitaph_walk_close(walk);
		epitaph_generation_close(generation);
		CHECK(look_at(item) == sum, "the item changed");
		epitaph_item_unref(item);
	}
}

/* Two boots of a damaged file, of the numbers @numbers; the pids of their events are 5 and 6. */
static void check_two_boots(const char *numbers)
{
	struct epitaph_error *error = NULL;
	struct epitaph_dump *dump;
	char command[400];

	snprintf(command, sizeof(command),
		 "cd tests/golden && awk -v n='%s' 'BEGIN { split(n, number) } "
		 "/^header/ { $1 = \"header number=\" number[++i] } 1' generations.region >boots.region && "
		 "./mkregion boots.region %s/boots >/dev/null; s=$?; rm -f boots.region; exit $s", numbers, dir);
	if (!CHECK(!system(command), "mkregion"))
		return;
	dump = open_as(made("boots"), false, &error);
	if (!CHECK(epitaph_dump_nr_generations(dump) == 2, "not two"))
		return;
	for (int i = 0; i < 2; i++) {
		struct epitaph_generation *generation = epitaph_generation_open(dump, i, &error);
		struct epitaph_walk *walk = epitaph_walk_open(generation, EPITAPH_EVENT, 0, UINT64_MAX, &error);
		const struct epitaph_item *item = epitaph_walk_next(walk, &error);

		CHECK(!error, "boots %s: %s", numbers, epitaph_error_message(error));
		CHECK(item && epitaph_item_pid(item) == 5 + i, "boots %s, %d: pid %lld", numbers, i,
		      item ? (long long)epitaph_item_pid(item) : -1);
		epitaph_walk_close(walk);
		epitaph_generation_close(generation);
	}
	epitaph_dump_close(dump);
}

static void generations__are_those_of_their_index(void)
{
	check_two_boots("3 5");
	check_two_boots("0 0");
	check_two_boots("0 5");
	check_two_boots("5 5");
}

static void walks__do_not_disturb_each_other(void)
{
	struct epitaph_error *error = NULL;
	struct epitaph_dump *dump = open_as(made(LARGE), true, &error);
	struct epitaph_generation *generation = epitaph_generation_open(dump, 0, &error);
	struct epitaph_walk *walks[18] = { 0 };
	u64 nr[3] = { 0 };
	u32 i;

	for (i = 0; i < 3; i++)
		walks[i] = epitaph_walk_open(generation, i == 2 ? EPITAPH_LOG : EPITAPH_ALL_KINDS, 0,
					     UINT64_MAX, &error);
	for (bool any = true; any;)
		for (any = false, i = 0; i < 3; i++)
			if (epitaph_walk_next(walks[i], &error)) {
				nr[i]++;
				any = true;
			}
	CHECK(!error, "%s", epitaph_error_message(error));
	CHECK(nr[0] > 4000 && nr[0] == nr[1], "%llu and %llu", nr[0], nr[1]);
	for (; i < 18 && !error; i++)
		walks[i] = epitaph_walk_open(generation, EPITAPH_MARK, 0, UINT64_MAX, &error);
	CHECK(i == 17, "%u walks", i);
	check_error(error, EPITAPH_ERROR_USAGE, "17 walks");
	for (i = 0; i < 18; i++)
		epitaph_walk_close(walks[i]);
	error = NULL;
	walks[0] = epitaph_walk_open(generation, EPITAPH_MARK, 0, UINT64_MAX, &error);
	CHECK(walks[0], "no place was given back");
	epitaph_walk_close(walks[0]);
	epitaph_generation_close(generation);
	epitaph_dump_close(dump);
}

/* --- findings ------------------------------------------------------------- */

/* Has a walk along @generation the item that @evidence is? */
static bool walk_has(struct epitaph_generation *generation, const struct epitaph_evidence *evidence)
{
	const struct epitaph_item *wanted = epitaph_evidence_item(evidence), *item;
	struct epitaph_error *error = NULL;
	struct epitaph_walk *walk = epitaph_walk_open(generation, EPITAPH_ALL_KINDS, EPITAPH_WALK_TEXT,
						      UINT64_MAX, &error);
	bool found = false;

	while (!found && (item = epitaph_walk_next(walk, &error)))
		found = epitaph_item_time(item) == epitaph_item_time(wanted) && look_at(item) == look_at(wanted);
	CHECK(!error, "%s", epitaph_error_message(error));
	epitaph_walk_close(walk);
	return found;
}

/* Does the item have the words of the evidence? */
static bool is_about(const struct epitaph_evidence *evidence)
{
	const char *text = epitaph_evidence_text(evidence);
	char words[40];

	snprintf(words, sizeof(words), "%s", strncmp(text, "at ", 3) ? text : text + 3);
	return strstr(epitaph_item_text(epitaph_evidence_item(evidence), NULL), words);
}

/* The finding of the golden region @name; each piece of evidence with an item is that item's. */
static void check_explained(const char *name, const char *kind, const char *claim, const char *evidence_text)
{
	for (int sandbox = 0; sandbox < 2; sandbox++) {
		struct epitaph_error *error = NULL;
		struct epitaph_dump *dump = open_as(made(name), sandbox, &error);
		struct epitaph_generation *generation = epitaph_generation_open(dump, EPITAPH_NEWEST, &error);
		struct epitaph_findings *findings = epitaph_explain(generation, &error);
		const struct epitaph_finding *finding = epitaph_findings_get(findings, 0);
		const struct epitaph_evidence *evidence;
		bool has_text = false;
		u32 nr_items = 0;

		if (!CHECK(finding, "%s: %s", name, error ? epitaph_error_message(error) : "no finding"))
			return;
		CHECK(!strcmp(epitaph_finding_kind(finding), kind), "%s: %s", name, epitaph_finding_kind(finding));
		CHECK(!strcmp(epitaph_finding_claim(finding), claim), "%s: %s", name, epitaph_finding_claim(finding));
		CHECK(epitaph_finding_strength(finding) == EPITAPH_SHOWN, "%s: %d", name,
		      epitaph_finding_strength(finding));
		CHECK(!strncmp(epitaph_finding_signature(finding), kind, strlen(kind)), "%s: %s", name,
		      epitaph_finding_signature(finding));
		for (u32 i = 0; (evidence = epitaph_finding_evidence(finding, i)); i++) {
			const struct epitaph_item *item = epitaph_evidence_item(evidence);
			uint64_t time = 0;
			int64_t before = 0;

			has_text |= strstr(epitaph_evidence_text(evidence), evidence_text) != NULL;
			CHECK(epitaph_evidence_time(evidence, &time) == epitaph_evidence_before_end(evidence, &before) &&
			      (!time || before == (int64_t)(epitaph_generation_end_time(generation) - time)),
			      "%s: %llu, %lld before the end", name, (u64)time, (s64)before);
			if (!item)
				continue;
			nr_items++;
			CHECK(is_about(evidence), "%s: %s is of another item", name, epitaph_evidence_text(evidence));
			CHECK(walk_has(generation, evidence), "%s: %s is in no walk", name, epitaph_evidence_text(evidence));
			CHECK(epitaph_item_time(item) - time + 1000000 < 2000000, "%s: %s at another time", name,
			      epitaph_evidence_text(evidence));
		}
		CHECK(has_text && nr_items, "%s: %u items, no %s", name, nr_items, evidence_text);
		CHECK(!epitaph_finding_sentence(finding, EPITAPH_MISSING + 1, 0), "a list that there is not");
		CHECK(!epitaph_findings_get(findings, epitaph_findings_nr(findings)), "one too many");
		epitaph_findings_free(findings);
		epitaph_generation_close(generation);
		epitaph_dump_close(dump);
	}
}

static void findings__are_those_of_the_command(void)
{
	check_explained("died-of-a-bug", "list-corruption",
			"line_unlist() of module ways found a list whose neighbours do not point to each other: an "
			"entry was freed, overwritten, never set up, or changed without its lock.", "kernel BUG at lib/list_debug.c:59!");
	check_explained("mce-fatal", "machine-check",
			"The hardware failed: a fatal machine check of bank 5 on CPU 1.", "mce: bank 5 of CPU 1");
}

static void findings__outlive_their_dump_and_disturb_no_walk(void)
{
	struct epitaph_error *error = NULL;
	struct epitaph_dump *dump = open_as(made(LARGE), true, &error);
	struct walked whole = walk_all(dump, &error);
	struct epitaph_generation *generation = epitaph_generation_open(dump, 0, &error);
	struct epitaph_walk *walk = epitaph_walk_open(generation, EPITAPH_ALL_KINDS, EPITAPH_WALK_DAMAGED,
						      UINT64_MAX, &error);
	const struct epitaph_finding *finding;
	struct epitaph_findings *findings;
	u64 nr = 1;

	epitaph_walk_next(walk, &error);
	findings = epitaph_explain(generation, &error);
	finding = epitaph_findings_get(findings, 0);
	while (epitaph_walk_next(walk, &error))
		nr++;
	CHECK(!error, "%s", epitaph_error_message(error));
	CHECK(nr == whole.nr, "%llu items, not %llu", nr, whole.nr);
	epitaph_walk_close(walk);
	epitaph_dump_close(dump);
	CHECK(!strcmp(epitaph_finding_kind(finding), "reset") && epitaph_finding_strength(finding) == EPITAPH_NOT_KNOWN,
	      "%s", epitaph_finding_kind(finding));
	if (CHECK(epitaph_evidence_item(epitaph_finding_evidence(finding, 0)), "no item"))
		look_at(epitaph_evidence_item(epitaph_finding_evidence(finding, 0)));
	epitaph_findings_free(findings);
	findings = epitaph_explain(generation, &error);
	CHECK(!findings, "a closed dump is explained");
	check_error(error, EPITAPH_ERROR_CLOSED, "explain");
	epitaph_generation_close(generation);
}

/* What a hostile kernel printed is escaped; the tab is a blank. */
static void findings__are_safe_for_a_terminal(void)
{
	struct epitaph_error *error = NULL;
	struct epitaph_dump *dump = open_as(made("died-of-hostile-words"), true, &error);
	struct epitaph_generation *generation = epitaph_generation_open(dump, EPITAPH_NEWEST, &error);
	struct epitaph_findings *findings = epitaph_explain(generation, &error);
	const struct epitaph_finding *finding = epitaph_findings_get(findings, 0);
	const struct epitaph_evidence *evidence;
	u32 nr_escaped = 0;

	CHECK(finding, "%s", error ? epitaph_error_message(error) : "no finding");
	for (u32 i = 0; (evidence = epitaph_finding_evidence(finding, i)); i++) {
		const char *text = epitaph_evidence_text(evidence);

		for (const char *c = text; *c; c++)
			CHECK((u8)*c >= ' ' && *c != 0x7f, "%s", text);
		nr_escaped += strstr(text, "\\x1b") != NULL;
	}
	CHECK(nr_escaped, "nothing hostile was seen");
	epitaph_findings_free(findings);
	epitaph_generation_close(generation);
	epitaph_dump_close(dump);
}

static pid_t reader_of_script(void)
{
	char text[32] = "";
	FILE *f = fopen(made("pid"), "r");
	pid_t pid = f && fgets(text, sizeof(text), f) ? atoi(text) : 0;
	char path[80];

	if (f)
		fclose(f);
	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", pid, pid);
	f = fopen(path, "r");
	pid = f && fgets(text, sizeof(text), f) ? atoi(text) : 0;
	if (f)
		fclose(f);
	return pid;
}

static void *explain_often(void *arg)
{
	u32 *nr = arg;

	for (u32 i = 0; i < 20; i++) {
		struct epitaph_error *error = NULL;
		char path[200];
		struct epitaph_dump *dump;
		struct epitaph_generation *generation;
		struct epitaph_findings *findings;

		snprintf(path, sizeof(path), "%s/null-field", dir);
		dump = open_as(path, false, &error);
		generation = epitaph_generation_open(dump, EPITAPH_NEWEST, &error);
		findings = epitaph_explain(generation, &error);
		*nr += findings && strstr(epitaph_finding_claim(epitaph_findings_get(findings, 0)), "NULL pointer");
		epitaph_findings_free(findings);
		epitaph_generation_close(generation);
		epitaph_dump_close(dump);
		epitaph_error_free(error);
	}
	return NULL;
}

/* Of dumps of their own; each decodes an instruction. */
static void findings__can_be_asked_for_by_many_threads(void)
{
	pthread_t threads[4];
	u32 nr[4] = { 0 };

	for (u32 i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, explain_often, &nr[i]);
	for (u32 i = 0; i < 4; i++) {
		pthread_join(threads[i], NULL);
		CHECK(nr[i] == 20, "thread %u: %u findings of 20", i, nr[i]);
	}
}

static int refuse_to_go_on(void *arg, const char *what, uint64_t done, uint64_t total)
{
	(void)what;
	(void)done;
	(void)total;
	return *(bool *)arg;
}

static void findings__can_be_cancelled(void)
{
	struct epitaph_options *options = epitaph_options_new();
	struct epitaph_error *error = NULL;
	struct epitaph_generation *generation;
	struct epitaph_dump *dump;
	bool stop = false;

	epitaph_options_set_sandbox(options, 1);
	epitaph_options_set_progress(options, refuse_to_go_on, &stop);
	dump = epitaph_dump_open(made("whole"), options, &error);
	generation = epitaph_generation_open(dump, 0, &error);
	/* A reader that is silent. */
	kill(reader_of_script(), SIGSTOP);
	stop = true;
	CHECK(!epitaph_explain(generation, &error), "it is explained");
	check_error(error, EPITAPH_ERROR_CANCELLED, "cancelled");
	epitaph_generation_close(generation);
	epitaph_dump_close(dump);
	epitaph_options_free(options);
}

static struct {
	struct timespec began;
	u32 nr;
} asked;

/* After a second. */
static int count_and_refuse(void *arg, const char *what, uint64_t done, uint64_t total)
{
	struct timespec now;

	(void)arg, (void)what, (void)done, (void)total;
	asked.nr++;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (now.tv_sec - asked.began.tv_sec) * 1000000000LL + now.tv_nsec - asked.began.tv_nsec > 1000000000;
}

static void on_alarm(int signal)
{
	(void)signal;
}

/* The caller has a timer of its own, whose signals end what waits. */
static void progress__is_asked_for_ten_times_a_second_at_most(void)
{
	const struct sigaction action = { .sa_handler = on_alarm };
	const struct itimerval often = { { 0, 1000 }, { 0, 1000 } }, never = { 0 };
	struct epitaph_options *options = epitaph_options_new();
	struct epitaph_error *error = NULL;
	struct epitaph_generation *generation;
	struct epitaph_dump *dump;

	epitaph_options_set_sandbox(options, 1);
	epitaph_options_set_progress(options, count_and_refuse, NULL);
	clock_gettime(CLOCK_MONOTONIC, &asked.began);
	dump = epitaph_dump_open(made("whole"), options, &error);
	generation = epitaph_generation_open(dump, 0, &error);
	kill(reader_of_script(), SIGSTOP);
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	clock_gettime(CLOCK_MONOTONIC, &asked.began);
	asked.nr = 0;
	CHECK(!epitaph_explain(generation, &error), "it is explained");
	setitimer(ITIMER_REAL, &never, NULL);
	CHECK(asked.nr >= 2 && asked.nr <= 12, "%u times in a second", asked.nr);
	check_error(error, EPITAPH_ERROR_CANCELLED, "cancelled");
	epitaph_generation_close(generation);
	epitaph_dump_close(dump);
	epitaph_options_free(options);
}

static int count_refusals(void *arg, const char *what, uint64_t done, uint64_t total)
{
	(void)what, (void)done, (void)total;
	++*(u32 *)arg;
	usleep(110000);		/* the next call is not too early */
	return 1;
}

static int read_the_same(void *arg, uint64_t address, void *buffer, size_t size)
{
	(void)arg, (void)address;
	memset(buffer, 0x55, size);
	return 1;
}

/* Without a sandbox the step goes on, and the callback has said what it had to say. */
static void cancelled_step__asks_no_more(void)
{
	struct epitaph_segment segment = { 0, 1ULL << 30 };
	struct epitaph_memory_reader memory = {
		.name = "vast", .kind = "memory of a test", .segments = &segment, .nr_segments = 1,
		.read = read_the_same,
	};
	struct epitaph_options *options = epitaph_options_new();
	struct epitaph_error *error = NULL;
	u32 nr_calls = 0;

	epitaph_options_set_progress(options, count_refusals, &nr_calls);
	/* It takes long to see that there is no region in it. */
	CHECK(!epitaph_dump_open_memory(&memory, options, &error), "opened");
	CHECK(nr_calls == 1, "%u calls", nr_calls);
	check_error(error, EPITAPH_ERROR_CANCELLED, "cancelled");
	epitaph_options_free(options);
}

/* --- a host whose memory is used up for a while ----------------------------- */

#ifndef __SANITIZE_ADDRESS__

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);

/* Of this thread, so that others have theirs. */
static _Thread_local u64 nr_allocated, failing_allocation;

static bool is_refused(void)
{
	if (++nr_allocated != failing_allocation)
		return false;
	errno = ENOMEM;
	return true;
}

/* Instead of the C library's. */
void *malloc(size_t size)
{
	return is_refused() ? NULL : __libc_malloc(size);
}

void *calloc(size_t nr, size_t size)
{
	return is_refused() ? NULL : __libc_calloc(nr, size);
}

void *realloc(void *p, size_t size)
{
	return is_refused() ? NULL : __libc_realloc(p, size);
}

void *reallocarray(void *p, size_t nr, size_t size)
{
	return is_refused() ? NULL : __libc_realloc(p, nr * size);
}

/* A scan that fails once: then the same question has the answer that it would have had. */
static void failed_scan__leaves_nothing_behind(void)
{
	struct epitaph_error *error = NULL;
	struct epitaph_generation *generation;
	struct epitaph_dump *dump = open_as(made("whole"), false, &error);
	u64 nr_events, nr = nr_allocated;
	struct walked walked;
	u32 nr_failed = 0;
	u8 byte;

	generation = epitaph_generation_open(dump, 0, &error);
	if (!CHECK(generation, "%s", epitaph_error_message(error)))
		return;
	nr = nr_allocated - nr;
	nr_events = epitaph_generation_nr_events(generation);
	epitaph_generation_close(generation);
	walked = walk_all(dump, &error);
	epitaph_dump_close(dump);
	for (u64 n = 1; n <= nr; n++) {
		struct walked again;

		dump = open_as(made("whole"), false, &error);
		failing_allocation = nr_allocated + n;
		generation = epitaph_generation_open(dump, 0, &error);
		failing_allocation = 0;
		if (!generation) {
			nr_failed++;
			epitaph_error_free(error);
			error = NULL;
			CHECK(epitaph_read_physical(dump, 0, &byte, 1, &error) == 1, "%s",
			      error ? epitaph_error_message(error) : "nothing is read");
			generation = epitaph_generation_open(dump, 0, &error);
			CHECK(epitaph_generation_nr_events(generation) == nr_events, "allocation %llu: %llu events of %llu",
			      n, (u64)epitaph_generation_nr_events(generation), nr_events);
			again = walk_all(dump, &error);
			CHECK(!error && again.nr == walked.nr && again.sum == walked.sum,
			      "allocation %llu: %llu items of %llu", n, again.nr, walked.nr);
		}
		epitaph_generation_close(generation);
		epitaph_dump_close(dump);
	}
	CHECK(nr_failed > 5, "%u of %llu allocations failed a scan", nr_failed, nr);
}

#endif

/* --- the reader's process ------------------------------------------------ */

static volatile int nr_children;

static void count_child(int sig)
{
	(void)sig;
	nr_children++;
}

/* A reader that says which process it is. */
static void use_script(void)
{
	char real[300];
	FILE *f;

	snprintf(real, sizeof(real), "%s", getenv("EPITAPH_READER"));
	f = fopen(made("script"), "w");
	fprintf(f, "#!/bin/sh\necho $$ >%s/pid\nexec %s\n", dir, real);
	fclose(f);
	chmod(made("script"), 0755);
	setenv("EPITAPH_READER", made("script"), 1);
}

static void reader__is_no_child_of_its_host(void)
{
	struct sigaction old, sa = { .sa_handler = count_child };
	struct epitaph_error *error = NULL;
	struct epitaph_dump *dump;

	sigaction(SIGCHLD, &sa, &old);
	dump = open_as(made("whole"), true, &error);
	CHECK(dump, "%s", error ? epitaph_error_message(error) : "");
	CHECK(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD, "there is a child");
	epitaph_dump_close(dump);
	usleep(100000);
	CHECK(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD, "there is a child");
	CHECK(!nr_children, "%d SIGCHLD", nr_children);
	sigaction(SIGCHLD, NULL, &sa);
	CHECK(sa.sa_handler == count_child, "the handler was changed");
	sigaction(SIGCHLD, &old, NULL);
}

static void reader__ends_with_its_dump(void)
{
	struct epitaph_error *error = NULL;
	struct epitaph_dump *dump = open_as(made("whole"), true, &error);
	pid_t pid = reader_of_script();
	u32 i;

	CHECK(pid && !kill(pid, 0), "no reader");
	/* Even if it is busy. */
	kill(pid, SIGSTOP);
	epitaph_dump_close(dump);
	for (i = 0; i < 100 && !kill(pid, 0); i++)
		usleep(20000);
	CHECK(i < 100, "the reader lives");
}

static void host_without_descriptors__prints_into_none_of_ours(void)
{
	for (int sandbox = 0; sandbox < 2; sandbox++) {
		struct epitaph_error *error = NULL;
		struct epitaph_dump *dump;
		int status = 0;
		pid_t child = fork();

		if (!child) {
			close(0);
			close(1);
			close(2);
			dump = open_as(made("whole"), sandbox, &error);
			for (int fd = 0; fd <= 2; fd++)
				if (!dump || fcntl(fd, F_GETFD) >= 0)
					_exit(1 + fd);
			epitaph_dump_close(dump);
			_exit(0);
		}
		CHECK(waitpid(child, &status, 0) == child && !status, "sandbox %d: %x", sandbox, status);
	}
}

/* Two processes that ask one reader would get each other's answers. */
static void fork__leaves_the_reader_to_its_host(void)
{
	struct epitaph_error *error = NULL;
	struct epitaph_dump *dump = open_as(made("whole"), true, &error);
	pid_t reader = reader_of_script(), child;
	int status = 0, i;
	u8 byte;

	child = fork();
	if (!child) {
		i = epitaph_read_physical(dump, 0, &byte, 1, &error) < 0 && epitaph_error_code(error) == EPITAPH_ERROR_CLOSED;
		epitaph_dump_close(dump);
		_exit(i ? 0 : 1);
	}
	CHECK(waitpid(child, &status, 0) == child && !status, "the child has an answer: %x", status);
	CHECK(epitaph_read_physical(dump, 0, &byte, 1, &error) == 1, "%s", error ? epitaph_error_message(error) : "");
	child = fork();
	if (!child) {
		pause();
		_exit(0);
	}
	/* It has the descriptors; the reader is busy. */
	kill(reader, SIGSTOP);
	epitaph_dump_close(dump);
	for (i = 0; i < 100 && !kill(reader, 0); i++)
		usleep(20000);
	CHECK(i < 100, "the reader lives");
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

static void killed_reader__loses_nothing_that_came(void)
{
	struct epitaph_error *error = NULL;
	struct epitaph_dump *dump = open_as(made(LARGE), true, &error);
	struct walked whole = walk_all(dump, &error);
	struct epitaph_generation *generation = epitaph_generation_open(dump, 0, &error);
	struct epitaph_walk *walk = epitaph_walk_open(generation, EPITAPH_ALL_KINDS, 0, UINT64_MAX,
						      &error);
	const struct epitaph_item *item;
	u64 nr = 0, last = 0;

	while ((item = epitaph_walk_next(walk, &error))) {
		CHECK(epitaph_item_time(item) >= last, "order");
		last = epitaph_item_time(item);
		if (++nr == 10)
			kill(reader_of_script(), SIGKILL);
	}
	CHECK(nr > 1000 && nr < whole.nr, "%llu items of %llu", nr, whole.nr);
	CHECK(error && strstr(epitaph_error_message(error), "signal 9"), "%s",
	      error ? epitaph_error_message(error) : "no error");
	check_error(error, EPITAPH_ERROR_READER, "killed");
	error = NULL;
	CHECK(!epitaph_generation_open(dump, 0, &error), "it answers");
	check_error(error, EPITAPH_ERROR_READER, "killed, again");
	epitaph_walk_close(walk);
	epitaph_generation_close(generation);
	epitaph_dump_close(dump);
}

struct second_thread {
	struct epitaph_dump *dump;
	struct epitaph_error *error;
	volatile bool done;
};

static void *read_something(void *arg)
{
	struct second_thread *thread = arg;
	char buf[8];

	epitaph_read_physical(thread->dump, 0, buf, sizeof(buf), &thread->error);
	thread->done = true;
	return NULL;
}

static void two_threads__on_one_handle_are_seen(void)
{
	struct second_thread thread = { 0 };
	struct epitaph_error *error = NULL;
	pthread_t id;
	pid_t pid;
	char buf[8];

	thread.dump = open_as(made("whole"), true, &error);
	pid = reader_of_script();
	kill(pid, SIGSTOP);
	pthread_create(&id, NULL, read_something, &thread);
	while (!atomic_flag_test_and_set(&thread.dump->busy)) {
		atomic_flag_clear(&thread.dump->busy);
		usleep(1000);
	}
	CHECK(!thread.done, "the first thread has its answer");
	CHECK(epitaph_read_physical(thread.dump, 0, buf, sizeof(buf), &error) < 0, "no error");
	check_error(error, EPITAPH_ERROR_BUSY, "busy");
	kill(pid, SIGCONT);
	pthread_join(id, NULL);
	CHECK(!thread.error, "%s", epitaph_error_message(thread.error));
	error = NULL;
	CHECK(epitaph_read_physical(thread.dump, 0, buf, sizeof(buf), &error) == 8, "not free again");
	epitaph_dump_close(thread.dump);
}

/* Its place among the 16 is free again. */
static void walk__that_is_closed_while_the_dump_is_busy_ends(void)
{
	struct second_thread thread = { 0 };
	struct epitaph_error *error = NULL;
	struct epitaph_generation *generation;
	struct epitaph_walk *walks[16];
	pthread_t id;
	pid_t pid;

	thread.dump = open_as(made("whole"), true, &error);
	generation = epitaph_generation_open(thread.dump, 0, &error);
	for (u32 i = 0; i < 16; i++)
		walks[i] = epitaph_walk_open(generation, EPITAPH_LOG, 0, UINT64_MAX, &error);
	CHECK(!error, "%s", error ? epitaph_error_message(error) : "");
	pid = reader_of_script();
	kill(pid, SIGSTOP);
	pthread_create(&id, NULL, read_something, &thread);
	while (!atomic_flag_test_and_set(&thread.dump->busy)) {
		atomic_flag_clear(&thread.dump->busy);
		usleep(1000);
	}
	for (u32 i = 0; i < 16; i++)
		epitaph_walk_close(walks[i]);
	kill(pid, SIGCONT);
	pthread_join(id, NULL);
	for (u32 i = 0; i < 16; i++)
		walks[i] = epitaph_walk_open(generation, EPITAPH_LOG, 0, UINT64_MAX, &error);
	CHECK(!error, "%s", error ? epitaph_error_message(error) : "");
	for (u32 i = 0; i < 16; i++)
		epitaph_walk_close(walks[i]);
	epitaph_generation_close(generation);
	epitaph_dump_close(thread.dump);
	epitaph_error_free(error);
}

static void absent_reader__is_an_error(void)
{
	struct epitaph_error *error = NULL;
	char *old = strdup(getenv("EPITAPH_READER"));

	setenv("EPITAPH_READER", "/nonexistent/epitaph-reader", 1);
	CHECK(!open_as(made("whole"), true, &error), "opened");
	check_error(error, EPITAPH_ERROR_READER, "absent");
	error = NULL;
	setenv("EPITAPH_READER", "/bin/true", 1);
	CHECK(!open_as(made("whole"), true, &error), "opened");
	check_error(error, EPITAPH_ERROR_READER, "another program");
	setenv("EPITAPH_READER", old, 1);
	free(old);
}

static int cancel_the_third(void *arg, const char *what, uint64_t done, uint64_t total)
{
	(void)what, (void)done, (void)total;
	return ++*(u32 *)arg == 3;
}

/* Wherever it stops. */
static void silent_reader__can_be_cancelled(void)
{
	static const char *const bytes[] = { "0", "8", "16" };
	char self[300] = "", *old = strdup(getenv("EPITAPH_READER"));

	CHECK(readlink("/proc/self/exe", self, sizeof(self) - 1) > 0, "no /proc");
	setenv("EPITAPH_READER", self, 1);
	for (u32 i = 0; i < 3; i++) {
		struct epitaph_options *options = epitaph_options_new();
		struct epitaph_error *error = NULL;
		u32 nr_calls = 0;

		setenv("LIE_BYTES", bytes[i], 1);
		epitaph_options_set_sandbox(options, 1);
		epitaph_options_set_progress(options, cancel_the_third, &nr_calls);
		alarm(20);
		CHECK(!epitaph_dump_open(made("whole"), options, &error), "opened");
		check_error(error, EPITAPH_ERROR_CANCELLED, bytes[i]);
		CHECK(nr_calls == 3, "%u calls", nr_calls);
		alarm(0);
		epitaph_options_free(options);
	}
	unsetenv("LIE_BYTES");
	setenv("EPITAPH_READER", old, 1);
	free(old);
}

/* A pipe that no other process opens; one that always has more. */
static void reader__ends_while_it_opens(void)
{
	char command[300];

	unlink(made("pipe"));
	CHECK(!mkfifo(made("pipe"), 0600), "mkfifo");
	for (u32 i = 0; i < 2; i++) {
		struct epitaph_options *options = epitaph_options_new();
		struct epitaph_error *error = NULL;
		char text[32] = "";
		u32 nr_calls = 0, k;
		FILE *f;
		pid_t pid;

		snprintf(command, sizeof(command), "timeout 20 sh -c 'while echo more; do sleep 0.01; done >%s' &", made("pipe"));
		CHECK(!i || !system(command), "a writer");
		epitaph_options_set_sandbox(options, 1);
		epitaph_options_set_progress(options, cancel_the_third, &nr_calls);
		CHECK(!epitaph_dump_open(made("pipe"), options, &error), "opened");
		check_error(error, EPITAPH_ERROR_CANCELLED, i ? "a pipe that has more" : "a pipe that waits");
		f = fopen(made("pid"), "r");
		pid = f && fgets(text, sizeof(text), f) ? atoi(text) : 0;
		fclose(f);
		for (k = 0; k < 100 && !kill(pid, 0); k++)
			usleep(20000);
		CHECK(pid && k < 100, "pipe %u: the reader lives", i);
		if (pid && k == 100)
			kill(pid, SIGKILL);
		epitaph_options_free(options);
	}
}

static void lying_reader__breaks_nothing(void)
{
	static const char *const files[] = { "whole", "mce-fatal", "kernel-log", "died-of-a-bug" };
	u32 nr_errors = 0, nr_opened = 0, nr_guests = 0;
	u64 nr_evidence = 0;
	const char *name;
	int64_t pid;
	char self[300] = "", seed[16];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	CHECK(n > 0, "no /proc");
	setenv("EPITAPH_READER", self, 1);
	for (int i = 0; i < 300; i++) {
		struct epitaph_error *error = NULL;
		struct epitaph_dump *dump;

		snprintf(seed, sizeof(seed), "%d", i);
		setenv("LIE_SEED", seed, 1);
		dump = open_as(made(files[i / 2 % 4]), true, &error);
		nr_opened += dump != NULL;
		if (dump && i % 5 == 0 &&
		    epitaph_dump_guest(dump, i, &pid, &name, &name, &error) > 0)
			nr_guests += strlen(name) < 10000;
		if (dump && i % 2)
			walk_all(dump, &error);
		else if (dump)
			nr_evidence += explain_all(dump, &error).nr;
		nr_errors += error != NULL;
		epitaph_error_free(error);
		epitaph_dump_close(dump);
	}
	CHECK(nr_opened > 50 && nr_errors > 50, "%u opened, %u errors", nr_opened, nr_errors);
	CHECK(nr_evidence > 50, "%llu pieces of evidence", nr_evidence);
	CHECK(nr_guests < nr_opened, "%u guests", nr_guests);
}

/* --- memory of the caller ------------------------------------------------- */

#define MEMORY_AT	0x40000000ULL

static u8 caller_memory[1U << 20];
static u64 nr_caller_reads;

static int read_caller(void *arg, uint64_t address, void *buffer, size_t size)
{
	nr_caller_reads++;
	memcpy(buffer, (u8 *)arg + (address - MEMORY_AT), size);
	return 1;
}

/* The region @name in the caller's memory, behind a page without anything. */
static struct epitaph_memory_reader memory_of(const char *name, struct epitaph_segment *segment)
{
	FILE *f = fopen(made(name), "r");
	size_t size = fread(caller_memory + 4096, 1, sizeof(caller_memory) - 4096, f);

	fclose(f);
	*segment = (struct epitaph_segment){ MEMORY_AT, size + 4096 };
	return (struct epitaph_memory_reader){
		.name = "this test", .kind = "memory of a test", .segments = segment,
		.nr_segments = 1, .read = read_caller, .arg = caller_memory,
	};
}

static void memory__is_read_as_a_file_with_the_same_bytes_is(void)
{
	struct epitaph_segment segment;
	struct epitaph_memory_reader memory = memory_of("whole", &segment);
	struct epitaph_error *error = NULL;
	struct epitaph_dump *file = open_as(made("whole"), false, &error), *dump;
	struct walked walked[2];

	dump = epitaph_dump_open_memory(&memory, NULL, &error);
	if (!CHECK(dump && file, "%s", error ? epitaph_error_message(error) : ""))
		return;
	CHECK(!strcmp(epitaph_dump_kind(dump), "memory of a test"), "%s", epitaph_dump_kind(dump));
	walked[0] = walk_all(file, &error);
	walked[1] = walk_all(dump, &error);
	CHECK(!error, "%s", epitaph_error_message(error));
	CHECK(walked[0].nr && walked[0].nr == walked[1].nr && walked[0].sum == walked[1].sum,
	      "%llu and %llu items", walked[0].nr, walked[1].nr);
	CHECK(nr_caller_reads, "the function was not called");
	epitaph_dump_close(file);
	epitaph_dump_close(dump);
}

static void region__read_out_of_memory_is_the_file(void)
{
	struct epitaph_segment segment;
	struct epitaph_memory_reader memory = memory_of("whole", &segment);
	struct epitaph_error *error = NULL;
	static u8 bytes[sizeof(caller_memory)];
	uint64_t address = 1, size = 1, file_size;
	struct epitaph_dump *dump = epitaph_dump_open_memory(&memory, NULL, &error);

	if (!CHECK(dump, "%s", epitaph_error_message(error)))
		return;
	CHECK(epitaph_dump_region(dump, &address, &size) == 1, "no region");
	CHECK(address == MEMORY_AT + 4096 && size == segment.size - 4096, "%llx, %llu bytes",
	      (u64)address, (u64)size);
	CHECK(epitaph_read_physical(dump, address, bytes, size, &error) == (ssize_t)size &&
	      !memcmp(bytes, caller_memory + 4096, size), "other bytes");
	epitaph_dump_close(dump);
	for (int sandbox = 0; sandbox < 2; sandbox++) {
		dump = open_as(made("whole"), sandbox, &error);
		CHECK(epitaph_dump_region(dump, &address, &file_size) == 1 && !address &&
		      file_size == size, "of the file: %llx, %llu", (u64)address, (u64)file_size);
		epitaph_dump_close(dump);
	}
	CHECK(!epitaph_dump_region(NULL, &address, &size), "of NULL");
}

static void memory__that_cannot_be_read_is_an_error(void)
{
	struct epitaph_segment segment;
	struct epitaph_memory_reader memory = memory_of("whole", &segment), bad = memory;
	struct epitaph_options *options = epitaph_options_new();
	struct epitaph_error *error = NULL;

	CHECK(!epitaph_dump_open_memory(NULL, NULL, &error), "NULL is opened");
	check_error(error, EPITAPH_ERROR_USAGE, "NULL");
	error = NULL;
	bad.read = NULL;
	CHECK(!epitaph_dump_open_memory(&bad, NULL, &error), "opened without a function");
	check_error(error, EPITAPH_ERROR_USAGE, "no function");
	error = NULL;
	epitaph_options_set_sandbox(options, 1);
	CHECK(!epitaph_dump_open_memory(&memory, options, &error), "opened in a sandbox");
	check_error(error, EPITAPH_ERROR_USAGE, "a sandbox");
	error = NULL;
	memory.nr_segments = 0;
	CHECK(!epitaph_dump_open_memory(&memory, NULL, &error), "opened without a segment");
	check_error(error, EPITAPH_ERROR_NOT_OURS, "no segment");
	epitaph_options_free(options);
}

/* --- texts ---------------------------------------------------------------- */

static void escape__leaves_nothing_that_a_terminal_obeys(void)
{
	static const struct {
		const char *text, *escaped;
	} all[] = {
		{ "plain \xc3\xa4", "plain \xc3\xa4" },
		{ "\033[2J", "\\x1b[2J" },
		{ "a\nb\\", "a\\x0ab\\x5c" },
		{ "\xff", "\\xff" },
		{ "\xc2\x9b" "1m", "\\xc2\\x9b1m" },
		{ "\xe2\x80\xae", "\\xe2\\x80\\xae" },
	};
	char buffer[64];
	size_t n;

	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		n = epitaph_escape(buffer, sizeof(buffer), all[i].text, SIZE_MAX);
		CHECK(!strcmp(buffer, all[i].escaped) && n == strlen(buffer), "%s, not %s", buffer,
		      all[i].escaped);
	}
	CHECK(epitaph_escape(buffer, sizeof(buffer), "a\0b", 3) == 6 && !strcmp(buffer, "a\\x00b"),
	      "%s", buffer);
	CHECK(epitaph_escape(buffer, 4, "a\n", 2) == 1 && !strcmp(buffer, "a"), "cut: %s", buffer);
	CHECK(epitaph_escape(buffer, sizeof(buffer), NULL, SIZE_MAX) == 0 && !*buffer, "NULL");
	CHECK(epitaph_escape(NULL, 0, "a", 1) == 0, "no room");
}

/* A line of the kernel's log is as the kernel wrote it; an event's text is escaped already. */
static void printable_text__is_escaped_once(void)
{
	struct epitaph_error *error = NULL;
	struct epitaph_dump *dump = open_as(made("died-of-hostile-words"), false, &error);
	struct epitaph_generation *generation = epitaph_generation_open(dump, EPITAPH_NEWEST, &error);
	struct epitaph_walk *walk = epitaph_walk_open(generation, EPITAPH_ALL_KINDS, EPITAPH_WALK_TEXT,
						      UINT64_MAX, &error);
	const struct epitaph_item *item;
	u32 nr_escaped = 0, nr_kept = 0;
	char printable[4096], expected[4096];
	size_t n, size;

	while ((item = epitaph_walk_next(walk, &error))) {
		const char *text = epitaph_item_text(item, &size);

		n = epitaph_item_printable_text(item, printable, sizeof(printable));
		CHECK(n == strlen(printable), "%zu: %s", n, printable);
		if (epitaph_item_kind(item) == EPITAPH_EVENT) {
			CHECK(!strcmp(printable, text), "%s", printable);
			nr_kept += strchr(text, '\\') != NULL;
			continue;
		}
		epitaph_escape(expected, sizeof(expected), text, size);
		CHECK(!strcmp(printable, expected), "%s", printable);
		nr_escaped += strcmp(printable, text) != 0;
		CHECK(epitaph_item_printable_text(item, printable, 3) < 3 && strlen(printable) < 3,
		      "does not fit");
		CHECK(epitaph_item_printable_text(item, NULL, 0) == 0, "no room");
	}
	CHECK(!error && nr_escaped, "%u lines were escaped, %u events had been", nr_escaped, nr_kept);
	epitaph_walk_close(walk);
	epitaph_generation_close(generation);
	epitaph_dump_close(dump);
}

static void library__says_what_it_is(void)
{
	CHECK(*epitaph_version(), "no version");
	CHECK(strstr(epitaph_page_codecs(), "zlib"), "%s", epitaph_page_codecs());
}

/* --- hostile files ------------------------------------------------------- */

static void mutated_region__breaks_nothing(void)
{
	FILE *f = fopen(made("whole"), "r");
	static u8 whole[1U << 20], bytes[1U << 20];
	size_t size = fread(whole, 1, sizeof(whole), f);
	u32 nr_opened = 0;

	fclose(f);
	for (int i = 0; i < 200; i++) {
		struct epitaph_error *error = NULL;
		struct epitaph_dump *dump;

		srand(i);
		memcpy(bytes, whole, size);
		for (int k = rand() % 20; k >= 0; k--)
			bytes[rand() % size] = rand();
		f = fopen(made("mutated"), "w");
		fwrite(bytes, 1, size, f);
		fclose(f);
		dump = open_as(made("mutated"), false, &error);
		nr_opened += dump != NULL;
		if (dump)
			walk_all(dump, &error);
		if (dump && !error)
			explain_all(dump, &error);
		epitaph_error_free(error);
		epitaph_dump_close(dump);
	}
	CHECK(nr_opened > 50, "%u opened", nr_opened);
}

static bool make_files(void)
{
	char command[600];

	snprintf(command, sizeof(command),
		 "for name in whole mce-fatal kernel-log died-of-a-bug died-of-hostile-words; do "
		 "tests/golden/mkregion tests/golden/$name.region %s/$name >/dev/null || exit 1; done; "
		 "tests/crashes/mkregion tests/crashes/null-field.log %s/null-field && "
		 "tests/unit/lib/large_region %s/" LARGE, dir, dir, dir);
	return !system(command);
}

int main(int argc, char **argv)
{
	char reader[300];

	if (argc && !strcmp(argv[0], "epitaph-reader"))
		return lie();
	/* As tests/unit/run runs it, or from the top. */
	if ((access(READER, X_OK) && chdir("../..")) || !mkdtemp(dir) || !make_files()) {
		puts("Bail out! no files to read");
		return 1;
	}
	if (realpath(READER, reader))
		setenv("EPITAPH_READER", reader, 1);
	use_script();
	TAP_RUN(library__gives_the_same_with_and_without_a_sandbox);
	TAP_RUN(library__takes_a_null_for_an_error);
	TAP_RUN(library__takes_what_is_no_dump_for_an_error);
	TAP_RUN(guest__of_what_is_no_host_is_an_error);
	TAP_RUN(library__opens_a_descriptor);
	TAP_RUN(closed_dump__leaves_its_handles_valid);
	TAP_RUN(generations__are_those_of_their_index);
	TAP_RUN(walks__do_not_disturb_each_other);
	TAP_RUN(findings__are_those_of_the_command);
	TAP_RUN(findings__outlive_their_dump_and_disturb_no_walk);
	TAP_RUN(findings__are_safe_for_a_terminal);
	TAP_RUN(findings__can_be_cancelled);
	TAP_RUN(progress__is_asked_for_ten_times_a_second_at_most);
	TAP_RUN(cancelled_step__asks_no_more);
	TAP_RUN(findings__can_be_asked_for_by_many_threads);
#ifndef __SANITIZE_ADDRESS__
	TAP_RUN(failed_scan__leaves_nothing_behind);
#endif
	TAP_RUN(reader__is_no_child_of_its_host);
	TAP_RUN(reader__ends_with_its_dump);
	TAP_RUN(host_without_descriptors__prints_into_none_of_ours);
	TAP_RUN(fork__leaves_the_reader_to_its_host);
	TAP_RUN(killed_reader__loses_nothing_that_came);
	TAP_RUN(two_threads__on_one_handle_are_seen);
	TAP_RUN(walk__that_is_closed_while_the_dump_is_busy_ends);
	TAP_RUN(absent_reader__is_an_error);
	TAP_RUN(memory__is_read_as_a_file_with_the_same_bytes_is);
	TAP_RUN(region__read_out_of_memory_is_the_file);
	TAP_RUN(memory__that_cannot_be_read_is_an_error);
	TAP_RUN(escape__leaves_nothing_that_a_terminal_obeys);
	TAP_RUN(printable_text__is_escaped_once);
	TAP_RUN(library__says_what_it_is);
	TAP_RUN(mutated_region__breaks_nothing);
	TAP_RUN(reader__ends_while_it_opens);
	TAP_RUN(silent_reader__can_be_cancelled);
	TAP_RUN(lying_reader__breaks_nothing);
	snprintf(reader, sizeof(reader), "rm -rf %s", dir);
	if (system(reader))
		return 1;
	return tap_done();
}
