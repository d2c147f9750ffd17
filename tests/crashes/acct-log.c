// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A driver keeps the writer's credentials without a reference and puts them later; the writer's own are freed under it.
 *
 * pattern: put_cred() without get_cred(): struct cred used after free by its task
 * upstream: the class of cred reference bugs by an unbalanced put_cred() (io_uring personalities, ksmbd, nfsd)
 * finding: the struct cred of the shell that writes /proc/acct_log was freed while that task still used it: acct_flush() in a kworker does put_cred(rec->cred), yet acct_record() stored current_cred() without get_cred(), so each record drops one reference too many.  Where it dies (the shell's next fork in prepare_creds(), an LSM hook that reads cred->security, put_cred_rcu(), __put_cred()) is only the victim
 * never: fork, the shell or cat as the cause; RCU as the cause; a privilege escalation as the finding; NULL by a missing initialisation
 * guest: echo 1 >/proc/sys/kernel/softlockup_panic
 * guest: insmod /test/acct-log.ko
 * guest: (while :; do echo 1 >/proc/acct_log; sleep 1; cat /proc/uptime >/dev/null; (cat /proc/loadavg >/dev/null); done) &
 */
#include "crash.h"
#include <linux/cred.h>

struct acct_rec {
	struct delayed_work flush;
	const struct cred *cred;
	u32 code;
	u64 when;
};

static u64 acct_by_root, acct_by_user;

static noinline void acct_account(const struct cred *cred)
{
	if (uid_eq(cred->uid, GLOBAL_ROOT_UID))
		acct_by_root++;
	else
		acct_by_user++;
}

static void acct_flush(struct work_struct *work)
{
	struct acct_rec *rec = container_of(to_delayed_work(work), struct acct_rec, flush);

	acct_account(rec->cred);
	put_cred(rec->cred);
	kfree(rec);
}

static int acct_record(unsigned int code)
{
	struct acct_rec *rec = kzalloc(sizeof(*rec), GFP_KERNEL);

	if (!rec)
		return -ENOMEM;
	rec->cred = current_cred();
	rec->code = code;
	rec->when = jiffies;
	INIT_DELAYED_WORK(&rec->flush, acct_flush);
	schedule_delayed_work(&rec->flush, HZ / 4);
	return 0;
}

PROC_NUMBER(acct, acct_record);

static int __init acct_init(void)
{
	proc_create("acct_log", 0200, NULL, &acct_pops);
	return 0;
}
module_init(acct_init);
