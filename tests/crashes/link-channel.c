// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy, written against the rule that oplock-brk.c brought.  A session has two links.  One is closed: its channel is taken away, and
 * who does that sleeps behind it.  The other one never got a channel, and a work item of the session uses it.
 *
 * pattern: a member that is set only if a negotiation succeeds, and is used without a look at it
 * upstream: the class of "check for NULL channel before use" of SMB multichannel
 * finding: channel_echo() reads ->credits of NULL: session_open() sets the channel of link 1 only if the server has offered one
 * never: link_close(), in which link-closer sleeps: it has cleared the channel of link 0, and not this one
 * must: ^(shown|likely): channel_echo\(\) .*NULL pointer
 * not: has cleared it|link-closer-[0-9]+ (has )?cleared
 * guest: insmod /test/link-channel.ko
 */
#include "crash.h"

struct channel {
	u32 id, flags;
	u64 credits;
};

struct smb_link {
	u32 speed, echoes;
	struct channel *channel;
};

struct session {
	u64 id;
	struct smb_link *link[2];
	struct work_struct echo;
	u32 offered;
};

static struct session *session;

static noinline u64 channel_echo(struct session *s, u32 nr)
{
	s->link[nr]->echoes++;
	return s->link[nr]->channel->credits;
}

static void session_echo(struct work_struct *work)
{
	struct session *s = container_of(work, struct session, echo);

	s->offered += channel_echo(s, 1) != 0;
}

static noinline void link_close(struct session *s, u32 nr)
{
	struct channel *channel = s->link[nr]->channel;

	WRITE_ONCE(s->link[nr]->channel, NULL);
	msleep(900);
	kfree(channel);
	s->offered--;
}

static noinline void session_open(struct session *s, u32 nr, u32 offered)
{
	struct channel *channel = offered > nr ? kzalloc(sizeof(*channel), GFP_KERNEL) : NULL;

	if (channel) {
		channel->credits = 32;
		s->link[nr]->channel = channel;
	}
}

static int link_closer(void *data)
{
	msleep(1000);
	link_close(data, 0);
	return 0;
}

static int session_thread(void *data)
{
	struct session *s = data;

	session_open(s, 0, s->offered);
	session_open(s, 1, s->offered);
	msleep(1400);
	schedule_work(&s->echo);
	return 0;
}

static int __init link_init(void)
{
	int i;

	session = kzalloc(sizeof(*session), GFP_KERNEL);
	for (i = 0; session && i < 2; i++)
		session->link[i] = kzalloc(sizeof(struct smb_link), GFP_KERNEL);
	if (!session || !session->link[0] || !session->link[1])
		return -ENOMEM;
	session->offered = 1;
	INIT_WORK(&session->echo, session_echo);
	run_thread(session_thread, session, -1, "smb-session");
	return run_thread(link_closer, session, -1, "link-closer");
}
module_init(link_init);
