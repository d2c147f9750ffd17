// SPDX-License-Identifier: GPL-2.0-or-later
#include "print_enum.h"

#define REL	0x1
#define PINNED	0x2
#define SOFT	0x4
#define HARD	0x8

bool print_enum_value(const struct token *name, u64 *ret)
{
	/* From 4.16 on at least; those of ioprio are of the interface to user space. */
	static const struct {
		const char *name;
		u64 value;
	} enums[] = {
		{ "HRTIMER_MODE_ABS", 0 },
		{ "HRTIMER_MODE_REL", REL },
		{ "HRTIMER_MODE_ABS_PINNED", PINNED },
		{ "HRTIMER_MODE_REL_PINNED", REL | PINNED },
		{ "HRTIMER_MODE_ABS_SOFT", SOFT },
		{ "HRTIMER_MODE_REL_SOFT", REL | SOFT },
		{ "HRTIMER_MODE_ABS_PINNED_SOFT", PINNED | SOFT },
		{ "HRTIMER_MODE_REL_PINNED_SOFT", REL | PINNED | SOFT },
		{ "HRTIMER_MODE_ABS_HARD", HARD },
		{ "HRTIMER_MODE_REL_HARD", REL | HARD },
		{ "HRTIMER_MODE_ABS_PINNED_HARD", PINNED | HARD },
		{ "HRTIMER_MODE_REL_PINNED_HARD", REL | PINNED | HARD },
		{ "IOPRIO_CLASS_NONE", 0 },
		{ "IOPRIO_CLASS_RT", 1 },
		{ "IOPRIO_CLASS_BE", 2 },
		{ "IOPRIO_CLASS_IDLE", 3 },
		{ "IOPRIO_CLASS_INVALID", 7 },
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(enums); i++) {
		if (!token_is(name, enums[i].name))
			continue;
		*ret = enums[i].value;
		return true;
	}
	return false;
}
