/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A work function that took its work item for another member of its object: container_of() of the wrong one. */
#ifndef EPITAPH_JUDGE_OTHER_MEMBER_H
#define EPITAPH_JUDGE_OTHER_MEMBER_H

#include "judge.h"

/*
 * The claim, if the pointer that was used is the address of a function, and the object of the work item that the task runs has that
 * as the function of another work item of its own. Out of a dump alone.
 */
void other_member_claim(struct explain *explain, const char *place);

#endif
