/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an account takes from the dumped kernel itself. */
#ifndef EPITAPH_TIMELINE_POSTMORTEM_KERNEL_H
#define EPITAPH_TIMELINE_POSTMORTEM_KERNEL_H

#include "postmortem.h"

/* Opens the kernel of @account->in; without a trace it also tells origin and end. */
int account_kernel_open(struct account *account, struct err *err);

/* Adds what it has of @account->sources; what lacks is noted. */
int account_kernel_scan(struct account *account, struct err *err);

#endif
