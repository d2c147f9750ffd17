// SPDX-License-Identifier: GPL-2.0-only
/*
 * A codec's table has no reset(); the core's wrapper jumps to it unchecked, at its end, by way of a second wrapper.
 *
 * pattern: an optional operation called without a check
 * upstream: the class of NULL operations behind wrappers (phylink, snd_soc, drm bridge)
 * finding: codec_op_reset() jumped to NULL at its end; it was asked by codec_reset(), which card_resume() called
 * never: card_resume() as what called by the pointer; a return address; the workqueue code
 * must: ^shown: .*codec_op_reset\(\) of module codec_without_reset
 * not: return address|process_one_work|by card_resume\(\) of module codec_without_reset[.:]
 * guest: insmod /test/codec-without-reset.ko
 */
#include "crash.h"

struct codec_ops {
	int (*probe)(void *priv);
	int (*reset)(void *priv, int how);
};

struct codec {
	const struct codec_ops *ops;
	void *priv;
};

struct card {
	struct codec codec;
	int resumes;
	struct delayed_work work;
};

static const struct codec_ops simple_ops;

static noinline int codec_op_reset(struct codec *codec, int how)
{
	return codec->ops->reset(codec->priv, how);
}

static noinline int codec_reset(struct card *card)
{
	return codec_op_reset(&card->codec, 2);
}

static noinline void card_resume(struct card *card)
{
	if (codec_reset(card))
		pr_err("codec: no reset\n");
	card->resumes++;
}

static void resume_work(struct work_struct *work)
{
	card_resume(container_of(to_delayed_work(work), struct card, work));
}

static int __init card_init(void)
{
	struct card *card = kzalloc(sizeof(*card), GFP_KERNEL);

	if (!card)
		return -ENOMEM;
	card->codec.ops = UNKNOWN(&simple_ops);
	INIT_DELAYED_WORK(&card->work, resume_work);
	schedule_delayed_work(&card->work, HZ / 2);
	return 0;
}
module_init(card_init);
