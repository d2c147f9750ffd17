// SPDX-License-Identifier: GPL-2.0-only
/*
 * /dev/epitaph-control: a write is a command, a read after it returns the answer.
 * Each command changes state under the lock of the file that owns the state.
 */
#include <linux/capability.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/rwsem.h>
#include <linux/security.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <epitaph/earlier.h>
#include "core/hibernate.h"
#include "core/lost.h"
#include "events/probe.h"
#include "sources/bridge.h"
#include "answer.h"
#include "call_words.h"
#include "channel_words.h"
#include "context.h"
#include "control.h"
#include "members.h"
#include "recorder.h"
#include "event_config.h"
#include "trigger.h"

#define MAX_COMMAND	4095	/* bytes */

/**
 * struct session - one open file
 * @lock: of the rest
 * @answer: to the last command
 * @read: bytes of it that were read
 */
struct session {
	struct mutex lock;
	struct epitaph_answer answer;
	size_t read;
};

static bool is_there;

static const char *event_state(const struct epitaph_event *ev)
{
	if (ev->on)
		return "on";
	if (!ev->wanted)
		return "off";
	if (ev->refused)
		return "refused";
	return READ_ONCE(ev->tp) ? "stopped" : "absent";
}

static void show_event_state(struct epitaph_event *ev, void *answer)
{
	epitaph_answer(answer, "event %s:%s %s\n", ev->system, ev->name, event_state(ev));
}

static void show_counts(struct epitaph_answer *answer)
{
	struct epitaph_probe_counts counts;

	epitaph_probes_count(&counts);
	epitaph_answer(answer, "recording %s%s\n", epitaph_lost() || counts.is_paused ? "no" : "yes",
		       epitaph_lost() == EPITAPH_LOST_IN_HIBERNATION ? ": lost in hibernation" :
		       epitaph_lost() ? ": the device was removed" : "");
	epitaph_answer(answer, "events %u on, %u absent, %u refused\n", counts.on,
		       counts.absent, counts.refused);
}

static int do_events(struct epitaph_answer *answer, char *rest)
{
	int calls, err;

	if (!*rest) {
		epitaph_for_each_event(show_event_state, answer);
		return 0;
	}
	calls = epitaph_take_call_words(answer, rest);
	err = min(calls, 0);
	if (!calls)
		err = epitaph_probes_change(answer, rest);
	if (!err)
		show_counts(answer);
	return err;
}

static int no_words(struct epitaph_answer *answer, char *rest)
{
	if (!*rest)
		return 0;
	epitaph_answer(answer, "this command takes no words: '%s'\n", rest);
	return -EINVAL;
}

static int do_bridge(struct epitaph_answer *answer, char *rest)
{
	int err = 0;

	if (!strcmp(rest, "on")) {
		err = epitaph_bridge_on(answer);
	} else if (!strcmp(rest, "off")) {
		epitaph_bridge_off();
	} else if (*rest) {
		epitaph_answer(answer, "the bridge is 'on' or 'off', not '%s'\n", rest);
		err = -EINVAL;
	}
	if (!err)
		epitaph_bridge_show(answer);
	return err;
}

static int do_start(struct epitaph_answer *answer, char *rest)
{
	int err = no_words(answer, rest);

	if (err)
		return err;
	epitaph_probes_pause(false);
	show_counts(answer);
	return 0;
}

static int do_stop(struct epitaph_answer *answer, char *rest)
{
	int err = no_words(answer, rest);

	if (err)
		return err;
	epitaph_probes_pause(true);
	show_counts(answer);
	return 0;
}

static int do_status(struct epitaph_answer *answer, char *rest)
{
	int err = no_words(answer, rest);

	if (err)
		return err;
	show_counts(answer);
	epitaph_bridge_show(answer);
	epitaph_answer(answer, "generation %llu\n", epitaph_current()->number);
	return 0;
}

/*
 * @run: carries out the words behind the name
 * @show: prints the state afterwards; for a command without words, only @show runs.  NULL:
 *	  @run prints the state itself.  With @show, both run under the events' lock.
 */
static const struct command {
	const char *name;
	int (*run)(struct epitaph_answer *answer, char *rest);
	void (*show)(struct epitaph_answer *answer);
} commands[] = {
	{ "bridge", do_bridge },
	{ "channel", epitaph_do_channel },
	{ "context", epitaph_context_change, epitaph_contexts_show },
	{ "events", do_events },
	{ "filter", epitaph_filter_change, epitaph_filters_show },
	{ "size", epitaph_do_size },
	{ "snapshot", epitaph_do_snapshot },
	{ "start", do_start },
	{ "status", do_status },
	{ "stop", do_stop },
	{ "trigger", epitaph_trigger_change, epitaph_triggers_show },
};

static int change_and_show(struct epitaph_answer *answer, const struct command *command,
			   char *rest)
{
	int err = 0;

	epitaph_events_lock();
	if (*rest)
		err = command->run(answer, rest);
	if (!err)
		command->show(answer);
	epitaph_events_unlock();
	return err;
}

static int no_command(struct epitaph_answer *answer, const char *name)
{
	int i;

	epitaph_answer(answer, "there is no command '%s'; there are:", name);
	for (i = 0; i < ARRAY_SIZE(commands); i++)
		epitaph_answer(answer, " %s", commands[i].name);
	epitaph_answer(answer, "\n");
	return -EINVAL;
}

/* A region that is lost can be asked about, and that is all. */
static int refuse_command(struct epitaph_answer *answer, const struct command *command, const char *rest)
{
	if (epitaph_lost() && (*rest || command->run == do_start)) {
		epitaph_answer(answer, "%s: unload the module and load it again\n", epitaph_loss_text());
		return -EIO;
	}
	/* Recording is stopped, and goes on afterwards as it was. */
	if (epitaph_hibernates() && (command->run == do_start || command->run == do_stop)) {
		epitaph_answer(answer, "the machine hibernates: recording cannot be started or stopped until that is over\n");
		return -EAGAIN;
	}
	return 0;
}

/* Held for reading by a command, from where it is asked whether it is refused to its end. */
static DECLARE_RWSEM(commands_run);

void epitaph_control_settle(void)
{
	down_write(&commands_run);
	up_write(&commands_run);
}

static int run_command(struct epitaph_answer *answer, char *text)
{
	char *rest = strim(text), *name = strsep(&rest, " \t\n");
	const struct command *command;
	int err;

	rest = rest ? skip_spaces(rest) : "";
	for (command = commands; command < commands + ARRAY_SIZE(commands); command++) {
		if (strcmp(name, command->name))
			continue;
		err = refuse_command(answer, command, rest);
		if (err)
			return err;
		return command->show ? change_and_show(answer, command, rest) :
				       command->run(answer, rest);
	}
	return no_command(answer, name);
}

static int control_open(struct inode *inode, struct file *file)
{
	struct session *session;
	int err;

	if (!capable(CAP_SYS_ADMIN))
		return -EPERM;
	err = security_locked_down(LOCKDOWN_TRACEFS);
	if (err)
		return err;
	session = kzalloc(sizeof(*session), GFP_KERNEL);
	if (!session)
		return -ENOMEM;
	mutex_init(&session->lock);
	file->private_data = session;
	return stream_open(inode, file);
}

static int control_release(struct inode *inode, struct file *file)
{
	struct session *session = file->private_data;

	epitaph_answer_free(&session->answer);
	kfree(session);
	return 0;
}

static ssize_t control_write(struct file *file, const char __user *from, size_t count,
			     loff_t *pos)
{
	struct session *session = file->private_data;
	char *text;
	int err;

	if (count > MAX_COMMAND)
		return -EINVAL;
	text = memdup_user_nul(from, count);
	if (IS_ERR(text))
		return PTR_ERR(text);
	mutex_lock(&session->lock);
	epitaph_answer_free(&session->answer);
	session->read = 0;
	down_read(&commands_run);
	err = run_command(&session->answer, text);
	up_read(&commands_run);
	epitaph_filters_remind();
	mutex_unlock(&session->lock);
	kfree(text);
	return err ?: count;
}

static ssize_t control_read(struct file *file, char __user *to, size_t count, loff_t *pos)
{
	struct session *session = file->private_data;
	loff_t at;
	ssize_t n;

	mutex_lock(&session->lock);
	at = session->read;
	n = simple_read_from_buffer(to, count, &at, session->answer.text, session->answer.used);
	session->read = at;
	/* Else what is there would be taken for all of it. */
	if (!n && count && session->answer.is_cut)
		n = -ENOMEM;
	mutex_unlock(&session->lock);
	return n;
}

static const struct file_operations operations = {
	.owner = THIS_MODULE,
	.open = control_open,
	.release = control_release,
	.read = control_read,
	.write = control_write,
};

static struct miscdevice device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "epitaph-control",
	.mode = 0600,
	.fops = &operations,
};

void epitaph_control_start(void)
{
	int err = misc_register(&device);

	if (err)
		pr_warn("no /dev/epitaph-control (%d): what is recorded cannot be changed\n", err);
	is_there = !err;
}

void epitaph_control_stop(void)
{
	if (is_there)
		misc_deregister(&device);
}
