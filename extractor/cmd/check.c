// SPDX-License-Identifier: GPL-2.0-or-later
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "common.h"

/* "path: 0x1000: words" */
static void put_notes(const struct notes *notes, const char *path)
{
	u64 i;

	for (i = 0; i < notes->kept; i++) {
		if (notes->list[i].off == NOTE_NOWHERE)
			printf("%s: %s\n", path, notes->list[i].text);
		else
			printf("%s: byte 0x%llx of the generation: %s\n", path,
			       notes->list[i].off, notes->list[i].text);
	}
	if (notes->nr > notes->kept)
		printf("%s: and %llu things more\n", path, notes->nr - notes->kept);
}

static void put_text(const struct account *account, const char *path)
{
	if (account->trace)
		put_notes(&account->trace->region->notes, path);
	put_notes(&account->notes, path);
	if (account_lost(account))
		printf("%s: at least %llu event%s lost\n", path, account_lost(account),
		       account_lost(account) == 1 ? " was" : "s were");
}

static void json_notes(struct json *j, const struct notes *notes)
{
	u64 i;

	for (i = 0; i < notes->kept; i++) {
		json_open(j, NULL, '{');
		if (notes->list[i].off == NOTE_NOWHERE)
			json_null(j, "offset");
		else
			json_u64(j, "offset", notes->list[i].off);
		json_str(j, "what", notes->list[i].text);
		json_close(j, '}');
	}
}

/* What only the recorder's rings can tell is 0 without them. */
static void put_json(const struct account *account, const char *path)
{
	const struct trace_total none = { 0 };
	const struct trace_total *rings = account->trace ? &account->trace->total : &none;
	struct json j = { .f = stdout };

	json_open(&j, NULL, '{');
	json_str(&j, "file", path);
	json_bool(&j, "whole", account_status(account) == ERR_OK);
	json_u64(&j, "events", account->total.events);
	json_u64(&j, "unfinished", rings->torn);
	json_u64(&j, "lost", account_lost(account));
	json_u64(&j, "damaged_sub_buffers", rings->damaged);
	json_u64(&j, "withheld", rings->withheld);
	json_u64(&j, "missing_sub_buffers", rings->missing);
	json_u64(&j, "damage_notes", account_damage(account));
	json_open(&j, "damage", '[');
	if (account->trace)
		json_notes(&j, &account->trace->region->notes);
	json_notes(&j, &account->notes);
	json_close(&j, ']');
	json_close(&j, '}');
	json_end(&j);
}

static int check_file(const struct input_files *files, u64 generation, bool json)
{
	const char *path = files->path[0];
	struct err err = ERR_INIT;
	char name[1024];
	struct account account;
	int status;

	err_escape(name, sizeof(name), path, strlen(path));
	if (account_open(&account, files, ACCOUNT_BEST, generation, &err)) {
		status = cmd_fail("check", &err);
	} else if (account_scan(&account, &err)) {
		status = cmd_fail_file("check", path, &err);
	} else {
		if (account.trace)
			formats_check(account.trace->formats);
		cmd_note_input(&account);
		status = account_status(&account);
		if (json)
			put_json(&account, path);
		else
			put_text(&account, name);
	}
	account_close(&account);
	return status;
}

struct check {
	u64 generation;
	bool json;
};

static int check_files(int argc, char **argv, void *arg)
{
	const struct check *check = arg;
	int status = ERR_OK;

	while (optind < argc) {
		struct input_files files = cmd_take_files(argc, argv);

		status = cmd_worse(status, check_file(&files, check->generation, check->json));
	}
	return cmd_worse(status, cmd_flush("check"));
}

int cmd_check(int argc, char **argv)
{
	struct check check = { .generation = GENERATION_NEWEST };
	struct cmd_work work = { check_files, &check, -1, true };
	int opt;

	while ((opt = cmd_next_option(argc, argv)) != -1) {
		if (opt == 'j')
			check.json = true;
		else if (opt != 'g')
			return cmd_usage("check");
		else if (!cmd_generation("check", optarg, false, &check.generation))
			return ERR_USAGE;
	}
	if (optind == argc)
		return cmd_misuse("check", "no FILE");
	return cmd_run(&work, argc, argv);
}
