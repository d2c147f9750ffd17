// SPDX-License-Identifier: GPL-2.0-or-later
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "base/text.h"
#include "host/setup.h"
#include "spool/recorder_load.h"
#include "common.h"

enum action { PROPOSE, WRITE, UNATTENDED, REMOVE };

/* Exit statuses beside those of enum err_code; docs/setup.md, "Unattended". */
#define STATUS_REBOOT	6
#define STATUS_BUSY	7

struct setup_choices {
	enum action action;
	bool json;
};

/**
 * struct setup_result - what became of it
 * @state: a word of docs/setup.md, "JSON"
 * @is_changed: the drop-in was written or removed now
 * @by_hand: what a person has to do; "": nothing
 */
struct setup_result {
	const char *state;
	bool is_changed;
	int status;
	struct err err;
	char by_hand[512];
};

static void put_reasons(const struct setup *s)
{
	unsigned int i;

	for (i = 0; i < s->nr_reasons; i++)
		printf("  - %s\n", s->reasons[i]);
}

static void put_text_or_null(struct json *j, const char *key, const char *text)
{
	if (*text)
		json_str(j, key, text);
	else
		json_null(j, key);
}

static void put_setup_json(const struct setup *s, const struct setup_result *r)
{
	struct json j = { .f = stdout };
	unsigned int i;

	json_open(&j, NULL, '{');
	json_str(&j, "state", r->state);
	json_u64(&j, "exit_status", r->status);
	json_bool(&j, "changed", r->is_changed);
	json_u64(&j, "size", s->size);
	json_u64(&j, "address", s->addr);
	json_str(&j, "words", s->words);
	json_bool(&j, "in_effect", s->in_effect);
	json_bool(&j, "written", !strcmp(r->state, "reboot"));
	json_open(&j, "reasons", '[');
	for (i = 0; i < s->nr_reasons; i++)
		json_str(&j, NULL, s->reasons[i]);
	json_close(&j, ']');
	put_text_or_null(&j, "by_hand", r->by_hand);
	put_text_or_null(&j, "error", r->err.msg);
	json_close(&j, '}');
	json_end(&j);
}

/* An error is an end as well. */
static int end_with(struct setup_result *r, const char *state, int status)
{
	r->state = state;
	r->status = status;
	return status;
}

static int end_with_error(struct setup_result *r)
{
	return end_with(r, r->err.code == ERR_NOT_OURS ? "impossible" : "failed", r->err.code);
}

static int end_with_reboot(struct setup_result *r, const struct setup_choices *opt)
{
	return end_with(r, "reboot", opt->action == UNATTENDED ? STATUS_REBOOT : ERR_OK);
}

/* What GRUB made of it is what counts. */
static int check_config(const struct setup *s, const struct setup_choices *opt,
			struct setup_result *r)
{
	unsigned int all, with;

	setup_entries(s->root, s->words, &all, &with);
	if (!with) {
		err_set(&r->err, ERR_NOT_OURS, ERR_NO_OFF,
			"update-grub ran, and no kernel of /boot/grub/grub.cfg gets %s; is GRUB_CMDLINE_LINUX set behind it in /etc/default/grub.d?",
			s->words);
		return end_with_error(r);
	}
	if (!opt->json)
		printf("/boot/grub/grub.cfg: %u of %u entries have it\n", with, all);
	return end_with_reboot(r, opt);
}

/* A new drop-in that GRUB has not taken is not left behind. */
static int update(const struct setup *s, const struct setup_choices *opt, bool is_new,
		  struct setup_result *r)
{
	struct err ignored = ERR_INIT;

	if (!setup_update(s->root, &r->err))
		return check_config(s, opt, r);
	if (is_new && !setup_remove(s->root, &ignored)) {
		err_while(&r->err, SETUP_DROP_IN " is taken away again");
		r->is_changed = false;
	}
	return end_with_error(r);
}

static int write_drop_in(struct setup *s, const struct setup_choices *opt, bool is_there,
			 bool is_kept, struct setup_result *r)
{
	if (!is_kept && setup_write(s->root, s->words, &r->err))
		return end_with_error(r);
	r->is_changed = !is_kept;
	if (!opt->json)
		printf("%s " SETUP_DROP_IN ": %s\n", is_kept ? "there is" : "wrote", s->words);
	return update(s, opt, !is_there, r);
}

static bool has_grub_taken(const struct setup *s)
{
	unsigned int all, with;

	setup_entries(s->root, s->words, &all, &with);
	return with;
}

static int take_lock(const struct setup *s, struct setup_result *r)
{
	int ret = setup_lock(s->root, &r->err);

	if (ret < 0)
		return end_with_error(r);
	if (ret)
		return 0;
	err_set(&r->err, ERR_NOT_OURS, ERR_NO_OFF,
		"another epitaph setup is at work on this machine, and this one has changed nothing; run it again when that has ended");
	return end_with(r, "busy", STATUS_BUSY);
}

static int write_it(struct setup *s, const struct setup_choices *opt, struct setup_result *r)
{
	char words[SETUP_WORDS];
	int there;
	bool is_kept;

	if (!setup_has_grub(s->root)) {
		setup_by_hand(s->root, s->words, r->by_hand, sizeof(r->by_hand));
		err_set(&r->err, ERR_NOT_OURS, ERR_NO_OFF,
			"there is no GRUB with drop-ins here, and nothing is written; %s", r->by_hand);
		return end_with_error(r);
	}
	if (take_lock(s, r))
		return r->status;
	there = setup_written(s->root, words, &r->err);
	if (there < 0)
		return end_with_error(r);
	is_kept = there && setup_is_wanted(s, words);
	if (is_kept)
		strcpy(s->words, words);
	if (is_kept && opt->action == UNATTENDED && has_grub_taken(s)) {
		if (!opt->json)
			printf("there is " SETUP_DROP_IN ": %s\n", s->words);
		return end_with_reboot(r, opt);
	}
	if (setup_can_write(s->root, &r->err)) {
		setup_by_hand(s->root, s->words, r->by_hand, sizeof(r->by_hand));
		return end_with_error(r);
	}
	return write_drop_in(s, opt, there, is_kept, r);
}

static void put_proposal(const struct setup *s)
{
	char size[32];

	text_size(size, sizeof(size), s->size);
	if (s->in_effect)
		printf("%s are reserved already:\n", size);
	else
		printf("%s:\n", s->words);
	put_reasons(s);
	if (s->in_effect)
		puts("\nNothing is to be written; epitaph doctor says whether all is well.");
}

static void put_how(const struct setup *s)
{
	char words[SETUP_WORDS], by_hand[512];
	struct err ignored = ERR_INIT;

	if (!setup_is_chosen(s) && setup_written(s->root, words, &ignored) == 1) {
		printf("\n" SETUP_DROP_IN " is there: %s. Reboot; epitaph setup --write runs update-grub again.\n",
		       words);
	} else if (setup_has_grub(s->root)) {
		puts("\nNothing is written yet: epitaph setup --write makes " SETUP_DROP_IN
		     " and runs update-grub. Then reboot.");
	} else {
		setup_by_hand(s->root, s->words, by_hand, sizeof(by_hand));
		printf("\nThere is no GRUB with drop-ins here, so nothing is written: %s. Then reboot.\n",
		       by_hand);
	}
}

static void put_reboot(const struct setup_result *r)
{
	if (r->is_changed || r->status == ERR_OK)
		puts("\nReboot: memory is set aside when a kernel starts. Then epitaph doctor says whether all is well.");
	else
		puts("\nNothing was changed: GRUB has it already. Reboot: memory is set aside when a kernel starts.");
}

static int set_up(struct setup *s, const struct setup_choices *opt, struct setup_result *r)
{
	if (setup_plan(s, &r->err))
		return end_with_error(r);
	s->tries_place = !*s->root && opt->action != PROPOSE;
	setup_note_storage(s);
	if (!opt->json)
		put_proposal(s);
	if (s->in_effect)
		return end_with(r, "reserved", ERR_OK);
	if (opt->action != PROPOSE)
		return write_it(s, opt, r);
	if (!opt->json)
		put_how(s);
	return end_with(r, "proposed", ERR_OK);
}

static int take_away(const struct setup *s, const struct setup_choices *opt,
		     struct setup_result *r)
{
	struct err ignored = ERR_INIT;
	char words[SETUP_WORDS];
	int there;

	if (machine_exists(s->root, SETUP_LOCK) && take_lock(s, r))
		return r->status;
	there = setup_written(s->root, words, &r->err);
	if (!there && !opt->json)
		puts("there is no " SETUP_DROP_IN);
	if (!there)
		return end_with(r, "removed", ERR_OK);
	if (there < 0 || setup_remove(s->root, &r->err))
		return end_with_error(r);
	r->is_changed = true;
	if (setup_update(s->root, &r->err)) {
		/* Or the next --remove would find nothing, and GRUB would keep the words. */
		if (setup_has_grub(s->root) && !setup_write(s->root, words, &ignored)) {
			err_while(&r->err, SETUP_DROP_IN " is put back");
			r->is_changed = false;
		}
		return end_with_error(r);
	}
	if (!opt->json)
		printf("took away " SETUP_DROP_IN ": %s\nThe memory is the kernel's again after the next reboot.\n",
		       words);
	return end_with(r, "removed", ERR_OK);
}

static int set_up_or_remove(struct setup *s, const struct setup_choices *opt)
{
	struct setup_result r = { .state = "failed", .err = ERR_INIT };
	int flushed;

	if (opt->action == REMOVE)
		take_away(s, opt, &r);
	else
		set_up(s, opt, &r);
	if (r.err.code)
		status_fail("setup", &r.err);
	else if (!opt->json && !strcmp(r.state, "reboot"))
		put_reboot(&r);
	if (opt->json)
		put_setup_json(s, &r);
	flushed = status_flush("setup");
	return flushed ? flushed : r.status;
}

static bool take_bytes(const char *name, const char *text, u64 *ret)
{
	const char *end;

	*ret = cmdline_bytes(text, &end);
	if (end != text && !*end)
		return true;
	cmd_misuse("setup", "--%s: not a number of bytes, such as 16M or 0x20000000: %s", name, text);
	return false;
}

/* By what this machine records now. */
static int take_measured_size(struct setup *s, const struct load_question *question)
{
	struct load_answer load;
	struct err err = ERR_INIT;
	int ret = load_measure(&load, question, &err);
	char span[32], measured[32];

	text_seconds(span, sizeof(span), question->for_ns, false);
	text_seconds(measured, sizeof(measured), load.rates.ns, false);
	if (!ret)
		setup_reason(s, "%lluK hold the last %s s of what was recorded in %s s now: epitaph size",
			     load.region >> 10, span, measured);
	s->want_size = load.region;
	load_free(&load);
	return ret ? status_fail("setup", &err) : 0;
}

int cmd_setup(int argc, char **argv)
{
	struct setup s = { .root = "", .want_addr = SETUP_NO_ADDR };
	struct setup_choices opt = { PROPOSE, false };
	struct load_question load = LOAD_QUESTION;
	int c, ret;

	while ((c = cmd_next_option(argc, argv)) != -1) {
		if (c == 'e')
			s.erases_place = true;
		else if (c == 'j')
			opt.json = true;
		else if (c == 'r')
			s.root = optarg;
		else if (c == 'w' || c == 'x' || c == 'u')
			opt.action = c == 'w' ? WRITE : c == 'x' ? REMOVE : UNATTENDED;
		else if (c == 's' && !take_bytes("size", optarg, &s.want_size))
			return ERR_USAGE;
		else if (c == 'a' && !take_bytes("address", optarg, &s.want_addr))
			return ERR_USAGE;
		else if (c == 'f' && !cmd_take_span("setup", "for", optarg, &load.for_ns))
			return ERR_USAGE;
		else if (c != 's' && c != 'a' && c != 'f')
			return cmd_usage("setup");
	}
	if (optind < argc)
		return cmd_misuse("setup", "it takes no FILE: %s", argv[optind]);
	if (cmd_check_root("setup", s.root))
		return ERR_USAGE;
	if (!*s.root && geteuid())
		return cmd_needs_root("setup", "only root sees addresses in /proc/iomem");
	if (load.for_ns && (s.want_size || *s.root || opt.action == REMOVE))
		return cmd_misuse("setup", "--for measures this machine: it goes with neither --size, --root nor --remove");
	ret = load.for_ns ? take_measured_size(&s, &load) : 0;
	return ret ? ret : set_up_or_remove(&s, &opt);
}
