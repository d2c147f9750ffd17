// SPDX-License-Identifier: GPL-2.0-or-later
/* The captures of this machine, newest first: docs/services.md. */
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "transfer/send_conf.h"
#include "captures.h"
#include "common.h"
#include "list_sealed.h"

#define GUESTS	"/var/lib/epitaph/guests"	/* of epitaph guest watch */

static const char *const end_names[] = {
	[CAUSE_UNREADABLE] = "unreadable", [CAUSE_CRASHED] = "crashed", [CAUSE_ENDED] = "ended",
	[CAUSE_UNKNOWN] = "unknown",
};

static const char *end_name(const struct cause *cause)
{
	return cause->end < ARRAY_SIZE(end_names) ? end_names[cause->end] : "unreadable";
}

static void put_why_ended(const struct cause *cause)
{
	switch (cause->end) {
	case CAUSE_CRASHED:
		if (cause->is_rehearsal)
			fputs("a rehearsal, epitaph test-crash: ", stdout);
		text_put(stdout, cause->text, strlen(cause->text));
		break;
	case CAUSE_ENDED:
		fputs("ended in order: ", stdout);
		text_put(stdout, cause->text, strlen(cause->text));
		break;
	case CAUSE_UNKNOWN:
		fputs("reset, or still running: the kernel did not say", stdout);
		break;
	default:
		fputs("cannot be read", stdout);
	}
}

static u64 saved_ns(const struct found_capture *capture)
{
	return capture->saved.saved.tv_sec * 1000000000ULL + capture->saved.saved.tv_nsec;
}

static void list_text(const struct found_capture *capture, const struct cause *cause, const char *target)
{
	char date[64], size[32];

	text_date(date, sizeof(date), cause->real_ns ? cause->real_ns : saved_ns(capture));
	text_size(size, sizeof(size), capture->saved.size);
	printf("%s%s, %s", cause->real_ns ? "" : "saved ", date, size);
	if (*capture->guest) {
		fputs(", guest ", stdout);
		text_put(stdout, capture->guest, strlen(capture->guest));
		target = NULL;
	}
	if (target)
		fputs(capture->saved.sent ? ", sent" : ", not sent", stdout);
	fputs(": ", stdout);
	put_why_ended(cause);
	fputs("\n    ", stdout);
	text_put(stdout, capture->region, strlen(capture->region));
	putchar('\n');
}

static void list_json(const struct found_capture *capture, const struct cause *cause, const char *target)
{
	struct json j = { .f = stdout };

	json_open(&j, NULL, '{');
	json_str(&j, "region", capture->region);
	json_str(&j, "guest", *capture->guest ? capture->guest : NULL);
	if (cause->real_ns)
		json_u64(&j, "wall_ns", cause->real_ns);
	else
		json_null(&j, "wall_ns");
	json_u64(&j, "saved_ns", saved_ns(capture));
	json_u64(&j, "size", capture->saved.size);
	if (target)
		json_bool(&j, "sent", capture->saved.sent);
	else
		json_null(&j, "sent");
	json_str(&j, "end", end_name(cause));
	json_str(&j, "cause", *cause->text ? cause->text : NULL);
	json_bool(&j, "rehearsal", cause->is_rehearsal);
	json_close(&j, '}');
	json_end(&j);
}

static int list_captures(const struct captures *all, char *const *dirs, const char *target, bool json)
{
	int status = all->status;
	struct cause cause;
	size_t i, nr_sealed;

	for (i = 0; i < all->nr; i++) {
		status = status_worse(status, capture_cause(&cause, &all->list[i]));
		(json ? list_json : list_text)(&all->list[i], &cause, target);
	}
	status = status_worse(status, list_sealed(dirs, json, &nr_sealed));
	if (!all->nr && !nr_sealed && !json && status == ERR_OK)
		puts("no captures");
	return status_worse(status, status_flush("list"));
}

int cmd_list(int argc, char **argv)
{
	static struct send_conf send;
	const char *conf = SEND_CONF, *guests = GUESTS;
	struct err err = ERR_INIT;
	struct captures all;
	bool json = false;
	int opt, status = ERR_OK;

	while ((opt = cmd_next_option(argc, argv)) != -1) {
		if (opt == 'j')
			json = true;
		else if (opt == 'f')
			conf = optarg;
		else if (opt == 'g')
			guests = optarg;
		else
			return cmd_usage("list");
	}
	/* A setting that is wrong hides no crash: what is sent is not known then. */
	if (send_conf_read(&send, conf, strcmp(conf, SEND_CONF), &err)) {
		status = status_fail("list", &err);
		send.value[SEND_TO] = NULL;
	}
	captures_find(&all, "list", argv + optind, send.value[SEND_TO]);
	if (!argv[optind])
		captures_find_guests(&all, "list", guests);
	status = status_worse(status, list_captures(&all, argv + optind, send.value[SEND_TO], json));
	captures_free(&all);
	return status;
}
