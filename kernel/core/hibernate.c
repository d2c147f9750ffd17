// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hibernation.  The region is in no image: what is resumed is the kernel as it was, and the region
 * as others left it.  So nothing is recorded from before the image is made until it is resumed, and
 * then it is seen whether the region is still ours.
 *
 * A kernel that records and gives way to one that hibernated has not crashed: it ends in order.
 */
#include <linux/notifier.h>
#include <linux/string.h>
#include <linux/suspend.h>
#include <trace/events/power.h>
#include "control/consume.h"
#include "control/control.h"
#include "control/members.h"
#include "control/program_rings.h"
#include "events/probe.h"
#include "flush.h"
#include "hibernate.h"
#include "lost.h"
#include "recorder.h"

static struct epitaph_header header;	/* of the region, when the image was made */
static bool was_recording, is_away, sees_resume;

bool epitaph_hibernates(void)
{
	return READ_ONCE(is_away);
}

static void before_image(void)
{
	if (epitaph_lost())
		return;
	WRITE_ONCE(is_away, true);
	/* Commands that began before would have recording go on, or end, behind our back. */
	epitaph_control_settle();
	was_recording = !epitaph_all_paused();
	memcpy(&header, epitaph_region.base, sizeof(header));
	epitaph_probes_pause(true);
	epitaph_anchors_pause();
	epitaph_skew_pause(true);
	epitaph_consume_pause(true);
	epitaph_program_rings_pause(true);
}

static void before_another_resumes(void)
{
	before_image();
	epitaph_mark(EPITAPH_MARK_END, "a kernel that hibernated is resumed");
	epitaph_flush();
}

/*
 * In the kernel that was resumed this is the first that runs of us: on one CPU, with interrupts off.
 * What comes between this and after_image() asks epitaph_lost() before it writes.
 */
static void lose_what_others_wrote(void)
{
	if (is_away && !epitaph_lost() && memcmp(&header, epitaph_region.base, sizeof(header)))
		epitaph_lose(EPITAPH_LOST_IN_HIBERNATION);
}

/* Also behind a suspend, and in the kernel that makes the image: then the header is as it was. */
static void on_resume(void *unused, const char *action, int value, bool begins)
{
	if (!begins && !strcmp(action, "machine_suspend"))
		lose_what_others_wrote();
}

static void go_on(void)
{
	if (epitaph_lost() == EPITAPH_LOST_IN_HIBERNATION) {
		epitaph_consume_lose();
		pr_err("the region was lost in hibernation: its memory was without power, or the kernel that resumed this one recorded there; nothing is recorded until the module is unloaded and loaded again\n");
	}
	if (epitaph_lost())
		return;
	epitaph_anchors_go_on();
	epitaph_skew_pause(false);
	epitaph_consume_pause(false);
	epitaph_program_rings_pause(false);
	epitaph_earlier_erase_later();
	if (was_recording)
		epitaph_probes_pause(false);
	else
		/* The newest mark must not be that of an end. */
		epitaph_mark(EPITAPH_MARK_STOP, "still stopped after hibernation");
}

/*
 * Also where no image could be made, or none could be resumed.  A recorder that was loaded since
 * before_image(), as beside an open /dev/snapshot, has nothing to take up.
 */
static void after_image(void)
{
	if (!is_away)
		return;
	lose_what_others_wrote();
	go_on();
	WRITE_ONCE(is_away, false);
}

static int on_pm(struct notifier_block *self, unsigned long event, void *unused)
{
	switch (event) {
	case PM_HIBERNATION_PREPARE:
		before_image();
		break;
	case PM_RESTORE_PREPARE:
		before_another_resumes();
		break;
	case PM_POST_HIBERNATION:
	case PM_POST_RESTORE:
		after_image();
		break;
	}
	return NOTIFY_DONE;
}

static struct notifier_block pm_block = { .notifier_call = on_pm };

void epitaph_hibernate_start(void)
{
	register_pm_notifier(&pm_block);
	sees_resume = !register_trace_suspend_resume(on_resume, NULL);
}

void epitaph_hibernate_stop(void)
{
	if (sees_resume) {
		unregister_trace_suspend_resume(on_resume, NULL);
		tracepoint_synchronize_unregister();
	}
	unregister_pm_notifier(&pm_block);
}
