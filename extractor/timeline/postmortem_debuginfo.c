// SPDX-License-Identifier: GPL-2.0-or-later
#include "postmortem_debuginfo.h"

#include <string.h>

#include "base/text.h"

/* The kernel in the file has the build ids of its modules. */
static const struct kernel *kernel_of(struct account *account)
{
	if (!account->kernel && !account->beside)
		kernel_open(&account->beside, account->in, NULL);
	return account->kernel ? account->kernel : account->beside;
}

int account_debug_open(struct account *account, struct err *err)
{
	const struct account_origin *origin = &account->origin;
	const struct kernel *kernel;
	char id[2 * sizeof(origin->build_id) + 1] = "";
	bool is_of_all = account->regions && !account->trace;
	int ret;

	if (!debuginfo_wanted() || is_of_all)
		return 0;
	text_hex(id, sizeof(id), origin->build_id, origin->build_id_size);
	kernel = kernel_of(account);
	if (kernel && kernel->debuginfo && !strcmp(kernel->build_id, id)) {
		account->debuginfo = kernel->debuginfo;
		return 0;
	}
	ret = debuginfo_open(&account->own_debuginfo, id, origin->release, err);
	account->debuginfo = account->own_debuginfo;
	return ret;
}

void account_debug_close(struct account *account)
{
	debuginfo_close(account->own_debuginfo);
	kernel_close(account->beside);
}
