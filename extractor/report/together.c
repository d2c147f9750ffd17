// SPDX-License-Identifier: GPL-2.0-or-later
#include "together.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/text.h"
#include "timeline/joint_show.h"
#include "phrase.h"
#include "report.h"

#define WHERE_MAX	(KVM_NAME_MAX * 4 + 40)

/* One of them, and what prints it. */
struct together {
	FILE *f;
	struct joint *joint;
	struct printer *host;
	struct printer *guests[JOINT_GUESTS_MAX];
	char where[WHERE_MAX];
	u64 end;
	bool monotonic;
	struct line_watch *watch;
};

/* --- the head --------------------------------------------------------------- */

static void put_guest_name(FILE *f, const struct joint_guest *guest)
{
	text_put(f, guest->name, strlen(guest->name));
}

static void put_time_before(FILE *f, const struct together *t, u64 time)
{
	char seconds[40];

	text_seconds(seconds, sizeof(seconds), time <= t->end ? t->end - time : time - t->end, false);
	fprintf(f, "T%c%s", time <= t->end ? '-' : '+', seconds);
}

static void put_guest_end(FILE *f, const struct together *t, const struct joint_guest *guest)
{
	const struct postmortem_end *end = &guest->pm.end;
	u64 time;

	if (end->how == OUTCOME_UNKNOWN)
		return fputs("how it ended is not known", f), (void)0;
	fputs(end->how == OUTCOME_CRASHED ? "crashed" : "ended in order", f);
	if (guest->is_related && guest_time_host(&guest->time, end->time, &time) == GUEST_PLACED) {
		fputs(" at ", f);
		put_time_before(f, t, time);
	}
	fputs(": ", f);
	text_put(f, end->reason, sizeof(end->reason));
}

static void put_guest_vcpu_threads(FILE *f, const struct joint_guest *guest)
{
	if (!guest->vm->nr_vcpus)
		fputs("no virtual CPU of it is known", f);
	for (u32 i = 0; i < guest->vm->nr_vcpus && i < 8; i++)
		fprintf(f, "%sCPU %u is thread %lld", i ? ", " : "", i, guest->vm->vcpus[i].pid);
	if (guest->vm->nr_vcpus > 8)
		fputs(", ...", f);
}

static const char *before_what(const struct guest_time *time)
{
	if (time->is_set)
		return "its counter was set";
	return time->clock_is_set ? "its kvm-clock was set last, as when it was resumed" : "its counter began, which cannot be";
}

/* What of the guest's events has no place; known once all were looked at. */
static void put_left_out(FILE *f, const struct joint_guest *guest)
{
	if (guest->left_before)
		fprintf(f, "#   %s%llu event%s would lie before %s, and %s left out\n",
			guest->time.is_set ? "it was resumed here, or came from another host: " : "", guest->left_before, plural(guest->left_before),
			before_what(&guest->time), guest->left_before == 1 ? "is" : "are");
	if (guest->left_after)
		fprintf(f, "#   %llu event%s would lie behind the end of the host, and %s left out\n", guest->left_after,
			plural(guest->left_after), guest->left_after == 1 ? "is" : "are");
}

static void put_bound(FILE *f, struct joint_bound bound)
{
	fprintf(f, "; its times are those of the host within %llu ns", bound.most);
	if (bound.others > bound.most)
		fprintf(f, ", those of another clock and of the logs within %llu ns", bound.others);
	putc('\n', f);
}

/* Its bound holds from there on. */
static void put_set_back(FILE *f, const struct joint_guest *guest)
{
	char seconds[40];

	if (!guest->time.set_back)
		return;
	text_seconds(seconds, sizeof(seconds), guest->time.set_back, false);
	fprintf(f, "#   if QEMU stopped it and let it go on, what it did before may have been up to %s s earlier: KVM of arm64 does not keep when its counter was set\n",
		seconds);
}

static void put_joint_guest(const struct together *t, const struct joint_guest *guest)
{
	FILE *f = t->f;

	fputs("# guest ", f);
	put_guest_name(f, guest);
	fputs(": ", f);
	put_guest_end(f, t, guest);
	fputs("\n#   ", f);
	put_guest_vcpu_threads(f, guest);
	if (!guest->is_related) {
		fprintf(f, "; its times are not known: %s; its events are left out; see them %s\n", guest->why,
			guest->asked.path ? "in its file alone" : "with --guest");
		return;
	}
	put_bound(f, joint_bound(t->joint, guest));
	if (guest->inside + guest->outside)
		fprintf(f, "#   seen: %llu of %llu of its events lie where the host ran that CPU of it\n", guest->inside,
			guest->inside + guest->outside);
	put_set_back(f, guest);
	put_left_out(f, guest);
}

/* --- events ---------------------------------------------------------------- */

static void set_where(struct together *t, const struct joint_event *event)
{
	const struct joint_guest *guest = event->guest;
	const struct item *item = event->item;
	char name[KVM_NAME_MAX * 4];
	u32 cpu = item->cpu;

	snprintf(t->where, sizeof(t->where), "host");
	if (!guest)
		guest = joint_guest_of(t->joint, item->pid, &cpu);
	if (!guest)
		return;
	escape_text(name, sizeof(name), guest->name, strlen(guest->name));
	if (!event->guest)
		snprintf(t->where, sizeof(t->where), "host>%s/%u", name, cpu);
	else if (cpu == NO_CPU || joint_thread_of(guest, cpu) < 0)
		snprintf(t->where, sizeof(t->where), "%s", name);
	else
		snprintf(t->where, sizeof(t->where), "%s/%u<%lld", name, cpu, joint_thread_of(guest, cpu));
}

static void put_vcpu_wait(struct together *t, const struct vcpu_wait *wait)
{
	char name[KVM_NAME_MAX * 4];

	escape_text(name, sizeof(name), wait->guest->name, strlen(wait->guest->name));
	snprintf(t->where, sizeof(t->where), "%s/%u", name, wait->cpu);
	printer_gap(t->host, wait);
}

static void put_joint_event(struct together *t, const struct joint_event *event)
{
	set_where(t, event);
	printer_item(event->guest ? t->guests[event->guest - t->joint->list] : t->host, event->item);
}

static int walk_together(struct together *t, struct joint_window *window, struct err *err)
{
	struct joint_shown shown;
	struct joint_show *show;
	int ret = joint_show_open(&show, t->joint, window, JOINT_LONG_GAP_NS, err);

	if (ret)
		return ret;
	while (joint_show_next(show, &shown)) {
		if (shown.event)
			put_joint_event(t, shown.event);
		else
			put_vcpu_wait(t, shown.wait);
	}
	joint_show_close(show);
	return 0;
}

/* @guest: NULL: the host's */
static int new_printer(struct together *t, struct printer **ret, const struct joint_guest *guest, struct postmortem *pm,
		       struct err *err)
{
	struct printer_place place = {
		.where = t->where, .end = t->end, .monotonic = t->monotonic, .guest = guest, .watch = t->watch,
	};
	int res = printer_new(ret, t->f, pm, err);

	if (!res)
		printer_set_place(*ret, &place);
	return res;
}

int print_together_lines(FILE *f, struct joint *joint, struct joint_window *window, bool monotonic,
			 struct line_watch *watch, struct err *err)
{
	struct together t = { .f = f, .joint = joint, .end = joint->host->end.time, .monotonic = monotonic, .watch = watch };
	int ret = new_printer(&t, &t.host, NULL, joint->host, err);

	for (u32 i = 0; i < joint->nr && !ret; i++)
		ret = new_printer(&t, &t.guests[i], &joint->list[i], &joint->list[i].pm, err);
	if (!ret)
		ret = walk_together(&t, window, err);
	printer_free(t.host);
	for (u32 i = 0; i < joint->nr; i++)
		printer_free(t.guests[i]);
	return ret;
}

static void put_joint_shown(FILE *f, const struct joint_window *window)
{
	const struct window *asked = window->asked;

	fputs("# shown: ", f);
	if (asked->kind == WINDOW_ALL)
		fputs("all", f);
	else if (asked->kind == WINDOW_LAST_NS)
		fprintf(f, "the last %g s", asked->ns / 1e9);
	else
		fprintf(f, "the last %llu event%s of the host and of each guest, and what the host did beside these", window->events,
			plural(window->events));
	fprintf(f, "; gaps of %s in which a vCPU was not run\n", window->events ? "100 ms or more" : "10 ms or more");
	for (u32 i = 0; i < window->joint->nr; i++)
		if (window->parts[1 + i].beside_skip) {
			fputs("#   beside those of guest ", f);
			put_guest_name(f, &window->joint->list[i]);
			fprintf(f, " the host had %llu more; see them with --last\n", window->parts[1 + i].beside_skip);
		}
}

void print_together_head(FILE *f, struct joint *joint, const struct joint_window *window)
{
	struct together t = { .f = f, .joint = joint, .end = joint->host->end.time };

	for (u32 i = 0; i < joint->nr; i++)
		put_joint_guest(&t, &joint->list[i]);
	put_joint_shown(f, window);
}

int print_together(FILE *f, struct joint *joint, const struct window *asked, bool monotonic, struct err *err)
{
	struct joint_window window;
	int ret = joint_window_choose(&window, asked, joint, err);

	if (ret)
		return ret;
	print_together_head(f, joint, &window);
	fputs("# WHERE                       TASK-PID     CPU#  .....       TIME  FUNCTION\n", f);
	return print_together_lines(f, joint, &window, monotonic, NULL, err);
}
