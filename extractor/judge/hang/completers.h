/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The functions of a module that complete what one of its functions waits for, and when they ran. */
#ifndef EPITAPH_JUDGE_HANG_COMPLETERS_H
#define EPITAPH_JUDGE_HANG_COMPLETERS_H

#include "owners.h"

/* Asks the history when they ran; @place: of the wait, "function+0x1/0x20 [module]". Out of a dump alone. */
void completers_ask(struct explain *explain, struct report_text place);

/* What is known of them, of the last task of the chain: as evidence, and in the claim if it was too early. */
void completers_claim(struct explain *explain, const struct owners *owners);

#endif
