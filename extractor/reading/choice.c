// SPDX-License-Identifier: GPL-2.0-or-later
#include "choice.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <epitaph/epitaph.h>

#include "base/parse_number.h"
#include "debuginfo/debuginfo_path.h"
#include "debuginfo/debuginfod_client.h"
#include "chosen.h"
#include "reading.h"

#define JOBS_UNASKED	4	/* more of them print little sooner: each goes through all events */

/* The library's sources and numbers of generations are the postmortem's. */
_Static_assert((int)EPITAPH_RECORDER == (int)POSTMORTEM_REGION, "the recorder");
_Static_assert((int)EPITAPH_FTRACE == (int)POSTMORTEM_FTRACE, "the kernel's own trace");
_Static_assert((int)EPITAPH_KERNEL_LOG == (int)POSTMORTEM_LOG, "the kernel's log");
_Static_assert(CHOICE_NEWEST == GENERATION_NEWEST && CHOICE_ALL == GENERATION_ALL &&
	       CHOICE_BACK(1) == GENERATION_BACK(1) && CHOICE_MOST_BACK == GENERATIONS_BACK, "generations");

/* @possible: what it could have been */
static int refuse_value(struct err *err, const char *option, const char *arg, const char *possible)
{
	return err_set(err, ERR_USAGE, ERR_NO_OFF, "--%s: %s, and not \"%s\"", option, possible, arg);
}

static int choose_sources(u32 *ret, const char *text, struct err *err)
{
	static const struct {
		const char *name;
		u32 sources;
	} all[] = {
		{ "region", EPITAPH_RECORDER }, { "ftrace", EPITAPH_FTRACE },
		{ "log", EPITAPH_KERNEL_LOG }, { "all", POSTMORTEM_ALL },
	};
	const char *word;
	size_t i, len;

	for (word = text; *word; word += len + !!word[len]) {
		len = strcspn(word, ",");
		for (i = 0; i < ARRAY_SIZE(all); i++)
			if (strlen(all[i].name) == len && !strncmp(word, all[i].name, len))
				break;
		if (i == ARRAY_SIZE(all))
			break;
		*ret |= all[i].sources;
	}
	if (!*word && *text)
		return 1;
	return err_set(err, ERR_USAGE, ERR_NO_OFF,
		       "--source: not some of region, ftrace, log, or all: %s", text);
}

static int choose_generation(struct choice *c, const char *text, struct err *err)
{
	u64 back;

	if (c->all_generations && !strcmp(text, "all")) {
		c->generation = CHOICE_ALL;
		return 1;
	}
	if (*text == '-' && parse_number(text + 1, CHOICE_MOST_BACK, &back) && back) {
		c->generation = CHOICE_BACK(back);
		return 1;
	}
	if (parse_number(text, CHOICE_BACK(CHOICE_MOST_BACK) - 1, &c->generation) && c->generation)
		return 1;
	if (!strcmp(text, "all"))
		return err_set(err, ERR_USAGE, ERR_NO_OFF,
			       "--generation all: epitaph info tells all of them; here it is one at a time");
	return err_set(err, ERR_USAGE, ERR_NO_OFF, "--generation: not a number from 1, or from -1 down%s: %s",
		       c->all_generations ? ", nor \"all\"" : "", text);
}

/* A file that is there, NAME:FILE, or else a name. @arg is the command line's, and is written to. */
static bool take_guest_word(struct choice_guest *guest, char *arg)
{
	char *path = arg;

	*guest = (struct choice_guest){ 0 };
	for (; path && access(path, F_OK); path = path ? path + 1 : NULL)
		path = strchr(path, ':');
	if (!path)
		guest->vm = arg;
	else
		guest->path = path;
	if (path && path > arg) {
		path[-1] = '\0';
		guest->vm = arg;
	}
	return !guest->path || reading_also(guest->path);
}

static int choose_with(struct choice *c, const char *arg, struct err *err)
{
	if (strncmp(arg, "guest=", 6) || !arg[6] || arg[6] == ':')
		return refuse_value(err, "with", arg, "guest= and a guest's name, UUID or process, or the FILE that it recorded");
	if (c->nr_with == CHOICE_GUESTS_MAX)
		return err_set(err, ERR_USAGE, ERR_NO_OFF, "--with: no more than %u guests", CHOICE_GUESTS_MAX);
	if (!take_guest_word(&c->with[c->nr_with++], (char *)arg + 6))
		return err_sys(err, "memory for the name of a file");
	return 1;
}

int choice_take(struct choice *c, int opt, const char *arg, struct err *err)
{
	u64 n;

	switch (opt) {
	case 'l':
		c->has_ns = true;
		if (!parse_seconds(arg, &c->ns))
			return refuse_value(err, "last", arg, "seconds, like 0.25 or 10");
		break;
	case 'n':
		c->has_events = true;
		if (!parse_number(arg, 1ULL << 62, &c->events))
			return refuse_value(err, "events", arg, "a whole number");
		break;
	case 'a':
		c->all = true;
		break;
	case 'C':
		if (!parse_number(arg, UINT32_MAX - 1, &n))
			return refuse_value(err, "cpu", arg, "the number of one CPU, from 0");
		c->cpu = n;
		break;
	case 'P':
		if (!parse_number(arg, UINT32_MAX, &n))
			return refuse_value(err, "pid", arg, "the number of one thread, from 0");
		c->pid = n;
		break;
	case 'c':
		c->comm = arg;
		break;
	case 'e':
		c->event = arg;
		break;
	case 'h':
		c->channel = arg;
		break;
	case 'd':
		c->damaged = true;
		break;
	case 'g':
		return choose_generation(c, arg, err);
	case 'G':
		c->guest = arg;
		return *arg ? 1 : refuse_value(err, "guest", arg, "a guest's name, UUID or process; epitaph info lists them");
	case 'W':
		return choose_with(c, arg, err);
	case 's':
		return choose_sources(&c->sources, arg, err);
	case 'D':
		return debug_places_add(arg, err) ? -ERR_USAGE : 1;
	case 'J':
		if (!parse_number(arg, TURNS_MAX, &n) || !n)
			return refuse_value(err, "jobs", arg, "a number of processes, from 1 to 8");
		c->jobs = n;
		return 1;
	case 'F':
		return debuginfod_want(err) ? -ERR_USAGE : 1;
	default:
		return 0;
	}
	if (c->has_ns + c->has_events + c->all > 1)
		return err_set(err, ERR_USAGE, ERR_NO_OFF, "only one of --last, --events and --all");
	return 1;
}

u32 choice_jobs(const struct choice *c)
{
	cpu_set_t cpus;

	if (c->nr_with)
		return 1;
	if (c->jobs)
		return c->jobs;
	/* It fails where there are more CPUs than a cpu_set_t has. */
	if (sched_getaffinity(0, sizeof(cpus), &cpus))
		return JOBS_UNASKED;
	return CPU_COUNT(&cpus) < JOBS_UNASKED ? CPU_COUNT(&cpus) : JOBS_UNASKED;
}

struct window chosen_window(const struct choice *c)
{
	return (struct window){
		.kind = c->has_ns ? WINDOW_LAST_NS : c->has_events ? WINDOW_LAST_EVENTS :
			c->all ? WINDOW_ALL : WINDOW_DEFAULT,
		.ns = c->ns, .events = c->events, .cpu = c->cpu, .pid = c->pid, .comm = c->comm,
		.event = c->event, .channel = c->channel, .damaged = c->damaged, .turns = c->turns,
	};
}

/* With guests, all sources that there are: KVM's events are mostly in the host's own trace. */
static u32 chosen_sources(const struct choice *c)
{
	return c->sources || !c->nr_with ? c->sources : POSTMORTEM_ALL;
}

int chosen_joint(struct joint **ret, struct postmortem *pm, const struct dump_files *files,
		 const struct choice *c, struct err *err)
{
	struct joint_want wants[CHOICE_GUESTS_MAX];
	const struct window window = chosen_window(c);

	*ret = NULL;
	if (window_is_isolated(&window, pm))
		return err_set(err, ERR_USAGE, ERR_NO_OFF,
			       "--channel: %s has a clock of its own, and no place beside guests; leave out --with", c->channel);
	*ret = calloc(1, sizeof(**ret));
	if (!*ret)
		return err_sys(err, "memory for guests");
	for (u32 i = 0; i < c->nr_with; i++)
		wants[i] = (struct joint_want){ c->with[i].vm, c->with[i].path };
	return joint_open(*ret, pm, files, wants, c->nr_with, chosen_sources(c), err);
}

void chosen_joint_close(struct joint *joint)
{
	if (joint)
		joint_close(joint);
	free(joint);
}

static int open_sources(struct postmortem *pm, const struct dump_files *files, const struct choice *choice, u32 sources,
			struct err *err)
{
	if (choice->guest)
		return pm_open_guest(pm, files, choice->guest, sources, choice->generation, err);
	return pm_open(pm, files, sources, choice->generation, err);
}

/* The recorder was not there in the boot that crashed: of that, the dump has its kernel alone. */
static int open_last_boot(struct postmortem *pm, const struct dump_files *files, const struct choice *choice, u32 sources,
			  struct err *err)
{
	u64 number = pm->recording->generation->hdr.number;
	int ret;

	pm_close(pm);
	ret = open_sources(pm, files, choice, sources & POSTMORTEM_KERNEL, err);
	if (ret)
		return ret;
	pm->is_other_boot = true;
	snprintf(pm->why_no_region, sizeof(pm->why_no_region),
		 "generation %llu is of another boot than this kernel; --generation %llu reads the recording", number, number);
	return 0;
}

int chosen_open(struct postmortem *pm, const struct dump_files *files,
		const struct choice *choice, struct err *err)
{
	u32 sources = choice->guest ? choice->sources : chosen_sources(choice);
	int ret;

	*pm = (struct postmortem){ 0 };
	if (choice->nr_with && choice->generation != GENERATION_NEWEST)
		return err_set(err, ERR_USAGE, ERR_NO_OFF,
			       "--generation: guests are those of the host's last boot; leave it out, or --with");
	ret = open_sources(pm, files, choice, sources, err);
	if (ret || !pm->is_other_boot || choice->keeps_recording || choice->generation != GENERATION_NEWEST)
		return ret;
	return open_last_boot(pm, files, choice, sources, err);
}
