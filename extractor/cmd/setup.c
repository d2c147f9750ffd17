// SPDX-License-Identifier: GPL-2.0-or-later
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "base/text.h"
#include "host/setup.h"
#include "common.h"

enum action { PROPOSE, WRITE, REMOVE };

struct setup_choices {
	enum action action;
	bool json;
};

static void put_reasons(const struct setup *s)
{
	unsigned int i;

	for (i = 0; i < s->nr_reasons; i++)
		printf("  - %s\n", s->reasons[i]);
}

static void put_setup_json(const struct setup *s, bool written)
{
	struct json j = { .f = stdout };
	unsigned int i;

	json_open(&j, NULL, '{');
	json_u64(&j, "size", s->size);
	json_u64(&j, "address", s->addr);
	json_str(&j, "words", s->words);
	json_bool(&j, "in_effect", s->in_effect);
	json_bool(&j, "written", written);
	json_open(&j, "reasons", '[');
	for (i = 0; i < s->nr_reasons; i++)
		json_str(&j, NULL, s->reasons[i]);
	json_close(&j, ']');
	json_close(&j, '}');
	json_end(&j);
}

static void put_reboot(void)
{
	puts("\nReboot: memory is set aside when a kernel starts. Then epitaph doctor says whether all is well.");
}

/* What GRUB made of it is what counts. */
static int check_config(const struct setup *s, bool quiet)
{
	unsigned int all, with;

	setup_entries(s->root, s->words, &all, &with);
	if (!with) {
		fflush(stdout);
		fprintf(stderr, "epitaph setup: update-grub ran, and no kernel of /boot/grub/grub.cfg gets %s; is GRUB_CMDLINE_LINUX set behind it in /etc/default/grub.d?\n",
			s->words);
		return ERR_NOT_OURS;
	}
	if (!quiet)
		printf("/boot/grub/grub.cfg: %u of %u entries have it\n", with, all);
	return ERR_OK;
}

/* A new drop-in that GRUB has not taken is not left behind. */
static int update(const struct setup *s, bool is_new, bool quiet)
{
	struct err err = ERR_INIT, ignored = ERR_INIT;

	if (!setup_update(s->root, &err))
		return check_config(s, quiet);
	if (is_new && !setup_remove(s->root, &ignored))
		err_while(&err, SETUP_DROP_IN " is taken away again");
	return status_fail("setup", &err);
}

static int write_it(struct setup *s, const struct setup_choices *opt)
{
	char words[SETUP_WORDS], by_hand[512];
	struct err err = ERR_INIT;
	int there, status;

	if (!setup_has_grub(s->root)) {
		setup_by_hand(s->root, s->words, by_hand, sizeof(by_hand));
		fflush(stdout);
		fprintf(stderr, "epitaph setup: there is no GRUB with drop-ins here, and nothing is written; %s\n",
			by_hand);
		return ERR_NOT_OURS;
	}
	there = setup_written(s->root, words, &err);
	if (there < 0)
		return status_fail("setup", &err);
	if (there && !setup_is_chosen(s))
		strcpy(s->words, words);
	else if (setup_write(s->root, s->words, &err))
		return status_fail("setup", &err);
	if (!opt->json)
		printf("%s " SETUP_DROP_IN ": %s\n", there && !setup_is_chosen(s) ? "there is" : "wrote",
		       s->words);
	status = update(s, !there, opt->json);
	if (!status && !opt->json)
		put_reboot();
	return status;
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

static int propose(struct setup *s, const struct setup_choices *opt)
{
	struct err err = ERR_INIT;
	int status = ERR_OK;

	if (setup_plan(s, &err))
		return status_fail("setup", &err);
	if (!opt->json)
		put_proposal(s);
	if (opt->action == WRITE && !s->in_effect)
		status = write_it(s, opt);
	else if (!opt->json && !s->in_effect)
		put_how(s);
	if (opt->json)
		put_setup_json(s, opt->action == WRITE && !s->in_effect && !status);
	return status_worse(status, status_flush("setup"));
}

static int take_away(const struct setup *s)
{
	char words[SETUP_WORDS];
	struct err err = ERR_INIT;
	int there = setup_written(s->root, words, &err);

	if (!there) {
		puts("there is no " SETUP_DROP_IN);
		return status_flush("setup");
	}
	if (there < 0 || setup_remove(s->root, &err) || setup_update(s->root, &err))
		return status_fail("setup", &err);
	printf("took away " SETUP_DROP_IN ": %s\nThe memory is the kernel's again after the next reboot.\n",
	       words);
	return status_flush("setup");
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

int cmd_setup(int argc, char **argv)
{
	struct setup s = { .root = "", .want_addr = SETUP_NO_ADDR };
	struct setup_choices opt = { PROPOSE, false };
	int c;

	while ((c = cmd_next_option(argc, argv)) != -1) {
		if (c == 'j')
			opt.json = true;
		else if (c == 'r')
			s.root = optarg;
		else if (c == 'w' || c == 'x')
			opt.action = c == 'w' ? WRITE : REMOVE;
		else if (c == 's' && !take_bytes("size", optarg, &s.want_size))
			return ERR_USAGE;
		else if (c == 'a' && !take_bytes("address", optarg, &s.want_addr))
			return ERR_USAGE;
		else if (c != 's' && c != 'a')
			return cmd_usage("setup");
	}
	if (optind < argc)
		return cmd_misuse("setup", "it takes no FILE: %s", argv[optind]);
	if (!*s.root && geteuid())
		return cmd_needs_root("setup", "only root sees addresses in /proc/iomem");
	return opt.action == REMOVE ? take_away(&s) : propose(&s, &opt);
}
