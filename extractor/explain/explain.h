/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why a kernel died. */
#ifndef EPITAPH_EXPLAIN_EXPLAIN_H
#define EPITAPH_EXPLAIN_EXPLAIN_H

#include "judge/finding.h"
#include "linux_kernel/kernel_report.h"
#include "timeline/guest_run.h"

/**
 * explain_death() - find out why
 * @finding: filled in
 * @pm: after pm_scan()
 */
int explain_death(struct finding *finding, struct postmortem *pm, struct err *err);

/* Of the finding's kind, and of the place and the frames of @report; NULL: the kind alone. */
void signature_make(struct finding *finding, const struct kernel_report *report, struct report_text first);

/*
 * The same with one function alone, that of "function+0x0/0x20 [module]".
 * @is_in_part: many causes have it
 */
void signature_make_of(struct finding *finding, const char *place, bool is_in_part);

/*
 * both_sides_add() - what its host's side says of a guest's end
 * @finding: of the guest's own file
 * @end: of the guest, in its own time, as all times of a finding are
 *
 * Of a soft lockup it is the claim, if the CPU that locked up was not run; all else stays what it is.
 */
void both_sides_add(struct finding *finding, const struct guest_run *run, u64 end);

/* Lines of the host's log in that time that name the guest's threads, or an error of the host's disks. */
int both_sides_add_lines(struct finding *finding, const struct guest_run *run, struct joint *joint,
			 const struct joint_guest *guest, struct err *err);

#endif
