/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each smp_rmb() calls a function of the test, which changes memory there as another CPU would. */
#ifndef _EPITAPH_TEST_HOOKED_RMB_H
#define _EPITAPH_TEST_HOOKED_RMB_H

void hooked_rmb(void);

#define smp_rmb()	hooked_rmb()

#endif
