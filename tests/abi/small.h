/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A small interface, to see that tests/abi/check sees a change. */
int epitaph_removed(void);
int epitaph_counted(int count);
