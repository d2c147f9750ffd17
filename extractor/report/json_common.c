// SPDX-License-Identifier: GPL-2.0-or-later
#include "json_common.h"

static void put_known(struct json *j, const char *key, u64 value, bool is_known)
{
	if (is_known)
		json_u64(j, key, value);
	else
		json_null(j, key);
}

void json_account_end(struct json *j, const struct postmortem_end *end)
{
	bool is_dated = end->how == OUTCOME_UNKNOWN && end->real_ns;

	if (end->how != OUTCOME_CRASHED && !is_dated)
		return json_null(j, "crash");
	json_open(j, "crash", '{');
	put_known(j, "ts_ns", end->time, !is_dated);
	put_known(j, "wall_ns", end->real_ns, end->real_ns);
	put_known(j, "cpu", end->cpu, end->cpu != NO_CPU);
	put_known(j, "pid", end->pid, end->pid >= 0);
	json_str(j, "comm", end->pid < 0 ? NULL : end->comm);
	json_str(j, "reason", end->reason);
	json_close(j, '}');
}

void json_anchors(struct json *j, const struct clock *clock)
{
	json_u64(j, "anchors", clock->from_header ? 0 : clock->nr);
	put_known(j, "bound_ns", clock->bound_ns, !clock->from_header);
}
