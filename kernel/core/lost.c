// SPDX-License-Identifier: GPL-2.0-only
#include <linux/compiler.h>
#include <linux/stddef.h>
#include "lost.h"

static enum epitaph_loss loss;

enum epitaph_loss epitaph_lost(void)
{
	return READ_ONCE(loss);
}

void epitaph_lose(enum epitaph_loss why)
{
	WRITE_ONCE(loss, why);
}

const char *epitaph_loss_text(void)
{
	switch (epitaph_lost()) {
	case EPITAPH_NOT_LOST:
		break;
	case EPITAPH_LOST_IN_HIBERNATION:
		return "the region was lost in hibernation";
	case EPITAPH_LOST_DEVICE:
		return "the device with the region was removed";
	}
	return NULL;
}
