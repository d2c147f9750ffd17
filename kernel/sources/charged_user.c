// SPDX-License-Identifier: GPL-2.0-only
#include <linux/cred.h>
#include <linux/uidgid.h>
#include <linux/user_namespace.h>
#include "charged_user.h"

kuid_t epitaph_charged_user(void)
{
	const struct user_namespace *init = &init_user_ns, *ns = current_user_ns();
	kuid_t inner;

	if (ns == init)
		return current_uid();
	while (ns->parent != init)
		ns = ns->parent;
	if (!uid_eq(ns->owner, GLOBAL_ROOT_UID))
		return ns->owner;
	inner = make_kuid((struct user_namespace *)ns, 0);
	return uid_valid(inner) ? inner : current_uid();
}
