// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A codec frees its table of functions as it is removed; a stream still has a pointer to it.  The memory is a text of
 * "scribe" meanwhile, and "player" calls what the text says.
 *
 * pattern: a table of functions freed with a user left
 * upstream: the class of use-after-free of ops (ALSA, v4l2, tls)
 * finding: player called an address that is text, 0x53535353..., read from memory that scribe has now; the object was freed
 *	and taken again by the trace
 * never: scribe() as the culprit; a stack overwritten; a module that is gone; NULL
 * not: scribe\(\)|was NULL
 * guest: insmod /test/ops-freed-and-taken.ko
 */
#include "crash.h"

struct codec_ops {
	u64 version;
	int (*play)(int);
	char rest[176];
};

static struct codec_ops *codec;

struct stream {
	struct codec_ops *ops;
};

static struct stream stream;

static int play_silence(int n)
{
	return n;
}

static noinline void codec_remove(void)
{
	kfree(codec);
	codec = NULL;
}

static noinline int stream_play(struct stream *s)
{
	return s->ops->play(1) + 1;
}

static int player(void *unused)
{
	for (;;) {
		stream_play(&stream);
		msleep(20);
	}
	return 0;
}

static int scribe(void *unused)
{
	int i;

	msleep(1000);
	codec_remove();
	for (i = 0; i < 400; i++) {
		char *text = kmalloc(sizeof(struct codec_ops), GFP_KERNEL);

		memset(text, 'S', sizeof(struct codec_ops));
	}
	return 0;
}

static int __init codec_init(void)
{
	codec = kzalloc(sizeof(*codec), GFP_KERNEL);
	codec->play = play_silence;
	stream.ops = codec;
	run_thread(player, NULL, raw_smp_processor_id(), "player");
	return run_thread(scribe, NULL, raw_smp_processor_id(), "scribe");
}
module_init(codec_init);
